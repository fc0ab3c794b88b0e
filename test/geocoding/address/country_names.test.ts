import { expect, test } from 'vitest';
import { countryName, countryOfNetworks, countryOfPoint } from '../../../src/geocoding/address/country_names.ts';

test.each([
  [[], 'Germany'],
  [['de'], 'Deutschland'],
  [['fr-CH', 'de'], 'Allemagne'],
  [['tlh', 'de'], 'Deutschland'],
  [['no tag', '', 'it'], 'Germania'],
  [['tlh'], 'Germany'],
])('in the languages %j Germany is called %s', (languages, name) => {
  expect(countryName('DE', languages)).toBe(name);
  expect(countryName('de', languages)).toBe(name);
});

test('a code that no language knows stands for itself', () => {
  expect(countryName('qq', ['de'])).toBe('QQ');
});

test('names stay right when more languages are asked for than are kept', () => {
  for (let i = 0; i < 600; i++) expect(countryName('AT', [`de-x-v${i}`])).toBe('Österreich');
});

test('the country of a point has its code in lower case', () => {
  expect(countryOfPoint(47.14, 9.52, ['de'])).toEqual({ code: 'li', name: 'Liechtenstein' });
  expect(countryOfPoint(42.66, 21.16, [])).toEqual({ code: 'xk', name: 'Kosovo' });
});

test.each([
  ['open sea', 30, -40],
  ['north pole', 90, 0],
])('%s has no country', (_, latitude, longitude) => {
  expect(countryOfPoint(latitude, longitude, [])).toBeUndefined();
});

test.each([
  ['one country', [262], 'de'],
  ['two codes of the same country', [404, 405], 'in'],
  ['the same country twice', [262, 262], 'de'],
  ['one country and a test network', [262, 1], 'de'],
  ['two countries', [262, 295], undefined],
  ['a code of several countries', [228], undefined],
  ['an international code', [901], undefined],
  ['no code', [], undefined],
])('networks of %s say where the request is from', (_, mccs, code) => {
  expect(countryOfNetworks(mccs, [])?.code).toBe(code);
});
