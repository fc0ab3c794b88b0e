import { expect, test } from 'vitest';
import {
  postcodeBoxDegreesOf,
  postcodeRankOf,
  readPostcode,
} from '../../../../src/geocoding/import/areas/postcodes.ts';
import { OSM_NODE, OSM_NONE, OSM_RELATION, OSM_WAY } from '../../../../src/tables/places/place.ts';
import { BuiltPlaces, boundary, node, square, way } from '../../../kits/places/features.ts';

const STREET = way(
  1,
  [
    [0, 0],
    [40, 0],
  ],
  { highway: 'residential', name: 'Landstrasse' },
);
/** Some house of Vaduz, whose postcode has its centroid there. */
const HOUSE = node(100, [0, 100], { 'addr:housenumber': '1', 'addr:postcode': '9490' });

test.each([
  ['9490', 'li', '9490'],
  [' 9490 ', 'li', '9490'],
  ['FL-9490', 'li', ''],
  ['9490;9494', 'li', ''],
  ['9490,9494', 'xx', ''],
  ['slm1000', 'mt', 'SLM 1000'],
  ['SLM 1000', 'mt', 'SLM 1000'],
  ['1012ab', 'nl', '1012 AB'],
  ['00950', 'pl', '00-950'],
  ['SW1A 1AA', 'gb', 'SW1A 1AA'],
  ['m11ae', 'gb', 'M1 1AE'],
  ['anything', 'xx', 'ANYTHING'],
])('%j in %s is read as %j', (text, country, expected) => {
  expect(readPostcode(text, country)).toBe(expected);
});

test('ranks and boxes follow from how far the codes of a country reach', () => {
  expect([postcodeRankOf('gb'), postcodeRankOf('pl'), postcodeRankOf('li')]).toEqual([25, 23, 21]);
  expect(postcodeBoxDegreesOf(21)).toBeCloseTo(0.05, 9);
  expect(postcodeBoxDegreesOf(25)).toBeCloseTo(0.002, 9);
});

test('the mean of all houses with a code is a place', () => {
  const places = new BuiltPlaces([
    node(100, [0, 100], { 'addr:housenumber': '1', 'addr:postcode': '9490' }),
    node(101, [20, 200], { 'addr:housenumber': '2', 'addr:postcode': '9490' }),
    node(102, [20, 200], { 'addr:housenumber': '2', 'addr:postcode': '9490;9494' }),
    boundary(2, 8, 'Vaduz', [0, 0], 1000),
  ]);
  const [centroid, ...more] = places.all.filter(({ type }) => type === 'postcode');
  expect(more).toEqual([]);
  expect(centroid).toMatchObject({
    osmType: OSM_NONE,
    osmId: 0,
    category: 'place',
    names: { name: '9490' },
    postcode: '9490',
    searchRank: 21,
    addressRank: 5,
    latitude: 47.165,
    longitude: 9.541,
    countryCode: 'li',
  });
  expect(places.rowsOf(centroid)).toEqual(['Vaduz']);
  expect(places.summary.postcodes).toBe(1);
});

test('a house has its own code, else that of its street', () => {
  const road = { ...STREET, tags: { ...STREET.tags, postal_code: '9494' } };
  const places = new BuiltPlaces([
    ...[HOUSE, road],
    node(101, [10, 1], { 'addr:housenumber': '1', 'addr:street': 'Landstrasse', 'addr:postcode': '9490' }),
    node(102, [10, 1], { 'addr:housenumber': '3', 'addr:street': 'Landstrasse' }),
  ]);
  expect(places.of(OSM_WAY, 1).postcode).toBe('9494');
  expect(places.of(OSM_NODE, 101).postcode).toBe('9490');
  expect(places.of(OSM_NODE, 102).postcode).toBe('9494');
});

test('a street has the code of the postal area around it, else of the nearest centroid of its country', () => {
  const area = square(OSM_RELATION, 5, [0, 0], 60, { type: 'boundary', boundary: 'postal_code', postal_code: '9495' });
  const within = new BuiltPlaces([HOUSE, STREET, area]);
  expect(within.of(OSM_WAY, 1).postcode).toBe('9495');
  expect(within.of(OSM_RELATION, 5)).toMatchObject({
    names: { name: '9495' },
    postcode: '9495',
    searchRank: 21,
    addressRank: 11,
  });
  expect(new BuiltPlaces([HOUSE, STREET]).of(OSM_WAY, 1).postcode).toBe('9490');
});

test('a centroid reaches as far as the codes of its country, 4 km in Liechtenstein', () => {
  // 11.1 metres a step northwards.
  const at = (north: number) => new BuiltPlaces([node(100, [20, north], HOUSE.tags), STREET]).of(OSM_WAY, 1).postcode;
  expect(at(350)).toBe('9490');
  expect(at(370)).toBe('');
});

test('an area has a code where exactly one centroid lies inside', () => {
  const other = node(101, [0, -100], { 'addr:housenumber': '1', 'addr:postcode': '9494' });
  const postcodeOf = (half: number) =>
    new BuiltPlaces([HOUSE, other, boundary(2, 8, 'Vaduz', [0, 80], half)]).of(OSM_RELATION, 2).postcode;
  expect(postcodeOf(50)).toBe('9490');
  expect(postcodeOf(300)).toBe('');
  expect(postcodeOf(5)).toBe('');
});

test('a postal area is no row of an address', () => {
  const area = square(OSM_RELATION, 5, [0, 0], 60, {
    type: 'boundary',
    boundary: 'postal_code',
    postal_code: '9495',
    name: 'Postkreis',
  });
  const places = new BuiltPlaces([STREET, area]);
  expect(places.of(OSM_WAY, 1).rows).toEqual([]);
});
