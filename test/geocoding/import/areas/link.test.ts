import { expect, test } from 'vitest';
import { OSM_NODE, OSM_RELATION } from '../../../../src/tables/places/place.ts';
import { BuiltPlaces, boundary, node, relation } from '../../../kits/places/features.ts';

const VILLAGE = node(7, [5, 5], { place: 'village', name: 'Triesen', 'name:fr': 'Trisun', wikidata: 'Q1' });

test('a boundary and the settlement of its name and rank are one place', () => {
  const places = new BuiltPlaces([boundary(1, 8, 'Triesen', [0, 0], 100), VILLAGE]);
  expect(places.allOf(OSM_NODE, 7)).toEqual([]);
  expect(places.of(OSM_RELATION, 1)).toMatchObject({
    linkedPlace: 'village',
    names: { name: 'Triesen', 'name:fr': 'Trisun' },
    searchRank: 16,
    addressRank: 16,
    latitude: 47.1505,
    longitude: 9.5405,
  });
  expect(places.summary.linked).toBe(1);
});

test('a label makes one place of different names, and both are kept', () => {
  const places = new BuiltPlaces([boundary(1, 8, 'Gemeinde Triesen', [0, 0], 100), VILLAGE], {
    boundaries: [relation(1, [{ type: OSM_NODE, id: 7, role: 'label' }])],
  });
  expect(places.allOf(OSM_NODE, 7)).toEqual([]);
  expect(places.of(OSM_RELATION, 1).names).toMatchObject({ name: 'Gemeinde Triesen', _place_name: 'Triesen' });
});

test('the same entry of wikidata makes one place, inside of the boundary only', () => {
  const inside = new BuiltPlaces([boundary(1, 8, 'Commune', [0, 0], 100, { wikidata: 'Q1' }), VILLAGE]);
  expect(inside.summary.linked).toBe(1);
  const outside = new BuiltPlaces([boundary(1, 8, 'Commune', [300, 0], 100, { wikidata: 'Q1' }), VILLAGE]);
  expect(outside.summary.linked).toBe(0);
});

test('the kind that the boundary says it is decides before wikidata', () => {
  const city = node(8, [10, 0], { place: 'city', name: 'Monaco' });
  const quarter = node(9, [0, 10], { place: 'suburb', name: 'Monaco-Ville', wikidata: 'Q2' });
  const places = new BuiltPlaces([
    boundary(1, 8, 'Monaco', [0, 0], 100, { place: 'city', wikidata: 'Q2' }),
    city,
    quarter,
  ]);
  expect(places.of(OSM_RELATION, 1).linkedPlace).toBe('city');
  expect(places.of(OSM_NODE, 9).addressRank).toBe(20);
});

test('a hamlet that has the name of its municipality stays a place of its own', () => {
  const places = new BuiltPlaces([
    boundary(1, 8, 'Triesen', [0, 0], 100),
    node(8, [10, 0], { place: 'hamlet', name: 'Triesen' }),
  ]);
  expect(places.of(OSM_NODE, 8).addressRank).toBe(20);
  expect(places.of(OSM_RELATION, 1).linkedPlace).toBe('');
});

test('a settlement that has become one with its boundary has the rank of its kind', () => {
  const places = new BuiltPlaces(
    [boundary(1, 8, 'Bourg', [0, 0], 100), node(8, [10, 0], { place: 'suburb', name: 'Vieux Bourg' })],
    { boundaries: [relation(1, [{ type: OSM_NODE, id: 8, role: 'label' }])] },
  );
  expect(places.of(OSM_RELATION, 1)).toMatchObject({ addressRank: 20, searchRank: 16 });
});

test('a boundary inside another of its rank or a larger one is two ranks smaller than that', () => {
  const city = boundary(1, 6, 'Stadt', [0, 0], 500);
  const cityNode = node(8, [10, 0], { place: 'city', name: 'Stadt' });
  const places = new BuiltPlaces([city, cityNode, boundary(2, 8, 'Gemeinde', [0, 0], 100)], {
    boundaries: [relation(1, [{ type: OSM_NODE, id: 8, role: 'label' }])],
  });
  expect(places.of(OSM_RELATION, 1).addressRank).toBe(16);
  expect(places.of(OSM_RELATION, 2).addressRank).toBe(18);
  expect(places.rowsOf(places.of(OSM_RELATION, 2))).toEqual(['Stadt']);
});

test('a village inside a municipality of its rank is two ranks smaller', () => {
  const places = new BuiltPlaces([
    boundary(1, 8, 'Mauren', [0, 0], 500),
    node(8, [10, 0], { place: 'village', name: 'Schaanwald' }),
  ]);
  expect(places.of(OSM_NODE, 8)).toMatchObject({ searchRank: 19, addressRank: 18 });
});
