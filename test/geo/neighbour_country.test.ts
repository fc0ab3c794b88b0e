import { expect, test } from 'vitest';
import { countryBeyond } from '../../src/geo/neighbour_country.ts';

/** In Austria, a hundred metres from Liechtenstein; the borders of the world are not so exact. */
const BEYOND = [47.2178, 9.5713] as const;

test('without better borders those of the world decide', () => {
  expect(countryBeyond(...BEYOND, () => false)).toBe('li');
  expect(countryBeyond(47.14, 9.52, () => false)).toBe('li');
});

test('a point beyond better borders belongs to the neighbour, and a point of another country to that', () => {
  expect(countryBeyond(...BEYOND, code => code === 'li')).toBe('at');
  expect(countryBeyond(47.5, 9.75, code => code === 'li')).toBe('at');
});

test('on the sea beyond better borders there is no country, nor on the open sea', () => {
  expect(countryBeyond(35.75, 14.4, code => code === 'mt')).toBe('');
  expect(countryBeyond(30, -40, () => false)).toBe('');
});
