// Puts fingerprints into the tables: those of an import in place of what one of the same name has brought, and those of
// reports as they come. Each change is one transaction, and notes that the maps of the buildings concerned are stale.

import { commitInBulk } from '../../../tables/environment/commit.ts';
import { namedRows, readNumber } from '../../../tables/environment/named_tables.ts';
import { numberKey } from '../../../tables/environment/row.ts';
import { type About, BuildingsOfFingerprints } from './buildings.ts';
import { decodeFingerprint, encodeFingerprint, type StoredFingerprint } from './fingerprint_record.ts';
import {
  FINGERPRINT_KEY,
  type FingerprintTables,
  fingerprintKey,
  type LogProgress,
  REPORTS,
  rangeOfBuilding,
  takeNumber,
  writeProgress,
} from './fingerprint_tables.ts';

/** The tables, as messages name them. */
export const FINGERPRINTS = 'The fingerprints';
const ROWS_PER_UPDATE = 1_000;

/** What one import brought. */
interface FingerprintSource {
  name: string;
  /** In keys; from 1. */
  number: number;
  fingerprints: number;
  buildings: number;
  floors: number;
  /** ISO 8601, UTC. */
  importedAt: string;
}

/** Fingerprints of one building. */
export interface FingerprintsOfBuilding {
  about: About;
  /** A point in it, degrees. */
  latitude: number;
  longitude: number;
  floors: ReadonlySet<number>;
  /** From `encodeFingerprint`. */
  records: readonly Uint8Array[];
}

/** A report that names its floor, in a building. */
export interface FloorReport {
  sequence: number;
  about: About;
  fingerprint: StoredFingerprint;
}

/** What was imported, by name. @throws Error when a row is damaged */
export function readFingerprintSources({ sources }: FingerprintTables): FingerprintSource[] {
  return namedRows<FingerprintSource>(sources, 'source of fingerprints');
}

/**
 * Puts a source in.
 * @param onRow called with the number of fingerprints written so far; an error that it throws undoes everything
 * @returns fingerprints that were taken out
 * @throws Error when the tables cannot be written; they are then as before
 */
export function putFingerprintSource(
  tables: FingerprintTables,
  name: string,
  groups: readonly FingerprintsOfBuilding[],
  onRow: (done: number) => void,
): number {
  let removed = 0;
  commitInBulk(tables.root, FINGERPRINTS, () => {
    removed = takeOut(tables, name) ?? 0;
    const source = takeNumber(tables, 'source');
    const buildings = new BuildingsOfFingerprints(tables);
    let done = 0;
    for (const { about, latitude, longitude, records } of groups) {
      const building = buildings.idOf(about, latitude, longitude);
      for (const record of records) {
        tables.fingerprints.putSync(fingerprintKey(building, source, ++done), Buffer.from(record));
        if (done % ROWS_PER_UPDATE === 0) onRow(done);
      }
      markStale(tables, building);
    }
    const floors = groups.reduce((sum, group) => sum + group.floors.size, 0);
    const row: Omit<FingerprintSource, 'name'> = {
      number: source,
      fingerprints: done,
      buildings: groups.length,
      floors,
      importedAt: new Date().toISOString(),
    };
    tables.sources.putSync(Buffer.from(name), Buffer.from(JSON.stringify(row)));
  });
  return removed;
}

/**
 * How many fingerprints a source holds, and how many of them are none of the groups': no scan there was made at their
 * place and time.
 */
export function countLost(
  tables: FingerprintTables,
  name: string,
  groups: readonly FingerprintsOfBuilding[],
): { held: number; lost: number } {
  const source = readFingerprintSources(tables).find(other => other.name === name);
  if (source === undefined) return { held: 0, lost: 0 };
  const scans = new Set(groups.flatMap(({ records }) => records.map(scanOf)));
  let lost = 0;
  for (const id of tables.buildings.getKeys({})) {
    const range = rangeOfBuilding(readNumber(id)!, source.number);
    for (const { value } of tables.fingerprints.getRange(range)) if (!scans.has(scanOf(value))) lost++;
  }
  return { held: source.fingerprints, lost };
}

function scanOf(record: Uint8Array): string {
  const { timeMs, floor, latitude, longitude } = decodeFingerprint(record);
  return [timeMs, floor, latitude, longitude].join(' ');
}

/** Takes a source out. @returns fingerprints that went; undefined when there is none of this name */
export function removeFingerprintSource(tables: FingerprintTables, name: string): number | undefined {
  let removed: number | undefined;
  commitInBulk(tables.root, FINGERPRINTS, () => {
    removed = takeOut(tables, name);
  });
  return removed;
}

/**
 * Adds fingerprints of reports, and notes how far the log was looked at. @throws Error when the tables cannot be
 * written; they are then as before
 */
export function addReports(tables: FingerprintTables, reports: readonly FloorReport[], progress: LogProgress): void {
  commitInBulk(tables.root, FINGERPRINTS, () => {
    if (reports.length > 0) {
      const buildings = new BuildingsOfFingerprints(tables);
      const touched = new Set<number>();
      for (const { sequence, about, fingerprint } of reports) {
        const building = buildings.idOf(about, fingerprint.latitude, fingerprint.longitude);
        tables.fingerprints.putSync(
          fingerprintKey(building, REPORTS, sequence),
          Buffer.from(encodeFingerprint(fingerprint)),
        );
        touched.add(building);
      }
      for (const building of touched) markStale(tables, building);
    }
    writeProgress(tables, progress);
  });
}

