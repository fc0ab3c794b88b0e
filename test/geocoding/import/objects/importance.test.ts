import { expect, test } from 'vitest';
import { importanceOf } from '../../../../src/geocoding/import/objects/importance.ts';

const of = (category: string, type: string, tags = {}, searchRank = 30) =>
  importanceOf({ category, type, searchRank }, { name: 'A', ...tags });

test('importance follows from the rank of what is larger than a house', () => {
  expect(of('place', 'country', {}, 4)).toBeCloseTo(0.3467, 4);
  expect(of('highway', 'residential', {}, 26)).toBeCloseTo(0.0533, 4);
});

test('of the rest it follows from the class, and is more for what an encyclopedia describes', () => {
  expect(of('highway', 'bus_stop')).toBe(0);
  expect(of('shop', 'bakery')).toBeGreaterThan(of('amenity', 'parking'));
  expect(of('tourism', 'museum')).toBeGreaterThan(of('shop', 'bakery'));
  expect(of('tourism', 'museum', { wikidata: 'Q1' })).toBeGreaterThan(of('tourism', 'museum'));
  expect(of('shop', 'bakery', { wikidata: 'Q1', wikipedia: 'de:A' })).toBeLessThan(of('tourism', 'museum'));
  expect(of('tourism', 'museum', { wikidata: 'Q1', wikipedia: 'de:A' })).toBeLessThanOrEqual(1);
});

test('a station is less important than the village whose name it has', () => {
  const tags = { wikidata: 'Q1', wikipedia: 'de:A' };
  expect(of('railway', 'station', tags)).toBeLessThan(of('place', 'hamlet', {}, 20));
});

test('what has no name is not important', () => {
  expect(importanceOf({ category: 'tourism', type: 'museum', searchRank: 30 }, {})).toBeCloseTo(0, 4);
});
