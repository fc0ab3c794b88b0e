// Clustering of many positions in linear time. A grid of cells a quarter of the cut wide is laid over them; the density of a cell is the number of positions
// in the cells within a cut of it. Then, from the densest cell down, a ball of radius `cut` around the mean of the cell's free positions takes every free
// position inside. So a group is never wider than twice the cut, a chain is broken where it is thinnest, and each position is looked at a bounded
// number of times: the work of a ball is that of the cells it touches, and taken positions leave their cell.

import { CELLS_TO_A_CUT } from './cluster_constants';
import { CELL_COLUMN, CELL_DENSITY, CELL_FIRST, CELL_POSITIONS, CELL_ROW, cellAt, fillGrid } from './cluster_grid';
import { CLUSTER_CELL_BYTES, CLUSTER_NEXT, CLUSTER_ORDER, CLUSTER_TALLY, POSITION_CLUSTER, POSITION_EAST, POSITION_NORTH } from './memory';

/** Clusters the positions `0..count-1`; leaves in POSITION_CLUSTER one of the cluster's positions as its name. `west`, `south`: the corner of all positions. */
export function clusterByBalls(count: i32, cut: f64, west: f64, south: f64): void {
  const cells = fillGrid(count, cut / CELLS_TO_A_CUT, west, south);
  for (let c = 0; c < cells; c++) store<i32>(c * CLUSTER_CELL_BYTES, densityAround(c), CELL_DENSITY);
  orderByDensity(count, cells);
  for (let k = 0; k < cells; k++) {
    const c = load<i32>(k << 2, CLUSTER_ORDER);
    if (load<i32>(c * CLUSTER_CELL_BYTES, CELL_FIRST) >= 0) takeBall(c, cut * cut);
  }
}

/** Positions in the cells whose middles lie within a cut of this one's. */
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

/** Lays a ball around the free positions of a cell and takes all free positions inside; the first of its positions names the cluster. */
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

/** Moves a cell's free positions within the ball into the cluster and keeps the rest in its list. */
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
