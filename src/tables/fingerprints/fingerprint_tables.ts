// The tables of fingerprints: an LMDB environment at <folder>/fingerprints, which every thread reads. A folder into which no fingerprint ever came has none.
//
//   buildings     id u32                                     -> the building, as JSON
//   fingerprints  building u32, source u32, number u48       -> record of a fingerprint (fingerprint_record.ts)
//   stale         building u32                               -> u32; its map is older than this change
//   maps          building u32                               -> the map that was built of its fingerprints
//   radios        building u32                               -> the radios of the map: numbers f64, little-endian, ascending
//   sources       name                                       -> what one import brought, as JSON
//   meta          "format", "building", "source", "change"   -> u32; the next ids, and the last change
//                 "progress"                                 -> f64, u32, u32; how far which log was looked at, and with which footprints
//
// Keys are big-endian. Source 0 is that of reports, whose numbers are those of the observation log. No id is given twice. A change of fingerprints notes in the
// same transaction that the map of their building is stale, so a map is built sooner or later, whatever happens in between.

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Database, RootDatabase } from 'lmdb';
import { closeEnvironment } from '../environment/commit.ts';
import { BINARY, checkEnvironmentFile, DATA_FILE, existing } from '../environment/environment_file.ts';
import { openEnvironment } from '../environment/open_environment.ts';

const NAMES = ['buildings', 'fingerprints', 'stale', 'maps', 'radios', 'sources', 'meta'] as const;
const TABLE = 'table of fingerprints';
const FORMAT = 1;
const FORMAT_KEY = Buffer.from('format');
const PROGRESS_KEY = Buffer.from('progress');
const NUMBER_BYTES = 4;
const PROGRESS_BYTES = 16;
/** Bytes of the key of a fingerprint. */
export const FINGERPRINT_KEY_BYTES = 14;
/** The source of fingerprints that came as reports. */
export const REPORTS = 0;

type Rows = Database<Buffer, Buffer>;

/** The tables. Closing `root` closes all. */
export interface FingerprintTables extends Record<(typeof NAMES)[number], Rows> {
  root: RootDatabase<Buffer, Buffer>;
}

/** What counts up in `meta`. */
type Counter = 'building' | 'source' | 'change';

/** Folder of the tables in a data folder. */
function fingerprintsFolder(dataFolder: string): string {
  return join(dataFolder, 'fingerprints');
}

/**
 * Opens the tables.
 * @param dataFolder absolute path
 * @returns undefined when there never was a fingerprint
 * @throws Error when they are damaged, foreign or of another format
 */
export function openFingerprints(dataFolder: string): FingerprintTables | undefined {
  const path = fingerprintsFolder(dataFolder);
  if (!existsSync(join(path, DATA_FILE))) return undefined;
  let root: FingerprintTables['root'] | undefined;
  try {
    if (!checkEnvironmentFile(path)) throw new Error('its data file is empty');
    root = openEnvironment(path, { maxDbs: NAMES.length });
    const tables = openTables(root, false);
    const format = readNumber(tables.meta.getBinary(FORMAT_KEY));
    if (format === undefined) throw new Error(`it is no ${TABLE}`);
    if (format !== FORMAT) throw new Error(`it has format ${format}, and this version reads format ${FORMAT}`);
    return tables;
  } catch (error) {
    void root?.close();
    throw new Error(
      `The ${TABLE} ${path} cannot be used: ${(error as Error).message}. Restore it from a backup, or remove the folder ${path} and import the fingerprints again.`,
      { cause: error },
    );
  }
}

