import { expect, test } from 'vitest';
import { countryAt } from '../../src/geo/country.ts';
import { countryExtents } from '../../src/geo/country_extent.ts';

const extents = countryExtents();

test('every country is there once, in the order of codes', () => {
  const codes = extents.map(({ code }) => code);
  expect(codes).toEqual([...new Set(codes)].sort());
  expect(codes.length).toBeGreaterThan(240);
  expect(codes).toEqual(expect.arrayContaining(['AQ', 'LI', 'MC', 'MT', 'US', 'XK']));
});

test('the point of a country lies in it, and in its box', () => {
  for (const { code, latitude, longitude, south, north, west, east } of extents) {
    expect([code, countryAt(latitude, longitude)]).toEqual([code, code]);
    expect(latitude > south && latitude < north && longitude > west && longitude < east, code).toBe(true);
  }
});

test('a country on both sides of the antimeridian has a box on the side of its larger part', () => {
  const russia = extents.find(({ code }) => code === 'RU')!;
  expect(russia.west).toBeGreaterThan(15);
  expect(russia.east).toBe(180);
});

test('the point of a country with seas between its parts is on land', () => {
  const { latitude, longitude } = extents.find(({ code }) => code === 'PT')!;
  expect(latitude > 37 && latitude < 42 && longitude > -9 && longitude < -6.5).toBe(true);
});
