// Kinds beside names that nothing has together, and names beside landmarks, on drawn towns.

import { beforeAll, expect, test } from 'vitest';
import { freeTextQuestion } from '../../src/geocoding/search/question.ts';
import { DrawnMap, inExtract } from '../kits/places/drawn_map.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const folder = folderOfFile();
let extract: string;

/** Degrees of latitude in a hundred metres. */
const STEP = 0.0009;

beforeAll(async () => {
  const map = new DrawnMap();
  const town = (lat: number, lon: number, name: string) => {
    map.boundary(8, [lat, lon], 0.1, { name });
    map.node([lat, lon], { place: 'town', name });
    map.way([[lat + 0.05, lon - 0.01], [lat + 0.05, lon + 0.01]], { highway: 'residential', name: `${name} Allee` }); // biome-ignore format: a line
  };
  town(47, 9, 'Tannwil');
  // More of a kind than one list has, all of them known better.
  for (let i = 0; i < 600; i++)
    map.node([30 + i / 1_000, 60], { highway: 'bus_stop', name: `Halt ${i}`, wikidata: 'Q1' });
  map.node([47.01, 9], { highway: 'bus_stop', name: 'Tannwil Erlengut' });
  map.node([47.011, 9], { tourism: 'museum', name: 'Villa Rosenau' });
  map.node([47.012, 9], { highway: 'platform', public_transport: 'platform', name: 'Villa Rosenau' });
  map.node([47.02, 9], { amenity: 'place_of_worship', name: 'St. Luzius' });
  map.node([47.03, 9], { shop: 'sports', name: 'Falken Fanwelt' });
  map.node([47.04, 9], { amenity: 'bar', name: 'Three Larks Bar' });
  map.node([47.045, 9], { amenity: 'pub', name: 'Old Mill' });
  map.node([47.06, 9], { tourism: 'theme_park', name: 'Wasserland' });
  map.node([47.06 + STEP, 9], { amenity: 'parking' });
  map.node([47.06 + 2 * STEP, 9], { tourism: 'artwork', name: 'Nymphe am See' });
  town(46, 2, 'Vauclair');
  map.node([46.01, 2], { amenity: 'fire_station', name: 'Centre de secours Bellerive' });
  map.node([46.02, 2], { highway: 'bus_stop', name: 'Hôpital' });
  map.node([46.021, 2], { amenity: 'hospital', name: 'Centre hospitalier de Vauclair' });
  map.node([46.03, 2], { shop: 'supermarket', name: 'Casimarché' });
  town(35.9, 14.4, 'Ħal Mnara');
  map.node([35.95, 14.4], { tourism: 'attraction', name: 'Għar Dinja' });
  map.node([35.95 + STEP, 14.4], { amenity: 'restaurant', name: 'Green Heron Bar & Restaurant' });
  map.node([35.85, 14.4], { amenity: 'restaurant', name: 'Green Heron Grill' });
  const embassy = (lon: number, tags: Record<string, string>) => map.node([46.04, lon], tags);
  embassy(2, { office: 'diplomatic', diplomatic: 'consulate', country: 'SE', name: 'Nordhaus' });
  embassy(2.001, { office: 'diplomatic', diplomatic: 'consulate', country: 'CH', name: 'Consulat général de Suisse' });
  embassy(2.002, { amenity: 'embassy', country: 'DE', name: 'Ambassade' });
  embassy(2.003, { amenity: 'embassy', name: 'Почетное консульство Украины' });
  embassy(2.004, { amenity: 'embassy', country: 'AT', name: 'Ambassade' });
  extract = await map.importInto(folder);
});

function found(text: string): Promise<string[]> {
  return inExtract(extract, geocoder => geocoder.search(freeTextQuestion(text)).map(({ name }) => name));
}

test.each([
  ['bus stop Erlengut', 'Tannwil Erlengut'],
  ['Bushaltestelle Erlengut', 'Tannwil Erlengut'],
  ['Erlengut bus stop', 'Tannwil Erlengut'],
  ['arret Erlengut', 'Tannwil Erlengut'],
  ['paragem Erlengut', 'Tannwil Erlengut'],
  ['halte Erlengut', 'Tannwil Erlengut'],
  ['arrêt de bus Hôpital', 'Hôpital'],
  ['Hôpital arrêt de bus', 'Hôpital'],
  ['parada de autobús Erlengut', 'Tannwil Erlengut'],
  ['остановка Erlengut', 'Tannwil Erlengut'],
  ['caserne des pompiers Bellerive', 'Centre de secours Bellerive'],
  ['Pfarrkirche St. Luzius', 'St. Luzius'],
  ['Pfarrkirche Tannwil', 'St. Luzius'],
  ['Three Larks irish pub', 'Three Larks Bar'],
  ['Falken shop', 'Falken Fanwelt'],
  ['Falken Laden Tannwil', 'Falken Fanwelt'],
  ['sklep Falken', 'Falken Fanwelt'],
  ['supermarket Casimarché', 'Casimarché'],
])('%s is %s', async (text, name) => {
  expect((await found(text))[0]).toBe(name);
});

