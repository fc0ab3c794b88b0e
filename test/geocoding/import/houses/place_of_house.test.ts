import { expect, test } from 'vitest';
import { OSM_NODE, OSM_RELATION, OSM_WAY } from '../../../../src/tables/places/place.ts';
import { BuiltPlaces, boundary, node, square, unitsOf, way } from '../../../kits/places/features.ts';

const TOWN = boundary(3, 8, 'Vaduz', [0, 0], 300);
const STREET = way(
  1,
  [
    [0, 0],
    [40, 0],
  ],
  { highway: 'residential', name: 'Landstrasse' },
);
const LANE = way(
  2,
  [
    [0, 20],
    [40, 20],
  ],
  { highway: 'residential', name: 'Gasse' },
);
const ADDRESS = { 'addr:housenumber': '7', 'addr:street': 'Landstrasse', 'addr:postcode': '9490' };
const BUILDING = square(OSM_WAY, 50, [10, 15], 4, { building: 'yes', ...ADDRESS, 'addr:housename': 'Hofkellerei' });

test('house numbers on nodes, ways and relations are houses of their street', () => {
  const places = new BuiltPlaces([
    ...[TOWN, STREET, LANE, BUILDING],
    node(100, [20, 2], { ...ADDRESS, 'addr:housenumber': '9' }),
    square(OSM_RELATION, 60, [30, 5], 2, {
      type: 'multipolygon',
      building: 'yes',
      ...ADDRESS,
      'addr:housenumber': '11',
    }),
  ]);
  const houses = [places.of(OSM_NODE, 100), places.of(OSM_WAY, 50), places.of(OSM_RELATION, 60)];
  expect(houses.map(({ houseNumber, category, type }) => [houseNumber, category, type])).toEqual([
    ['9', 'place', 'house'],
    ['7', 'building', 'yes'],
    ['11', 'building', 'yes'],
  ]);
  for (const house of houses) {
    expect(places.parentOf(house)).toBe('Landstrasse');
    expect(house).toMatchObject({
      postcode: '9490',
      countryCode: 'li',
      searchRank: 30,
      addressRank: 30,
      isAddressInherited: false,
    });
    expect(house.importance).toBeCloseTo(0.00001, 6);
  }
  expect(places.summary).toMatchObject({ houses: 3, pois: 0, areas: 1, roads: 2 });
});

test('a street that no road is called by is kept with the house, and only such', () => {
  const house = (id: number, at: [number, number], street: string) =>
    node(id, at, { 'addr:housenumber': '4', 'addr:street': street });
  const places = new BuiltPlaces([STREET, house(100, [20, 2], 'Obrosa'), house(101, [30, 2], 'LANDSTR.')]);
  expect(places.of(OSM_NODE, 100)).toMatchObject({ street: 'Obrosa', houseNumber: '4' });
  expect(places.parentOf(places.of(OSM_NODE, 100))).toBe('Landstrasse');
  expect(places.of(OSM_NODE, 101)).toMatchObject({ street: '' });
});

test('a house beyond the border has its street, but neither its rows nor its postcode', () => {
  const country = boundary(9, 2, 'Liechtenstein', [0, 0], 30, { 'ISO3166-1': 'LI' });
  const house = (id: number, at: [number, number]) =>
    node(id, at, { 'addr:housenumber': String(id), 'addr:street': 'Landstrasse' });
  const said = node(102, [10, 2], ADDRESS);
  const places = new BuiltPlaces([country, STREET, house(100, [20, 2]), house(101, [35, 2]), said]);
  expect(places.parentOf(places.of(OSM_NODE, 100))).toBe('Landstrasse');
  expect(places.of(OSM_NODE, 100)).toMatchObject({ countryCode: 'li', street: '', postcode: '9490' });
  expect(places.of(OSM_NODE, 101)).toMatchObject({
    countryCode: '',
    parent: 0,
    rows: [],
    street: 'Landstrasse',
    postcode: '',
  });
});

test('a street by another name of its road, or a letter apart, is kept as it is written', () => {
  const house = (id: number, street: string) => node(id, [20, 2], { 'addr:housenumber': '4', 'addr:street': street });
  const named = { ...STREET, tags: { ...STREET.tags, 'name:en': 'Country Road' } };
  const places = new BuiltPlaces([
    named,
    house(100, 'Country Road'),
    house(101, 'Landstrase'),
    house(102, 'Land-Str.'),
  ]);
  for (const id of [100, 101, 102]) expect(places.parentOf(places.of(OSM_NODE, id))).toBe('Landstrasse');
  expect([100, 101, 102].map(id => places.of(OSM_NODE, id).streetAsWritten)).toEqual([
    'Country Road',
    'Landstrase',
    '',
  ]);
});

