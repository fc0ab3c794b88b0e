// Clusters many positions in linear time. They are sorted into a grid of cells whose side is a quarter of the cut. The density of a cell is the number of
// positions in the cells within one cut. From the densest cell down, a ball of radius `cut` around the mean of the cell's free positions takes every free
// position inside. So a group is never wider than twice the cut, and a chain breaks where it is thinnest. Each position is visited a bounded number of
// times, because a ball visits only the cells that it touches, and positions that are taken leave their cell.

import { CELLS_TO_A_CUT } from './cluster_constants';
import { CELL_COLUMN, CELL_DENSITY, CELL_FIRST, CELL_POSITIONS, CELL_ROW, cellAt, fillGrid } from './cluster_grid';
import { CLUSTER_CELL_BYTES, CLUSTER_NEXT, CLUSTER_ORDER, CLUSTER_TALLY, POSITION_CLUSTER, POSITION_EAST, POSITION_NORTH } from './memory';

/** Clusters the positions `0..count-1`: POSITION_CLUSTER gets one position of the cluster as its name. `west`, `south`: corner of the bounding box. */
export function clusterByBalls(count: i32, cut: f64, west: f64, south: f64): void {
  const cells = fillGrid(count, cut / CELLS_TO_A_CUT, west, south);
  for (let c = 0; c < cells; c++) store<i32>(c * CLUSTER_CELL_BYTES, densityAround(c), CELL_DENSITY);
  orderByDensity(count, cells);
  for (let k = 0; k < cells; k++) {
    const c = load<i32>(k << 2, CLUSTER_ORDER);
    if (load<i32>(c * CLUSTER_CELL_BYTES, CELL_FIRST) >= 0) takeBall(c, cut * cut);
  }
}

/** Number of positions in the cells whose centres are within one cut of this one's. */
function densityAround(c: i32): i32 {
  const column = load<i32>(c * CLUSTER_CELL_BYTES, CELL_COLUMN);
  const row = load<i32>(c * CLUSTER_CELL_BYTES, CELL_ROW);
  let density = 0;
  for (let dy = -CELLS_TO_A_CUT; dy <= CELLS_TO_A_CUT; dy++) {
    for (let dx = -CELLS_TO_A_CUT; dx <= CELLS_TO_A_CUT; dx++) {
      if (dx * dx + dy * dy > CELLS_TO_A_CUT * CELLS_TO_A_CUT) continue;
      const other = cellAt(column + dx, row + dy);
      if (other >= 0) density += load<i32>(other * CLUSTER_CELL_BYTES, CELL_POSITIONS);
    }
  }
  return density;
}

/** Counting sort of the cells, the densest first. */
function orderByDensity(count: i32, cells: i32): void {
  memory.fill(CLUSTER_TALLY, 0, (count + 2) << 2);
  for (let c = 0; c < cells; c++) {
    const at = load<i32>(c * CLUSTER_CELL_BYTES, CELL_DENSITY) << 2;
    store<i32>(at, load<i32>(at, CLUSTER_TALLY) + 1, CLUSTER_TALLY);
  }
  let before = 0;
  for (let density = count; density >= 0; density--) {
    const here = load<i32>(density << 2, CLUSTER_TALLY);
    store<i32>(density << 2, before, CLUSTER_TALLY);
    before += here;
  }
  for (let c = 0; c < cells; c++) {
    const at = load<i32>(c * CLUSTER_CELL_BYTES, CELL_DENSITY) << 2;
    const position = load<i32>(at, CLUSTER_TALLY);
    store<i32>(at, position + 1, CLUSTER_TALLY);
    store<i32>(position << 2, c, CLUSTER_ORDER);
  }
}

/** Takes all free positions in a ball around those of a cell; the cell's first position names the cluster. */
function takeBall(c: i32, cut2: f64): void {
  const name = load<i32>(c * CLUSTER_CELL_BYTES, CELL_FIRST);
  let east: f64 = 0;
  let north: f64 = 0;
  let free = 0;
  for (let i = name; i >= 0; i = load<i32>(i << 2, CLUSTER_NEXT)) {
    east += load<f64>(i << 3, POSITION_EAST);
    north += load<f64>(i << 3, POSITION_NORTH);
    free++;
  }
  east /= free;
  north /= free;
  const column = load<i32>(c * CLUSTER_CELL_BYTES, CELL_COLUMN);
  const row = load<i32>(c * CLUSTER_CELL_BYTES, CELL_ROW);
  for (let dy = -CELLS_TO_A_CUT; dy <= CELLS_TO_A_CUT; dy++) {
    for (let dx = -CELLS_TO_A_CUT; dx <= CELLS_TO_A_CUT; dx++) {
      const other = cellAt(column + dx, row + dy);
      if (other >= 0) takePositions(other, name, east, north, cut2);
    }
  }
}

/** Moves a cell's free positions inside the ball to the cluster and keeps the rest in the cell's list. */
function takePositions(c: i32, name: i32, east: f64, north: f64, cut2: f64): void {
  let kept = -1;
  let i = load<i32>(c * CLUSTER_CELL_BYTES, CELL_FIRST);
  while (i >= 0) {
    const next = load<i32>(i << 2, CLUSTER_NEXT);
    const dx = load<f64>(i << 3, POSITION_EAST) - east;
    const dy = load<f64>(i << 3, POSITION_NORTH) - north;
    if (dx * dx + dy * dy <= cut2) {
      store<i32>(i << 2, name, POSITION_CLUSTER);
    } else {
      store<i32>(i << 2, kept, CLUSTER_NEXT);
      kept = i;
    }
    i = next;
  }
  store<i32>(c * CLUSTER_CELL_BYTES, kept, CELL_FIRST);
}
