import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { stationsOf } from '../../../../src/folder/opted_out.ts';
import { openOrCreateBuildings } from '../../../../src/indoor/tables/buildings/building_tables.ts';
import { putSource } from '../../../../src/indoor/tables/buildings/change_source.ts';
import { readFingerprintedBuildings } from '../../../../src/indoor/tables/fingerprints/buildings.ts';
import type { StoredFingerprint } from '../../../../src/indoor/tables/fingerprints/fingerprint_record.ts';
import { openFingerprints } from '../../../../src/indoor/tables/fingerprints/fingerprint_tables.ts';
import { fingerprintsOf } from '../../../../src/indoor/tables/fingerprints/publish_map.ts';
import { importFingerprints } from '../../../../src/indoor/transfer/fingerprints/import_fingerprints.ts';
import { ReplacementRefused } from '../../../../src/tables/sources/source_name.ts';
import { degreesAt, drawnModel, type Metres, rectangle } from '../../../kits/buildings/drawn.ts';
import { temporaryFolder } from '../../../kits/temporary_folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const HEADER = 'floor,latitude,longitude,accuracy,building,mac,level';
const row = (
  [east, north]: Metres,
  changes: { floor?: number; accuracy?: number | string; building?: string; mac?: string } = {},
) => {
  const [longitude, latitude] = degreesAt([east, north]);
  const { floor = 0, accuracy = '', building = '', mac = '02:00:00:00:00:01' } = changes;
  return [floor, latitude, longitude, accuracy, building, mac, -50].join(',');
};

