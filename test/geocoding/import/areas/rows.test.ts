import { expect, test } from 'vitest';
import { OSM_NODE, OSM_RELATION, OSM_WAY } from '../../../../src/tables/places/place.ts';
import { BuiltPlaces, boundary, node, square, way } from '../../../kits/places/features.ts';

const COUNTRY = boundary(1, 2, 'Liechtenstein', [0, 0], 9000, { 'ISO3166-1': 'LI' });
const COUNTY = boundary(2, 6, 'Oberland', [0, 0], 5000);
const TOWN = boundary(3, 8, 'Vaduz', [0, 0], 200);
const STREET = way(
  1,
  [
    [0, 0],
    [40, 0],
  ],
  { highway: 'residential', name: 'Landstrasse' },
);
const HOUSE = node(100, [10, 2], { 'addr:housenumber': '1', 'addr:street': 'Landstrasse' });

/** Names of the rows of the house. */
function rowsOf(...features: ConstructorParameters<typeof BuiltPlaces>[0]): string[] {
  const places = new BuiltPlaces([COUNTRY, COUNTY, TOWN, STREET, HOUSE, ...features]);
  return places.rowsOf(places.of(OSM_NODE, 100));
}

test('polygons around the street are its rows, from small to large, and those of its houses', () => {
  const places = new BuiltPlaces([HOUSE, STREET, TOWN, COUNTY, COUNTRY]);
  expect(places.rowsOf(places.of(OSM_WAY, 1))).toEqual(['Vaduz', 'Oberland', 'Liechtenstein']);
  expect(places.of(OSM_NODE, 100).rows).toEqual([]);
  expect(places.rowsOf(places.of(OSM_NODE, 100))).toEqual(['Vaduz', 'Oberland', 'Liechtenstein']);
  expect(places.of(OSM_NODE, 100).countryCode).toBe('li');
});

test('a place is stored after those that it names', () => {
  const places = new BuiltPlaces([
    HOUSE,
    STREET,
    TOWN,
    COUNTY,
    COUNTRY,
    node(7, [5, 5], { place: 'hamlet', name: 'Ebenholz' }),
  ]);
  places.all.forEach((place, i) => {
    for (const id of [...place.rows, place.parent]) expect(id).toBeLessThan(i + 1);
  });
});

test.each([
  ['town', 35, 37],
  ['village', 17, 19],
  ['hamlet', 8, 10],
  ['neighbourhood', 4, 5],
])('a %s counts within its distance only', (place, near, far) => {
  // One step northwards is eleven metres, and the street's middle lies at 20 steps east.
  const inReach = node(7, [20, near * 10], { place, name: 'Ebenholz' });
  const outOfReach = node(7, [20, far * 10], { place, name: 'Ebenholz' });
  const rows = (feature: typeof inReach) => {
    const places = new BuiltPlaces([COUNTRY, COUNTY, STREET, HOUSE, feature]);
    return places.rowsOf(places.of(OSM_NODE, 100));
  };
  expect(rows(inReach)).toEqual(['Ebenholz', 'Oberland', 'Liechtenstein']);
  expect(rows(outOfReach)).toEqual(['Oberland', 'Liechtenstein']);
});

test('a settlement outside of the smallest polygon stays out', () => {
  const beyond = node(7, [20, 0], { place: 'hamlet', name: 'Innen' });
  expect(rowsOf(beyond)).toEqual(['Innen', 'Vaduz', 'Oberland', 'Liechtenstein']);
  const quarter = boundary(4, 9, 'Ebenholz', [20, 0], 30);
  expect(rowsOf(quarter, node(7, [20, 40], { place: 'hamlet', name: 'Aussen' }))).toEqual([
    'Ebenholz',
    'Vaduz',
    'Oberland',
    'Liechtenstein',
  ]);
});

test('of one rank a polygon comes before a node, and the nearer node before the other', () => {
  const nodes = [
    node(7, [20, 30], { place: 'hamlet', name: 'Weiter' }),
    node(8, [20, 10], { place: 'hamlet', name: 'Näher' }),
  ];
  expect(rowsOf(...nodes)[0]).toBe('Näher');
  const polygon = square(OSM_WAY, 9, [20, 50], 60, { place: 'hamlet', name: 'Ringsum' });
  expect(rowsOf(...nodes, polygon)[0]).toBe('Ringsum');
});

test('the town that a house names overrules the computed one', () => {
  const neighbour = boundary(4, 8, 'Schaan', [20, 320], 100);
  const places = new BuiltPlaces([
    ...[COUNTRY, COUNTY, TOWN, neighbour, STREET],
    node(100, [10, 2], { 'addr:housenumber': '1', 'addr:street': 'Landstrasse', 'addr:city': 'Schaan' }),
    node(101, [12, 2], { 'addr:housenumber': '3', 'addr:street': 'Landstrasse', 'addr:city': 'Vaduz' }),
    node(102, [14, 2], { 'addr:housenumber': '5', 'addr:street': 'Landstrasse', 'addr:city': 'Nirgendwo' }),
  ]);
  expect(places.rowsOf(places.of(OSM_NODE, 100))).toEqual(['Schaan', 'Oberland', 'Liechtenstein']);
  expect(places.of(OSM_NODE, 101).rows).toEqual([]);
  expect(places.of(OSM_NODE, 102).rows).toEqual([]);
});

test('a house beyond the border that its street crosses has rows of its own', () => {
  const west = boundary(3, 8, 'Vaduz', [-200, 0], 200);
  const east = boundary(4, 8, 'Triesen', [200, 0], 200);
  const across = way(
    1,
    [
      [-90, 0],
      [30, 0],
    ],
    { highway: 'residential', name: 'Landstrasse' },
  );
  const places = new BuiltPlaces([COUNTRY, west, east, across, HOUSE]);
  expect(places.rowsOf(places.of(OSM_WAY, 1))).toEqual(['Vaduz', 'Liechtenstein']);
  expect(places.rowsOf(places.of(OSM_NODE, 100))).toEqual(['Triesen', 'Liechtenstein']);
});

test('a county has the country as its row, and a country none', () => {
  const places = new BuiltPlaces([COUNTRY, COUNTY]);
  expect(places.rowsOf(places.of(OSM_RELATION, 2))).toEqual(['Liechtenstein']);
  expect(places.rowsOf(places.of(OSM_RELATION, 1))).toEqual([]);
});

test('a lake has rows and no street', () => {
  const places = new BuiltPlaces([
    COUNTRY,
    TOWN,
    STREET,
    square(OSM_WAY, 50, [10, 10], 5, { natural: 'water', water: 'lake', name: 'Weiher' }),
  ]);
  const lake = places.of(OSM_WAY, 50);
  expect(lake).toMatchObject({ parent: 0, searchRank: 20, addressRank: 0 });
  expect(places.rowsOf(lake)).toEqual(['Vaduz', 'Liechtenstein']);
});
