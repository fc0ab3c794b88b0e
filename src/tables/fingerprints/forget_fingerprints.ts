// Takes out of the tables what is to be forgotten, and what belongs to a log that was written anew. Both go in slices, each of them one transaction: if the work is cut
// short, doing it again does the rest.

import { commitInBulk } from '../environment/commit.ts';
import { FINGERPRINTS, markStale } from './change_fingerprints.ts';
import type { StoredFingerprint } from './fingerprint.ts';
import { decodeFingerprint, encodeFingerprint } from './fingerprint_record.ts';
import { type FingerprintTables, fingerprintKey, REPORTS, rangeOfBuilding, readNumber } from './fingerprint_tables.ts';

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
