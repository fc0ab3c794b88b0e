// Importance in searches on a drawn world: an extract in Liechtenstein, imported with and without a table of importance,
// and a gazetteer with villages on other continents.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { importanceOfCity, kindOf } from '../../src/geocoding/import/gazetteer/kind.ts';
import type { Tags } from '../../src/geocoding/import/osm/features.ts';
import { freeTextQuestion, type SearchQuestion } from '../../src/geocoding/search/question.ts';
import { importPlaces } from '../../src/jobs/import_places.ts';
import { currentLayer, placesFolder } from '../../src/tables/places/generations.ts';
import { SquareMap } from '../kits/places/extracts.ts';
import { drawLayer, withGeocoder, worldPlace } from '../kits/places/layers.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

/** What the extract has, each under a name of its own and some 700 m from the next. */
const THINGS: readonly (readonly [name: string, tags: Tags])[] = [
  ['Pruggern', { place: 'village' }],
  ['Gamprin', { place: 'hamlet' }],
  ['Steinboden', { place: 'locality' }],
  ['Malbun', { natural: 'peak' }],
  ['Silumhof', { amenity: 'restaurant' }],
  ['Masescha', { shop: 'bakery' }],
  ['Rotaboda', { highway: 'bus_stop' }],
  ['Sückalmhaus', { tourism: 'museum' }],
  ['Gaflei', { railway: 'station' }],
  ['Oberer Winkel', { amenity: 'parking' }],
];
const ROAD = 'Fürst Johannes Strasse';
const COUNTRIES = { in: 'India', br: 'Brazil', li: 'Liechtenstein' };
/** Two museums of one name. */
const MUSEUM = 'Postmuseum';
const [FAMOUS, OTHER] = [7_001, 7_002];

const folder = folderOfFile();
let layers: { world: string; extract: string; rated: string };

function writeMap(): string {
  const map = new SquareMap();
  for (const [i, [name, tags]] of THINGS.entries())
    map.node({ lat: 47.1 + i * 0.007, lon: 9.53 }, { name, wikidata: `Q${i + 1}`, ...tags });
  map.street(
    1,
    [9.535, 9.545].map(lon => ({ lat: 47.15, lon })),
    ROAD,
  );
  map.node({ lat: 47.11, lon: 9.54 }, { name: MUSEUM, tourism: 'museum', wikidata: `Q${OTHER}` });
  map.node({ lat: 47.19, lon: 9.54 }, { name: MUSEUM, tourism: 'museum', wikidata: `Q${FAMOUS}` });
  return map.write(join(folder, 'map.osm.pbf'));
}

/** Villages of forty people, and of forty that are a seat, for each name of the extract. */
function drawWorld(): Promise<string> {
  const continents = [
    ['in', 22, 79],
    ['br', -10, -55],
  ] as const;
  const countries = [...continents, ['li', 47.14, 9.55] as const].map(([code, lat, lon]) =>
    worldPlace('country', COUNTRIES[code], 4, lat, lon, { countryCode: code, importance: 0.6 }),
  );
  const names = [...THINGS.map(([name]) => name), ROAD, MUSEUM];
  const villages = names.flatMap((name, n) =>
    continents.map(([countryCode, lat, lon], i) => {
      const city = { population: 40, featureCode: i === 0 ? 'PPL' : 'PPLA' } as Parameters<typeof kindOf>[0];
      const { type, searchRank } = kindOf(city);
      const said = { countryCode, rows: [i + 1], importance: importanceOfCity(city) };
      return worldPlace(type, name, searchRank, lat + n / 10, lon, said);
    }),
  );
  return drawLayer('the gazetteer', [...countries, ...villages]);
}

async function importMap(name: string, rows?: string): Promise<string> {
  const data = join(folder, name);
  await importPlaces({ verb: 'import', kind: 'osm', files: [writeMap()] }, data, () => {});
  if (rows !== undefined) {
    const table = join(folder, 'ranks.tsv');
    writeFileSync(table, rows);
    await importPlaces({ verb: 'import', kind: 'importance', files: [table] }, data, () => {});
  }
  return currentLayer(placesFolder(data))!;
}

beforeAll(async () => {
  layers = {
    world: join(await drawWorld(), 'layer'),
    extract: await importMap('plain'),
    rated: await importMap('rated', `qid\timportance\nQ${FAMOUS}\t0.7\nQ${OTHER}\t0.1\nQ1\t0\n`),
  };
});

const search = (extract: 'extract' | 'rated', text: string, more: Partial<SearchQuestion> = {}) =>
  withGeocoder({ world: layers.world, extract: layers[extract] }, geocoder =>
    geocoder.explainSearch(freeTextQuestion(text, more)),
  );

describe('a village of 40 people on another continent', () => {
  const asked = [...THINGS.map(([name]) => name), ROAD, MUSEUM].flatMap(name => [
    name,
    name.toLowerCase(),
    name.slice(0, -1),
    `${name.slice(0, 2)}${name.slice(3)}`,
    `${name} Liechtenstein`,
  ]);

  test.each(['extract', 'rated'] as const)('never comes before what lies in the only extract: %s', async layer => {
    for (const text of asked) {
      const { places } = await search(layer, text);
      const isFar = places.map(({ licence }) => licence === 'the gazetteer');
      expect([text, isFar]).toEqual([text, isFar.toSorted()]);
      expect([text, isFar[0]]).toEqual([text, false]);
    }
  });
});

test('of two places of a name a table puts the known one first, and the explanation says by how much', async () => {
  const [plain, rated] = [await search('extract', MUSEUM), await search('rated', MUSEUM)];
  const latitudes = (found: typeof plain) => found.places.slice(0, 2).map(({ latitude }) => latitude);
  expect([latitudes(plain), latitudes(rated)]).toEqual([
    [47.11, 47.19],
    [47.19, 47.11],
  ]);
  const terms = (found: typeof plain) => found.explained.candidates.slice(0, 2).map(each => each.terms.importance);
  const [own, same] = terms(plain);
  expect(own).toBe(same);
  expect(terms(rated)).toEqual([expect.closeTo(-0.4 * 0.55 * 0.7, 3), own]);
});
