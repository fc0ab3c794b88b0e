// Places on both sides of the antimeridian, from a drawn extract to the text of an answer: an island that lies across
// it, in the three ways in which the map has such an area, with a road on either side.
//
//   west side      179.6 ............ 180 = -180 ............ -179.6      east side
//                         West Road              East Road

import { beforeAll, expect, test } from 'vitest';
import { freeTextQuestion } from '../../src/geocoding/search/question.ts';
import { searchText } from '../../src/protocol/answers/place_forms.ts';
import { readSearch } from '../../src/protocol/requests/place_question.ts';
import { DrawnMap } from '../kits/places/drawn_map.ts';
import { withGeocoder } from '../kits/places/layers.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const folder = folderOfFile();
let extract: string;

beforeAll(async () => {
  const drawn = new DrawnMap();
  const parish = (name: string) => ({ boundary: 'administrative', admin_level: '8', name });
  drawn.relation(
    [drawn.rectangle(-17, -16.9, 179.6, 180), drawn.rectangle(-17, -16.9, -180, -179.6)],
    parish('Cut Parish'),
  );
  drawn.relation(
    [drawn.rectangle(-16.8, -16.7, 179.6, 179.9999), drawn.rectangle(-16.8, -16.7, -180, -179.6)],
    parish('Nearly Parish'),
  );
  drawn.rectangle(-16.6, -16.5, 179.6, -179.6, parish('Uncut Parish'));
  const road = (name: string) => ({ highway: 'residential', name });
  drawn.way([[-17.3, 179.7], [-17.3, 179.8]], road('West Road')); // biome-ignore format: a line
  drawn.way([[-17.3, -179.8], [-17.3, -179.7]], road('East Road')); // biome-ignore format: a line
  drawn.way([[-17.6, 179.9], [-17.6, -179.9]], road('Long Road')); // biome-ignore format: a line
  extract = await drawn.importInto(folder);
});

interface Item {
  display_name: string;
  lon: string;
  boundingbox: string[];
}

/** What a search answers. @param query behind the path */
async function answer(query: string): Promise<Item[]> {
  const { question, form } = readSearch(`/search?${query}`, undefined);
  return withGeocoder({ extract }, geocoder => JSON.parse(searchText(geocoder.search(question), form, undefined)));
}

test.each([
  ['Cut Parish', ['-17.0000000', '-16.9000000', '179.6000000', '-179.6000000']],
  ['Nearly Parish', ['-16.8000000', '-16.7000000', '179.6000000', '-179.6000000']],
  ['Uncut Parish', ['-16.6000000', '-16.5000000', '179.6000000', '-179.6000000']],
])('the box of %s is that of both sides, its west east of its east', async (name, box) => {
  const [{ boundingbox, lon }] = await answer(`q=${name}`);
  expect(boundingbox).toEqual(box);
  expect(Math.abs(Number(lon))).toBeGreaterThan(179.5);
});

test('a road that nobody has cut is cut where it lies across', async () => {
  const [{ boundingbox }] = await answer('q=Long+Road');
  expect([
    ['-17.6000000', '-17.6000000', '179.9000000', '180.0000000'],
    ['-17.6000000', '-17.6000000', '-180.0000000', '-179.9000000'],
  ]).toContainEqual(boundingbox);
});

test('GeoJSON has the box in its own order', async () => {
  const { question, form } = readSearch('/search?q=Cut+Parish&format=geojson', undefined);
  await withGeocoder({ extract }, geocoder => {
    const { features } = JSON.parse(searchText(geocoder.search(question), form, undefined));
    expect(features[0].bbox).toEqual([179.6, -17, -179.6, -16.9]);
  });
});

test('an area across it contains what is in it, and nothing on the other side of the globe', async () => {
  await withGeocoder({ extract }, geocoder => {
    const at = (lat: number, ...lons: number[]) =>
      lons.map(
        lon =>
          geocoder.reverse({ latitude: lat, longitude: lon, zoom: 18, languages: [] })?.displayName.split(',')[0] ?? '',
      );
    expect(at(-16.55, 179.7, 179.95, -179.95, -179.7)).toEqual(Array(4).fill('Uncut Parish'));
    expect(at(-16.95, 179.7, -179.7)).toEqual(Array(2).fill('Cut Parish'));
    expect(at(-16.55, 0, 100, -100)).toEqual(Array(3).fill(''));
    expect(at(-17.6001, 179.95, 180, -180, -179.95)).toEqual(Array(4).fill('Long Road'));
    expect(at(-17.6001, 0, 100, -100)).toEqual(Array(3).fill(''));
  });
});

test.each([
  ['179.5,-18,-179.5,-16', ['East Road', 'Long Road', 'West Road']],
  ['179.5,-16,-179.5,-18', ['East Road', 'Long Road', 'West Road']],
  ['179.5,-18,180.5,-16', ['East Road', 'Long Road', 'West Road']],
  ['-180.5,-18,-179.5,-16', ['East Road', 'Long Road', 'West Road']],
  ['179.5,-18,180,-16', ['West Road']],
  ['-180,-18,-179.5,-16', ['East Road']],
  ['-180,-90,180,90', ['East Road', 'Long Road', 'West Road']],
  ['-179.5,-18,179.5,-16', []],
])('the view %s bounds a search to %j', async (viewbox, names) => {
  const found = await answer(`q=road&limit=50&bounded=1&viewbox=${viewbox}`);
  const roads = found.map(({ display_name }) => display_name.split(',')[0]).filter(name => name.endsWith('Road'));
  expect([...new Set(roads)].filter(name => names.length !== 1 || name !== 'Long Road').sort()).toEqual(names);
});

test('coordinates in a search are looked for on both sides', async () => {
  const at = async (text: string) => (await answer(`q=${text}&bounded=1&viewbox=179.5,-18,-179.5,-16`)).length;
  expect([await at('-17.3,179.75'), await at('-17.3,-179.75')]).toEqual([1, 1]);
});

test('the words of a question may stand on both sides', async () => {
  await withGeocoder({ extract }, geocoder => {
    expect(geocoder.search(freeTextQuestion('West Road')).map(({ name }) => name)).toContain('West Road');
  });
});
