import { afterEach, expect, test } from 'vitest';
import { SearchIndexBuilder } from '../../../../src/geocoding/search/word_index/builder.ts';
import type { Place } from '../../../../src/tables/places/place.ts';
import { type LineLayer, layerOf } from '../../../kits/places/lines.ts';
import { temporaryFolder } from '../../../kits/temporary_folder.ts';

let layer: LineLayer | undefined;

afterEach(async () => {
  await layer?.close();
  layer = undefined;
});

const TWO_TOWNS = `
  li     | place=country           | Liechtenstein
  schaan | boundary=administrative | Schaan      | | 9494 | | li
  vaduz  | boundary=administrative | Vaduz       | | 9490 | | li
`;

test('a house beyond the border of its street is found in its own municipality', async () => {
  layer = await layerOf(`${TWO_TOWNS}
    land  | highway=residential | Landstrasse |     |      |       | schaan li
    h1    | place=house         |             | 1   |      | land  |
    h177  | place=house         |             | 177 | 9490 | land  | vaduz li
  `);
  expect(layer.find('Landstrasse 177, Vaduz')[0]).toBe('h177');
  expect(layer.find('Landstrasse 1, Schaan')[0]).toBe('h1');
  expect(layer.find('Landstrasse 177, Schaan')[0]).toBe('land');
});

test('a street is called by all of its names on the other side of a border too', async () => {
  layer = await layerOf(
    `${TWO_TOWNS}
    land  | highway=residential | Landstrasse |     |      |       | schaan li
    main  | highway=residential | Main Road   |     |      |       | vaduz li
    h177  | place=house         |             | 177 | 9490 | land  | vaduz li
  `,
    { land: { names: { name: 'Landstrasse', 'name:en': 'Main Road' } } },
  );
  expect(layer.find('Main Road 177, Vaduz')[0]).toBe('h177');
});

test('a street that is on no map is found by its houses only', async () => {
  layer = await layerOf(
    `${TWO_TOWNS}
    ring | highway=residential | Ringweg         |     | | | schaan li
    h5   | place=house         |                 | 5   | | ring |
    hb   | building=yes        |                 | Block B | | ring |
    cafe | amenity=cafe        | Jon's Pastizzeria | 7 | | ring |
  `,
    { h5: { street: 'Msida Sea Front' }, hb: { street: 'Msida Sea Front' }, cafe: { street: 'Msida Sea Front' } },
  );
  expect(layer.find('Msida Sea Front 5, Schaan')[0]).toBe('h5');
  expect(layer.find('Msida Sea Front, Block B, Schaan')[0]).toBe('hb');
  expect(layer.find("Jon's, Msida Sea Front, Schaan")[0]).toBe('cafe');
  expect(layer.find('Msida Sea Front')).toEqual([]);
  expect(layer.find('Ringweg 5')[0]).toBe('ring');
});

test('the largest way answers for a street', async () => {
  layer = await layerOf(
    `${TWO_TOWNS}
    short | highway=residential | Landstrasse | | | | schaan li
    long  | highway=residential | Landstrasse ; name:en=Country Road | | | | schaan li
  `,
    { long: { south: 47, north: 47.01 } },
  );
  expect(layer.find('Landstrasse')).toEqual(['long']);
  expect(layer.find('Country Road')).toEqual(['long']);
});

test('streets of one name without any area around them are told apart by distance', async () => {
  layer = await layerOf(
    `
    here  | highway=residential | Landstrasse
    close | highway=residential | Landstrasse
    far   | highway=residential | Landstrasse
  `,
    { far: { latitude: 48 } },
  );
  expect(layer.find('Landstrasse')).toEqual(['here', 'far']);
});

test('an address that comes from the building around is not the place’s own', async () => {
  layer = await layerOf(
    `${TWO_TOWNS}
    land | highway=residential | Landstrasse |   | | | schaan li
    shop | shop=bakery         | Brot        | 3 | | land |
  `,
    { shop: { isAddressInherited: true } },
  );
  expect(layer.find('Landstrasse 3')[0]).toBe('land');
});

test('houses without a street stand under their village', async () => {
  layer = await layerOf(`${TWO_TOWNS}
    h7 | place=house | | 7 | | | schaan li
  `);
  expect(layer.find('Schaan 7')[0]).toBe('h7');
});

test('where very many words begin alike the most important places are kept', async () => {
  const shops = Array.from(
    { length: 300 },
    (_, i) => `s${i} | shop=bakery | Va${String.fromCharCode(97 + (i % 26))}${i} | | | | schaan li`,
  );
  layer = await layerOf(`${TWO_TOWNS}\n${shops.join('\n')}`);
  expect(layer.find('Va', { isAutocomplete: true })[0]).toBe('vaduz');
  expect(layer.find('Vac2', { isAutocomplete: true })).toContain('s2');
});

test('a country is known by its code where no place of it is on the map', async () => {
  layer = await layerOf('vaduz | place=town | Vaduz');
  expect(layer.find('Vaduz, Fürstentum Liechtenstein')[0]).toBe('vaduz');
  expect(layer.find('Liechtenstein')).toEqual([]);
});

test('places must come in the order of their ids', () => {
  const builder = new SearchIndexBuilder(temporaryFolder());
  expect(() => builder.add(2, {} as Place, { kind: 'point' })).toThrow('Place 2 came where 1 was to come.');
});
