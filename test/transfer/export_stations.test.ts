import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { distanceMetres } from '../../src/geo/distance.ts';
import {
  KIND_BLUETOOTH,
  KIND_CDMA,
  KIND_GSM,
  KIND_LTE,
  KIND_NBIOT,
  KIND_NR,
  KIND_WCDMA,
} from '../../src/radio/kind.ts';
import { STATE_BLOCKED, type Station, stationAt } from '../../src/tables/stations/station.ts';
import { StationWriter } from '../../src/tables/stations/writer.ts';
import { exportStations, type StationExport, type StationKind } from '../../src/transfer/export_stations.ts';
import { importStations } from '../../src/transfer/import_stations.ts';
import { IMPORT_PARTS } from '../kits/radio/imports.ts';
import { readTables } from '../kits/radio/read_tables.ts';
import { beaconKey, cellKey, macKey, putting } from '../kits/radio/stations.ts';
import { uniform } from '../kits/random.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

type Entry = [key: Uint8Array, station: Station];

const SEEN = { samples: 42, firstSeenDay: 19_000, lastSeenDay: 20_000 };

function entry(key: Uint8Array, changes: Partial<Station> = {}): Entry {
  return [key, { ...stationAt(50.8123456, 4.4, 35.5, 80), ...SEEN, ...changes }];
}

function wifi(mac: number, changes?: Partial<Station>): Entry {
  return entry(macKey(mac), changes);
}

function cell(kind: number, cellId: number, changes?: Partial<Station>): Entry {
  return entry(cellKey(kind, 206, 1, 251, cellId), { r50Metres: 1500, ...changes });
}

/** A data folder whose tables hold these stations. */
async function tablesOf(entries: Entry[]): Promise<string> {
  const folder = temporaryFolder();
  const writer = await StationWriter.open(folder, undefined);
  await writer.apply(entries.map(entry => putting(...entry)));
  await writer.close();
  return folder;
}

async function exported(folder: string, kind: StationKind, more: Partial<StationExport> = {}): Promise<string> {
  let text = '';
  for await (const slice of exportStations(folder, { kind, blurMetres: 0, minSamples: 1, ...more })) text += slice.text;
  return text;
}

/** Imports an export into an empty folder. */
async function importAgain(text: string, kind: 'cells' | 'wifi') {
  const folder = temporaryFolder();
  const path = join(temporaryFolder(), 'export.csv');
  writeFileSync(path, text);
  const summary = await importStations({
    folder,
    kind,
    files: [path],
    stdin: Readable.from([]),
    onProgress: () => {},
    ...IMPORT_PARTS,
  });
  expect(summary.refused).toBe(0);
  return (await readTables(folder)).stations;
}

