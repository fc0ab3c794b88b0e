// Complete linkage, cut at a distance. Of all pairs of clusters, the pair whose farthest positions are nearest merges, as long as these are within the cut.
//
// First the positions are split into parts that cannot be linked, by a grid whose cells are as wide as the cut: cells that touch are one part. A part no wider
// than the cut is a cluster already, so the usual case, a crowd and a few outliers, costs one pass.
// Within a part: the nearest-neighbour chain (Benzecri 1982; Murtagh 1983). Follow nearest neighbours until two clusters are each other's nearest, and merge
// them. Complete linkage is reducible, so the order of merges does not matter, and a cluster whose nearest neighbour is beyond the cut never finds
// a nearer one and is final. O(n^2) time in the positions of a part.

import { CELL_COLUMN, CELL_FIRST, CELL_ROW, cellAt, fillGrid } from './cluster_grid';
import {
  CLUSTER_ACTIVE,
  CLUSTER_CELL_BYTES,
  CLUSTER_CHAIN,
  CLUSTER_MATRIX,
  CLUSTER_NEXT,
  CLUSTER_ORDER,
  CLUSTER_TALLY,
  MAX_LINKED,
  POSITION_CLUSTER,
  POSITION_EAST,
  POSITION_NORTH,
} from './memory';

/** Clusters the positions `0..count-1`: POSITION_CLUSTER gets one position of the cluster as its name. `west`, `south`: corner of the bounding box. */
export function clusterByLinkage(count: i32, cut: f64, west: f64, south: f64): void {
  const cells = fillGrid(count, cut, west, south);
  let start = 0;
  for (let c = 0; c < cells; c++) {
    if (load<i32>(c * CLUSTER_CELL_BYTES, CELL_FIRST) < 0) continue;
    const end = collectPart(c, start);
    if (isWithin(start, end, cut * cut)) {
      const name = positionOf(start, 0);
      for (let i = start; i < end; i++) store<i32>(load<i32>(i << 2, CLUSTER_ORDER) << 2, name, POSITION_CLUSTER);
    } else {
      linkCompletely(start, end - start, cut * cut);
    }
    start = end;
  }
}

/** Appends the positions of all cells connected with `first` to CLUSTER_ORDER and empties the cells. @returns the end of the part */
function collectPart(first: i32, start: i32): i32 {
  let end = takeCell(first, start);
  let waiting = 1;
  store<i32>(0, first, CLUSTER_TALLY);
  while (waiting > 0) {
    const c = load<i32>(--waiting << 2, CLUSTER_TALLY);
    const column = load<i32>(c * CLUSTER_CELL_BYTES, CELL_COLUMN);
    const row = load<i32>(c * CLUSTER_CELL_BYTES, CELL_ROW);
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        const other = cellAt(column + dx, row + dy);
        if (other < 0 || load<i32>(other * CLUSTER_CELL_BYTES, CELL_FIRST) < 0) continue;
        end = takeCell(other, end);
        store<i32>(waiting++ << 2, other, CLUSTER_TALLY);
      }
    }
  }
  return end;
}

function takeCell(c: i32, end: i32): i32 {
  for (let i = load<i32>(c * CLUSTER_CELL_BYTES, CELL_FIRST); i >= 0; i = load<i32>(i << 2, CLUSTER_NEXT)) {
    store<i32>(end++ << 2, i, CLUSTER_ORDER);
  }
  store<i32>(c * CLUSTER_CELL_BYTES, -1, CELL_FIRST);
  return end;
}

/** True when the box around a part is no wider than the cut from corner to corner. */
function isWithin(start: i32, end: i32, cut2: f64): bool {
  let west = Infinity;
  let east = -Infinity;
  let south = Infinity;
  let north = -Infinity;
  for (let k = start; k < end; k++) {
    const i = load<i32>(k << 2, CLUSTER_ORDER);
    const x = load<f64>(i << 3, POSITION_EAST);
    const y = load<f64>(i << 3, POSITION_NORTH);
    west = Math.min(west, x);
    east = Math.max(east, x);
    south = Math.min(south, y);
    north = Math.max(north, y);
  }
  return (east - west) * (east - west) + (north - south) * (north - south) <= cut2;
}

