// Points in named areas far from any road, and on roads that nobody is on who is seen from above.

import { beforeAll, expect, test } from 'vitest';
import { DrawnMap, inExtract } from '../../kits/places/drawn_map.ts';
import { folderOfFile } from '../../kits/temporary_folder.ts';

const folder = folderOfFile();
let extract: string;

const AREAS = [
  { leisure: 'park' },
  { leisure: 'nature_reserve' },
  { natural: 'water', water: 'lake' },
  { landuse: 'industrial' },
  { landuse: 'forest' },
  { place: 'square' },
  { place: 'island' },
  { boundary: 'protected_area' },
  { shop: 'mall' },
  { leisure: 'marina' },
] as const;
const nameOf = (i: number) => `Grounds ${i}`;

beforeAll(async () => {
  const map = new DrawnMap();
  map.boundary(8, [50.2, 10], 0.5, { name: 'Weitfeld' });
  for (const [i, tags] of AREAS.entries()) {
    const south = 50 + i / 40;
    map.rectangle(south, south + 0.006, 10, 10.0087, { ...tags, name: nameOf(i) });
    map.way([[south + 0.0075, 10], [south + 0.0075, 10.0087]], { highway: 'residential', name: `Road ${i}` }); // biome-ignore format: a line
  }
  // A lake whose middle is beyond reach of any road, and a hut in a park.
  map.rectangle(50.3, 50.34, 9.7, 9.76, { natural: 'water', name: 'Breiter See' });
  map.node([50.0035, 10.005], { amenity: 'cafe', name: 'Pavillon' });
  map.way([[50.4, 10.1], [50.4, 10.11]], { highway: 'construction', name: 'Neue Straße' }); // biome-ignore format: a line
  map.way([[50.4003, 10.1], [50.4003, 10.11]], { highway: 'residential', name: 'Alte Straße' }); // biome-ignore format: a line
  map.way([[50.45, 10.1], [50.45, 10.11]], { highway: 'motorway', name: 'Tunnel', tunnel: 'yes', layer: '-1' }); // biome-ignore format: a line
  map.way([[50.45008, 10.1], [50.45008, 10.11]], { highway: 'residential', name: 'Obere Straße' }); // biome-ignore format: a line
  map.way([[50.5, 10.1], [50.5, 10.11]], { highway: 'service', name: 'Durchgang', tunnel: 'building_passage' }); // biome-ignore format: a line
  extract = await map.importInto(folder);
});

function nameAt(latitude: number, longitude: number, zoom = 18): Promise<string | undefined> {
  return inExtract(extract, geocoder => geocoder.reverse({ latitude, longitude, zoom, languages: [] })?.name);
}

test.each(AREAS.map((tags, i) => [Object.entries(tags)[0].join('='), i] as const))(
  'in the middle of %s that area answers',
  async (_, i) => {
    expect(await nameAt(50.003 + i / 40, 10.0043 - (i === 0 ? 0.003 : 0))).toBe(nameOf(i));
  },
);

test('a house or a road at hand wins', async () => {
  expect(await nameAt(50.0036, 10.005)).toBe('Pavillon');
  expect(await nameAt(50.0068, 10.001)).toBe('Road 0');
  expect(await nameAt(50.003, 10.0013, 17)).toBe('Road 0');
});

test('where there is neither, a lake of any size answers', async () => {
  expect(await nameAt(50.32, 9.73)).toBe('Breiter See');
  expect(await nameAt(50.25, 9.6)).toBe('Weitfeld');
});

test('a road that is being built, or is in a tunnel, does not answer', async () => {
  expect(await nameAt(50.4, 10.105)).toBe('Alte Straße');
  expect(await nameAt(50.45, 10.105)).toBe('Obere Straße');
  expect(await nameAt(50.5, 10.105)).toBe('Durchgang');
});

test('the shape of a park is kept', async () => {
  const kind = await inExtract(
    extract,
    geocoder => geocoder.reverse({ latitude: 50.003, longitude: 10.0013, zoom: 18, languages: [] })?.geometry().kind,
  );
  expect(kind).toBe('area');
});
