// Stations are mapped without the word, and what stands beside them with it.

import { beforeAll, expect, test } from 'vitest';
import { freeTextQuestion } from '../../../src/geocoding/search/question.ts';
import { DrawnMap, inExtract } from '../../kits/places/drawn_map.ts';
import { folderOfFile } from '../../kits/temporary_folder.ts';

const folder = folderOfFile();
let extract: string;

beforeAll(async () => {
  const map = new DrawnMap();
  const town = (lat: number, lon: number, name: string) => {
    map.boundary(8, [lat, lon], 0.05, { name });
    map.node([lat, lon], { place: 'town', name });
    map.way([[lat + 0.01, lon - 0.01], [lat + 0.01, lon + 0.01]], { highway: 'residential', name: `${name}weg` }); // biome-ignore format: a line
  };
  town(53.5, 10, 'Nordhafen');
  map.node([53.5, 10.001], { railway: 'station', station: 'subway', name: 'Marktplatz' });
  map.node([53.5, 10.002], { highway: 'bus_stop', name: 'U-Bahnhof Marktplatz' });
  map.node([53.5, 10.003], { tourism: 'information', name: 'Station Marktplatz (4)' });
  map.node([53.5, 10.004], { amenity: 'bicycle_parking', name: 'Marktplatz Station' });
  map.node([53.5, 10.005], { amenity: 'bar', name: 'Metro Marktplatz' });
  map.node([53.5, 10.006], { railway: 'tram_stop', name: 'Seehof' });
  map.node([53.5, 10.007], { amenity: 'bicycle_parking', name: 'Seehof Tram' });
  town(46, 2, 'Rémoulin');
  map.node([46, 2.001], { railway: 'station', name: 'Saint-Rémoulin-Ville' });
  map.node([46, 2.002], { tourism: 'information', name: 'Gare Saint-Rémoulin-Ville' });
  town(52, -1, 'Westbridge');
  map.node([52, -1.001], { railway: 'station', name: 'Westbridge Central' });
  map.node([52, -1.002], { highway: 'bus_stop', name: 'Westbridge Central Station' });
  map.node([52, -1.003], { amenity: 'bicycle_rental', name: 'Westbridge Central Station' });
  town(39, -8, 'Vila Alta');
  map.node([39, -8.001], { railway: 'station', name: 'Rossal' });
  map.node([39, -8.002], { amenity: 'bar', name: 'Estação Rossal' });
  extract = await map.importInto(folder);
});

test.each([
  ['Marktplatz station Nordhafen', 'Marktplatz'],
  ['Bahnhof Marktplatz', 'Marktplatz'],
  ['Marktplatz metro', 'Marktplatz'],
  ['Metro Marktplatz, Nordhafen', 'Marktplatz'],
  ['U-Bahnhof Marktplatz', 'Marktplatz'],
  ['U Marktplatz', 'Marktplatz'],
  ['Marktplatz tube station', 'Marktplatz'],
  ['станция метро Marktplatz', 'Marktplatz'],
  ['stacja metra Marktplatz', 'Marktplatz'],
  ['gare Saint-Rémoulin-Ville', 'Saint-Rémoulin-Ville'],
  ['gare de Saint-Remoulin-Ville', 'Saint-Rémoulin-Ville'],
  ['Westbridge Central station', 'Westbridge Central'],
  ['estação Rossal', 'Rossal'],
  ['estação de metro Rossal, Vila Alta', 'Rossal'],
])('%s is the station called %s', async (text, name) => {
  const [first] = await inExtract(extract, geocoder => geocoder.search(freeTextQuestion(text)));
  expect({ kind: `${first?.category}=${first?.type}`, name: first?.name }).toEqual({ kind: 'railway=station', name });
});

test('a tram stop is meant by its name and the word', async () => {
  const [first] = await inExtract(extract, geocoder => geocoder.search(freeTextQuestion('Tram Seehof')));
  expect(first.type).toBe('tram_stop');
});
