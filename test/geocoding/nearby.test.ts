// What is near something that a question names, or near who asks, on drawn towns.

import { beforeAll, expect, test, vi } from 'vitest';
import { Geocoder } from '../../src/geocoding/geocoder.ts';
import { freeTextQuestion } from '../../src/geocoding/search/question.ts';

import { DrawnMap, inExtract, searched } from '../kits/places/drawn_map.ts';
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
  town(51, 10, 'Lindenstadt');
  map.node([51.02, 10], { railway: 'station', name: 'Lindenstadt Hauptbahnhof' });
  map.node([51.02 + STEP, 10], { amenity: 'pharmacy', name: 'Adler-Apotheke' });
  map.node([51.02 + 2 * STEP, 10], { amenity: 'cafe', name: 'Café am Zug' });
  map.node([51.02 + 20 * STEP, 10], { tourism: 'museum', name: 'Porzellanmuseum' });
  map.node([51.02 + 21 * STEP, 10], { amenity: 'cafe', name: 'Café Meißner' });
  map.node([51.02 + 22 * STEP, 10], { amenity: 'pharmacy', name: 'Stern-Apotheke' });
  map.node([51.02 + 24 * STEP, 10], { amenity: 'restaurant', name: 'Haus bei der Mühle' });
  map.node([51.02 + 25 * STEP, 10], { amenity: 'restaurant', name: 'Krone' });
  // More of a kind than one list has, all of them known better and far away.
  for (let i = 0; i < 600; i++)
    map.node([30 + i / 1_000, 60], { amenity: 'bicycle_rental', name: `Stand ${i}`, wikidata: 'Q1' });
  map.node([51.02 + 23 * STEP, 10], { amenity: 'bicycle_rental', name: 'Rad' });
  town(41, -2, 'Villarroca');
  map.node([41.02, -2], { amenity: 'place_of_worship', name: 'Catedral de Santa Ana' });
  map.node([41.02 + 0.5 * STEP, -2], { amenity: 'pharmacy', name: 'Farmacia Ruiz' });
  map.node([41.02 + 30 * STEP, -2], { amenity: 'pharmacy', name: 'Farmacia Soto' });
  town(52.42, -1.13, 'Eastmoor');
  map.node([52.44, -1.13], { railway: 'station', name: 'Eastmoor Parkway' });
  map.node([52.44 + STEP, -1.13], { amenity: 'atm' });
  map.node([52.44 + 2 * STEP, -1.13], { amenity: 'pub', name: 'The Railway Arms' });
  map.node([52.418, -1.13], { historic: 'castle', name: 'Eastmoor Castle' });
  map.node([52.418 + STEP, -1.13], { amenity: 'pub', name: 'The Plough' });
  map.node([52.418 + 3 * STEP, -1.13], { amenity: 'pub', name: 'The Ship', wikidata: 'Q1' });
  town(39.9, 32.8, 'Kavakkent');
  map.node([39.9, 32.81], { tourism: 'museum', name: 'Taş Müzesi' });
  map.node([39.9 + STEP, 32.81], { amenity: 'pharmacy', name: 'Deva Eczanesi' });
  map.node([39.9 + 40 * STEP, 32.81], { amenity: 'pharmacy', name: 'Şifa Eczanesi' });
  extract = await map.importInto(folder);
});

