// Kilometre posts beside a road.

import { beforeAll, expect, test } from 'vitest';
import { freeTextQuestion } from '../../../src/geocoding/search/question.ts';
import { DrawnMap, inExtract } from '../../kits/places/drawn_map.ts';
import { folderOfFile } from '../../kits/temporary_folder.ts';

const folder = folderOfFile();
let extract: string;

beforeAll(async () => {
  const map = new DrawnMap();
  map.boundary(4, [-33, -70.5], 1, { name: 'Valle Hondo' });
  map.way([[-33, -71], [-33, -70]], { highway: 'primary', ref: '6', name: 'Ruta 6 Camino del Cobre' }); // biome-ignore format: a line
  for (const distance of [33, 34, 35, 36])
    map.node([-33.0001, -70.9 + (distance - 33) / 100], { highway: 'milestone', distance: String(distance) });
  map.node([-33.0001, -70.5], { highway: 'milestone', distance: '77.0' });
  map.node([-33.0002, -70.3], { 'addr:street': 'Ruta 6 Camino del Cobre', 'addr:housenumber': '34' });
  extract = await map.importInto(folder);
});

function first(text: string) {
  return inExtract(extract, geocoder => {
    const [found] = geocoder.search(freeTextQuestion(text));
    return found && { type: found.type, longitude: Number(found.longitude.toFixed(3)) };
  });
}

test.each([
  ['Ruta 6 km 35', -70.88],
  ['Ruta 6, kilómetro 35,0', -70.88],
  ['km 35 Ruta 6', -70.88],
  ['Ruta 6 Km. 34, Valle Hondo', -70.89],
  ['Camino del Cobre km34', -70.89],
  ['Ruta 6 километр 36', -70.87],
  ['Ruta 6 PK 77', -70.5],
])('%s is the post', async (text, longitude) => {
  expect(await first(text)).toEqual({ type: 'milestone', longitude });
});

test('without such a post the road answers, and a number alone is a house', async () => {
  expect((await first('Ruta 6 km 39'))?.type).toBe('primary');
  expect((await first('Ruta 6 Camino del Cobre 34'))?.longitude).toBe(-70.3);
});

test('a post does not answer for a point', async () => {
  const type = await inExtract(
    extract,
    geocoder => geocoder.reverse({ latitude: -33.0001, longitude: -70.89, zoom: 18, languages: [] })?.type,
  );
  expect(type).toBe('primary');
});
