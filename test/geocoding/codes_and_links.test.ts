// Short plus codes beside a town or in a view, and links to objects, on a drawn map.

import { beforeAll, expect, test } from 'vitest';
import { freeTextQuestion, type SearchQuestion } from '../../src/geocoding/search/question.ts';
import { DrawnMap, inExtract, searched } from '../kits/places/drawn_map.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const folder = folderOfFile();
let extract: string;
let way: number;

beforeAll(async () => {
  const map = new DrawnMap();
  // The town lies in another square of a degree than its mill.
  map.boundary(8, [46.98, 9.98], 0.06, { name: 'Larkenfeld' });
  map.node([46.98, 9.98], { place: 'town', name: 'Larkenfeld' });
  map.node([47.0138, 10.0187], { amenity: 'pub', name: 'Oberer Krug' });
  way = map.way(
    [
      [46.97, 9.97],
      [46.97, 9.98],
    ],
    { highway: 'residential', name: 'Mühlgasse' },
  );
  extract = await map.importInto(folder);
});

// The pub is at 8FVG2279+GF, the town at 8FRFXXJJ+22.
const CODE = '2279+GF';

test.each([`${CODE} Larkenfeld`, `Larkenfeld, ${CODE.toLowerCase()}`, `${CODE}, Larkenfeld`])(
  '%s is the pub',
  async text => {
    const [first] = await searched(extract, text);
    expect(first).toMatch(/^Oberer Krug/);
  },
);

test('a view stands for the town', async () => {
  const viewbox = { south: 46.9, west: 9.9, north: 47, east: 10 };
  expect((await searched(extract, CODE, { viewbox }))[0]).toMatch(/^Oberer Krug/);
  expect(await searched(extract, CODE)).toEqual([]);
});

test('a town that nothing knows explains no code', async () => {
  expect(await searched(extract, `${CODE} Nirgendheim`)).toEqual([]);
});

test('an object is found by its link, one that the extract lacks by the middle of the map in it', async () => {
  const find = (text: string, more: Partial<SearchQuestion> = {}) => searched(extract, text, more);
  expect((await find(`https://www.openstreetmap.org/way/${way}`))[0]).toMatch(/^Mühlgasse/);
  expect((await find(`https://www.openstreetmap.org/way/${way}#map=19/47.0138/10.0187`))[0]).toMatch(/^Mühlgasse/);
  expect((await find('https://www.openstreetmap.org/way/987654#map=19/47.0138/10.0187'))[0]).toMatch(/^Oberer Krug/);
});

test('they are explained', async () => {
  const explained = await inExtract(extract, geocoder =>
    geocoder.explainSearch(freeTextQuestion(`${CODE} Larkenfeld`)),
  );
  expect(explained.explained.point?.answer?.displayName).toMatch(/^Oberer Krug/);
});
