import { beforeEach, expect, test } from 'vitest';
import { addReports, putFingerprintSource } from '../../../src/tables/fingerprints/change_fingerprints.ts';
import {
  type FingerprintTables,
  openOrCreateFingerprints,
} from '../../../src/tables/fingerprints/fingerprint_tables.ts';
import { clearReportsBehind, forgetFingerprints } from '../../../src/tables/fingerprints/forget_fingerprints.ts';
import { fingerprintsOf, publishMap, staleBuildings } from '../../../src/tables/fingerprints/publish_map.ts';
import { drawnFingerprint, drawnGroup } from '../../kits/fingerprints/drawn.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

let tables: FingerprintTables;
beforeEach(async () => {
  tables = await openOrCreateFingerprints(temporaryFolder());
  return () => tables.root.close();
});

const all = (building: number) => [...fingerprintsOf(tables, building)].map(({ fingerprint }) => fingerprint);

/** As if their maps were built. */
function publish(): void {
  for (const stale of staleBuildings(tables))
    publishMap(tables, stale, { map: new Uint8Array(1), radios: Float64Array.of(1) }, []);
}

test('what somebody has brought goes, over many slices, and only maps of what changed are stale', () => {
  const fingerprints = Array.from({ length: 2_500 }, (_, i) =>
    drawnFingerprint([0, 0], { 1: -50 }, { contributor: i % 2 }),
  );
  putFingerprintSource(tables, 'a', [drawnGroup('A', ...fingerprints), drawnGroup('B', fingerprints[0])], () => {});
  publish();
  let slices = 0;
  const forgotten = {
    isFingerprint: ({ contributor }: { contributor: number }) => contributor === 1,
    radios: new Set<number>(),
  };
  expect(forgetFingerprints(tables, forgotten, () => slices++)).toBe(1_250);
  expect([all(1).length, all(2).length, slices, staleBuildings(tables).map(({ id }) => id)]).toEqual([
    1_250,
    1,
    3,
    [1],
  ]);
});

test('a radio goes out of all fingerprints, and one that has no other goes with it', () => {
  putFingerprintSource(
    tables,
    'a',
    [
      drawnGroup(
        'A',
        drawnFingerprint([0, 0], { 1: -50 }),
        drawnFingerprint([0, 0], { 1: -50, 2: -60 }),
        drawnFingerprint([0, 0], { 3: -50 }),
      ),
    ],
    () => {},
  );
  expect(forgetFingerprints(tables, { isFingerprint: () => false, radios: new Set([1]) }, () => {})).toBe(1);
  expect(all(1).map(({ readings }) => readings)).toEqual([
    [{ radio: 2, levelDbm: -60, ageMs: Number.NaN }],
    [{ radio: 3, levelDbm: -50, ageMs: Number.NaN }],
  ]);
});

test('reports behind a number go, and what imports have brought stays', () => {
  const about = { modelId: undefined, buildingId: undefined, name: 'A' };
  const reports = [1, 2, 3].map(sequence => ({
    sequence,
    about,
    fingerprint: drawnFingerprint([0, 0], { 1: -sequence }),
  }));
  addReports(tables, reports, { sequence: 3, log: 0, footprints: 1 });
  putFingerprintSource(tables, 'a', [drawnGroup('A', drawnFingerprint([0, 0], { 1: -99 }))], () => {});
  publish();
  clearReportsBehind(tables, 1);
  expect(all(1).map(({ readings: [{ levelDbm }] }) => levelDbm)).toEqual([-1, -99]);
  expect(staleBuildings(tables)).toHaveLength(1);
  publish();
  clearReportsBehind(tables, 1);
  expect(staleBuildings(tables)).toEqual([]);
});
