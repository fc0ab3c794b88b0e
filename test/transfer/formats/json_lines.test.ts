import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readFile } from './read_file.ts';

const ITEM = {
  timestamp: 1405602028568,
  position: { latitude: 60.17, longitude: 24.94, accuracy: 4.3, age: 1200, altitude: 17.8, heading: 15.6, speed: 3.4 },
  wifiAccessPoints: [{ macAddress: '01:23:45:67:89:ab', signalStrength: -67 }],
};
const ORIGIN = { contributor: 7, trusted: false, track: 4711, timed: true };

test('items one a line, bodies of items, and flat items of the older dialects', async () => {
  const older = {
    lat: 60.17,
    lon: 24.94,
    time: '2014-07-17T13:00:28Z',
    cell: [{ radio: 'gsm', mcc: 244, mnc: 5, lac: 42, cid: 1 }],
  };
  const { format, found, refused } = await readFile(
    `${JSON.stringify(ITEM)}\r\n\n${JSON.stringify({ items: [ITEM, older] })}\n${JSON.stringify(older)}`,
  );
  expect(format).toBe('geosubmit');
  expect(refused).toEqual([]);
  expect(found.map(({ line }) => line)).toEqual([1, 3, 3, 4]);
  expect(found[0]).toMatchObject({
    draft: { timeMs: ITEM.timestamp, latitude: 60.17, accuracyMetres: 4.3, positionAgeMs: 1200 },
  });
  expect(found[2].draft).toEqual(found[3].draft);
  expect(found[3].draft).toMatchObject({ cellTowers: [{ mobileCountryCode: 244, cellId: 1 }] });
});

test('a line that is no object costs itself only', async () => {
  const { found, refused } = await readFile(`${JSON.stringify(ITEM)}\n{"items":\n[1]\n"x"\n${JSON.stringify(ITEM)}\n`);
  expect(refused).toEqual(['2', '3', '4'].map(line => `${line}: the line is not a JSON object`));
  expect(found.map(({ line }) => line)).toEqual([1, 5]);
});

test('an item whose time cannot be read is refused, alone or among others; one that states none has no time', async () => {
  const { timestamp, ...untimed } = ITEM;
  const { found, refused } = await readFile(
    [
      untimed,
      { ...ITEM, timestamp: 'when' },
      { items: [{ ...ITEM, timestamp: null }, { ...untimed, time: 'soon' }, ITEM] },
    ]
      .map(line => JSON.stringify(line))
      .join('\n'),
  );
  expect(found.map(({ line, draft }) => [line, draft.timeMs])).toEqual([
    [1, undefined],
    [3, undefined],
    [3, timestamp],
  ]);
  expect(refused).toEqual([2, 3].map(line => `${line}: its time cannot be read`));
});

test('a body of thousands of items may stand on one line', async () => {
  const { found } = await readFile(gzipSync(JSON.stringify({ items: Array(10_000).fill(ITEM) })));
  expect(found).toHaveLength(10_000);
});

test('lines of our own export say where the report came from, and their time is exact', async () => {
  const line = { ...ITEM, timestamp: 12345, sextant: ORIGIN };
  const { found } = await readFile(JSON.stringify(line));
  expect(found[0]).toMatchObject({ exported: ORIGIN, draft: { timeMs: 12345 } });
});

test.each([
  ['no object', { ...ITEM, sextant: 1 }, 'the member sextant is not as an export writes it'],
  [
    'an account out of range',
    { ...ITEM, sextant: { ...ORIGIN, contributor: 1_048_576 } },
    'the member sextant is not as an export writes it',
  ],
  [
    'a track that is not whole',
    { ...ITEM, sextant: { ...ORIGIN, track: 0.5 } },
    'the member sextant is not as an export writes it',
  ],
  [
    'trust as a number',
    { ...ITEM, sextant: { ...ORIGIN, trusted: 1 } },
    'the member sextant is not as an export writes it',
  ],
  ['no time', { ...ITEM, timestamp: undefined, sextant: ORIGIN }, 'the line of an export has no timestamp'],
])('an export with %s is refused', async (_, line, why) => {
  expect(await readFile(JSON.stringify(line))).toMatchObject({ found: [], refused: [`1: ${why}`] });
});

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
