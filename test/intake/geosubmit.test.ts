// Items of the three dialects of submissions, read into drafts.

import { describe, expect, test } from 'vitest';
import { readItem } from '../../src/intake/geosubmit.ts';

const wifiAccessPoints = [
  {
    macAddress: '01:23:45:67:89:ab',
    radioType: '802.11ax',
    age: 900,
    channel: 36,
    frequency: 5180,
    signalStrength: -67,
    ssid: 'x',
  },
];
const cellTowers = [
  { radioType: 'nr', mobileCountryCode: 244, mobileNetworkCode: 5, locationAreaCode: 42, cellId: 68719476735 },
];
const bluetoothBeacons = [{ macAddress: 'ff:23:45:67:89:ab', beaconType: 533, id1: 'uuid', id2: '1', id3: '2' }];
const position = {
  latitude: 60.17,
  longitude: 24.94,
  accuracy: 4.3,
  age: 1200,
  altitude: 17.8,
  altitudeAccuracy: 3.1,
  heading: 15.6,
  pressure: 1013.25,
  speed: 3.4,
  floor: -1,
  source: 'gps',
};
const placed = {
  latitude: 60.17,
  longitude: 24.94,
  accuracyMetres: 4.3,
  positionAgeMs: 1200,
  altitude: 17.8,
  heading: 15.6,
  speed: 3.4,
  floor: -1,
  source: 'gps',
};
const nowhere = { latitude: Number.NaN, longitude: Number.NaN };

test('an item of geosubmit v2 is a draft with its lists as they were sent', () => {
  expect(readItem({ timestamp: 1405602028568, position, wifiAccessPoints, bluetoothBeacons, cellTowers })).toEqual({
    ...placed,
    timeMs: 1405602028568,
    wifiAccessPoints,
    bluetoothBeacons,
    cellTowers,
  });
});

test('an item of geosubmit v1 has its position flat', () => {
  const item = { ...position, timestamp: 1405602028568, radioType: 'lte', wifiAccessPoints, cellTowers };
  expect(readItem(item)).toEqual({ ...placed, timeMs: 1405602028568, radioType: 'lte', wifiAccessPoints, cellTowers });
  expect(readItem({ ...item, position: null })).toEqual(readItem(item));
});

describe('an item of submit v1', () => {
  test('names the same things differently', () => {
    const item = {
      lat: 60.17,
      lon: 24.94,
      accuracy: 10,
      altitude: 100,
      time: '2026-11-20T08:00:00.500Z',
      radio: 'umts',
      wifi: [{ key: '0123456789ab', ssid: 'x', ssidHex: '78', signal: -60, frequency: 2412, channel: 1, age: 3 }],
      cell: [{ radio: 'lte', mcc: 244, mnc: 5, lac: 42, cid: 1234, psc: 7, signal: -99, ta: 3, serving: 1, age: 9 }],
      blue: [{ key: 'ff23456789ab', signal: -70, age: 5 }],
    };
    expect(readItem(item)).toEqual({
      latitude: 60.17,
      longitude: 24.94,
      accuracyMetres: 10,
      altitude: 100,
      timeMs: Date.UTC(2026, 10, 20, 8, 0, 0, 500),
      radioType: 'umts',
      wifiAccessPoints: [
        {
          macAddress: '0123456789ab',
          ssid: 'x',
          ssidHex: '78',
          signalStrength: -60,
          frequency: 2412,
          channel: 1,
          age: 3,
        },
      ],
      cellTowers: [
        {
          radioType: 'lte',
          mobileCountryCode: 244,
          mobileNetworkCode: 5,
          locationAreaCode: 42,
          cellId: 1234,
          primaryScramblingCode: 7,
          signalStrength: -99,
          timingAdvance: 3,
          serving: 1,
          age: 9,
        },
      ],
      bluetoothBeacons: [{ macAddress: 'ff23456789ab', signalStrength: -70, age: 5 }],
    });
  });

  test.each([
    ['a date', '2026-11-20', Date.UTC(2026, 10, 20)],
    ['milliseconds', 1_795_000_000_123, 1_795_000_000_123],
    ['seconds', 1_795_000_000, 1_795_000_000_000],
  ])('has a time that is %s', (_, time, timeMs) => {
    expect(readItem({ lat: 1, lon: 2, time })).toEqual({ latitude: 1, longitude: 2, timeMs });
  });

  test('with entries that are nothing has entries that identify nothing', () => {
    const { wifiAccessPoints: read } = readItem({ lat: 1, lon: 2, wifi: [null, 7, {}] });
    expect(read).toHaveLength(3);
    for (const entry of read!) expect(Object.values(entry as object).every(value => value === undefined)).toBe(true);
  });
});

test('numbers may be texts', () => {
  expect(
    readItem({ position: { latitude: '60.17', longitude: '24.94', accuracy: '4.3' }, timestamp: '1405602028568' }),
  ).toEqual({ latitude: 60.17, longitude: 24.94, accuracyMetres: 4.3, timeMs: 1405602028568 });
});

test('nulls, values of a wrong type and unknown members are as if they were not there', () => {
  const bad = {
    latitude: 1,
    longitude: 2,
    accuracy: null,
    age: {},
    altitude: 'high',
    heading: [],
    speed: true,
    hdop: 3,
  };
  expect(
    readItem({
      timestamp: null,
      position: bad,
      wifiAccessPoints: {},
      cellTowers: null,
      bluetoothBeacons: 'x',
      radioType: null,
      extra: 1,
    }),
  ).toEqual({ latitude: 1, longitude: 2 });
});

test.each([null, undefined, 7, 'x', true, [], {}, { position: 7 }, { position: [] }, { position: { latitude: null } }])(
  'what has no position is a draft without one: %j',
  item => {
    expect(readItem(item)).toEqual(nowhere);
  },
);
