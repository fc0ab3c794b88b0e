import { beforeEach, expect, test } from 'vitest';
import { FingerprintMap } from '../../../src/indoor/fingerprints/fingerprint_map.ts';
import { buildMaps, NOTHING_BUILT } from '../../../src/indoor/learning/build_maps.ts';
import { SQUARE_BYTES_MAX } from '../../../src/indoor/learning/counted_fingerprints.ts';
import {
  putFingerprintSource,
  removeFingerprintSource,
} from '../../../src/indoor/tables/fingerprints/change_fingerprints.ts';
import {
  type FingerprintTables,
  fingerprintKey,
  openOrCreateFingerprints,
} from '../../../src/indoor/tables/fingerprints/fingerprint_tables.ts';
import { fingerprintsOf, staleBuildings } from '../../../src/indoor/tables/fingerprints/publish_map.ts';
import { numberKey } from '../../../src/tables/environment/row.ts';
import { drawnFingerprint, drawnGroup } from '../../kits/fingerprints/drawn.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

let tables: FingerprintTables;
beforeEach(async () => {
  tables = await openOrCreateFingerprints(temporaryFolder());
  return () => tables.root.close();
});

const build = () => buildMaps(tables, () => {});
const mapOf = (id: number): FingerprintMap => new FingerprintMap(tables.maps.getBinary(numberKey(id))!);

test('a map matches where the fingerprints were taken, in metres from its origin', () => {
  const here = drawnFingerprint([0, 0], { 1: -40, 2: -80 });
  const there = drawnFingerprint([30, -20], { 1: -80, 2: -40 }, { floor: 3 });
  putFingerprintSource(tables, 'a', [drawnGroup('A', here, there)], () => {});
  expect(build()).toEqual({ ...NOTHING_BUILT, maps: 1 });
  const match = mapOf(1).match({
    count: 2,
    radio: Float64Array.of(1, 2),
    levelDbm: Float64Array.of(-80, -40),
    ageMs: Float64Array.of(Number.NaN, Number.NaN),
  })!;
  const best = match.logLikelihood.indexOf(Math.max(...match.logLikelihood));
  expect([match.floors[best], match.share]).toEqual([3, 1]);
  expect(match.east[best]).toBeCloseTo(30, 1);
  expect(match.north[best]).toBeCloseTo(-20, 1);
  expect([...tables.radios.getBinary(numberKey(1))!]).toHaveLength(16);
  expect([build(), staleBuildings(tables)]).toEqual([NOTHING_BUILT, []]);
});

test('a building that has lost its fingerprints loses its map, and others keep theirs', () => {
  putFingerprintSource(tables, 'a', [drawnGroup('A', drawnFingerprint([0, 0], { 1: -40 }))], () => {});
  putFingerprintSource(tables, 'b', [drawnGroup('B', drawnFingerprint([0, 0], { 2: -40 }))], () => {});
  build();
  removeFingerprintSource(tables, 'a');
  expect([build().maps, staleBuildings(tables)]).toEqual([0, []]);
  expect([tables.maps.getKeysCount(), tables.radios.getKeysCount(), tables.buildings.getKeysCount()]).toEqual([
    1, 1, 1,
  ]);
  expect([...mapOf(2).radios()]).toEqual([2]);
});

test('what is contradicted stays in the tables and out of the map', () => {
  const liar = { contributor: 7, isTrusted: false };
  const fingerprints = [
    drawnFingerprint([0, 0], { 1: -40, 2: -45 }),
    drawnFingerprint([100, 0], { 1: -40, 2: -45, 9: -90 }, liar),
  ];
  putFingerprintSource(tables, 'a', [drawnGroup('A', ...fingerprints)], () => {});
  build();
  expect([[...mapOf(1).radios()], [...fingerprintsOf(tables, 1)].length]).toEqual([[1, 2], 2]);
});

