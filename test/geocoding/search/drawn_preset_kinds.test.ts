// Kinds of places by the words of the presets, with and without names, and cuisines, on drawn towns.

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { freeTextQuestion } from '../../../src/geocoding/search/question.ts';
import { wordsOf } from '../../../src/geocoding/search/words/text.ts';
import { kindsCalled } from '../../../src/geocoding/search/words/vocabulary.ts';
import { DrawnMap, inExtract } from '../../kits/places/drawn_map.ts';
import { folderOfFile } from '../../kits/temporary_folder.ts';

const folder = folderOfFile();
let extract: string;

beforeAll(async () => {
  const map = new DrawnMap();
  const town = (lat: number, lon: number, name: string) => {
    map.boundary(8, [lat, lon], 0.05, { name });
    map.node([lat, lon], { place: 'town', name });
    map.way([[lat, lon - 0.01], [lat, lon + 0.01]], { highway: 'residential', name: 'Long Lane' }); // biome-ignore format: a line
  };
  town(52, -1, 'Marlow Green');
  map.node([52.001, -1], { emergency: 'defibrillator' });
  map.node([52.002, -1], { man_made: 'lighthouse', name: 'Torre Bianca' });
  map.node([52.003, -1], { shop: 'laundry', name: 'Bubbles' });
  map.node([52.004, -1], { shop: 'pet', name: 'Pawprint' });
  map.node([52.005, -1], { amenity: 'veterinary', name: 'Claws' });
  map.node([52.006, -1], { amenity: 'restaurant', cuisine: 'italian;pizza', name: 'Da Elena' });
  map.node([52.007, -1], { amenity: 'restaurant', cuisine: 'sushi;japanese', name: 'Umi' });
  map.node([52.008, -1], { amenity: 'restaurant', cuisine: 'indian', name: 'Lotus' });
  map.node([52.009, -1], { amenity: 'restaurant', name: 'The Elms' });
  map.node([52.01, -1], { leisure: 'pitch', sport: 'tennis' });
  map.node([52.0001, -1.001], { natural: 'tree' });
  town(49, 4, 'Epernville');
  map.node([49.001, 4], { amenity: 'post_box' });
  map.node([49.002, 4], { man_made: 'windmill' });
  map.node([49.04, 4], { emergency: 'phone' });
  extract = await map.importInto(folder);
});

function found(text: string): Promise<string[]> {
  return inExtract(extract, geocoder =>
    geocoder.search(freeTextQuestion(text)).map(({ category, type, name }) => `${category}=${type} ${name}`.trim()),
  );
}

test.each([
  ['defibrillator Marlow Green', 'emergency=defibrillator'],
  ['Defibrillator in Marlow Green', 'emergency=defibrillator'],
  ['desfibrilador Marlow Green', 'emergency=defibrillator'],
  ['lighthouse Marlow Green', 'man_made=lighthouse Torre Bianca'],
  ['Leuchtturm Marlow Green', 'man_made=lighthouse Torre Bianca'],
  ['phare, Marlow Green', 'man_made=lighthouse Torre Bianca'],
  ['маяк Marlow Green', 'man_made=lighthouse Torre Bianca'],
  ['latarnia morska Marlow Green', 'man_made=lighthouse Torre Bianca'],
  ['灯台 Marlow Green', 'man_made=lighthouse Torre Bianca'],
  ['laundry Marlow Green', 'shop=laundry Bubbles'],
  ['pet shop Marlow Green', 'shop=pet Pawprint'],
  ['vet Marlow Green', 'amenity=veterinary Claws'],
  ['tennis court Marlow Green', 'leisure=pitch'],
  ['postbox Epernville', 'amenity=post_box'],
  ['windmills in Epernville', 'man_made=windmill'],
  ['moulin à vent Epernville', 'man_made=windmill'],
])('%s finds %s alone', async (text, only) => {
  expect(await found(text)).toEqual([only]);
});

test.each([
  ['italian restaurant Marlow Green', 'Da Elena'],
  ['Italian food in Marlow Green', 'Da Elena'],
  ['pizza Marlow Green', 'Da Elena'],
  ['restaurant italien Marlow Green', 'Da Elena'],
  ['italienisches Restaurant Marlow Green', 'Da Elena'],
  ['итальянский ресторан Marlow Green', 'Da Elena'],
  ['restauracja włoska Marlow Green', 'Da Elena'],
  ['sushi Marlow Green', 'Umi'],
  ['restaurante japonés Marlow Green', 'Umi'],
  ['ristorante giapponese Marlow Green', 'Umi'],
  ['indisches Restaurant Marlow Green', 'Lotus'],
  ['indische restaurants in Marlow Green', 'Lotus'],
  ['Indian Marlow Green', 'Lotus'],
])('%s finds the place with that cuisine alone', async (text, name) => {
  expect(await found(text)).toEqual([`amenity=restaurant ${name}`]);
});

test('what has neither name nor an address does not answer for a point', async () => {
  const name = await inExtract(
    extract,
    geocoder => geocoder.reverse({ latitude: 49.04, longitude: 4, zoom: 18, languages: [] })?.name,
  );
  expect(name).toBe('Epernville');
});

describe('kinds that need no name', () => {
  const rows = readFileSync('data/unnamed_kinds.csv', 'utf8').trim().split('\n').slice(1);
  const words = ['kinds.csv', 'kinds_presets.csv'].map(file => readFileSync(`data/${file}`, 'utf8')).join('\n');
  test.each(rows)('%s has a word', row => {
    expect(words).toMatch(new RegExp(`^(?:en,)?${row},.`, 'm'));
  });
});

test('words that say what a part of an address is are no kinds', () => {
  for (const word of ['street', 'floor', 'India', 'Georgia', 'city', 'avenue'])
    expect(kindsCalled(wordsOf(word).join(' ')), word).toEqual([]);
});
