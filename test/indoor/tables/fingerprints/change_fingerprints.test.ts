import { beforeEach, expect, test } from 'vitest';
import { readFingerprintedBuildings } from '../../../../src/indoor/tables/fingerprints/buildings.ts';
import {
  addReports,
  clearReportsBehind,
  type FingerprintsOfBuilding,
  forgetFingerprints,
  putFingerprintSource,
  readFingerprintSources,
  removeFingerprintSource,
} from '../../../../src/indoor/tables/fingerprints/change_fingerprints.ts';
import {
  type FingerprintTables,
  openOrCreateFingerprints,
  readProgress,
} from '../../../../src/indoor/tables/fingerprints/fingerprint_tables.ts';
import {
  type BuiltMap,
  fingerprintsOf,
  publishMap,
  staleBuildings,
} from '../../../../src/indoor/tables/fingerprints/publish_map.ts';
import { FingerprintReader } from '../../../../src/indoor/tables/fingerprints/reader.ts';
import { announceChange, createRevision } from '../../../../src/tables/environment/revision.ts';
import { drawnFingerprint, drawnGroup } from '../../../kits/fingerprints/drawn.ts';
import { temporaryFolder } from '../../../kits/temporary_folder.ts';

let tables: FingerprintTables;
let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  tables = await openOrCreateFingerprints(folder);
  return () => tables.root.close();
});

function put(name: string, ...groups: FingerprintsOfBuilding[]): number {
  return putFingerprintSource(tables, name, groups, () => {});
}

function namesOfBuildings(): string[] {
  return [...readFingerprintedBuildings(tables).values()].map(({ name }) => name);
}

function levelsOf(building: number): number[] {
  return [...fingerprintsOf(tables, building)].flatMap(({ fingerprint }) =>
    fingerprint.readings.map(({ levelDbm }) => levelDbm),
  );
}

const map = (...radios: number[]): BuiltMap => ({
  map: Uint8Array.of(radios.length),
  radios: Float64Array.from(radios),
});

test('fingerprints come back by building, and their buildings are stale until a map is published', () => {
  const [here, there] = [
    drawnFingerprint([1, 2], { 7: -50, [2 ** 53 - 1]: -128 }),
    drawnFingerprint([9, 2], { 9: 127 }, { floor: -2 }),
  ];
  expect(put('survey', drawnGroup('A', here), drawnGroup('B', there))).toBe(0);
  expect([...fingerprintsOf(tables, 1)].map(({ fingerprint }) => fingerprint)).toEqual([here]);
  expect([...fingerprintsOf(tables, 2)].map(({ fingerprint }) => fingerprint)).toEqual([there]);
  expect(readFingerprintSources(tables)).toEqual([
    { name: 'survey', number: 1, fingerprints: 2, buildings: 2, floors: 2, importedAt: expect.stringMatching(/^20/) },
  ]);
  const stale = staleBuildings(tables);
  expect(stale.map(({ id }) => id)).toEqual([1, 2]);
  expect(publishMap(tables, stale[0], map(7), [])).toBe(true);
  expect(staleBuildings(tables)).toEqual([stale[1]]);
});

test('an import replaces what one of the same name has brought, and nothing else', () => {
  put('a', drawnGroup('House', drawnFingerprint([0, 0], { 1: -40 }), drawnFingerprint([0, 0], { 1: -41 })));
  put('b', drawnGroup('House', drawnFingerprint([0, 0], { 1: -60 })));
  expect(put('a', drawnGroup('House', drawnFingerprint([0, 0], { 1: -80 })))).toBe(2);
  expect(levelsOf(1)).toEqual([-60, -80]);
  expect(removeFingerprintSource(tables, 'b')).toBe(1);
  expect(removeFingerprintSource(tables, 'b')).toBeUndefined();
  expect(levelsOf(1)).toEqual([-80]);
});

test('a change that fails leaves everything as it was', () => {
  put('a', drawnGroup('A', drawnFingerprint([0, 0], { 1: -40 })));
  const many = Array.from({ length: 1_000 }, () => drawnFingerprint([0, 0], { 2: -50 }));
  const fail = () => {
    throw new Error('The service is stopping');
  };
  expect(() => putFingerprintSource(tables, 'a', [drawnGroup('B', ...many)], fail)).toThrow('The service is stopping');
  expect([namesOfBuildings(), levelsOf(1)]).toEqual([['A'], [-40]]);
});

