// Checks the tables of fingerprints together with the maps in them.

import type { Check } from '../../tables/environment/check_walk.ts';
import { checkFingerprints } from '../tables/fingerprints/check.ts';
import type { FingerprintTables } from '../tables/fingerprints/fingerprint_tables.ts';
import { FingerprintMap } from './fingerprint_map.ts';

/** Walks through the tables. */
export function checkWithMaps(tables: FingerprintTables, check: Check): Promise<void> {
  return checkFingerprints(tables, check, map => new FingerprintMap(map).radios());
}
