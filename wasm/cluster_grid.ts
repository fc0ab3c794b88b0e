// A grid over the positions, as a hash table of its occupied cells, each with a list of its positions. Clustering visits neighbouring cells instead of all pairs.

import { FEWEST_SLOTS, HASH_COLUMN, HASH_MIX, HASH_ROW } from './cluster_constants';
import { CLUSTER_CELL_BYTES, CLUSTER_CELLS, CLUSTER_HEADS, CLUSTER_NEXT, POSITION_EAST, POSITION_NORTH } from './memory';

export const CELL_COLUMN = CLUSTER_CELLS;
export const CELL_ROW = CLUSTER_CELLS + 4;
export const CELL_FIRST = CLUSTER_CELLS + 8; // first position of the list, -1 = none; CLUSTER_NEXT holds the next ones
export const CELL_POSITIONS = CLUSTER_CELLS + 12;
export const CELL_DENSITY = CLUSTER_CELLS + 16;

let mask: i32 = 0; // number of slots in use, minus one

/** Sorts the positions `0..count-1` into square cells that begin at the corner (west, south). @returns the number of occupied cells */
export function fillGrid(count: i32, side: f64, west: f64, south: f64): i32 {
  let slots = FEWEST_SLOTS;
  while (slots < 2 * count) slots *= 2;
  mask = slots - 1;
  memory.fill(CLUSTER_HEADS, 0xff, slots << 2);
  let cells = 0;
  for (let i = 0; i < count; i++) {
    const column = <i32>((load<f64>(i << 3, POSITION_EAST) - west) / side);
    const row = <i32>((load<f64>(i << 3, POSITION_NORTH) - south) / side);
    const slot = slotOf(column, row);
    let c = load<i32>(slot << 2, CLUSTER_HEADS);
    if (c < 0) {
      c = cells++;
      store<i32>(slot << 2, c, CLUSTER_HEADS);
      store<i32>(c * CLUSTER_CELL_BYTES, column, CELL_COLUMN);
      store<i32>(c * CLUSTER_CELL_BYTES, row, CELL_ROW);
      store<i32>(c * CLUSTER_CELL_BYTES, -1, CELL_FIRST);
      store<i32>(c * CLUSTER_CELL_BYTES, 0, CELL_POSITIONS);
    }
    store<i32>(i << 2, load<i32>(c * CLUSTER_CELL_BYTES, CELL_FIRST), CLUSTER_NEXT);
    store<i32>(c * CLUSTER_CELL_BYTES, i, CELL_FIRST);
    store<i32>(c * CLUSTER_CELL_BYTES, load<i32>(c * CLUSTER_CELL_BYTES, CELL_POSITIONS) + 1, CELL_POSITIONS);
  }
  return cells;
}

/** Number of a cell; -1 if it is empty. */
export function cellAt(column: i32, row: i32): i32 {
  return load<i32>(slotOf(column, row) << 2, CLUSTER_HEADS);
}

/** The slot that holds a cell or would hold it; the table is at most half full. */
function slotOf(column: i32, row: i32): i32 {
  let hash = column * <i32>HASH_COLUMN + row * <i32>HASH_ROW;
  hash ^= hash >>> 15;
  hash *= <i32>HASH_MIX;
  let slot = (hash ^ (hash >>> 13)) & mask;
  while (true) {
    const c = load<i32>(slot << 2, CLUSTER_HEADS);
    if (c < 0) break;
    if (load<i32>(c * CLUSTER_CELL_BYTES, CELL_COLUMN) === column && load<i32>(c * CLUSTER_CELL_BYTES, CELL_ROW) === row) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}