test('a building is known again by name or number near where it stood, and learns what it lacks', () => {
  const about = (changes: object): FingerprintsOfBuilding => ({
    ...drawnGroup('x', drawnFingerprint([0, 0], { 1: -40 })),
    ...changes,
  });
  put('a', about({ about: { modelId: undefined, buildingId: undefined, name: 'Main building' } }));
  put('b', about({ about: { modelId: 4, buildingId: 9, name: 'Main building' } }));
  put('c', about({ about: { modelId: undefined, buildingId: 9, name: '' } }));
  expect([...readFingerprintedBuildings(tables).values()]).toMatchObject([
    { modelId: 4, buildingId: 9, name: 'Main building' },
  ]);
  put('d', about({ about: { modelId: undefined, buildingId: 8, name: 'Main building' } }));
  put('e', about({ about: { modelId: 4, buildingId: undefined, name: 'Annexe' } }));
  put('f', about({ about: { modelId: 4, buildingId: 9, name: '' }, latitude: 48 }));
  expect(readFingerprintedBuildings(tables).size).toBe(4);
});

test('reports are added under their numbers, once each, with the progress', () => {
  const about = { modelId: undefined, buildingId: 3, name: '' };
  const report = (sequence: number, levelDbm: number) => ({
    sequence,
    about,
    fingerprint: drawnFingerprint([0, 0], { 1: levelDbm }),
  });
  const footprints = 3;
  addReports(tables, [report(5, -50), report(9, -51)], { sequence: 12, log: 0, footprints });
  addReports(tables, [report(9, -52)], { sequence: 14, log: 0, footprints });
  addReports(tables, [], { sequence: 20, log: 0, footprints });
  expect([levelsOf(1), readProgress(tables), staleBuildings(tables).length]).toEqual([
    [-50, -52],
    { sequence: 20, log: 0, footprints },
    1,
  ]);
});

test('a map is not published when fingerprints have come meanwhile', () => {
  put('a', drawnGroup('A', drawnFingerprint([0, 0], { 1: -40 })));
  const [before] = staleBuildings(tables);
  put('b', drawnGroup('A', drawnFingerprint([0, 0], { 2: -40 })));
  expect(publishMap(tables, before, map(1), [])).toBe(false);
  expect([staleBuildings(tables).length, tables.maps.getKeysCount()]).toEqual([1, 0]);
});

test('readers see a map when it is announced, and nothing of a building that has gone', async () => {
  const memory = createRevision();
  const reader = new FingerprintReader(folder, memory);
  expect(reader.radios()).toBeUndefined();
  put('a', drawnGroup('A', drawnFingerprint([0, 0], { 7: -40, 9: -50 })));
  publishMap(tables, staleBuildings(tables)[0], map(7, 9), []);
  expect(reader.radios()).toBeUndefined();
  announceChange(memory);
  const { revision } = reader;
  const found: number[] = [];
  reader.radios()!.forEachBuilding(9, id => found.push(id));
  expect([found, reader.radios()!.has(7), reader.radios()!.has(8), reader.revision > revision]).toEqual([
    [1],
    true,
    false,
    true,
  ]);
  expect([reader.building(1)?.name, [...reader.map(1)!], reader.map(2)]).toEqual(['A', [2], undefined]);
  reader.release();
  removeFingerprintSource(tables, 'a');
  publishMap(tables, staleBuildings(tables)[0], undefined, []);
  announceChange(memory);
  expect([reader.radios(), reader.building(1), namesOfBuildings()]).toEqual([undefined, undefined, []]);
  await reader.close();
});

test('a map that has not changed is the one that was kept, and so are the radios', async () => {
  const memory = createRevision();
  const reader = new FingerprintReader(folder, memory);
  put('a', drawnGroup('A', drawnFingerprint([0, 0], { 7: -40 })));
  publishMap(tables, staleBuildings(tables)[0], map(7), []);
  const [index, kept] = [reader.radios(), reader.map(1)!];
  announceChange(memory);
  expect(reader.radios()).toBe(index);
  expect(reader.map(1, kept)).toBe(kept);
  put('b', drawnGroup('A', drawnFingerprint([0, 0], { 9: -40 })));
  publishMap(tables, staleBuildings(tables)[0], map(7, 9), []);
  announceChange(memory);
  expect([reader.radios()!.has(9), [...reader.map(1, kept)!]]).toEqual([true, [2]]);
  await reader.close();
});

test('radios that are damaged are told by every request, not by the first alone', async () => {
  const memory = createRevision();
  const reader = new FingerprintReader(folder, memory);
  put('a', drawnGroup('A', drawnFingerprint([0, 0], { 7: -40 })));
  publishMap(tables, staleBuildings(tables)[0], map(7), []);
  const [key] = [...tables.radios.getKeys()];
  tables.radios.putSync(Buffer.from(key), Buffer.from([1, 2, 3]));
  for (let request = 0; request < 2; request++)
    expect(() => reader.radios()).toThrow('The radios of a map of fingerprints are damaged.');
  await reader.close();
});

test('what a map leaves out goes with it', () => {
  put('a', drawnGroup('A', drawnFingerprint([0, 0], { 1: -40 }), drawnFingerprint([0, 0], { 1: -50 })));
  const [{ key }] = fingerprintsOf(tables, 1);
  publishMap(tables, staleBuildings(tables)[0], map(1), [key]);
  expect(levelsOf(1)).toEqual([-50]);
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
