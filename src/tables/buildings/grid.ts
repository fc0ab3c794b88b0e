// Finds buildings by position. The globe is cut into cells of 2^16 units, some 730 metres from south to north; a cell
// has a list of the buildings whose boxes meet it. A point is in one cell, so one row is read for it.
//
//   list       20 bytes each: id u32, then west, south, east and north of the box, i32 in units; little-endian

import type { Box } from '../../geo/box.ts';
import { UNITS_PER_DEGREE } from '../../geo/units.ts';

const CELL_BITS = 16;
const COLUMNS = 2 * ((180 * UNITS_PER_DEGREE) >> CELL_BITS) + 2;
const FIRST_COLUMN = (-180 * UNITS_PER_DEGREE) >> CELL_BITS;
const FIRST_ROW = (-90 * UNITS_PER_DEGREE) >> CELL_BITS;
const KEY_BYTES = 4;
const ENTRY_BYTES = 20;

/** A building in the list of a cell. Its box is in units. */
export interface GridEntry extends Box {
  id: number;
}

/** Key of the cell of a point, units. */
export function cellAt(x: number, y: number): Buffer {
  return cellKey(x >> CELL_BITS, y >> CELL_BITS);
}

/** Keys of the cells that a box in units meets. */
export function cellsOf({ west, south, east, north }: Box): Buffer[] {
  const keys: Buffer[] = [];
  for (let row = south >> CELL_BITS; row <= north >> CELL_BITS; row++) {
    for (let column = west >> CELL_BITS; column <= east >> CELL_BITS; column++) keys.push(cellKey(column, row));
  }
  return keys;
}

function cellKey(column: number, row: number): Buffer {
  const key = Buffer.allocUnsafe(KEY_BYTES);
  key.writeUInt32BE((row - FIRST_ROW) * COLUMNS + column - FIRST_COLUMN);
  return key;
}

/** The list of a cell as a value. */
export function encodeEntries(entries: readonly GridEntry[]): Buffer {
  const value = Buffer.alloc(entries.length * ENTRY_BYTES);
  for (const [i, { id, west, south, east, north }] of entries.entries()) {
    value.writeUInt32LE(id, i * ENTRY_BYTES);
    for (const [side, units] of [west, south, east, north].entries())
      value.writeInt32LE(units, i * ENTRY_BYTES + 4 + 4 * side);
  }
  return value;
}

/** @throws Error when the value is no list */
export function decodeEntries(value: Buffer): GridEntry[] {
  if (value.length === 0 || value.length % ENTRY_BYTES !== 0)
    throw new Error(`A cell of the grid of buildings is damaged: it has ${value.length} bytes.`);
  return Array.from({ length: value.length / ENTRY_BYTES }, (_, i) => entryAt(value, i * ENTRY_BYTES));
}

function entryAt(value: Buffer, at: number): GridEntry {
  return {
    id: value.readUInt32LE(at),
    west: value.readInt32LE(at + 4),
    south: value.readInt32LE(at + 8),
    east: value.readInt32LE(at + 12),
    north: value.readInt32LE(at + 16),
  };
}
