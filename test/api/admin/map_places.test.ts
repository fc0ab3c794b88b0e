// What the map is, and its places, over the admin interface.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HOUSE, SEA, writeDrawnExtract } from '../../kits/places/extracts.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';
import { administered } from './administered.ts';

test('the map is that of the world, and after an import that of the extract', async () => {
  const { service, ask } = await administered();
  const before = (await ask('GET', '/map')).json;
  expect(before.bounds).toEqual([-180, -85, 180, 85]);
  expect(before.attribution).toContain('GeoNames');
  await service.job({ verb: 'import', kind: 'osm', files: [writeDrawnExtract(join(temporaryFolder(), 'a.osm.pbf'))] });
  const { bounds, attribution } = (await ask('GET', '/map')).json;
  expect(bounds).toEqual([9.505, 47.14, 9.535, 47.21]);
  expect(attribution).toContain('OpenStreetMap');
});

test('places are found by unfinished words, with typing errors, and at a point as fine as the zoom asks', async () => {
  const { service, ask } = await administered();
  await service.job({ verb: 'import', kind: 'osm', files: [writeDrawnExtract(join(temporaryFolder(), 'a.osm.pbf'))] });
  const names = async (query: string) =>
    (await ask('GET', `/search?${query}`)).json.map((each: { name: string }) => each.name);
  expect((await names('q=Vadu&autocomplete=1'))[0]).toBe('Vaduz');
  expect((await names('q=Aeulestrase%20Vaduz&limit=1'))[0]).toBe('Äulestrasse');
  const at = async (zoom: number) => (await ask('GET', `/reverse?lat=${HOUSE.lat}&lon=${HOUSE.lon}&zoom=${zoom}`)).json;
  expect((await at(18)).address).toMatchObject({ house_number: '3', road: 'Äulestrasse', country: 'Liechtenstein' });
  expect((await at(10)).addresstype).toBe('town');
  expect((await at(3)).addresstype).toBe('country');
});

test('what is no question is refused, and where nothing is there is no place', async () => {
  const { ask } = await administered();
  for (const path of [
    '/search',
    '/search?q=',
    '/search?q=a&viewbox=1',
    '/search?q=a&other=1',
    '/reverse?lat=91&lon=0',
    '/reverse?lat=1&lon=2&zoom=19x',
  ])
    expect([path, (await ask('GET', path)).status]).toEqual([path, 400]);
  expect((await ask('GET', `/reverse?lat=${SEA.lat}&lon=${SEA.lon}`)).status).toBe(404);
});
