import { expect, test } from 'vitest';
import { addressKey } from '../../../src/geocoding/address/address_key.ts';
import { placeOf, type Said } from '../../kits/places/place.ts';

const ADMINISTRATIVE: Said = { category: 'boundary', type: 'administrative' };

test.each<[string, Said]>([
  ['continent', { ...ADMINISTRATIVE, addressRank: 2 }],
  ['country', { ...ADMINISTRATIVE, addressRank: 4 }],
  ['region', { ...ADMINISTRATIVE, addressRank: 6 }],
  ['state', { ...ADMINISTRATIVE, addressRank: 8 }],
  ['state_district', { ...ADMINISTRATIVE, addressRank: 10 }],
  ['county', { ...ADMINISTRATIVE, addressRank: 12 }],
  ['municipality', { ...ADMINISTRATIVE, addressRank: 14 }],
  ['city', { ...ADMINISTRATIVE, addressRank: 16 }],
  ['city_district', { ...ADMINISTRATIVE, addressRank: 18 }],
  ['suburb', { ...ADMINISTRATIVE, addressRank: 20 }],
  ['neighbourhood', { ...ADMINISTRATIVE, addressRank: 22 }],
  ['city_block', { ...ADMINISTRATIVE, addressRank: 24 }],
  ['state', { ...ADMINISTRATIVE, addressRank: 6, countryCode: 'no' }],
  ['county', { ...ADMINISTRATIVE, addressRank: 8, countryCode: 'se' }],
  ['town', { ...ADMINISTRATIVE, addressRank: 16, linkedPlace: 'town' }],
  ['city_district', { ...ADMINISTRATIVE, addressRank: 20, isDistrict: true }],
  ['city_district', { ...ADMINISTRATIVE, addressRank: 20, isDistrict: true, linkedPlace: 'suburb' }],
  ['village', { ...ADMINISTRATIVE, addressRank: 18, isDistrict: true, linkedPlace: 'village' }],
  ['village', { category: 'place', type: 'village', addressRank: 16 }],
  ['isolated_dwelling', { category: 'place', type: 'isolated_dwelling', addressRank: 25 }],
  ['island', { category: 'place', type: 'island', searchRank: 17, addressRank: 0 }],
  ['postcode', { category: 'boundary', type: 'postal_code', addressRank: 5 }],
  ['postcode', { category: 'place', type: 'postcode', addressRank: 5 }],
  ['industrial', { category: 'landuse', type: 'industrial', addressRank: 24 }],
  ['landuse', { category: 'landuse', type: 'yes', addressRank: 24 }],
  ['nature_reserve', { category: 'leisure', type: 'Nature Reserve', searchRank: 24, addressRank: 0 }],
  ['road', { category: 'highway', type: 'residential', addressRank: 26 }],
  ['road', { category: 'highway', type: 'footway', addressRank: 27 }],
  ['amenity', { category: 'amenity', type: 'cafe', addressRank: 30 }],
  ['building', { category: 'building', type: 'yes', addressRank: 30 }],
  ['highway', { category: 'highway', type: 'bus_stop', addressRank: 30 }],
])('%s is the key of %j', (key, said) => {
  expect(addressKey(placeOf(said))).toBe(key);
});