/** The same, and makes empty tables where there are none. They appear as a whole, because other threads may look for them at any moment. */
export async function openOrCreateFingerprints(dataFolder: string): Promise<FingerprintTables> {
  const found = openFingerprints(dataFolder);
  if (found !== undefined) return found;
  const path = fingerprintsFolder(dataFolder);
  const draft = `${path}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  const root = openEnvironment(draft, { maxDbs: NAMES.length });
  root.transactionSync(() => openTables(root, true).meta.putSync(FORMAT_KEY, numberKey(FORMAT)));
  await closeEnvironment(root);
  rmSync(path, { recursive: true, force: true });
  renameSync(draft, path);
  return openFingerprints(dataFolder)!;
}

function openTables(root: FingerprintTables['root'], create: boolean): FingerprintTables {
  const open = (name: string): Rows => existing(root.openDB<Buffer, Buffer>(name, { ...BINARY, ...{ create } }), TABLE);
  const tables = Object.fromEntries(NAMES.map(name => [name, open(name)])) as Record<(typeof NAMES)[number], Rows>;
  return { root, ...tables };
}

/** The last number that was given; 0 before the first. */
export function lastNumber({ meta }: FingerprintTables, counter: Counter): number {
  return readNumber(meta.getBinary(Buffer.from(counter))) ?? 0;
}

/** Gives the next number, from 1, in the open transaction. @throws Error when they are used up */
export function takeNumber(tables: FingerprintTables, counter: Counter): number {
  const next = lastNumber(tables, counter) + 1;
  if (next >= 2 ** 32) throw new Error(`The numbers of fingerprints (${counter}) are used up.`);
  tables.meta.putSync(Buffer.from(counter), numberKey(next));
  return next;
}

/** How far the log was looked at for reports with floors. */
export interface LogProgress {
  /** The last report that was looked at; 0 = none. */
  sequence: number;
  /** How often the log was written anew before: its reports are numbered through each time. */
  log: number;
  /** The last building that was imported then. */
  footprints: number;
}

/** How far the log was looked at. */
export function readProgress({ meta }: FingerprintTables): LogProgress {
  const value = meta.getBinary(PROGRESS_KEY);
  if (value?.length !== PROGRESS_BYTES) return { sequence: 0, log: 0, footprints: 0 };
  return { sequence: value.readDoubleLE(0), log: value.readUInt32LE(8), footprints: value.readUInt32LE(12) };
}

/** Notes how far the log was looked at, in the open transaction. */
export function writeProgress({ meta }: FingerprintTables, { sequence, log, footprints }: LogProgress): void {
  const value = Buffer.allocUnsafe(PROGRESS_BYTES);
  value.writeDoubleLE(sequence);
  value.writeUInt32LE(log, 8);
  value.writeUInt32LE(footprints, 12);
  meta.putSync(PROGRESS_KEY, value);
}

/** A number of 32 bits as a key, or as a value. */
export function numberKey(number: number): Buffer {
  const key = Buffer.allocUnsafe(NUMBER_BYTES);
  key.writeUInt32BE(number);
  return key;
}

/** The number in a value, or at the start of a key; undefined where there is none. */
export function readNumber(value: Buffer | undefined): number | undefined {
  return value !== undefined && value.length >= NUMBER_BYTES ? value.readUInt32BE() : undefined;
}

/** Key of a fingerprint. @param number of the report or of the row, below 2^48 */
export function fingerprintKey(building: number, source: number, number: number): Buffer {
  const key = Buffer.allocUnsafe(FINGERPRINT_KEY_BYTES);
  key.writeUInt32BE(building);
  key.writeUInt32BE(source, NUMBER_BYTES);
  key.writeUIntBE(number, 2 * NUMBER_BYTES, 6);
  return key;
}

/** The source of a fingerprint, from its key. */
export function sourceOfKey(key: Buffer): number {
  return key.readUInt32BE(NUMBER_BYTES);
}

/** The number of a fingerprint in its source, from its key. */
export function numberOfKey(key: Buffer): number {
  return key.readUIntBE(2 * NUMBER_BYTES, 6);
}

/** The keys of all fingerprints of a building, or of those of one source. */
export function rangeOfBuilding(building: number, source?: number): { start: Buffer; end: Buffer } {
  if (source === undefined) return { start: numberKey(building), end: numberKey(building + 1) };
  return { start: fingerprintKey(building, source, 0), end: fingerprintKey(building, source + 1, 0) };
}
