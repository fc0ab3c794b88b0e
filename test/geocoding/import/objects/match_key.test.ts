import { expect, test } from 'vitest';
import { isOneEditApart, matchKeyOf, matchKeysOf } from '../../../../src/geocoding/import/objects/match_key.ts';

test.each([
  ['Bahnhofstr.', 'Bahnhofstraße'],
  ['Kerkstr.', 'Kerkstraat'],
  ['Kerk Str.', 'Kerkstraat'],
  ['St. Georg', 'Sankt Georg'],
  ['Dr. Grass-Strasse', 'Doktor Grass Strasse'],
  ['Fürst-Johannes-Weg', 'Fuerst Johannes Weg'],
  ['Land Strasse', 'Landstrasse'],
  ['5th Ave', '5th Avenue'],
  ['Улица Ленина', 'улица ленина'],
])('%s is %s', (a, b) => {
  expect(matchKeyOf(a)).toBe(matchKeyOf(b));
});

test.each([
  ['Landstrasse', 'Landweg'],
  ['Strasse 1', 'Strasse 2'],
  ['Mozartstrasse', 'Mozartplatz'],
])('%s is not %s', (a, b) => {
  expect(matchKeyOf(a)).not.toBe(matchKeyOf(b));
});

test('a list of names is several, and a brand is none', () => {
  expect(matchKeysOf({ name: 'Alt;Neu', brand: 'Marke' })).toEqual(['alt', 'neu']);
});

test.each([
  ['gasse', 'gase', true],
  ['gasse', 'gassen', true],
  ['gasse', 'gosse', true],
  ['aab', 'ab', true],
  ['gasse', 'gasse', false],
  ['gasse', 'gsase', false],
  ['gasse', 'gass-en', false],
])('%s and %s are one letter apart: %s', (a, b, expected) => {
  expect(isOneEditApart(a, b)).toBe(expected);
  expect(isOneEditApart(b, a)).toBe(expected);
});