test('a square metre that is too full loses its oldest fingerprints', () => {
  const levels = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [i + 1, -60]));
  const many = Array.from({ length: 12 }, (_, i) => drawnFingerprint([0, 0], levels, { timeMs: 1e12 - i }));
  putFingerprintSource(tables, 'a', [drawnGroup('A', ...many)], () => {});
  const { dropped } = build();
  const kept = [...fingerprintsOf(tables, 1)];
  expect(dropped + kept.length).toBe(12);
  expect(kept.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(SQUARE_BYTES_MAX);
  expect(kept.map(({ fingerprint }) => fingerprint.timeMs)).toEqual(Array.from(kept, (_, i) => 1e12 - i));
  expect([dropped > 0, staleBuildings(tables)]).toEqual([true, []]);
});

test('work that is stopped leaves the maps that were published, and the others to be built', () => {
  const group = (name: string) => drawnGroup(name, drawnFingerprint([0, 0], { 1: -40 }));
  putFingerprintSource(tables, 'a', [group('A'), group('B'), group('C')], () => {});
  const stop = (done: number): void => {
    if (done === 2) throw new Error('The service is stopping');
  };
  expect(() => buildMaps(tables, stop)).toThrow('The service is stopping');
  expect([tables.maps.getKeysCount(), staleBuildings(tables).map(({ id }) => id)]).toEqual([2, [3]]);
  expect(build().maps).toBe(1);
});

test('work is stopped inside of a building, wherever it stands', () => {
  const many = Array.from({ length: 1_500 }, (_, i) => drawnFingerprint([(i % 300) / 3, 0], { 1: -40 - (i % 30) }));
  putFingerprintSource(tables, 'a', [drawnGroup('A', ...many)], () => {});
  const steps: number[] = [];
  buildMaps(tables, done => steps.push(done));
  expect(steps.length).toBeGreaterThan(100);
  // At the first step, at the last but one, and at twenty between.
  for (const last of Array.from({ length: 22 }, (_, i) => 1 + Math.floor((i * (steps.length - 2)) / 21))) {
    putFingerprintSource(tables, 'a', [drawnGroup('A', ...many)], () => {});
    let step = 0;
    const stop = (): void => {
      if (++step === last) throw new Error('The service is stopping');
    };
    expect(() => buildMaps(tables, stop)).toThrow('The service is stopping');
    expect(staleBuildings(tables)).toHaveLength(1);
  }
  expect(build().maps).toBe(1);
});

test('a building that cannot be built is told once, keeps its map, and keeps no other waiting', () => {
  const group = (name: string) => drawnGroup(name, drawnFingerprint([0, 0], { 1: -40 }));
  putFingerprintSource(tables, 'a', [group('A'), group('B')], () => {});
  build();
  putFingerprintSource(tables, 'b', [group('A'), group('B')], () => {});
  tables.fingerprints.putSync(fingerprintKey(1, 9, 1), Buffer.from('damaged'));
  expect(build).toThrow(
    'The map of building 1 of fingerprints cannot be built: The record of a fingerprint is damaged',
  );
  expect([mapOf(1).radios().length, staleBuildings(tables)]).toEqual([1, []]);
  expect(build()).toEqual(NOTHING_BUILT);
  tables.fingerprints.removeSync(fingerprintKey(1, 9, 1));
  putFingerprintSource(tables, 'b', [group('A')], () => {});
  expect(build().maps).toBe(2);
});

test('of a building with more than fits, what is trusted comes first and then what is new', () => {
  const from = (radio: number, timeMs: number, isTrusted: boolean) =>
    drawnFingerprint([radio, 0], { [radio]: -40 }, { timeMs, isTrusted, contributor: isTrusted ? 0 : radio });
  const all = [from(1, 1e12, true), from(2, 3e12, true), from(3, 2e12, true), from(4, 4e12, false)];
  const group = drawnGroup('A', ...all);
  putFingerprintSource(tables, 'a', [group], () => {});
  const bytes = (count: number) => count * group.records[0].length;
  expect(buildMaps(tables, () => {}, bytes(2))).toEqual({ ...NOTHING_BUILT, maps: 1, beyond: 2 });
  expect([...mapOf(1).radios()]).toEqual([2, 3]);
  putFingerprintSource(tables, 'a', [group], () => {});
  expect(buildMaps(tables, () => {}, bytes(4))).toEqual({ ...NOTHING_BUILT, maps: 1 });
  expect([...fingerprintsOf(tables, 1)]).toHaveLength(4);
});