test.each([
  ['Apotheke nahe Lindenstadt Hauptbahnhof', 'Adler-Apotheke'],
  ['Apotheke in der Nähe von Lindenstadt Hauptbahnhof', 'Adler-Apotheke'],
  ['Apotheke beim Hauptbahnhof Lindenstadt', 'Adler-Apotheke'],
  ['pharmacies near Lindenstadt Hauptbahnhof, Lindenstadt', 'Adler-Apotheke'],
  ['café near Porzellanmuseum', 'Café Meißner'],
  ['bike rental near Porzellanmuseum', 'Rad'],
  ['Cafe Meißner near Porzellanmuseum', 'Café Meißner'],
  ['farmacia cerca de la Catedral de Santa Ana', 'Farmacia Ruiz'],
  ['farmàcia a prop de Catedral de Santa Ana', 'Farmacia Ruiz'],
  ['pharmacie près de Catedral de Santa Ana, Villarroca', 'Farmacia Ruiz'],
  ['pharmacie pres de la Catedral de Santa Ana', 'Farmacia Ruiz'],
  ['farmacia vicino a Catedral de Santa Ana', 'Farmacia Ruiz'],
  ['farmácia perto da Catedral de Santa Ana', 'Farmacia Ruiz'],
  ['аптека возле Catedral de Santa Ana', 'Farmacia Ruiz'],
  ['apteka w pobliżu Catedral de Santa Ana', 'Farmacia Ruiz'],
  ['apotheek dichtbij Catedral de Santa Ana', 'Farmacia Ruiz'],
  ['apteekki lähellä Catedral de Santa Ana', 'Farmacia Ruiz'],
  ['Catedral de Santa Anaの近くの薬局', 'Farmacia Ruiz'],
  ['Catedral de Santa Ana 근처 약국', 'Farmacia Ruiz'],
  ['Catedral de Santa Ana附近的药店', 'Farmacia Ruiz'],
  ['صيدلية بالقرب من Catedral de Santa Ana', 'Farmacia Ruiz'],
  ['gyógyszertár a Catedral de Santa Ana közelében', 'Farmacia Ruiz'],
  ['Taş Müzesi yakınında eczane', 'Deva Eczanesi'],
  ['pub near Eastmoor Castle', 'The Plough'],
  ['Eastmoor Castle nearby pubs', 'The Plough'],
  ['pub near 52.419,-1.130', 'The Plough'],
  ['pub close to Eastmoor Parkway', 'The Railway Arms'],
])('%s finds %s first', async (text, first) => {
  const [found] = await searched(extract, text);
  expect(`${found},`).toMatch(new RegExp(`^${first},`));
});

test('an explanation says near what was looked for', async () => {
  const { places, explained } = await inExtract(extract, geocoder =>
    geocoder.explainSearch(freeTextQuestion('pub near Eastmoor Castle')),
  );
  expect(places[0].name).toBe('The Plough');
  expect(explained.near).toEqual({ latitude: 52.418, longitude: -1.13 });
  expect(explained.candidates[0]).toMatchObject({ outcome: 'answered', terms: { away: expect.any(Number) } });
});

test('an address that says what it is near to is meant itself', async () => {
  expect((await searched(extract, 'Krone, Lindenstadt, near museum'))[0]).toMatch(/^Krone,/);
  expect((await searched(extract, 'Eastmoor Allee, Eastmoor opposite pub'))[0]).toMatch(/^Eastmoor Allee,/);
  expect(await searched(extract, 'opposite pub, Eastmoor Castle')).not.toContainEqual(expect.stringMatching(/Plough/));
});

test('what has no name is found near a station', async () => {
  expect(await searched(extract, 'atm near Eastmoor Parkway')).toHaveLength(1);
});

test('the nearest comes first, however well known another is, and what is far away is no answer', async () => {
  const found = await searched(extract, 'pubs near Eastmoor Castle');
  expect(found.map(name => name.split(',')[0])).toEqual(['The Plough', 'The Ship']);
});

test('in a town the best known comes first', async () => {
  const [found] = await searched(extract, 'pubs in Eastmoor');
  expect(found).toMatch(/^The Ship,/);
});

test('near me is the middle of the view', async () => {
  const viewbox = { south: 52.435, north: 52.446, west: -1.14, east: -1.12 };
  for (const text of ['pubs near me', 'pubs nearby', 'Kneipen in meiner Nähe', 'pub autour de moi']) {
    const [found] = await searched(extract, text, { viewbox });
    expect(found, text).toMatch(/^The Railway Arms,/);
  }
});

test('a name that has such words is found by them', async () => {
  const [found] = await searched(extract, 'Haus bei der Mühle');
  expect(found).toMatch(/^Haus bei der Mühle,/);
});

test('a text full of such words is searched for a few times', async () => {
  const text = `café ${'near pub '.repeat(30)}Porzellanmuseum`;
  const searches = vi.spyOn(Geocoder.prototype as unknown as { searchedByWords(): void }, 'searchedByWords');
  await searched(extract, text);
  expect(searches.mock.calls.length).toBeLessThan(10);
  searches.mockRestore();
});
