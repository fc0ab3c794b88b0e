import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openScans } from '../../../lab/evaluation/scan_file.ts';
import { cellLine, ScanFolder, scansIn, YEAR_2000_MS } from './scan_folder.ts';

const folder = new ScanFolder();
afterAll(() => folder.remove());

test('a cell scan is read into the members of the specification, without values that were not measured', async () => {
  const neighbour = {
    radio: 'lte',
    mcc: 206,
    mnc: 1,
    lac: null,
    cid: null,
    psc: 288,
    arfcn: 1300,
    rss: -90,
    ta: 3,
    s: 0,
  };
  const serving = { radio: 'lte', mcc: 206, mnc: 1, lac: 5, cid: 9, psc: 7, arfcn: null, rss: -80, ta: null, s: 1 };
  const file = folder.write('one.jsonl', [
    { g: 'a', t: YEAR_2000_MS, lat: 50, lon: 4, acc: 3, cells: [serving, neighbour] },
  ]);
  expect(await scansIn(file)).toEqual([
    {
      id: 'line 1',
      track: 'a',
      device: 'a',
      timeMs: YEAR_2000_MS,
      latitude: 50,
      longitude: 4,
      accuracyMetres: 3,
      cellTowers: [
        {
          radioType: 'lte',
          mobileCountryCode: 206,
          mobileNetworkCode: 1,
          locationAreaCode: 5,
          cellId: 9,
          signalStrength: -80,
          primaryScramblingCode: 7,
          serving: 1,
        },
        {
          radioType: 'lte',
          mobileCountryCode: 206,
          mobileNetworkCode: 1,
          signalStrength: -90,
          primaryScramblingCode: 288,
          timingAdvance: 3,
          arfcn: 1300,
          serving: 0,
        },
      ],
      wifiAccessPoints: [],
      bluetoothBeacons: [],
    },
  ]);
});

test('the time of a cell scan is left out where the clock had no date', async () => {
  const file = folder.write('clock.jsonl', [
    { ...cellLine('a', 50, 4, 1), t: 54_534_810 },
    { ...cellLine('a', 51, 4, 2), t: YEAR_2000_MS },
  ]);
  expect((await scansIn(file)).map(({ timeMs }) => timeMs)).toEqual([undefined, YEAR_2000_MS]);
});

test('only the first cell scan at each new fix of a track counts, and none at a fix worse than 30 m', async () => {
  const file = folder.write('fixes.jsonl.gz', [
    cellLine('a', 50, 4, 1),
    cellLine('b', 50, 4, 2),
    cellLine('a', 50, 4, 3),
    { ...cellLine('a', 51, 4, 4), acc: 30 },
    { ...cellLine('a', 52, 4, 5), acc: 30.1 },
    cellLine('a', 50, 4, 6),
  ]);
  expect((await scansIn(file)).map(({ id }) => id)).toEqual(['line 1', 'line 2', 'line 4', 'line 6']);
});

test('WiFi scans of one device within 4 s and 15 m are merged, and a scan of one access point is left out', async () => {
  const line = (dev: string, t: number, lat: number, ...aps: [string, number, number][]) => ({
    g: `${dev}:0`,
    dev,
    t,
    lat,
    lon: 4,
    acc: 5,
    aps,
  });
  const file = folder.write('wifi.jsonl', [
    line('p', 100, 50, ['a', -50, 1], ['b', -60, 6]),
    line('p', 104, 50.0001, ['b', -40, 6], ['c', -70, 11]),
    line('p', 105, 50.0001, ['d', -50, 1], ['e', -50, 1]),
    line('p', 106, 50.001, ['f', -50, 1]),
    line('q', 106, 50.001, ['g', -50, 1], ['h', -50, 1]),
    { ...line('q', 120, 50, ['i', -50, 1], ['j', -50, 1]), acc: 26 },
  ]);
  const scans = await scansIn(file);
  expect(scans.map(({ id, device, timeMs }) => [id, device, timeMs])).toEqual([
    ['line 1', 'p', 100_000],
    ['line 3', 'p', 105_000],
    ['line 5', 'q', 106_000],
  ]);
  expect(scans[0].wifiAccessPoints).toEqual([
    { macAddress: 'a', signalStrength: -50, channel: 1 },
    { macAddress: 'b', signalStrength: -60, channel: 6 },
    { macAddress: 'c', signalStrength: -70, channel: 11 },
  ]);
});

