import { expect, test } from 'vitest';
import type { City } from '../../../../src/geocoding/import/gazetteer/cities.ts';
import {
  importanceOfCity,
  importanceOfCountry,
  importanceOfState,
  kindOf,
} from '../../../../src/geocoding/import/gazetteer/kind.ts';

function city(population: number, featureCode: string): City {
  return {
    name: 'A',
    otherNames: [],
    latitude: 0,
    longitude: 0,
    country: 'LI',
    state: '',
    province: '',
    population,
    featureCode,
  };
}

test.each([
  [2_000_000, 'PPLC', 'city', 16],
  [100_000, 'PPL', 'city', 16],
  [99_999, 'PPLA2', 'town', 18],
  [10_000, '', 'town', 18],
  [9_999, 'PPLC', 'village', 19],
  [0, 'PPLA3', 'village', 19],
  [0, 'PPL', 'village', 20],
  [0, '', 'village', 20],
  [500_000, 'PPLX', 'suburb', 21],
  [0, 'PPLH', 'locality', 25],
  [11_676, 'PPLQ', 'town', 18],
])('%i people and the code %j make a %s of rank %i', (population, featureCode, type, searchRank) => {
  expect(kindOf(city(population, featureCode))).toMatchObject({ type, searchRank });
});

test('importance grows with people, and is never less than that of a village', () => {
  const steps = [0, 1, 1_000, 2_000, 50_000, 1_000_000, 25_000_000].map(people =>
    importanceOfCity(city(people, 'PPL')),
  );
  expect(steps.slice(0, 3)).toEqual([0.147, 0.147, 0.147]);
  for (let i = 3; i < steps.length; i++) expect(steps[i]).toBeGreaterThan(steps[i - 1]);
  expect(steps.at(-1)! - steps[0]).toBeLessThan(0.5);
});

test('of places of one name the country comes before the capital, and that before its state', () => {
  for (const people of [5_000, 500_000, 20_000_000]) {
    const capital = importanceOfCity(city(people, 'PPLC'));
    expect(importanceOfCountry(people)).toBeGreaterThan(capital);
    expect(importanceOfState(people)).toBeLessThan(capital);
  }
});
