import { expect, test } from 'vitest';
import { Countries, countryCodeOf } from '../../../../src/geocoding/import/areas/countries.ts';

/** All of Liechtenstein but for its eastern edge, where the borders of the world still are. */
const OWN = Int32Array.from([9.45, 47.0, 9.57, 47.0, 9.57, 47.3, 9.45, 47.3, 9.45, 47.0], degrees => degrees * 1e7);
const VADUZ = [9.52e7, 47.14e7] as const;

test('the borders of the extract decide before those of the world', () => {
  expect(new Countries([{ code: 'xx', rings: [OWN] }]).at(...VADUZ)).toBe('xx');
  expect(new Countries([]).at(...VADUZ)).toBe('li');
});

test('a point beyond the border of the extract is not in that country', () => {
  const east = [9.5713e7, 47.2178e7] as const;
  expect(new Countries([]).at(...east)).toBe('li');
  expect(new Countries([{ code: 'li', rings: [OWN] }]).at(...east)).toBe('at');
});

test('no neighbour is near on the sea', () => {
  const island = Int32Array.of(0, 0, 1000, 0, 1000, 1000, 0, 0);
  expect(new Countries([{ code: 'mt', rings: [island] }]).at(14.4e7, 35.75e7)).toBe('');
});

test('a country says its code at level 2', () => {
  const tags = { boundary: 'administrative', admin_level: '2', 'ISO3166-1': 'LI' };
  expect(countryCodeOf(tags)).toBe('li');
  expect(countryCodeOf({ ...tags, 'ISO3166-1': undefined as unknown as string, 'ISO3166-1:alpha2': 'CH' })).toBe('ch');
  expect(countryCodeOf({ ...tags, admin_level: '4' })).toBe('');
  expect(countryCodeOf({ ...tags, 'ISO3166-1': 'FX-1' })).toBe('');
});
