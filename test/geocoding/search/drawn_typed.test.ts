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
  town(48, 11, 'Sankt Peter', []);
  extract = await map.importInto(folder);
});

test.each([
  ['St Paul Street, Ħal Mnara', 'Triq San Pawl'],
  ['Saint Paul Street Hal Mnara', 'Triq San Pawl'],
  ['St. Catherine Street, Ħal Mnara', 'Triq Santa Katerina'],
  ['St Thomas Street Ħal Mnara', 'Triq San Tumas'],
  ['Saint Paul street, Villarroca', 'Calle de San Pablo'],
  ['rue Saint-Paul, Villarroca', 'Calle de San Pablo'],
  ['Saint Lucy, Villarroca', 'Plaza de Santa Lucía'],
  ['Saint John, Roccafiorita', 'Via San Giovanni'],
  ['Sankt Thomas, Roccafiorita', 'Via San Tommaso'],
  ['St John Street, Vila Alta', 'Rua de São João'],
])('%s is %s', async (text, street) => {
  expect((await searched(extract, text))[0]).toMatch(new RegExp(`^${street},`));
});

test.each(['12 St Paul Street, Ħal Mnara', 'St Paul Street 12, Ħal Mnara'])('%s is the house', async text => {
  expect((await searched(extract, text))[0]).toMatch(/^12,? Triq San Pawl,/);
});

test('a saint of another name is not meant, and no town is', async () => {
  expect(await searched(extract, 'St Peter Street, Ħal Mnara')).toEqual([]);
  expect(await searched(extract, 'San Pedro, Deutschland')).toEqual([]);
  expect(await searched(extract, 'São Pedro')).toEqual([]);
});

test.each([
  'Block F3 Triq San Tumas',
  'Blk F3, Triq San Tumas, Ħal Mnara',
  'Blok F3 Triq San Tumas',
  'bloc F3 Triq San Tumas',
])('%s is the house Blk F3', async text => {
  expect((await searched(extract, text))[0]).toMatch(/^Blk F3/);
});

test.each([
  'Larks Store +356 99821491',
  'Larks Store, Tel. 9982 1491',
  'Larks Store (356) 99821491',
  'Larks Store 99821491',
  '+356 9982 1491 Larks Store, Ħal Mnara',
])('%s is the shop', async text => {
  expect((await searched(extract, text))[0]).toMatch(/^Larks Store,/);
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
