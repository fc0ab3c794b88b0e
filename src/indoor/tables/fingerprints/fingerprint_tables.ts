// The tables of fingerprints: an LMDB environment at <folder>/fingerprints, which every thread reads. A folder into
// which no fingerprint ever came has none.
//
//   buildings     id u32                                     -> the building, as JSON
//   fingerprints  building u32, source u32, number u48       -> record of a fingerprint (fingerprint_record.ts)
//   stale         building u32                               -> u32; its map is older than this change
//   maps          building u32                               -> the map that was built of its fingerprints
//   radios building u32 -> the radios of the map: numbers f64, little-endian, ascending
//   sources       name                                       -> what one import brought, as JSON
//   meta          "format", "building", "source", "change"   -> u32; the next ids, and the last change
//                 "progress" -> f64, u32, u32; how far which log was looked at, and with which footprints
//
// Keys are big-endian. Source 0 is that of reports, whose numbers are those of the observation log. No id is given
// twice. A change of fingerprints notes in the same transaction that the map of their building is stale, so a map is
// built sooner or later, whatever happens in between.

import {
  hasNamedTables,
  type NamedTables,
  openNamedTables,
  openOrCreateNamedTables,
  readNumber,
} from '../../../tables/environment/named_tables.ts';
import { f64, numberKey, Row, u32, u32Key, u48Key } from '../../../tables/environment/row.ts';

const KIND = {
  folder: 'fingerprints',
  names: ['buildings', 'fingerprints', 'stale', 'maps', 'radios', 'sources', 'meta'],
  format: 1,
  what: 'table of fingerprints',
  remedy: 'import the fingerprints again',
} as const;
const PROGRESS_KEY = Buffer.from('progress');
const PROGRESS = new Row({ sequence: f64, log: u32, footprints: u32 });
/** Key of a fingerprint. Its number is that of the report or of the row, below 2^48. */
export const FINGERPRINT_KEY = new Row({ building: u32Key, source: u32Key, number: u48Key });
/** The source of fingerprints that came as reports. */
export const REPORTS = 0;

/** The tables. Closing `root` closes all. */
export type FingerprintTables = NamedTables<(typeof KIND.names)[number]>;

/** What counts up in `meta`. */
type Counter = 'building' | 'source' | 'change';

/** True if a fingerprint ever came into a folder. */
export function hasFingerprints(dataFolder: string): boolean {
  return hasNamedTables(dataFolder, KIND);
}

/**
 * Opens the tables.
 * @param dataFolder absolute path
 * @returns undefined when there never was a fingerprint
 * @throws Error when they are damaged, foreign or of another format
 */
export function openFingerprints(dataFolder: string): FingerprintTables | undefined {
  return openNamedTables(dataFolder, KIND);
}

/** The same, and makes empty tables where there are none. */
export function openOrCreateFingerprints(dataFolder: string): Promise<FingerprintTables> {
  return openOrCreateNamedTables(dataFolder, KIND);
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
  return PROGRESS.readWhole(meta.getBinary(PROGRESS_KEY)) ?? { sequence: 0, log: 0, footprints: 0 };
}

/** Notes how far the log was looked at, in the open transaction. */
export function writeProgress({ meta }: FingerprintTables, progress: LogProgress): void {
  meta.putSync(PROGRESS_KEY, PROGRESS.encode(progress));
}

/** Key of a fingerprint. */
export function fingerprintKey(building: number, source: number, number: number): Buffer {
  return FINGERPRINT_KEY.encode({ building, source, number });
}

/** The keys of all fingerprints of a building, or of those of one source. */
export function rangeOfBuilding(building: number, source?: number): { start: Buffer; end: Buffer } {
  if (source === undefined) return { start: numberKey(building), end: numberKey(building + 1) };
  return { start: fingerprintKey(building, source, 0), end: fingerprintKey(building, source + 1, 0) };
}
