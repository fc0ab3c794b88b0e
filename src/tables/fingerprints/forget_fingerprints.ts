// Takes out of the tables what is to be forgotten, and what belongs to a log that was written anew. Both go in slices,
// each of them one transaction: if the work is cut short, doing it again does the rest.

import { commitInBulk } from '../environment/commit.ts';
import { readNumber } from '../environment/named_tables.ts';
import { type About, BuildingsOfFingerprints } from './buildings.ts';
import { FINGERPRINTS, markStale } from './change_fingerprints.ts';
import type { StoredFingerprint } from './fingerprint.ts';
import { decodeFingerprint, encodeFingerprint } from './fingerprint_record.ts';
import { type FingerprintTables, fingerprintKey, numberOfKey, REPORTS, rangeOfBuilding } from './fingerprint_tables.ts';

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
        tables.fingerprints.putSync(fingerprintKey(building, REPORTS, numberOfKey(key)), record);
        touched.add(building);
      }
    }
    for (const building of touched) markStale(tables, building);
  });
}