test('a list of numbers is one house with the number as it stands on the map', () => {
  const places = new BuiltPlaces([STREET, node(100, [20, 2], { ...ADDRESS, 'addr:housenumber': '1;3' })]);
  expect(places.allOf(OSM_NODE, 100).map(({ houseNumber }) => houseNumber)).toEqual(['1;3']);
});

test('a shop without an address has that of the building around it', () => {
  const places = new BuiltPlaces([
    STREET,
    LANE,
    BUILDING,
    node(100, [10, 17], { shop: 'wine', name: 'Weinladen', brand: 'Rebe' }),
  ]);
  const shop = places.of(OSM_NODE, 100);
  expect(shop).toMatchObject({
    houseNumber: '7',
    houseName: 'Hofkellerei',
    postcode: '9490',
    isAddressInherited: true,
    names: { name: 'Weinladen', brand: 'Rebe' },
    osmType: OSM_NODE,
    category: 'shop',
  });
  expect(places.parentOf(shop)).toBe('Landstrasse');
  expect(places.summary).toMatchObject({ houses: 1, pois: 1 });
});

test('a shop that says everything but the number, or is an area, has the number of the building around it', () => {
  const places = new BuiltPlaces([
    ...[STREET, LANE, BUILDING],
    node(100, [10, 17], { shop: 'wine', 'addr:street': 'Landstr.', 'addr:postcode': '9491' }),
    square(OSM_WAY, 101, [10, 17], 1, { shop: 'toys' }),
    node(102, [10, 17], { shop: 'books', 'addr:city': 'Vaduz' }),
  ]);
  const shops = [places.of(OSM_NODE, 100), places.of(OSM_WAY, 101), places.of(OSM_NODE, 102)];
  for (const shop of shops) {
    expect(shop).toMatchObject({ houseNumber: '7', isAddressInherited: true });
    expect(places.parentOf(shop)).toBe('Landstrasse');
  }
  expect(shops.map(({ postcode }) => postcode)).toEqual(['9491', '9490', '9490']);
});

test('a shop with another address, beside the building, or larger than it keeps to itself', () => {
  const places = new BuiltPlaces([
    ...[STREET, LANE, BUILDING],
    node(100, [10, 17], { shop: 'wine', 'addr:housenumber': '7a', 'addr:street': 'Gasse' }),
    node(101, [10, 19.5], { shop: 'books' }),
    square(OSM_WAY, 102, [10, 17], 6, { shop: 'toys' }),
    node(103, [10, 17], { shop: 'art', 'addr:street': 'Gasse' }),
    node(104, [10, 17], { shop: 'tea', 'addr:housename': 'Zur Linde' }),
  ]);
  expect(places.of(OSM_NODE, 100)).toMatchObject({ houseNumber: '7a', isAddressInherited: false });
  expect(places.of(OSM_NODE, 104)).toMatchObject({
    houseNumber: '',
    houseName: 'Zur Linde',
    isAddressInherited: false,
  });
  for (const shop of [places.of(OSM_NODE, 101), places.of(OSM_WAY, 102), places.of(OSM_NODE, 103)]) {
    expect(shop).toMatchObject({ houseNumber: '', isAddressInherited: false });
    expect(places.parentOf(shop)).toBe('Gasse');
  }
});

test('of two buildings around a shop the smaller one gives the address', () => {
  const mall = square(OSM_WAY, 51, [10, 15], 10, { building: 'retail', ...ADDRESS, 'addr:housenumber': '5' });
  const places = new BuiltPlaces([
    STREET,
    mall,
    BUILDING,
    node(100, [10, 17], { shop: 'wine' }),
    node(101, [2, 17], { shop: 'books' }),
  ]);
  expect(places.of(OSM_NODE, 100).houseNumber).toBe('7');
  expect(places.of(OSM_NODE, 101).houseNumber).toBe('5');
});