test.each(['Villa Rosenau bus stop', 'Haltestelle Villa Rosenau', 'fermata Villa Rosenau'])(
  '%s is the platform, and no museum',
  async text => {
    const places = await inExtract(extract, geocoder => geocoder.search(freeTextQuestion(text)));
    expect(places.map(({ category }) => category)).toEqual(['highway']);
  },
);

test.each(['parking Wasserland', 'Parkplatz Wasserland', 'Wasserland car park', 'aparcamiento Wasserland'])(
  '%s is the nearest one to it',
  async text => {
    const [first] = await inExtract(extract, geocoder => geocoder.search(freeTextQuestion(text)));
    expect(first).toMatchObject({ type: 'parking', latitude: expect.closeTo(47.06 + STEP) });
  },
);

test.each([
  ['library Old Mill', 'Old Mill'],
  ['Statue Nymphe am See', 'Nymphe am See'],
  ['Bibliothek Old Mill, Tannwil', 'Old Mill'],
])('%s, where there is none of the kind, is what has the name', async (text, name) => {
  expect((await found(text))[0]).toBe(name);
});

test.each(['library Tannwil', 'library in Tannwil', 'library Xylobrook', 'Church Lane, Tannwil', 'rue du Moulin, Vauclair', 'Park Street 5, Tannwil'])(
  '%s finds nothing, as an area is not meant, nor is a street by its kind',
  async text => {
    expect(await found(text)).toEqual([]);
  },
); // biome-ignore format: lines

test.each(['Green Heron Għar Dinja', 'green heron ghar dinja', 'restaurant Green Heron Ghar Dinja'])(
  '%s is the one beside the landmark',
  async text => {
    expect(await found(text)).toEqual(['Green Heron Bar & Restaurant']);
  },
);

test.each(['Green Heron Wasserland', 'Green Heron, Vauclair', 'Old Mill Vauclair'])(
  '%s finds nothing: the one is not beside the other',
  async text => {
    expect(await found(text)).toEqual([]);
  },
);

test.each([
  ['swedish consulate', 'SE'],
  ['Swedish consulate Vauclair', 'SE'],
  ['embassy of Sweden', 'SE'],
  ['consulat de Suède', 'SE'],
  ['consulat suédois, Vauclair', 'SE'],
  ['schwedisches Konsulat Vauclair', 'SE'],
  ['consolato svedese Vauclair', 'SE'],
  ['konsulat szwedzki Vauclair', 'SE'],
  ['шведское консульство', 'SE'],
  ['swiss consulate Vauclair', 'CH'],
  ['Schweizer Konsulat', 'CH'],
  ['German embassy', 'DE'],
  ["ambassade d'Allemagne, Vauclair", 'DE'],
  ['deutsche Botschaft Vauclair', 'DE'],
  ['Austrian embassy Vauclair', 'AT'],
  ['österreichische Botschaft', 'AT'],
])('%s is the one that %s sends', async (text, country) => {
  const places = await inExtract(extract, geocoder => geocoder.search(freeTextQuestion(text)));
  expect(places.map(({ tags }) => tags.country)).toEqual([country]);
});

test('the country may be in the name alone', async () => {
  expect(await found('Ukrainian consulate Vauclair')).toEqual(['Почетное консульство Украины']);
});

test('no other one is meant where the country sends none', async () => {
  expect(await found('Portuguese consulate Vauclair')).toEqual([]);
});

test('an explanation shows the name that was looked for alone', async () => {
  const { places, explained } = await inExtract(extract, geocoder =>
    geocoder.explainSearch(freeTextQuestion('bus stop Erlengut')),
  );
  expect(places.map(({ name }) => name)).toEqual(['Tannwil Erlengut']);
  expect(explained.words.map(({ word }) => word)).toEqual(['erlengut']);
  expect(explained.candidates[0]).toMatchObject({ placeId: places[0].placeId, outcome: 'answered' });
});