function drawFloor(): void {
  const maps = join(folder.path, 'mall_maps');
  mkdirSync(maps, { recursive: true });
  const ring = [
    [4.01, 50.01],
    [4.02, 50.01],
    [4.02, 50.03],
    [4.01, 50.01],
  ];
  const features = [{ type: 'Feature', geometry: { type: 'MultiPolygon', coordinates: [[ring]] } }];
  writeFileSync(join(maps, 's_F1_geojson_map.json'), JSON.stringify({ features }));
  writeFileSync(join(maps, 's_F1_floor_info.json'), JSON.stringify({ map_info: { width: 100, height: 200 } }));
}

const WALK = {
  id: 'walk',
  site: 's',
  floor: 'F1',
  wp: [
    [1000, 0, 0],
    [5000, 50, 100],
  ],
  wifi: [
    [500, [['a', -50, 2412, 10]]],
    [3000, [['a', -50, 2412, 10]]],
    [5000, []],
  ],
  ble: [
    [1900, 'u', '1', '2', -56, -70, 'E0'],
    [2500, 'u', '1', '2', -56, -84, 'E0'],
    [3001, 'u', '1', '2', -56, -90, 'E0'],
  ],
};

test(
  'the truth of a walk scan lies between the way-points in time, on the plan in degrees; beacons are those heard ' +
    'just before',
  async () => {
    drawFloor();
    const scans = await scansIn(folder.write('mall_walks.jsonl', [WALK]));
    expect(scans.map(({ id }) => id)).toEqual(['walk@3000', 'walk@5000']);
    expect(scans[0].latitude).toBeCloseTo(50.015, 9);
    expect(scans[0].longitude).toBeCloseTo(4.0125, 9);
    expect(scans[1].latitude).toBeCloseTo(50.02, 9);
    expect(scans[0].wifiAccessPoints).toEqual([{ macAddress: 'a', signalStrength: -50, frequency: 2412, age: 10 }]);
    expect(scans[0].bluetoothBeacons).toEqual([
      { macAddress: 'E0', uuid: 'u', major: 1, minor: 2, signalStrength: -84, age: 500 },
    ]);
  },
);

test('an invalid file ends with an error message that names file and line', async () => {
  drawFloor();
  const bad: [lines: unknown[], message: RegExp][] = [
    [
      [cellLine('a', 50, 4, 1), cellLine('a', 91, 4, 1)],
      /bad\.jsonl, line 2: lat must be a number from -90 to 90, not 91\.$/,
    ],
    [[cellLine('a', 50, 4, 1), '', '{"g":'], /bad\.jsonl, line 3: this is not JSON/],
    [['[1]'], /bad\.jsonl, line 1: the line must be an object, not \[1\]\.$/],
    [[{ name: 'x' }], /bad\.jsonl, line 1: this is no scan: it has none of "cells", "aps" and "wp"\.$/],
    [
      [{ ...cellLine('a', 50, 4, 1), cells: [{ radio: '6g' }] }],
      /line 1: cells\[0\]\.radio must be one of gsm, .*, not "6g"\.$/,
    ],
    [
      [{ g: 'a', dev: 'd', t: 1, lat: 1, lon: 1, acc: 1, aps: [['a', 'x', 1]] }],
      /line 1: aps\[0\]\[1\] must be a number from -200 to 0, not "x"\.$/,
    ],
    [[{ ...WALK, wp: [[1, 2]] }], /line 1: the floor plan .*bad_maps\/s_F1_floor_info\.json is missing\.$/],
    [[], /bad\.jsonl is empty\.$/],
  ];
  for (const [lines, message] of bad) await expect(scansIn(folder.write('bad.jsonl', lines))).rejects.toThrow(message);
  await expect(openScans(join(folder.path, 'none.jsonl'))).rejects.toThrow(/none\.jsonl does not exist\.$/);
  const cut = folder.write('cut.jsonl', []);
  writeFileSync(cut, Buffer.from([0x1f, 0x8b, 8, 0, 0]));
  await expect(openScans(cut)).rejects.toThrow(/cut\.jsonl is a damaged gzip file: unexpected end of file\.$/);
});
