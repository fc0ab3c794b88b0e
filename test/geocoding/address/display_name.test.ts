import { expect, test } from 'vitest';
import { displayName } from '../../../src/geocoding/address/display_name.ts';

/** Rows as addresses have them, small to large. */
const HOUSE = {
  house_number: '12',
  road: 'Main Street',
  suburb: 'Hill',
  town: 'Town',
  county: 'County',
  state: 'State',
  postcode: '12345',
  country: 'Country',
};

function lineOf(country: string, said: Readonly<Record<string, string>> = HOUSE, languages: readonly string[] = []) {
  const rows = Object.entries({ ...said, country_code: country }).map(([key, value]) => ({ key, value }));
  return displayName(rows, languages);
}

test.each([
  ['de', 'Main Street 12, Hill, 12345 Town, County, State, Country'],
  ['us', '12 Main Street, Hill, Town, County, State 12345, Country'],
  ['gb', '12 Main Street, Hill, Town, County, State, 12345, Country'],
  ['fr', '12 Main Street, Hill, 12345 Town, County, State, Country'],
  ['es', 'Main Street, 12, Hill, 12345 Town, County, State, Country'],
  ['nz', '12 Main Street, Hill, Town 12345, County, State, Country'],
  ['in', '12, Main Street, Hill, Town - 12345, County, State, Country'],
  ['ru', 'Main Street, 12, Hill, Town, County, State, Country, 12345'],
  ['hu', '12345 Town, Hill, Main Street 12., County, State, Country'],
  ['kz', 'Country, State, County, 12345 Town, Hill, Main Street, 12'],
  ['zz', 'Main Street 12, Hill, 12345 Town, County, State, Country'],
  ['', 'Main Street 12, Hill, 12345 Town, County, State, Country'],
])('an address has the order and the separators of its country: %s', (country, line) => {
  expect(lineOf(country)).toBe(line);
});

test('the language of an answer decides where a country has several orders', () => {
  const largestFirst = 'Country, 12345, State, County, Town, Hill, Main Street, 12';
  const smallestFirst = '12 Main Street, Hill, Town, County, State 12345, Country';
  expect(lineOf('jp', HOUSE, ['ja', 'en'])).toBe(largestFirst);
  expect(lineOf('jp', HOUSE, ['ja-JP'])).toBe(largestFirst);
  expect(lineOf('jp')).toBe(smallestFirst);
  expect(lineOf('jp', { ...HOUSE, town: '若葉市' })).toMatch(/^Country, 12345, State, County, 若葉市, /);
  expect(lineOf('jp', HOUSE, ['en', 'ja'])).toBe(smallestFirst);
  expect(lineOf('jp', HOUSE, ['de'])).toBe(smallestFirst);
  expect(lineOf('ca')).toBe(smallestFirst);
  expect(lineOf('ca', HOUSE, ['fr'])).toBe('12, Main Street, Hill, Town, County, State 12345, Country');
  expect(lineOf('hk', HOUSE, ['zh-Hant-HK'])).toBe(largestFirst);
});

test('what is in a house stands before it, and last where the largest is first', () => {
  const shop = { shop: 'Baker', house_name: 'Old Mill', ...HOUSE };
  expect(lineOf('gb', shop)).toMatch(/^Baker, Old Mill, 12 Main Street, Hill, /);
  expect(lineOf('hu', shop)).toMatch(/^Baker, Old Mill, 12345 Town, /);
  expect(lineOf('jp', shop, ['ja'])).toMatch(/, Main Street, 12, Old Mill, Baker$/);
});

test('a place that is in no road stands before what is around it', () => {
  const { house_number, road, ...around } = HOUSE;
  expect(lineOf('hu', { amenity: 'Bath', ...around })).toBe('Bath, 12345 Town, Hill, County, State, Country');
  expect(lineOf('jp', { amenity: 'Bath', ...around }, ['ja'])).toBe('Country, 12345, State, County, Town, Hill, Bath');
  expect(lineOf('jp', { state: 'Tokyo', country: 'Japan' }, ['ja'])).toBe('Japan, Tokyo');
  expect(lineOf('de', { town: 'Town', postcode: '12345', country: 'Country' })).toBe('12345 Town, Country');
});

test('without a town the postcode stands where it would, and a municipality is one', () => {
  const { town, ...rest } = HOUSE;
  expect(lineOf('us', rest)).toBe('12 Main Street, Hill, County, State 12345, Country');
  expect(lineOf('de', rest)).toBe('Main Street 12, Hill, 12345, County, State, Country');
  const { county, state, postcode, country } = HOUSE;
  expect(lineOf('de', { hamlet: 'Hamlet', municipality: 'Town', county, state, postcode, country })).toBe(
    '12345 Hamlet, Town, County, State, Country',
  );
  expect(lineOf('de', { suburb: 'Hill', municipality: 'Town', county, state, postcode, country })).toBe(
    'Hill, 12345 Town, County, State, Country',
  );
});

test('what is left out takes the signs beside it along', () => {
  const { road, postcode, ...rest } = HOUSE;
  expect(lineOf('de', rest)).toBe('12, Hill, Town, County, State, Country');
  expect(lineOf('in', rest)).toBe('12, Hill, Town, County, State, Country');
  expect(lineOf('hu', rest)).toBe('Town, Hill, 12., County, State, Country');
  const { house_number, ...onRoad } = HOUSE;
  expect(lineOf('hu', onRoad)).toBe('12345 Town, Hill, Main Street, County, State, Country');
});

test('a name that repeats the smaller one is not said twice', () => {
  const monaco = { city: 'Monaco', state: 'Monaco', postcode: '98000', country: 'Monaco' };
  expect(lineOf('mc', monaco)).toBe('98000 Monaco, Monaco');
  expect(lineOf('', {})).toBe('');
});
