import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError, ERRORS } from '../../../src/protocol/errors.ts';
import { checkStructure } from '../../../src/protocol/requests/schema.ts';

const refusal = (body: unknown) => {
  try {
    checkStructure(body);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.row).toBe(ERRORS.parseError);
    return error.message;
  }
  return undefined;
};

test.each([
  ['a list', [], 'The body must be an object.'],
  ['text', 'x', 'The body must be an object.'],
  ['a number', 0, 'The body must be an object.'],
  ['cells as an object', { cellTowers: {} }, 'cellTowers must be an array.'],
  ['access points as text', { wifiAccessPoints: 'x' }, 'wifiAccessPoints must be an array.'],
  ['beacons as a number', { bluetoothBeacons: 1 }, 'bluetoothBeacons must be an array.'],
  ['sensors as an object', { sensors: {} }, 'sensors must be an array.'],
  ['fallbacks as a list', { fallbacks: [] }, 'fallbacks must be an object.'],
  ['fallbacks as a flag', { fallbacks: 1 }, 'fallbacks must be an object.'],
  ['a state that is no text', { state: 5 }, 'state must be a string.'],
  ['a fix as a list', { gps: [] }, 'gps must be an object.'],
  ['a last location as text', { lastLocation: 'x' }, 'lastLocation must be an object.'],
  ['a fix as text', { gps: '48.1, 11.5' }, 'gps must be an object.'],
])('%s is refused by its name', (_, body, message) => {
  expect(refusal(body)).toBe(message);
});

test.each([
  ['nothing', {}],
  [
    'null everywhere',
    {
      cellTowers: null,
      wifiAccessPoints: null,
      bluetoothBeacons: null,
      sensors: null,
      gps: null,
      lastLocation: null,
      fallbacks: null,
      state: null,
    },
  ],
  ['bad entries', { cellTowers: [null, 1, 'x'], wifiAccessPoints: [{}], bluetoothBeacons: [[]], sensors: [false] }],
  ['bad values', { radioType: 5, timestamp: {}, geoname: 'x', speedLimit: [], credits: 9 }],
  ['unknown members', { considerIp: false, carrier: 'x', homeMobileCountryCode: 1, anything: { deep: [] } }],
  ['a fix at the ends of the ranges', { gps: { latitude: -90, longitude: 180 }, lastLocation: { lat: 90, lng: -180 } }],
  ['a fix as text', { gps: { latitude: '48.1', longitude: '11.5' } }],
  ['a fix and a last location without a position', { gps: {}, lastLocation: { lat: 1 } }],
  ['a fix that is nowhere', { gps: { latitude: null, longitude: 'x' }, lastLocation: { lat: 91, lng: [] } }],
])('%s passes', (_, body) => {
  expect(refusal(body)).toBeUndefined();
});

test('the body is left as it was', () => {
  const body = { gps: { latitude: '1', longitude: 2 }, cellTowers: null, geoname: '1' };
  const before = structuredClone(body);
  checkStructure(body);
  expect(body).toEqual(before);
});

test('any JSON passes or is refused with one error message', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const message = refusal(value);
      expect(message === undefined || message.endsWith('.')).toBe(true);
    }),
  );
});
