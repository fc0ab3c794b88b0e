// The tables of buildings: an LMDB environment at <folder>/buildings, written by imports one at a time and read by
// every thread. A folder into which no building was ever imported has none.
//
//   buildings  id u32                            -> record of a building (building_record.ts)
//   floors     id u32, index + 32768 u16         -> record of a floor (building_record.ts)
//   rooms      key of the floor, number u16      -> record of a room (building_record.ts)
//   grid       cell u32                          -> the buildings whose boxes meet the cell (building_tables.ts)
//   sources    name                              -> what one import brought, as JSON
//   meta       "format", "next"                  -> u32; the next id
//
// Keys are big-endian. No id is given twice, so that a reader may keep what it has decoded. An import changes
// everything in one transaction: a reader sees all of it, or nothing.

import type { Box } from '../../../geo/box.ts';
import { UNITS_PER_DEGREE } from '../../../geo/units.ts';
import {
  hasNamedTables,
  type NamedTables,
  namedRows,
  openNamedTables,
  openOrCreateNamedTables,
  readNumber,
} from '../../../tables/environment/named_tables.ts';
import { i32, numberKey, Row, u16Key, u32, u32Key } from '../../../tables/environment/row.ts';

const KIND = {
  folder: 'buildings',
  names: ['buildings', 'floors', 'rooms', 'grid', 'sources', 'meta'],
  format: 1,
  what: 'table of buildings',
  remedy: 'import the buildings again',
} as const;
const NEXT_KEY = Buffer.from('next');
/** Key of a floor. */
export const FLOOR_KEY = new Row({ id: u32Key, index: u16Key });
/** Key of a room: that of its floor, and its number there. */
export const ROOM_KEY = new Row({ id: u32Key, index: u16Key, number: u16Key });
const INDEX_OFFSET = 32_768;

/** The tables. Closing `root` closes all. */
export type BuildingTables = NamedTables<(typeof KIND.names)[number]>;

/** What one import brought. */
export interface BuildingSource {
  name: string;
  /** Its buildings have consecutive ids. */
  firstId: number;
  buildings: number;
  floors: number;
  rooms: number;
  /** ISO 8601, UTC. */
  importedAt: string;
}

/** True if a building was ever imported into a folder. */
export function hasBuildings(dataFolder: string): boolean {
  return hasNamedTables(dataFolder, KIND);
}

/**
 * Opens the tables.
 * @param dataFolder absolute path
 * @returns undefined when no building was ever imported
 * @throws Error when they are damaged, foreign or of another format
 */
export function openBuildings(dataFolder: string): BuildingTables | undefined {
  return openNamedTables(dataFolder, KIND);
}

/** The same, and makes empty tables where there are none. */
export function openOrCreateBuildings(dataFolder: string): Promise<BuildingTables> {
  return openOrCreateNamedTables(dataFolder, KIND, tables => writeNext(tables, 1));
}

/** The id of the next building. */
export function readNext({ meta }: BuildingTables): number {
  return readNumber(meta.getBinary(NEXT_KEY)) ?? 0;
}

/** Notes the id of the next building, in the open transaction. */
export function writeNext({ meta }: BuildingTables, next: number): void {
  meta.putSync(NEXT_KEY, numberKey(next));
}

/** What was imported, by name. @throws Error when a row is damaged */
export function readSources({ sources }: BuildingTables): BuildingSource[] {
  return namedRows<BuildingSource>(sources, 'source of buildings');
}

/** Key of a building. */
export function buildingKey(id: number): Buffer {
  return numberKey(id);
}

/** Key of a floor. Those of a building come from the lowest to the highest. */
export function floorKey(id: number, index: number): Buffer {
  return FLOOR_KEY.encode({ id, index: index + INDEX_OFFSET });
}

/** The index of a floor, from its key or from that of a room. */
export function indexOfKey(key: Buffer): number {
  return FLOOR_KEY.read(key).index - INDEX_OFFSET;
}

/** Key of a room. @param number 0..65535 */
export function roomKey(id: number, index: number, number: number): Buffer {
  return ROOM_KEY.encode({ id, index: index + INDEX_OFFSET, number });
}

/** The keys of floors, or of rooms, of buildings with ids from `first` up to `end`. */
export function rangeOf(first: number, end: number): { start: Buffer; end: Buffer } {
  return { start: numberKey(first), end: numberKey(end) };
}

// Finds buildings by position. The globe is cut into cells of 2^16 units, some 730 metres from south to north; a cell
// has a list of the buildings whose boxes meet it. A point is in one cell, so one row is read for it.
//
//   list       20 bytes each: id u32, then west, south, east and north of the box, i32 in units; little-endian

const CELL_BITS = 16;
const COLUMNS = 2 * ((180 * UNITS_PER_DEGREE) >> CELL_BITS) + 2;
const FIRST_COLUMN = (-180 * UNITS_PER_DEGREE) >> CELL_BITS;
const FIRST_ROW = (-90 * UNITS_PER_DEGREE) >> CELL_BITS;
const ENTRY = new Row({ id: u32, west: i32, south: i32, east: i32, north: i32 });

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
  return numberKey((row - FIRST_ROW) * COLUMNS + column - FIRST_COLUMN);
}

/** The list of a cell as a value. */
export function encodeEntries(entries: readonly GridEntry[]): Buffer {
  return Buffer.concat(entries.map(entry => ENTRY.encode(entry)));
}

/** @throws Error when the value is no list */
export function decodeEntries(value: Buffer): GridEntry[] {
  if (value.length === 0 || value.length % ENTRY.bytes !== 0)
    throw new Error(`A cell of the grid of buildings is damaged: it has ${value.length} bytes.`);
  return Array.from({ length: value.length / ENTRY.bytes }, (_, i) => ENTRY.read(value, i * ENTRY.bytes));
}
