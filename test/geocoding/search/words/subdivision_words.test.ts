import { expect, test } from 'vitest';
import { readStates } from '../../../../src/geocoding/import/gazetteer/cities.ts';
import {
  lettersOfSubdivision,
  readSubdivisions,
  subdivisionsCalled,
} from '../../../../src/geocoding/search/words/subdivision_words.ts';

test('a name or a code says in which countries there is such a state', () => {
  expect(subdivisionsCalled('nsw')).toEqual(['au']);
  expect(subdivisionsCalled('newsouthwales')).toEqual(['au']);
  expect(subdivisionsCalled('bayern')).toEqual(['de']);
  expect(subdivisionsCalled('wa')).toEqual(expect.arrayContaining(['au', 'us']));
  expect(subdivisionsCalled('nowhere')).toEqual([]);
});

test('every row is a state of the gazetteer, and adds to what it knows', () => {
  const names = new Map(readStates().map(({ code, name }) => [code, name]));
  const rows = [...readSubdivisions()];
  expect(rows.filter(([code]) => !names.has(code))).toEqual([]);
  for (const [code, { letters, names: more }] of rows) {
    expect(letters, code).toMatch(/^([A-Z]{2,3})?$/);
    for (const key in more) expect(key, code).toMatch(/^name:[a-z]{2}$/);
  }
  expect(rows.length).toBeGreaterThan(3_800);
});

test.each([
  ['BR-SP', 'SP'],
  ['AU-NSW', 'NSW'],
  ['AR-C', ''],
  ['LI-11', ''],
  ['', ''],
])('of %j people write %j', (code, letters) => {
  expect(lettersOfSubdivision(code)).toBe(letters);
});
