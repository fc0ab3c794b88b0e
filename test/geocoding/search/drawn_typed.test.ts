// What people type beside or in place of the words of the map, on drawn towns: names of saints in their own language,
// blocks, phone numbers, names of countries.

import { beforeAll, expect, test } from 'vitest';
import { freeTextQuestion } from '../../../src/geocoding/search/question.ts';
import { DrawnMap, inExtract, searched } from '../../kits/places/drawn_map.ts';
import { folderOfFile } from '../../kits/temporary_folder.ts';

const folder = folderOfFile();
let extract: string;

beforeAll(async () => {
  const map = new DrawnMap();
  const town = (lat: number, lon: number, name: string, streets: readonly string[]) => {
    map.boundary(8, [lat, lon], 0.1, { name });
    map.node([lat, lon], { place: 'town', name });
    for (const [i, street] of streets.entries()) {
      const at = lat + (i + 1) / 100;
      map.way([[at, lon - 0.01], [at, lon + 0.01]], { highway: 'residential', name: street }); // biome-ignore format: a line
      map.node([at, lon], { 'addr:housenumber': '12', 'addr:street': street });
    }
  };
  map.boundary(2, [35.9, 14.4], 0.5, {
    name: 'Malta',
    'name:zu': 'i-Malta',
    'ISO3166-1': 'MT',
    'ISO3166-1:alpha2': 'MT',
  });
  town(35.9, 14.4, 'Ħal Mnara', ['Triq San Pawl', 'Triq Santa Katerina', 'Triq San Tumas', 'Fuq il-Bastun']);
  map.node([35.93, 14.401], { 'addr:housenumber': 'Blk F3', 'addr:street': 'Triq San Tumas' });
  map.node([35.905, 14.4], { tourism: 'hotel', name: 'Intercosta' });
  map.node([35.91, 14.405], { shop: 'convenience', name: 'Larks Store' });
  map.node([35.92, 14.405], { highway: 'bus_stop', name: 'Bastun' });
  map.node([35.94, 14.405], { tourism: 'museum', name: 'Bastun' });
  town(40, -4, 'Villarroca', ['Calle de San Pablo', 'Plaza de Santa Lucía']);
  town(43, 12, 'Roccafiorita', ['Via San Giovanni', 'Via San Tommaso']);
  town(39, -8, 'Vila Alta', ['Rua de São João']);
  extract = await map.importInto(folder);
});

test('a word is no initial in the name of a country', async () => {
  expect((await searched(extract, 'Intercosta Malta'))[0]).toMatch(/^Intercosta,/);
});

test.each(['Bastun Ħal Mnara', 'Bastun, Malta'])(
  '%s is the museum on a street of that name before the stop',
  async text => {
    const places = await inExtract(extract, geocoder => geocoder.search(freeTextQuestion(text)));
    expect(places.slice(0, 2).map(({ type }) => type)).toEqual(['museum', 'bus_stop']);
  },
);
