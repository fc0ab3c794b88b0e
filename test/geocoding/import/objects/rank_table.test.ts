import { expect, test } from 'vitest';
import { boxDegreesOf, ranksOf } from '../../../../src/geocoding/import/objects/rank_table.ts';

function ranks(category: string, type: string, more: Partial<Parameters<typeof ranksOf>[0]> = {}): string {
  const { searchRank, addressRank } = ranksOf({ category, type, tags: {}, shape: 'area', countryCode: 'li', ...more });
  return `${searchRank}/${addressRank}`;
}

test.each([
  ['place', 'continent', '2/0'],
  ['place', 'state', '8/0'],
  ['place', 'county', '12/12'],
  ['place', 'city', '16/16'],
  ['place', 'town', '18/16'],
  ['place', 'village', '19/16'],
  ['place', 'suburb', '19/20'],
  ['place', 'quarter', '20/22'],
  ['place', 'neighbourhood', '24/24'],
  ['place', 'isolated_dwelling', '22/25'],
  ['place', 'island', '17/0'],
  ['place', 'polder', '22/0'],
  ['landuse', 'residential', '24/24'],
  ['landuse', 'forest', '30/30'],
  ['leisure', 'park', '24/0'],
  ['leisure', 'pitch', '30/30'],
  ['natural', 'peak', '18/0'],
  ['natural', 'tree', '30/30'],
  ['natural', 'beach', '22/0'],
  ['waterway', 'river', '19/0'],
  ['waterway', 'stream', '22/0'],
  ['mountain_pass', 'yes', '20/0'],
  ['highway', 'residential', '26/26'],
  ['highway', 'footway', '27/27'],
  ['highway', 'primary_link', '27/27'],
  ['boundary', 'protected_area', '25/0'],
  ['amenity', 'restaurant', '30/30'],
])('%s=%s has the ranks %s', (category, type, expected) => {
  expect(ranks(category, type)).toBe(expected);
});

test('the rank of an administrative boundary is twice its level, unless its country has another order', () => {
  const level = (admin_level: string, countryCode: string) =>
    ranks('boundary', 'administrative', { tags: { admin_level }, countryCode });
  expect([2, 4, 6, 8, 12].map(n => level(String(n), 'li'))).toEqual(['4/4', '8/8', '12/12', '16/16', '24/24']);
  expect(level('8', 'be')).toBe('14/14');
  expect(level('5', 'de')).toBe('10/0');
});

test('a capital is a rank better, a node of a road stands there, a lake is known by its water', () => {
  expect(ranks('place', 'city', { tags: { capital: 'yes' } })).toBe('15/16');
  expect(ranks('place', 'city', { tags: { capital: '4' } })).toBe('16/16');
  expect(ranks('highway', 'residential', { shape: 'point' })).toBe('30/30');
  expect(ranks('natural', 'water', { tags: { water: 'lake' } })).toBe('20/0');
  expect(ranks('natural', 'water', { tags: { water: 'pond' } })).toBe('22/0');
});

test('the box of a node is the usual extent of its kind', () => {
  expect(boxDegreesOf('place', 'country')).toBe(7);
  expect(boxDegreesOf('place', 'town')).toBe(0.04);
  expect(boxDegreesOf('railway', 'station')).toBe(0.005);
  expect(boxDegreesOf('amenity', 'cafe')).toBe(0.00005);
});