function file(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

function importFiles(files: string[], changes: Partial<Parameters<typeof importFingerprints>[0]> = {}) {
  return importFingerprints({
    folder,
    files,
    stdin: Readable.from([]),
    optedOut: stationsOf([]),
    onProgress: () => {},
    ...changes,
  });
}

/** Names of buildings, with their fingerprints. */
async function stored(): Promise<[string, StoredFingerprint[]][]> {
  const tables = openFingerprints(folder)!;
  const found = [...readFingerprintedBuildings(tables)].map(([id, { name }]): [string, StoredFingerprint[]] => [
    name,
    [...fingerprintsOf(tables, id)].map(({ fingerprint }) => fingerprint),
  ]);
  await tables.root.close();
  return found;
}

async function drawHouse(): Promise<void> {
  const tables = await openOrCreateBuildings(folder);
  putSource(
    tables,
    'models',
    [drawnModel({ name: 'House', buildingId: 5, outline: [rectangle([0, 0], [40, 30])] })],
    () => {},
  );
  await tables.root.close();
}

test('a scan belongs to the building that the file names, or to that whose footprint contains it', async () => {
  await drawHouse();
  const path = file(
    'survey.csv',
    [HEADER, row([5, 5]), row([6, 5], { floor: 2 }), row([500, 5], { building: 'Kiosk' }), row([900, 5])].join('\n'),
  );
  expect(await importFiles([path])).toEqual({
    source: 'survey',
    imported: { fingerprints: 3, buildings: 2, floors: 3 },
    leftOut: { 'no building': 1 },
    removed: 0,
  });
  const found = await stored();
  expect(found.map(([name, fingerprints]) => [name, fingerprints.map(({ floor }) => floor)])).toEqual([
    ['House', [0, 2]],
    ['Kiosk', [0]],
  ]);
  expect(found[1][1][0]).toMatchObject({
    contributor: 0,
    isTrusted: true,
    timeMs: Number.NaN,
    readings: [{ radio: 1, levelDbm: -50, ageMs: Number.NaN }],
  });
});

test('a survey that is not UTF-8 is refused with its line, and no building gets another name', async () => {
  const survey = [HEADER, row([500, 5], { building: 'Kiosk' }), row([600, 5], { building: 'Rathaus Köln' })].join('\n');
  const path = file('latin.csv', Buffer.from(survey, 'latin1'));
  await expect(importFiles([path])).rejects.toThrow(
    `${path}, line 3: it has letters that are none of UTF-8; save the file as UTF-8.`,
  );
  expect((await importFiles([file('utf8.csv', survey)])).imported.buildings).toBe(2);
});

test('one name in two towns is two buildings, each with the scans near it', async () => {
  const [here, near, far] = [
    row([0, 0], { building: 'Main' }),
    row([4_900, 0], { building: 'Main' }),
    row([6_000, 0], { building: 'Main' }),
  ];
  const path = file('survey.csv', [HEADER, here, far, near].join('\n'));
  expect(await importFiles([path])).toMatchObject({ imported: { fingerprints: 3, buildings: 2 } });
  expect((await stored()).map(([name, fingerprints]) => [name, fingerprints.length])).toEqual([
    ['Main', 2],
    ['Main', 1],
  ]);
});

test('scans of poor positions, and stations whose owners object, are left out', async () => {
  const poor = row([5, 5], { building: 'A', accuracy: 10.1 });
  const objected = row([6, 5], { building: 'A', mac: '02:00:00:00:00:07' });
  const path = file('survey.csv', [HEADER, poor, objected, row([7, 5], { building: 'A', accuracy: 10 })].join('\n'));
  const { imported, leftOut } = await importFiles([path], { optedOut: stationsOf(['02:00:00:00:00:07']) });
  expect([imported.fingerprints, leftOut]).toEqual([1, { accuracy: 1, 'nothing heard': 1 }]);
});

test('a file of the same name with other scans is refused, unless those of before may go', async () => {
  const text = (...places: Metres[]) => [HEADER, ...places.map(place => row(place, { building: 'A' }))].join('\n');
  await importFiles([file('a.csv', text([1, 1], [2, 2], [3, 3], [4, 4]))]);
  const other = file('a.csv', text([4, 4], [5, 5], [6, 6], [7, 7]));
  await expect(importFiles([other])).rejects.toThrow(ReplacementRefused);
  await expect(importFiles([other])).rejects.toThrow('lacks 3 of the 4 fingerprints of the source "a"');
  expect((await stored()).flatMap(([, fingerprints]) => fingerprints)).toHaveLength(4);
  expect(await importFiles([other], { replace: true })).toMatchObject({ removed: 4, imported: { fingerprints: 4 } });
  expect(await importFiles([file('a.csv', text([6, 6], [7, 7], [8, 8]))])).toMatchObject({ removed: 4 });
});

test('an import replaces that of the same name, also from a compressed file or standard input', async () => {
  const text = (...rows: string[]) => [HEADER, ...rows].join('\r\n');
  await importFiles([file('a.csv', text(row([5, 5], { building: 'A' }), row([6, 6], { building: 'A' })))]);
  const again = await importFiles([file('a.csv.gz', gzipSync(text(row([5, 5], { building: 'A' }))))]);
  expect([again.source, again.removed]).toEqual(['a', 2]);
  const stdin = Readable.from([Buffer.from(text(row([5, 5], { building: 'B' })))]);
  expect((await importFiles(['-'], { stdin, source: 'a' })).removed).toBe(1);
  expect((await stored()).flatMap(([, fingerprints]) => fingerprints)).toHaveLength(1);
});

test.each<[string, string, RegExp]>([
  [
    'a value that means nothing',
    `${HEADER}\n${row([0, 0], { building: 'A' })}\n${row([0, 0], { floor: -99 })}`,
    /survey\.csv, line 3: floor is "-99", .*200\.$/,
  ],
  [
    'a header without a position',
    'floor,mac,level\n0,02:00:00:00:00:01,-50',
    /survey\.csv, line 1: the header has no column "latitude"\.$/,
  ],
  [
    'no building anywhere',
    `${HEADER}\n${row([0, 0])}`,
    /^There are no fingerprints in .*survey\.csv: left out 1 by no building\.$/,
  ],
  ['another form', 'mac,lat,lon\n', /survey\.csv is none of the forms that are known: CSV/],
  ['a walk that is no JSON', '{"id":', /survey\.csv, line 1: .*JSON/],
  [
    'a walk without a member',
    '{"id":"w","site":"s","wp":[],"wifi":[]}',
    /survey\.csv, line 1: floor must be a text, not undefined\.$/,
  ],
])('a file with %s is refused, and nothing changes', async (_, content, message) => {
  await expect(importFiles([file('survey.csv', content)])).rejects.toThrow(message);
  expect(existsSync(join(folder, 'fingerprints'))).toBe(false);
});

test('UJIIndoorLoc is read by building, and one that lies in a footprint is that of the footprint', async () => {
  const header = 'WAP001,WAP002,LONGITUDE,LATITUDE,FLOOR,BUILDINGID,SPACEID,RELATIVEPOSITION,USERID,PHONEID,TIMESTAMP';
  const path = file(
    'uji.csv',
    [
      header,
      '-50,100,-7541.2,4864920.7,2,1,1,2,2,23,1371713733',
      '100,-60,-7341.2,4864820.7,0,0,1,2,2,23,1371713734',
    ].join('\n'),
  );
  expect(await importFiles([path])).toMatchObject({ imported: { fingerprints: 2, buildings: 2, floors: 2 } });
  const found = await stored();
  expect(found.map(([name, [{ readings }]]) => [name, readings[0].radio])).toEqual([
    ['UJIIndoorLoc 1', 0x554a490001],
    ['UJIIndoorLoc 0', 0x554a490002],
  ]);
});

test('a walk is read between its way-points, on the plans beside it', async () => {
  await drawHouse();
  mkdirSync(join(folder, 'mall_maps'));
  file('mall_maps/site1_F2_floor_info.json', JSON.stringify({ map_info: { width: 40, height: 30 } }));
  const outline = [degreesAt([0, 0]), degreesAt([40, 0]), degreesAt([40, 30]), degreesAt([0, 30]), degreesAt([0, 0])];
  const map = { features: [{ geometry: { coordinates: [outline] } }] };
  file('mall_maps/site1_F2_geojson_map.json', JSON.stringify(map));
  const reading = (age: number) => [['02:00:00:00:00:01', -50, 2412, age]];
  const start = 1_574_572_522_291;
  const walk = {
    id: 'w',
    site: 'site1',
    floor: 'F2',
    wp: [
      [start, 10, 10],
      [start + 10_000, 20, 10],
    ],
    wifi: [
      [start + 5_000, reading(200)],
      [start + 6_000, reading(3_050)],
      [start + 60_000, reading(0)],
    ],
    ble: [[start + 4_000, '12345678-1234-1234-1234-123456789abc', 1, 2, -59, -70, '02:00:00:00:00:09']],
  };
  const { imported, leftOut } = await importFiles([file('mall_dev.jsonl', JSON.stringify(walk))]);
  // The third scan has no known position.
  expect([imported, leftOut]).toEqual([{ fingerprints: 2, buildings: 1, floors: 1 }, {}]);
  const [[name, [first]]] = await stored();
  const [longitude, latitude] = degreesAt([15, 10]);
  // The iBeacon is known by its address as well.
  expect([name, first.floor, first.readings.map(({ ageMs }) => ageMs)]).toEqual(['House', 1, [200, 1_000, 1_000]]);
  expect(first.latitude).toBeCloseTo(latitude, 6);
  expect(first.longitude).toBeCloseTo(longitude, 6);
});
