import { describe, expect, test } from 'vitest';
import { queryOf } from '../../kits/radio/query_in_memory.ts';

const place = { latitude: 48.1, longitude: 11.5 };
const gpsOf = (fields: object) => queryOf({ gps: { ...place, ...fields } });

describe('a fix', () => {
  test.each([
    ['latitude', [-90, 48.1, 90, '48.1']],
    ['longitude', [-180, 11.5, 180, '-0.5']],
  ] as const)('keeps %s at both ends of its range', (field, values) => {
    for (const value of values) expect(gpsOf({ [field]: value }).gps?.[field]).toBe(Number(value));
  });

  test.each([
    ['sat', 'satellites', [0, 9, 20], [-1, 21, 'x']],
    ['altitude', 'altitude', [-1000, 519.4, 10_000], [-1001, 10_001, 'x']],
    ['altitudeAccuracy', 'altitudeAccuracyMetres', [0, 3.5, 100], [-1, 101, 'x']],
    ['heading', 'heading', [0, 90.5, 360], [-1, 361, 'x']],
    ['speed', 'speed', [0, 12.5, 100], [-1, 101, 'x']],
  ] as const)('passes %s on in range and drops it outside', (field, reads, inside, outside) => {
    for (const value of inside) expect(gpsOf({ [field]: value }).outcome.gps?.[reads]).toBe(value);
    for (const value of [...outside, null, undefined, true, {}]) {
      const query = gpsOf({ [field]: value });
      expect([query.outcome.gps?.[reads], query.gps?.latitude]).toEqual([undefined, 48.1]);
    }
  });

  test('has its accuracy in range, wider where the device says so, unknown otherwise', () => {
    expect([0, 12.5, '7', 255, 256, 1500].map(accuracy => gpsOf({ accuracy }).gps?.accuracy)).toEqual([
      0, 12.5, 7, 255, 256, 1500,
    ]);
    expect(
      [-1, 'x', null, undefined, Number.MAX_VALUE, true].map(accuracy => gpsOf({ accuracy }).gps?.accuracy),
    ).toEqual(Array(6).fill(undefined));
  });

  test('counts up to 600 s of age, and as just made when the age is unknown', () => {
    expect([0, 1, 600, '30', 'x', null, undefined].map(age => gpsOf({ age }).gps?.age)).toEqual([
      0, 1, 600, 30, 0, 0, 0,
    ]);
  });

  test('is as if it had not been sent when older than 600 s or from the future', () => {
    for (const age of [601, 600.5, -1, '601', 1e300]) {
      const query = gpsOf({ age, heading: 5 });
      expect([query.gps, query.outcome.gps]).toEqual([undefined, undefined]);
    }
  });

  test.each([
    [0, 0],
    [90, 180],
    [-90, -180],
    [90, -180],
  ])(
    'is none at %d, %d, which devices send without one, unless it has satellites and an accuracy',
    (latitude, longitude) => {
      const at = (fields: object) => gpsOf({ latitude, longitude, ...fields }).gps;
      for (const fields of [
        {},
        { accuracy: 0 },
        { accuracy: -1 },
        { accuracy: 0, age: 0, sat: 0 },
        { accuracy: 20, sat: 0 },
        { sat: 7 },
      ])
        expect(at(fields)).toBeUndefined();
      for (const fields of [{ accuracy: 20 }, { accuracy: 3, sat: 7 }])
        expect(at(fields)).toMatchObject({ latitude, longitude });
      expect(gpsOf({ latitude, longitude: 9.5, accuracy: 0, sat: 0 }).gps).toMatchObject({ latitude });
    },
  );

  test.each([null, undefined, '', ' ', 'NaN', 'north', true, [], 999_999, 2_147_483_647, 214.748_364_7, -999, '180.1'])(
    'without a place on the globe is as if it had not been sent: %j',
    value => {
      for (const fields of [{ latitude: value }, { longitude: value }, { latitude: value, longitude: value }])
        expect(gpsOf({ age: 0, accuracy: 5, ...fields })).toMatchObject({ gps: undefined });
      expect(gpsOf({ latitude: 90.1 }).gps).toBeUndefined();
      for (const lastLocation of [
        { lat: value, lng: 1, timestamp: 1 },
        { lat: 1, lng: value, timestamp: 1 },
      ])
        expect(queryOf({ lastLocation }).last).toBeUndefined();
    },
  );

  test('that is null or not sent is absent', () => {
    expect([queryOf({ gps: null }).gps, queryOf({}).gps]).toEqual([undefined, undefined]);
  });
});

describe('a request contributes', () => {
  const gps = { ...place, age: 0 };
  const wifiAccessPoints = [{ macAddress: '00:14:bf:aa:bb:01' }];
  const cellTowers = [
    { radioType: 'lte', mobileCountryCode: 206, mobileNetworkCode: 1, locationAreaCode: 2, cellId: 3 },
  ];
  const contributes = (body: object) => queryOf(body).outcome.contributes;

  test('with a fix of age 0 and a cell or an access point', () => {
    expect([
      contributes({ gps, wifiAccessPoints }),
      contributes({ gps, cellTowers }),
      contributes({ gps: { ...place, age: '0' }, cellTowers }),
    ]).toEqual([true, true, true]);
  });

  test('not with an older fix, one of unknown age, or none', () => {
    for (const age of [1, 601, undefined, null, 'x', 0.5])
      expect(contributes({ gps: { ...place, age }, cellTowers, wifiAccessPoints })).toBe(false);
    expect(contributes({ cellTowers, wifiAccessPoints })).toBe(false);
  });

  test('not with a fix that is none', () => {
    for (const none of [{ accuracy: 0 }, { accuracy: 4, sat: 0 }])
      expect(contributes({ gps: { ...gps, latitude: 0, longitude: 0, ...none }, cellTowers, wifiAccessPoints })).toBe(
        false,
      );
  });

  test('not without a station that may be used', () => {
    expect(contributes({ gps })).toBe(false);
    expect(contributes({ gps, wifiAccessPoints: [{ macAddress: '00:14:bf:aa:bb:01', ssid: 'x_nomap' }] })).toBe(false);
    expect(
      contributes({ gps, cellTowers: [{ radioType: 'lte', mobileCountryCode: 206, mobileNetworkCode: 1, psc: 3 }] }),
    ).toBe(false);
    expect(contributes({ gps, bluetoothBeacons: [{ macAddress: '00:14:bf:aa:bb:01' }] })).toBe(false);
  });
});
