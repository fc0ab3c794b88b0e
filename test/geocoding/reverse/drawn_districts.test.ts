// Points in districts that divide towns, contain towns, or count houses by blocks, at several zooms.

import { beforeAll, expect, test } from 'vitest';
import { toSpecAddress } from '../../../src/geocoding/address/spec_address.ts';
import { DrawnMap, inExtract } from '../../kits/places/drawn_map.ts';
import { folderOfFile } from '../../kits/temporary_folder.ts';

const folder = folderOfFile();
let extract: string;

beforeAll(async () => {
  const map = new DrawnMap();
  const street = (lat: number, lon: number, name: string) =>
    map.way([[lat, lon - 0.01], [lat, lon + 0.01]], { highway: 'residential', name }); // biome-ignore format: a line

  // A district of the level of towns around a town with a parish, a town that has only its label, and a village.
  map.boundary(2, [52, 0.7], 2, { name: 'United Kingdom', 'ISO3166-1': 'GB' });
  map.boundary(6, [52, 0.7], 0.5, { name: 'Westshire' });
  map.boundary(8, [52, 0.7], 0.2, { name: 'Brettside' });
  map.boundary(10, [52.03, 0.73], 0.02, { name: 'Cloverton' });
  map.node([52.03, 0.73], { place: 'town', name: 'Cloverton' });
  map.node([51.9, 0.73], { place: 'town', name: 'Mardle' });
  map.node([52.13, 0.73], { place: 'village', name: 'Little Yeld' });
  street(52.03, 0.73, 'Station Road');
  street(51.9, 0.73, 'High Street');
  street(52.13, 0.73, 'Water Street');

  // The same without a country that is known to have such districts.
  map.boundary(8, [2, 10], 0.2, { name: 'Nkolo District' });
  map.node([2.03, 10.03], { place: 'town', name: 'Bikele' });
  street(2.03, 10.03, 'Rue du Marché');

  // A city in four levels of boundaries, with a suburb's node in the smallest.
  map.boundary(6, [40, -8], 0.25, { name: 'Lavra', place: 'city' });
  map.node([40.05, -8], { place: 'city', name: 'Lavra' });
  map.boundary(7, [40, -8], 0.2, { name: 'Grande Lavra' });
  map.boundary(8, [40, -8], 0.1, { name: 'União das Freguesias' });
  map.boundary(9, [40, -8], 0.05, { name: 'Sobreira' });
  map.node([40.001, -8], { place: 'suburb', name: 'Baixa' });
  street(40, -8, 'Rua das Flores');

  // Houses in blocks, beside a street that has a name.
  map.boundary(2, [35.7, 139.8], 1, { name: '日本', 'ISO3166-1': 'JP' });
  map.boundary(7, [35.7, 139.8], 0.2, { name: '青空区' });
  street(35.7001, 139.8, '桜通り');
  const block = { 'addr:block_number': '17', 'addr:housenumber': '8' };
  map.node([35.7, 139.8], { 'addr:quarter': '緑町', 'addr:neighbourhood': '一丁目', ...block });
  map.node([35.71, 139.8], {
    'addr:quarter': '緑町',
    'addr:neighbourhood': '一丁目',
    ...block,
    'addr:block_number': '18',
  });
  extract = await map.importInto(folder);
});

const ZOOMS = [14, 16, 18];

/** Members of the address of a point without its road, by zoom. */
function membersAt(latitude: number, longitude: number, zooms = ZOOMS): Promise<Record<string, string>[]> {
  return inExtract(extract, geocoder =>
    zooms.map(zoom => {
      const place = geocoder.reverse({ latitude, longitude, zoom, languages: [] });
      const { road: _, ...members } = toSpecAddress(place?.address ?? []);
      return members;
    }),
  );
}

test.each([
  ['a town with a parish', 52.0301, 0.731, 'Cloverton', 'Brettside'],
  ['a town with a label', 51.9001, 0.731, 'Mardle', 'Brettside'],
  ['a village with a label', 52.1301, 0.731, 'Little Yeld', 'Brettside'],
  ['a town elsewhere', 2.0301, 10.031, 'Bikele', 'Nkolo District'],
])(
  '%s is the town, and the district around it the municipality',
  async (_, latitude, longitude, town, municipality) => {
    for (const members of await membersAt(latitude, longitude)) expect(members).toMatchObject({ town, municipality });
  },
);

test('a boundary of level 9 is the district at every zoom, and members do not depend on the zoom', async () => {
  const all = await membersAt(40.0001, -8);
  expect(all.map(members => members.city_district)).toEqual(ZOOMS.map(() => 'Sobreira'));
  expect(all[1]).toEqual(all[0]);
  expect(all[2]).toEqual(all[0]);
  expect((await membersAt(40.0001, -8, [12]))[0].city_district).toBe('Sobreira');
});

test('a house in a block has block, neighbourhood and quarter, and no street', async () => {
  const rows = await inExtract(extract, geocoder =>
    geocoder
      .reverse({ latitude: 35.7, longitude: 139.8, zoom: 18, languages: [] })!
      .address.map(({ key, value }) => `${key}=${value}`)
      .slice(0, 5),
  );
  expect(rows).toEqual([
    'house_number=8',
    'city_block=17',
    'neighbourhood=一丁目',
    'quarter=緑町',
    'municipality=青空区',
  ]);
  const [members] = await membersAt(35.71, 139.8, [18]);
  expect(members).toMatchObject({
    house_number: '8',
    city_block: '18',
    neighbourhood: '一丁目',
    municipality: '青空区',
  });
});
