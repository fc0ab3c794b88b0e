// Further tags of shops, roads and towns reach their places.

import { expect, test } from 'vitest';
import { OSM_NODE, OSM_RELATION, OSM_WAY } from '../../../src/tables/places/place.ts';
import { BuiltPlaces, boundary, node, way } from '../../kits/places/features.ts';

test('a shop, a road and a municipality keep theirs, and nothing else', () => {
  const places = new BuiltPlaces([
    boundary(1, 8, 'Vaduz', [0, 0], 50, { population: '5696', wikidata: 'Q1844', source: 'x' }),
    way(
      2,
      [
        [-10, 0],
        [10, 0],
      ],
      { highway: 'residential', name: 'Gasse', wikipedia: 'de:Gasse', surface: 'asphalt' },
    ),
    node(3, [1, 1], {
      amenity: 'restaurant',
      name: 'Adler',
      website: 'https://adler.li',
      opening_hours: 'Mo-Fr 8:00-20:00',
    }),
    node(4, [2, 1], { 'addr:housenumber': '4', 'addr:street': 'Gasse' }),
  ]);
  expect(places.of(OSM_RELATION, 1).tags).toEqual({ wikidata: 'Q1844', population: '5696' });
  expect(places.of(OSM_WAY, 2).tags).toEqual({ wikipedia: 'de:Gasse' });
  expect(places.of(OSM_NODE, 3).tags).toEqual({ website: 'https://adler.li', opening_hours: 'Mo-Fr 8:00-20:00' });
  expect(places.of(OSM_NODE, 4).tags).toEqual({});
});