describe('rows', () => {
  test('of cells are those of the Mozilla Location Service', async () => {
    const folder = await tablesOf([
      cell(KIND_GSM, 51764, { code: 65_535 }),
      cell(KIND_CDMA, 3611, { firstSeenDay: 0, lastSeenDay: 0 }),
      cell(KIND_WCDMA, 517640, { code: 33, latitude: -0.0000001 }),
      cell(KIND_LTE, 102764173, { code: 435, r50Metres: 12.3 }),
      cell(KIND_NBIOT, 7),
      cell(KIND_NR, 68_719_476_735, { samples: 70_000 }),
    ]);
    expect((await exported(folder, 'cells')).split('\n')).toEqual([
      'radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal',
      'GSM,206,1,251,51764,,4.4,50.8123456,1500,42,1,1641600000,1728000000,0',
      'CDMA,0,1,251,3611,,4.4,50.8123456,1500,42,1,0,0,0',
      'UMTS,206,1,251,517640,33,4.4,-0.0000001,1500,42,1,1641600000,1728000000,0',
      'LTE,206,1,251,102764173,435,4.4,50.8123456,12.3,42,1,1641600000,1728000000,0',
      'NBIOT,206,1,251,7,,4.4,50.8123456,1500,42,1,1641600000,1728000000,0',
      'NR,206,1,251,68719476735,,4.4,50.8123456,1500,65535,1,1641600000,1728000000,0',
      '',
    ]);
  });

  test('of access points are those of our station list', async () => {
    const folder = await tablesOf([
      wifi(0x88f7c7000001),
      wifi(0x88f7c7000002, { firstSeenDay: 0, lastSeenDay: 0, r50Metres: 0 }),
    ]);
    expect((await exported(folder, 'wifi')).split('\n')).toEqual([
      'bssid,latitude,longitude,radius,samples,firstseen,lastseen',
      '88:f7:c7:00:00:01,50.8123456,4.4,35.5,42,2022-01-08,2024-10-04',
      '88:f7:c7:00:00:02,50.8123456,4.4,0.1,42,,',
      '',
    ]);
  });

  test("of Bluetooth devices have an address, or an iBeacon's numbers", async () => {
    const uuid = Buffer.from('f7826da64fa24e988024bc5b71e0893e', 'hex');
    const folder = await tablesOf([entry(macKey(0xff2345678901, KIND_BLUETOOTH)), entry(beaconKey(uuid, 1, 65_535))]);
    expect((await exported(folder, 'bluetooth')).split('\n')).toEqual([
      'address,uuid,major,minor,latitude,longitude,radius,samples,firstseen,lastseen',
      'ff:23:45:67:89:01,,,,50.8123456,4.4,35.5,42,2022-01-08,2024-10-04',
      ',f7826da6-4fa2-4e98-8024-bc5b71e0893e,1,65535,50.8123456,4.4,35.5,42,2022-01-08,2024-10-04',
      '',
    ]);
  });
});

test('only stations that take part in lookups, of the kind, and with enough observations', async () => {
  const folder = await tablesOf([
    wifi(0x88f7c7000001),
    wifi(0x88f7c7000002, { state: 2 }),
    wifi(0x88f7c7000003, { state: STATE_BLOCKED }),
    wifi(0x88f7c7000004, { samples: 4 }),
    wifi(0x88f7c7000005, { samples: 5 }),
    cell(KIND_LTE, 1),
  ]);
  const addresses = (await exported(folder, 'wifi', { minSamples: 5 })).match(/^88[^,]*/gm);
  expect(addresses).toEqual(['88:f7:c7:00:00:01', '88:f7:c7:00:00:05']);
});

test('a folder without stations gives the header alone', async () => {
  expect(await exported(temporaryFolder(), 'wifi')).toBe(
    'bssid,latitude,longitude,radius,samples,firstseen,lastseen\n',
  );
  expect(await exported(await tablesOf([]), 'cells')).toMatch(/^radio,[^\n]*\n$/);
});

describe('an import of an export gives the same stations', () => {
  const random = uniform(7);
  const drawn = (): Partial<Station> => ({
    latitude: random() * 160 - 80,
    longitude: random() * 360 - 180,
    r50Metres: 0.3 * 2 ** (random() * 16),
    samples: 1 + Math.floor(random() * 1000),
  });
  const cases: ['wifi' | 'cells', (i: number) => Entry][] = [
    ['wifi', i => wifi(0x88f7c7000000 + i, drawn())],
    [
      'cells',
      i =>
        cell([KIND_GSM, KIND_CDMA, KIND_WCDMA, KIND_LTE, KIND_NBIOT, KIND_NR][i % 6], 1 + i, {
          ...drawn(),
          code: 1 + (i % 500),
        }),
    ],
  ];
  test.each(cases)('of %s, within a metre and two percent', async (kind, draw) => {
    const folder = await tablesOf(Array.from({ length: 5_000 }, (_, i) => draw(i)));
    const before = (await readTables(folder)).stations;
    const after = await importAgain(await exported(folder, kind), kind);
    expect([...after.keys()]).toEqual([...before.keys()]);
    let farthest = 0;
    let worst = 0;
    for (const [key, was] of before) {
      const is = after.get(key)!;
      farthest = Math.max(farthest, distanceMetres(was.latitude, was.longitude, is.latitude, is.longitude));
      // Radii are kept in steps of a decimetre, and of four metres above 3,276 m.
      worst = Math.max(worst, Math.abs(is.r50Metres / was.r50Metres - 1));
      expect({ ...is, latitude: 0, longitude: 0, r50Metres: 0, r95Metres: 0, code: 0 }).toEqual({
        ...was,
        latitude: 0,
        longitude: 0,
        r50Metres: 0,
        r95Metres: 0,
        code: 0,
      });
      if (kind === 'cells' && !key.startsWith('08') && !key.startsWith('09')) expect(is.code).toBe(was.code);
    }
    expect(farthest).toBeLessThan(0.1);
    expect(worst).toBeLessThan(0.02);
  });
});

