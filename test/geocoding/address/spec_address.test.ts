import { expect, test } from 'vitest';
import { toSpecAddress } from '../../../src/geocoding/address/spec_address.ts';

/** Each value is its key in capitals. */
function addressOf(...keys: string[]): Record<string, string> {
  return toSpecAddress(keys.map(key => ({ key, value: key.toUpperCase() })));
}

test('members that the specification has under the same name stay', () => {
  const keys = ['building', 'city_block', 'city_district', 'country', 'country_code', 'county', 'house_number'];
  keys.push('municipality', 'neighbourhood', 'postcode', 'road', 'state', 'town');
  expect(addressOf(...keys)).toEqual(Object.fromEntries(keys.map(key => [key, key.toUpperCase()])));
});

test.each([
  [['city'], { town: 'CITY' }],
  [['village'], { town: 'VILLAGE' }],
  [['hamlet'], { town: 'HAMLET' }],
  [['hamlet', 'village'], { town: 'VILLAGE' }],
  [['suburb'], { city_district: 'SUBURB' }],
  [['suburb', 'borough'], { city_district: 'BOROUGH' }],
  [['quarter'], { neighbourhood: 'QUARTER' }],
  [['neighbourhood', 'quarter'], { neighbourhood: 'NEIGHBOURHOOD' }],
  [['amenity'], { building: 'AMENITY' }],
  [['shop', 'house_name'], { building: 'HOUSE_NAME' }],
  [['ISO3166-2-lvl4', 'state_district', 'industrial', 'natural'], {}],
])('%j become %j', (keys, address) => {
  expect(addressOf(...keys)).toEqual(address);
});
