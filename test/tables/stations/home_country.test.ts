import { expect, test } from 'vitest';
import { KIND_CDMA, KIND_LTE } from '../../../src/radio/kind.ts';
import { networkNumber, writeCellKey } from '../../../src/radio/station_key.ts';
import { isAtHome, isInside, prepareHomeCountries } from '../../../src/tables/stations/home_country.ts';

function atHome(mcc: number, latitude: number, longitude: number, kind = KIND_LTE): boolean {
  const key = new Uint8Array(16);
  writeCellKey(key, 4, kind, networkNumber(kind, mcc, 1), 1, 1);
  return isAtHome(key, 4, latitude, longitude);
}

test.each([
  ['in its country', 262, 50, 9, true],
  ['just behind the border', 262, 48.58, 7.75, true],
  ['in another country', 262, 48.86, 2.35, false],
  ['on the open sea', 262, 45, -30, false],
  ['in a territory that shares the code', 234, 49.21, -2.13, true],
  ['in any of a code with several countries', 340, 14.6, -61, true],
  ['of the test network', 1, 48.86, 2.35, true],
  ['of an international network', 901, 45, -30, true],
  ['of a code that nobody has', 999, 45, -30, true],
])('a cell %s', (_, mcc, latitude, longitude, expected) => {
  prepareHomeCountries();
  expect(atHome(mcc, latitude, longitude)).toBe(expected);
});

test('cdma keys name no country', () => {
  expect(atHome(262, 45, -30, KIND_CDMA)).toBe(true);
});

test('inside has no margin', () => {
  expect(isInside(262, 50, 9)).toBe(true);
  expect(isInside(262, 48.58, 7.75)).toBe(false);
  expect(isInside(262, 45, -30)).toBe(false);
  expect(isInside(1, 45, -30)).toBe(true);
  expect(isInside(-1, 45, -30)).toBe(true);
});
