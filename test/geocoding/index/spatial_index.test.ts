import { expect, test } from 'vitest';
import { countryBits } from '../../../src/geocoding/index/traits.ts';
import { box, DrawnPlaces } from '../../kits/places/spots.ts';

test('the country around a point is the one whose polygon holds it', () => {
  const map = new DrawnPlaces([47, 9]);
  map.region([box(0, 0, 5000, 5000)], 'State', 8);
  const land = map.region([box(0, 0, 10_000, 10_000), box(1000, 1000, 2000, 2000)], 'Land', 4, { countryCode: 'li' });
  const other = map.region([box(10_000, 0, 20_000, 10_000)], 'Other', 4, { countryCode: 'at' });
  const index = map.spatialIndex();
  expect(index.countryAround(47.05, 9.05)).toBe(land);
  expect(index.countryAround(47.15, 9.15)).toBeUndefined();
  expect(index.countryAround(47.5, 10)).toBe(other);
  expect(index.countryAround(47.5, 11)).toBeUndefined();
});

test('a country is found by its code, with or without a polygon', () => {
  const map = new DrawnPlaces([47, 9]);
  const land = map.region([box(0, 0, 10_000, 20_000)], 'Land', 4, { countryCode: 'li' });
  const point = map.node([30_000, 0], 'Point', 4, { countryCode: 'at' });
  const index = map.spatialIndex();
  expect(index.country(countryBits('li'))).toEqual({ id: land, x: 95_000_000, y: 480_000_000 });
  expect(index.country(countryBits('at'))).toEqual({ id: point, x: 120_000_000, y: 470_000_000 });
  expect(index.country(countryBits('ch'))).toBeUndefined();
  expect(['li', 'at', 'ch'].map(code => index.hasBordersOf(countryBits(code)))).toEqual([true, false, false]);
});

test('what has neither role nor rank is in no index', () => {
  const map = new DrawnPlaces();
  map.point([0, 0], { category: 'natural', type: 'peak', names: { name: 'Peak' }, searchRank: 18, addressRank: 0 });
  map.line([0, 0, 9, 9], {
    category: 'waterway',
    type: 'river',
    names: { name: 'River' },
    searchRank: 19,
    addressRank: 0,
  });
  map.line([0, 0, 9, 9], { category: 'waterway', type: 'dam', names: { name: 'Dam' } });
  map.area([box(0, 0, 9, 9)], { names: { name: 'Building' } });
  for (let zoom = 0; zoom <= 18; zoom++) expect(map.at([4, 4], zoom)).toBeUndefined();
});