test('a farm with a number is a settlement and a house', () => {
  const places = new BuiltPlaces([TOWN, STREET, node(100, [20, 2], { place: 'farm', name: 'Maree', ...ADDRESS })]);
  expect(places.allOf(OSM_NODE, 100).map(({ type, houseNumber }) => [type, houseNumber])).toEqual([
    ['farm', ''],
    ['house', '7'],
  ]);
});

test('what a place has not is empty', () => {
  const places = new BuiltPlaces([node(100, [0, 0], { amenity: 'fountain' })]);
  expect(places.of(OSM_NODE, 100)).toMatchObject({
    names: {},
    houseNumber: '',
    houseName: '',
    postcode: '',
    linkedPlace: '',
    subdivisionCode: '',
    parent: 0,
    rows: [],
    houseRange: undefined,
    countryCode: 'li',
  });
});

test('boxes are those of the shape, and of a node the extent of its kind', () => {
  const places = new BuiltPlaces([STREET, BUILDING, node(100, [0, 0], { place: 'village', name: 'Triesen' })]);
  const road = places.of(OSM_WAY, 1);
  expect([road.south, road.north, road.west, road.east]).toEqual([47.15, 47.15, 9.54, 9.544]);
  const village = places.of(OSM_NODE, 100);
  expect(village.north - village.latitude).toBeCloseTo(0.02, 9);
  expect(places.geometryOf(road)).toEqual({
    kind: 'line',
    coordinates: unitsOf([
      [0, 0],
      [40, 0],
    ]),
  });
  expect(places.geometryOf(places.of(OSM_WAY, 50)).kind).toBe('area');
});

test('house numbers between two nodes of a line are a place with a range', () => {
  const line = way(
    70,
    [
      [0, 3],
      [10, 3],
      [20, 3],
    ],
    { 'addr:interpolation': 'odd' },
    [200, 201, 202],
  );
  const places = new BuiltPlaces([
    ...[TOWN, STREET, LANE, line],
    node(200, [0, 3], { 'addr:housenumber': '1', 'addr:street': 'Gasse', 'addr:postcode': '9490' }),
    node(202, [20, 3], { 'addr:housenumber': '11', 'addr:street': 'Gasse' }),
  ]);
  const range = places.of(OSM_WAY, 70);
  expect(range).toMatchObject({
    category: 'place',
    type: 'house',
    houseNumber: '',
    houseRange: { start: 3, end: 9, step: 2 },
    postcode: '9490',
    searchRank: 30,
  });
  expect(places.parentOf(range)).toBe('Gasse');
  expect(places.geometryOf(range)).toEqual({
    kind: 'line',
    coordinates: unitsOf([
      [4, 3],
      [10, 3],
      [16, 3],
    ]),
  });
  expect(places.summary).toMatchObject({ interpolations: 1, interpolationsWithoutStreet: 0, houses: 2 });
});

test('the street of such a line is the one it names, that of its nodes, or one within 0.001 degrees', () => {
  const ends = [node(200, [0, 3], { 'addr:housenumber': '1' }), node(202, [20, 3], { 'addr:housenumber': '11' })];
  const line = (tags: Record<string, string>) =>
    way(
      70,
      [
        [0, 3],
        [20, 3],
      ],
      { 'addr:interpolation': 'odd', ...tags },
      [200, 202],
    );
  const named = new BuiltPlaces([STREET, LANE, ...ends, line({ 'addr:street': 'Gasse' })]);
  expect(named.parentOf(named.of(OSM_WAY, 70))).toBe('Gasse');
  const near = new BuiltPlaces([STREET, LANE, ...ends, line({})]);
  expect(near.parentOf(near.of(OSM_WAY, 70))).toBe('Landstrasse');
  const alone = new BuiltPlaces([LANE, ...ends, line({})]);
  expect(alone.allOf(OSM_WAY, 70)).toEqual([]);
  expect(alone.summary.interpolationsWithoutStreet).toBe(1);
});

test('what an address names and the map does not have is kept as it is written', () => {
  const other = { ...ADDRESS, 'addr:city': 'Vaduz', 'addr:suburb': 'Ebenholz', 'addr:postcode': 'FL' };
  const places = new BuiltPlaces([
    TOWN,
    STREET,
    node(100, [20, 2], other),
    node(101, [22, 2], { ...ADDRESS, 'addr:city': 'Vaduz' }),
  ]);
  expect(places.of(OSM_NODE, 100).alsoWritten).toBe('Ebenholz;FL');
  expect(places.of(OSM_NODE, 101).alsoWritten).toBe('');
});