describe('blurred positions', () => {
  const positions = (text: string) =>
    text
      .trim()
      .split('\n')
      .slice(1)
      .map(row => row.split(','))
      .map(([, latitude, longitude, radius]) => ({
        latitude: Number(latitude),
        longitude: Number(longitude),
        radius: Number(radius),
      }));

  test('lie in the middle of squares, the same at every export, with a radius that says so', async () => {
    const random = uniform(3);
    const folder = await tablesOf(
      Array.from({ length: 2_000 }, (_, i) =>
        wifi(0x88f7c7000000 + i, { latitude: 50.8 + random() / 100, longitude: 4.4 + random() / 100 }),
      ),
    );
    const exact = positions(await exported(folder, 'wifi'));
    const text = await exported(folder, 'wifi', { blurMetres: 200 });
    expect(await exported(folder, 'wifi', { blurMetres: 200 })).toBe(text);
    const blurred = positions(text);
    const offsets = blurred.map(({ latitude, longitude }, i) =>
      distanceMetres(latitude, longitude, exact[i].latitude, exact[i].longitude),
    );
    expect(Math.max(...offsets)).toBeLessThan(Math.SQRT1_2 * 200 * 1.01);
    expect(offsets.reduce((sum, metres) => sum + metres, 0) / offsets.length).toBeCloseTo(76, -1);
    expect(new Set(blurred.map(({ latitude, longitude }) => `${latitude} ${longitude}`)).size).toBeLessThan(40);
    expect(blurred[0].radius).toBeCloseTo(Math.hypot(35.5, 76), 0);
  });

  test('stay on the globe at the poles and the date line', async () => {
    const corners = [
      [90, 180],
      [-90, -180],
      [89.9999999, -179.9999999],
      [0, 180],
    ];
    const folder = await tablesOf(
      corners.map(([latitude, longitude], i) => wifi(0x88f7c7000000 + i, { latitude, longitude })),
    );
    for (const [i, { latitude, longitude }] of positions(
      await exported(folder, 'wifi', { blurMetres: 100_000 }),
    ).entries()) {
      expect(Math.abs(latitude)).toBeLessThanOrEqual(90);
      expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
      expect(distanceMetres(latitude, longitude, corners[i][0], corners[i][1])).toBeLessThan(72_000);
    }
  });
});

test('tables that grow and are replaced meanwhile are read to their end', async () => {
  const folder = await tablesOf(Array.from({ length: 5_000 }, (_, i) => wifi(0x88f7c7000000 + 2 * i)));
  const slices = exportStations(folder, { kind: 'wifi', blurMetres: 0, minSamples: 1 });
  await slices.next();
  const counts = [(await slices.next()).value!.count];
  await importAgainInto(folder);
  for await (const { count } of slices) counts.push(count);
  expect(counts).toEqual([2_000, 2_000, 1_000]);
  expect((await readTables(folder)).stations.size).toBe(6_000);
});

/** Imports so much that the tables are built anew. */
async function importAgainInto(folder: string): Promise<void> {
  const rows = Array.from({ length: 6_000 }, (_, i) => `${(0x88f7c7000000 + 2 * i).toString(16)},50,4\n`);
  const path = join(temporaryFolder(), 'more.csv');
  writeFileSync(path, `bssid,lat,lon\n${rows.join('')}`);
  const { generation } = await importStations({
    folder,
    kind: 'wifi',
    files: [path],
    stdin: Readable.from([]),
    onProgress: () => {},
    ...IMPORT_PARTS,
  });
  expect(generation).toBe(2);
}
