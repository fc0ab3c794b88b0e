// The tables of buildings: an LMDB environment at <folder>/buildings, written by imports one at a time and read by every thread. A folder into which no building
// was ever imported has none.
//
//   buildings  id u32                            -> record of a building (building_record.ts)
//   floors     id u32, index + 32768 u16         -> record of a floor (floor_record.ts)
//   rooms      key of the floor, number u16      -> record of a room (room_record.ts)
//   grid       cell u32                          -> the buildings whose boxes meet the cell (grid.ts)
//   sources    name                              -> what one import brought, as JSON
//   meta       "format", "next"                  -> u32; the next id
//
// Keys are big-endian. No id is given twice, so that a reader may keep what it has decoded. An import changes everything in one transaction: a reader sees all of
// it, or nothing.

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Database, RootDatabase } from 'lmdb';
import { closeEnvironment } from '../environment/commit.ts';
import { BINARY, checkEnvironmentFile, DATA_FILE, existing } from '../environment/environment_file.ts';
import { openEnvironment } from '../environment/open_environment.ts';

const NAMES = ['buildings', 'floors', 'rooms', 'grid', 'sources', 'meta'] as const;
const TABLE = 'table of buildings';
const FORMAT = 1;
const FORMAT_KEY = Buffer.from('format');
const NEXT_KEY = Buffer.from('next');
const ID_BYTES = 4;
/** Bytes of the key of a floor. */
export const FLOOR_KEY_BYTES = 6;
const ROOM_KEY_BYTES = 8;
const INDEX_OFFSET = 32_768;

type Rows = Database<Buffer, Buffer>;

/** The tables. Closing `root` closes all. */
export interface BuildingTables extends Record<(typeof NAMES)[number], Rows> {
  root: RootDatabase<Buffer, Buffer>;
}

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

/** Folder of the tables in a data folder. */
function buildingsFolder(dataFolder: string): string {
  return join(dataFolder, 'buildings');
}

/**
 * Opens the tables.
 * @param dataFolder absolute path
 * @returns undefined when no building was ever imported
 * @throws Error when they are damaged, foreign or of another format
 */
export function openBuildings(dataFolder: string): BuildingTables | undefined {
  const path = buildingsFolder(dataFolder);
  if (!existsSync(join(path, DATA_FILE))) return undefined;
  let root: BuildingTables['root'] | undefined;
  try {
    if (!checkEnvironmentFile(path)) throw new Error('its data file is empty');
    root = openEnvironment(path, { maxDbs: NAMES.length });
    const tables = openTables(root, false);
    const format = readNumber(tables.meta, FORMAT_KEY);
    if (format === undefined) throw new Error(`it is no ${TABLE}`);
    if (format !== FORMAT) throw new Error(`it has format ${format}, and this version reads format ${FORMAT}`);
    return tables;
  } catch (error) {
    void root?.close();
    throw new Error(
      `The ${TABLE} ${path} cannot be used: ${(error as Error).message}. Restore it from a backup, or remove the folder ${path} and import the buildings again.`,
      { cause: error },
    );
  }
}

/** The same, and makes empty tables where there are none. They appear as a whole, because other threads may look for them at any moment. */
export async function openOrCreateBuildings(dataFolder: string): Promise<BuildingTables> {
  const found = openBuildings(dataFolder);
  if (found !== undefined) return found;
  const path = buildingsFolder(dataFolder);
  const draft = `${path}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  const root = openEnvironment(draft, { maxDbs: NAMES.length });
  root.transactionSync(() => {
    const { meta } = openTables(root, true);
    meta.putSync(FORMAT_KEY, number32(FORMAT));
    meta.putSync(NEXT_KEY, number32(1));
  });
  await closeEnvironment(root);
  rmSync(path, { recursive: true, force: true });
  renameSync(draft, path);
  return openBuildings(dataFolder)!;
}

function openTables(root: BuildingTables['root'], create: boolean): BuildingTables {
  const open = (name: string): Rows => existing(root.openDB<Buffer, Buffer>(name, { ...BINARY, ...{ create } }), TABLE);
  const tables = Object.fromEntries(NAMES.map(name => [name, open(name)])) as Record<(typeof NAMES)[number], Rows>;
  return { root, ...tables };
}

/** The id of the next building. */
export function readNext({ meta }: BuildingTables): number {
  return readNumber(meta, NEXT_KEY) ?? 0;
}

/** Notes the id of the next building, in the open transaction. */
export function writeNext({ meta }: BuildingTables, next: number): void {
  meta.putSync(NEXT_KEY, number32(next));
}

/** What was imported, by name. @throws Error when a row is damaged */
export function readSources({ sources }: BuildingTables): BuildingSource[] {
  return [...sources.getRange({})].map(({ key, value }) => {
    const name = key.toString();
    try {
      return { ...(JSON.parse(value.toString()) as Omit<BuildingSource, 'name'>), name };
    } catch {
      throw new Error(`The source of buildings "${name}" is damaged.`);
    }
  });
}

/** Key of a building. */
export function buildingKey(id: number): Buffer {
  return number32(id);
}

/** Key of a floor. Those of a building come from the lowest to the highest. */
export function floorKey(id: number, index: number): Buffer {
  const key = Buffer.allocUnsafe(FLOOR_KEY_BYTES);
  key.writeUInt32BE(id);
  key.writeUInt16BE(index + INDEX_OFFSET, ID_BYTES);
  return key;
}

/** The index of a floor, from its key or from that of a room. */
export function indexOfKey(key: Buffer): number {
  return key.readUInt16BE(ID_BYTES) - INDEX_OFFSET;
}

/** Key of a room. @param number 0..65535 */
export function roomKey(id: number, index: number, number: number): Buffer {
  const key = Buffer.allocUnsafe(ROOM_KEY_BYTES);
  floorKey(id, index).copy(key);
  key.writeUInt16BE(number, FLOOR_KEY_BYTES);
  return key;
}

/** The keys of floors, or of rooms, of buildings with ids from `first` up to `end`. */
export function rangeOf(first: number, end: number): { start: Buffer; end: Buffer } {
  return { start: number32(first), end: number32(end) };
}

function readNumber(rows: Rows, key: Buffer): number | undefined {
  const value = rows.getBinary(key);
  return value?.length === ID_BYTES ? value.readUInt32BE() : undefined;
}

function number32(value: number): Buffer {
  const buffer = Buffer.allocUnsafe(ID_BYTES);
  buffer.writeUInt32BE(value);
  return buffer;
}
