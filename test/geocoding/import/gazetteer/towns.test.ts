import { expect, test } from 'vitest';
import { Towns } from '../../../../src/geocoding/import/gazetteer/towns.ts';
import { RANK_CITY, RANK_SUBURB, RANK_TOWN, RANK_VILLAGE } from '../../../../src/tables/places/ranks.ts';

/** Along the equator, kilometres. */
function towns(...all: [id: number, searchRank: number, east: number][]): Towns {
  return new Towns(all.map(([id, searchRank, east]) => ({ id, searchRank, latitude: 0, longitude: east / 111.195 })));
}

test('the nearest of two of a kind is the one', () => {
  expect(towns([1, RANK_VILLAGE, 3], [2, RANK_VILLAGE, -2]).around(0, 0)).toBe(2);
});

test('a city counts two and a half times further than a village', () => {
  expect(towns([1, RANK_CITY, 4.9], [2, RANK_VILLAGE, 2]).around(0, 0)).toBe(1);
  expect(towns([1, RANK_CITY, 5.1], [2, RANK_VILLAGE, 2]).around(0, 0)).toBe(2);
});

test('nothing is beyond 20 km, and parts of cities are no towns', () => {
  expect(towns([1, RANK_TOWN, 20.1], [2, RANK_SUBURB, 1]).around(0, 0)).toBeUndefined();
  expect(towns([1, RANK_TOWN, 19.9]).around(0, 0)).toBe(1);
});