/** Row of the symmetric matrix of squared distances. */
function row(i: i32): i32 {
  return i * (MAX_LINKED << 3);
}

/** The position that is member `i` of the part that begins at `start`. */
function positionOf(start: i32, i: i32): i32 {
  return load<i32>((start + i) << 2, CLUSTER_ORDER);
}

/** Complete linkage of the `count` positions in CLUSTER_ORDER that begin at `start`. */
function linkCompletely(start: i32, count: i32, cut2: f64): void {
  for (let i = 0; i < count; i++) {
    const position = positionOf(start, i);
    const x = load<f64>(position << 3, POSITION_EAST);
    const y = load<f64>(position << 3, POSITION_NORTH);
    store<i32>(position << 2, position, POSITION_CLUSTER);
    store<i32>(i << 2, i, CLUSTER_ACTIVE);
    for (let j = 0; j < i; j++) {
      const other = positionOf(start, j);
      const dx = x - load<f64>(other << 3, POSITION_EAST);
      const dy = y - load<f64>(other << 3, POSITION_NORTH);
      const d2 = dx * dx + dy * dy;
      store<f64>(row(i) + (j << 3), d2, CLUSTER_MATRIX);
      store<f64>(row(j) + (i << 3), d2, CLUSTER_MATRIX);
    }
  }
  // CLUSTER_ACTIVE holds the clusters that may still merge, in no order. A cluster is named by one of its members.
  let active = count;
  let length = 0;
  while (active > 0) {
    if (length === 0) {
      store<i32>(0, load<i32>(0, CLUSTER_ACTIVE), CLUSTER_CHAIN);
      length = 1;
    }
    const tip = load<i32>((length - 1) << 2, CLUSTER_CHAIN);
    const before = length > 1 ? load<i32>((length - 2) << 2, CLUSTER_CHAIN) : -1;
    let nearest = before;
    let best = before >= 0 ? load<f64>(row(tip) + (before << 3), CLUSTER_MATRIX) : Infinity;
    for (let k = 0; k < active; k++) {
      const other = load<i32>(k << 2, CLUSTER_ACTIVE);
      if (other === tip) continue;
      const d2 = load<f64>(row(tip) + (other << 3), CLUSTER_MATRIX);
      if (d2 < best) {
        best = d2;
        nearest = other;
      }
    }
    if (nearest < 0 || best > cut2) {
      active = deactivate(tip, active);
      length--;
    } else if (nearest === before) {
      store<i32>(positionOf(start, tip) << 2, positionOf(start, before), POSITION_CLUSTER);
      active = merge(before, tip, active);
      length -= 2;
    } else {
      store<i32>(length << 2, nearest, CLUSTER_CHAIN);
      length++;
    }
  }
  // Follow the merges to their end.
  for (let i = 0; i < count; i++) {
    const position = positionOf(start, i);
    let root = position;
    while (load<i32>(root << 2, POSITION_CLUSTER) !== root) root = load<i32>(root << 2, POSITION_CLUSTER);
    store<i32>(position << 2, root, POSITION_CLUSTER);
  }
}

/** Removes a cluster from the list. @returns the new length */
function deactivate(name: i32, active: i32): i32 {
  let k = 0;
  while (load<i32>(k << 2, CLUSTER_ACTIVE) !== name) k++;
  store<i32>(k << 2, load<i32>((active - 1) << 2, CLUSTER_ACTIVE), CLUSTER_ACTIVE);
  return active - 1;
}

/** Merges `gone` into `kept`: the distance to every other cluster becomes the larger of the two. @returns the new length of the list */
function merge(kept: i32, gone: i32, active: i32): i32 {
  active = deactivate(gone, active);
  for (let k = 0; k < active; k++) {
    const other = load<i32>(k << 2, CLUSTER_ACTIVE);
    const d2 = Math.max(load<f64>(row(kept) + (other << 3), CLUSTER_MATRIX), load<f64>(row(gone) + (other << 3), CLUSTER_MATRIX));
    store<f64>(row(kept) + (other << 3), d2, CLUSTER_MATRIX);
    store<f64>(row(other) + (kept << 3), d2, CLUSTER_MATRIX);
  }
  return active;
}