/** Notes in the open transaction that the map of a building is not that of its fingerprints. */
function markStale(tables: FingerprintTables, building: number): void {
  tables.stale.putSync(numberKey(building), numberKey(takeNumber(tables, 'change')));
}

function takeOut(tables: FingerprintTables, name: string): number | undefined {
  const source = readFingerprintSources(tables).find(other => other.name === name);
  if (source === undefined) return undefined;
  let removed = 0;
  for (const id of [...tables.buildings.getKeys({})]) {
    const building = readNumber(id)!;
    // All keys first: the table changes under a walk.
    const keys = [...tables.fingerprints.getKeys(rangeOfBuilding(building, source.number))];
    for (const key of keys) tables.fingerprints.removeSync(key);
    if (keys.length > 0) markStale(tables, building);
    removed += keys.length;
  }
  tables.sources.removeSync(Buffer.from(name));
  return removed;
}

// Takes out of the tables what is to be forgotten, and what belongs to a log that was written anew. Both go in slices,
// each of them one transaction: if the work is cut short, doing it again does the rest.

const SLICE = 1_000;

/** What is to be forgotten. */
export interface ForgottenFingerprints {
  /** True for a fingerprint that goes. */
  isFingerprint(fingerprint: StoredFingerprint): boolean;
  /** Radios that go out of all fingerprints; one that has no other goes with them. */
  radios: ReadonlySet<number>;
}

/**
 * Forgets.
 * @param onSlice called after each slice; an error that it throws ends the work, and what went before stays forgotten
 * @returns fingerprints that went
 * @throws Error when a record is damaged, or the tables cannot be written
 */
export function forgetFingerprints(
  tables: FingerprintTables,
  { isFingerprint, radios }: ForgottenFingerprints,
  onSlice: () => void,
): number {
  let removed = 0;
  let start = Buffer.alloc(0);
  for (let isLast = false; !isLast; ) {
    tables.root.resetReadTxn();
    const rows = [...tables.fingerprints.getRange({ start, limit: SLICE })].map(({ key, value }) => ({
      key: Buffer.from(key),
      fingerprint: decodeFingerprint(value),
    }));
    commitInBulk(tables.root, FINGERPRINTS, () => {
      const touched = new Set<number>();
      for (const { key, fingerprint } of rows) {
        const readings = fingerprint.readings.filter(({ radio }) => !radios.has(radio));
        const goes = isFingerprint(fingerprint) || readings.length === 0;
        if (!goes && readings.length === fingerprint.readings.length) continue;
        if (goes) {
          tables.fingerprints.removeSync(key);
          removed++;
        } else tables.fingerprints.putSync(key, Buffer.from(encodeFingerprint({ ...fingerprint, readings })));
        touched.add(readNumber(key)!);
      }
      for (const building of touched) markStale(tables, building);
    });
    isLast = rows.length < SLICE;
    if (!isLast) start = Buffer.concat([rows[SLICE - 1].key, Buffer.of(0)]);
    onSlice();
  }
  return removed;
}

/** Takes out all fingerprints of reports behind a number of the log: the reports have other numbers now. */
export function clearReportsBehind(tables: FingerprintTables, sequence: number): void {
  commitInBulk(tables.root, FINGERPRINTS, () => {
    for (const id of [...tables.buildings.getKeys({})]) {
      const building = readNumber(id)!;
      const range = { ...rangeOfBuilding(building, REPORTS), start: fingerprintKey(building, REPORTS, sequence + 1) };
      // All keys first: the table changes under a walk.
      const keys = [...tables.fingerprints.getKeys(range)];
      for (const key of keys) tables.fingerprints.removeSync(key);
      if (keys.length > 0) markStale(tables, building);
    }
  });
}

/**
 * Puts the fingerprints of reports through a number of the log into the buildings in which they stand now: the log has
 * these reports no more.
 * @param aboutAt finds the building of a point, degrees; undefined = there is none, and the fingerprint goes
 * @throws Error when a record is damaged, or the tables cannot be written; they are then as before
 */
export function placeReportsAnew(
  tables: FingerprintTables,
  sequence: number,
  aboutAt: (latitude: number, longitude: number) => About | undefined,
): void {
  commitInBulk(tables.root, FINGERPRINTS, () => {
    const buildings = new BuildingsOfFingerprints(tables);
    const touched = new Set<number>();
    for (const id of [...tables.buildings.getKeys({})].map(key => readNumber(key)!)) {
      const range = { start: fingerprintKey(id, REPORTS, 0), end: fingerprintKey(id, REPORTS, sequence + 1) };
      // All keys first: the table changes under a walk.
      for (const key of [...tables.fingerprints.getKeys(range)]) {
        const record = Buffer.from(tables.fingerprints.getBinary(key)!);
        const { latitude, longitude } = decodeFingerprint(record);
        const about = aboutAt(latitude, longitude);
        const building = about === undefined ? undefined : buildings.idOf(about, latitude, longitude);
        if (building === id) continue;
        tables.fingerprints.removeSync(key);
        touched.add(id);
        if (building === undefined) continue;
        tables.fingerprints.putSync(fingerprintKey(building, REPORTS, FINGERPRINT_KEY.read(key).number), record);
        touched.add(building);
      }
    }
    for (const building of touched) markStale(tables, building);
  });
}
