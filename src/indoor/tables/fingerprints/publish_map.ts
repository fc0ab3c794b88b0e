// Publishes the map of a building in place of the one before, unless its fingerprints have changed since it was begun.
// A building without fingerprints goes.

import { commitInBulk } from '../../../tables/environment/commit.ts';
import { readNumber } from '../../../tables/environment/named_tables.ts';
import { numberKey } from '../../../tables/environment/row.ts';
import { FINGERPRINTS } from './change_fingerprints.ts';
import type { StoredFingerprint } from './fingerprint_record.ts';
import { decodeFingerprint } from './fingerprint_record.ts';
import { type FingerprintTables, rangeOfBuilding } from './fingerprint_tables.ts';
import { encodeRadios } from './reader.ts';

/** A building whose map must be built. */
interface StaleBuilding {
  id: number;
  /** The change after which it is stale. */
  change: number;
}

/** A map that was built. */
export interface BuiltMap {
  /** The map as readers get it. */
  map: Uint8Array;
  /** Ascending, at least one. */
  radios: Float64Array;
}

/** Buildings whose maps are older than their fingerprints. */
export function staleBuildings({ stale }: FingerprintTables): StaleBuilding[] {
  return [...stale.getRange({})].map(({ key, value }) => ({ id: readNumber(key)!, change: readNumber(value)! }));
}

/** The records of a building's fingerprints with their keys, imports after reports, each in their order. */
export function* recordsOf(
  { fingerprints }: FingerprintTables,
  building: number,
): Generator<{ key: Buffer; record: Buffer }> {
  for (const { key, value } of fingerprints.getRange(rangeOfBuilding(building)))
    yield { key: Buffer.from(key), record: value };
}

/** The same, decoded. @throws Error when a record is damaged */
export function* fingerprintsOf(
  tables: FingerprintTables,
  building: number,
): Generator<{ key: Buffer; fingerprint: StoredFingerprint; bytes: number }> {
  for (const { key, record } of recordsOf(tables, building))
    yield { key, fingerprint: decodeFingerprint(record), bytes: record.length };
}

/**
 * Publishes a map, in one transaction.
 * @param built undefined = no fingerprint counts
 * @param dropped keys of fingerprints that go because there are too many
 * @returns false when the fingerprints have changed since; then the map is built again
 * @throws Error when the tables cannot be written; they are then as before
 */
export function publishMap(
  tables: FingerprintTables,
  { id, change }: StaleBuilding,
  built: BuiltMap | undefined,
  dropped: readonly Buffer[],
): boolean {
  let isPublished = false;
  commitInBulk(tables.root, FINGERPRINTS, () => {
    const key = numberKey(id);
    if (readNumber(tables.stale.getBinary(key)) !== change) return;
    for (const fingerprint of dropped) tables.fingerprints.removeSync(fingerprint);
    if (built === undefined) {
      tables.maps.removeSync(key);
      tables.radios.removeSync(key);
      if (tables.fingerprints.getKeysCount({ ...rangeOfBuilding(id), limit: 1 }) === 0)
        tables.buildings.removeSync(key);
    } else {
      tables.maps.putSync(key, Buffer.from(built.map));
      tables.radios.putSync(key, encodeRadios(built.radios));
    }
    tables.stale.removeSync(key);
    isPublished = true;
  });
  return isPublished;
}

/**
 * Leaves a building the map that it has until its fingerprints change again. @throws Error when the tables cannot be
 * written
 */
export function markMapFailed(tables: FingerprintTables, { id, change }: StaleBuilding): void {
  commitInBulk(tables.root, FINGERPRINTS, () => {
    const key = numberKey(id);
    if (readNumber(tables.stale.getBinary(key)) === change) tables.stale.removeSync(key);
  });
}
