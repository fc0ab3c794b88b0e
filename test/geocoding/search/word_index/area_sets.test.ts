import { expect, test } from 'vitest';
import { AreaSets } from '../../../../src/geocoding/search/word_index/area_sets.ts';

test('the same areas are one set, in whatever number they came', () => {
  const sets = new AreaSets();
  const first = sets.numberOf([7, 3, 0, 7]);
  expect(sets.areas(first)).toEqual([7, 3]);
  expect(sets.numberOf([7, 3])).toBe(first);
  const second = sets.numberOf([3, 7]);
  expect(second).not.toBe(first);
  expect(sets.areas(second)).toEqual([3, 7]);
  expect([...sets.toArray()]).toEqual([0, 2, 7, 3, 2, 3, 7]);
});

test('no areas are the empty set', () => {
  const sets = new AreaSets();
  expect(sets.numberOf([])).toBe(0);
  expect(sets.numberOf([0, 0])).toBe(0);
  expect(sets.areas(0)).toEqual([]);
});

test('a set has at most 24 areas', () => {
  const sets = new AreaSets();
  const areas = Array.from({ length: 30 }, (_, i) => i + 1);
  expect(sets.areas(sets.numberOf(areas))).toEqual(areas.slice(0, 24));
});
