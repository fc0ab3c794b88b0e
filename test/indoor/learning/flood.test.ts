// One untrusted account that posts much more in surveyed places than they hold.

import { beforeEach, expect, test } from 'vitest';
import { buildMaps } from '../../../src/indoor/learning/build_maps.ts';
import { addReports, putFingerprintSource } from '../../../src/indoor/tables/fingerprints/change_fingerprints.ts';
import {
  type FingerprintTables,
  openOrCreateFingerprints,
} from '../../../src/indoor/tables/fingerprints/fingerprint_tables.ts';
import { fingerprintsOf } from '../../../src/indoor/tables/fingerprints/publish_map.ts';
import { numberKey } from '../../../src/tables/environment/row.ts';
import { drawnFingerprint, drawnGroup } from '../../kits/fingerprints/drawn.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

let tables: FingerprintTables;
beforeEach(async () => {
  tables = await openOrCreateFingerprints(temporaryFolder());
  return () => tables.root.close();
});

test('it takes no row of the survey, and changes nothing in the map', () => {
  const points = Array.from({ length: 30 }, (_, i) => [4 * (i % 6), 4 * Math.floor(i / 6)] as const);
  const survey = points.map(([east, north], i) =>
    drawnFingerprint([east, north], { [i]: -40, [i + 1]: -50, [i + 2]: -60 }),
  );
  const group = drawnGroup('A', ...survey);
  putFingerprintSource(tables, 'a', [group], () => {});
  buildMaps(tables, () => {});
  const before = tables.maps.getBinary(numberKey(1))!;
  const invented = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [1_000 + i, -30]));
  const flood = points.flatMap(([east, north], i) =>
    [1, 2, 3, 4, 5].map(n => {
      const fingerprint = drawnFingerprint([east, north], invented, {
        contributor: 7,
        isTrusted: false,
        timeMs: 1_700_000_000_000,
      });
      return { sequence: 5 * i + n, about: group.about, fingerprint };
    }),
  );
  addReports(tables, flood, { sequence: 150, log: 0, footprints: 1 });
  buildMaps(tables, () => {});
  expect([...fingerprintsOf(tables, 1)].filter(({ fingerprint }) => fingerprint.isTrusted)).toHaveLength(30);
  expect(tables.maps.getBinary(numberKey(1))).toEqual(before);
});
