import { expect, test } from 'vitest';
import { readFile } from './read_file.ts';

const CELL = {
  radio: 'lte',
  mcc: 206,
  mnc: 4,
  lac: 2124,
  cid: 102764173,
  psc: 435,
  arfcn: 2850,
  rss: -78,
  ta: 1,
  s: 1,
};

async function readLine(line: unknown) {
  return readFile(`${JSON.stringify(line)}\n`);
}

test('cells with their track', async () => {
  const { format, found } = await readLine({
    g: 'walk',
    t: 1765182241000,
    lat: 50.8,
    lon: 4.3,
    acc: 3.5,
    floor: -2,
    cells: [CELL],
  });
  expect(format).toBe('scans');
  expect(found).toMatchObject([
    {
      line: 1,
      device: 'walk',
      draft: {
        timeMs: 1765182241000,
        latitude: 50.8,
        longitude: 4.3,
        accuracyMetres: 3.5,
        floor: -2,
        cellTowers: [
          {
            radioType: 'lte',
            mobileCountryCode: 206,
            mobileNetworkCode: 4,
            locationAreaCode: 2124,
            cellId: 102764173,
            primaryScramblingCode: 435,
            signalStrength: -78,
            timingAdvance: 1,
            serving: 1,
          },
        ],
      },
    },
  ]);
});

test('access points with channel or frequency, the device before its track, seconds', async () => {
  const aps = [
    ['c0:ac:54:f5:7b:a7', -86, 11],
    ['c0:ac:54:f5:7b:a8', -87, 5825, 563],
  ];
  const { found } = await readLine({ g: 'walk', dev: 'phone', t: 1509120831, lat: 32.1, lon: 34.8, acc: 4.5, aps });
  expect(found[0]).toMatchObject({
    device: 'phone',
    draft: {
      timeMs: 1509120831000,
      wifiAccessPoints: [
        { macAddress: 'c0:ac:54:f5:7b:a7', signalStrength: -86, channel: 11 },
        { macAddress: 'c0:ac:54:f5:7b:a8', signalStrength: -87, frequency: 5825, age: 563 },
      ],
    },
  });
});

test('null is not stated', async () => {
  const { found } = await readLine({
    g: null,
    t: 1765182241000,
    lat: 31.2,
    lon: 121.4,
    acc: null,
    cells: [null, CELL],
  });
  expect(Object.keys(found[0].draft)).toEqual(['latitude', 'longitude', 'timeMs', 'cellTowers']);
  expect(found[0].device).toBeUndefined();
  expect(found[0].draft.cellTowers![0]).toBeNull();
});

test.each(['when', -1])('a line of the time %j is refused', async t => {
  expect(await readLine({ t, lat: 31.2, lon: 121.4, cells: [CELL] })).toMatchObject({
    found: [],
    refused: ['1: its time cannot be read'],
  });
});

test('a line without a position is left to the rules', async () => {
  const { found } = await readLine({ t: 1, cells: [CELL] });
  expect(found[0].draft).toMatchObject({ latitude: Number.NaN, longitude: Number.NaN });
});
