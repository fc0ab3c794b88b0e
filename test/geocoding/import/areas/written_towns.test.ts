// A municipality of two villages, one with its name, and houses that write one or the other; and extracts that are cut,
// so that no border holds the town.

import { expect, test } from 'vitest';
import { addressRows } from '../../../../src/geocoding/address/address.ts';
import { toSpecAddress } from '../../../../src/geocoding/address/spec_address.ts';
import { OSM_NODE, OSM_WAY, type OsmType } from '../../../../src/tables/places/place.ts';
import { BuiltPlaces, boundary, node, way } from '../../../kits/places/features.ts';
import type { Step } from '../../../kits/places/place.ts';

const ESCHEN = boundary(1, 8, 'Eschen', [0, 0], 900, { wikidata: 'Q4540' });
const ESCHEN_NODE = node(10, [-300, 0], { place: 'village', name: 'Eschen', wikidata: 'Q4540' });
const NENDELN = node(11, [100, 0], { place: 'village', name: 'Nendeln', 'name:en': 'Nendeln Village' });
const street = (id: number, [east, north]: Step) =>
  way(
    id,
    [
      [east - 10, north],
      [east + 10, north],
    ],
    { highway: 'residential', name: `Strasse ${id}` },
  );
const STREET = street(1, [100, 0]);
const house = (id: number, at: Step, city?: string, way = 1) =>
  node(id, at, {
    'addr:housenumber': String(id),
    'addr:street': `Strasse ${way}`,
    ...(city !== undefined && { 'addr:city': city }),
  });
const MUNICIPALITY = [ESCHEN, ESCHEN_NODE, NENDELN, STREET];

function addressOf(type: OsmType, id: number, features: ConstructorParameters<typeof BuiltPlaces>[0]) {
  const places = new BuiltPlaces(features);
  const reader = { place: (each: number) => places.all[each - 1] };
  const rows = addressRows(places.of(type, id), reader, { languages: [], houseNumber: '', country: undefined });
  const keys = rows
    .map(({ key, value }) => `${key}=${value}`)
    .filter(row => !/^(house_number|road|country_code)=/.test(row));
  return { keys, town: toSpecAddress(rows).town };
}

test('where nobody writes a town it is the municipality', () => {
  expect(addressOf(OSM_NODE, 100, [...MUNICIPALITY, house(100, [100, 2])])).toEqual({
    keys: ['city_district=Nendeln', 'village=Eschen'],
    town: 'Eschen',
  });
});

test('a house that writes the settlement is in it, in a municipality', () => {
  for (const written of ['Nendeln', 'nendeln village']) {
    expect(addressOf(OSM_NODE, 100, [...MUNICIPALITY, house(100, [100, 2], written)])).toEqual({
      keys: ['village=Nendeln', 'municipality=Eschen'],
      town: 'Nendeln',
    });
  }
});

test('the street and the houses that write nothing follow their neighbours, each house its own address', () => {
  const houses = [
    house(100, [100, 2], 'Nendeln'),
    house(101, [101, 2], 'Nendeln'),
    house(102, [102, 2], 'Eschen'),
    house(103, [103, 2]),
  ];
  const features = [...MUNICIPALITY, ...houses];
  expect(addressOf(OSM_WAY, 1, features).town).toBe('Nendeln');
  expect([100, 102, 103].map(id => addressOf(OSM_NODE, id, features).town)).toEqual(['Nendeln', 'Eschen', 'Nendeln']);
});

test('where as many write one as the other, or only houses far away do, it is the municipality', () => {
  const half = [house(100, [100, 2], 'Nendeln'), house(101, [101, 2], 'Eschen')];
  expect(addressOf(OSM_WAY, 1, [...MUNICIPALITY, ...half]).town).toBe('Eschen');
  expect(addressOf(OSM_WAY, 1, [...MUNICIPALITY, house(100, [160, 2], 'Nendeln')]).town).toBe('Eschen');
});

test('houses of another municipality do not count', () => {
  const border = boundary(2, 8, 'Gamprin', [1000, 0], 900);
  const west = boundary(3, 8, 'Mauren', [-800, 0], 900);
  const houses = [house(100, [101, 2], 'Gamprin'), house(101, [102, 2], 'Gamprin'), house(102, [99, 2], 'Mauren')];
  // The middle of the street is on the border at 100 steps, and so in the eastern one.
  expect(addressOf(OSM_WAY, 1, [border, west, street(1, [95, 0]), ...houses]).town).toBe('Mauren');
  expect(addressOf(OSM_WAY, 1, [border, west, street(1, [105, 0]), ...houses]).town).toBe('Gamprin');
});

test('a town that the map does not have is taken where no border holds one', () => {
  const features = [STREET, house(100, [100, 2], 'Lauf a.d.Pegnitz')];
  expect(addressOf(OSM_NODE, 100, features)).toEqual({ keys: ['town=Lauf a.d.Pegnitz'], town: 'Lauf a.d.Pegnitz' });
  expect(addressOf(OSM_WAY, 1, features).town).toBe('Lauf a.d.Pegnitz');
});

test('where a border holds one, it takes five houses to write another', () => {
  const houses = (count: number) =>
    Array.from({ length: count }, (_, i) => house(100 + i, [96 + i, 2], 'Gamprin-Bendern'));
  const town = (count: number) => addressOf(OSM_WAY, 1, [ESCHEN, STREET, ...houses(count)]);
  expect(town(4).town).toBe('Eschen');
  expect(town(5)).toEqual({ keys: ['town=Gamprin-Bendern', 'municipality=Eschen'], town: 'Gamprin-Bendern' });
});

test('the label of a village is the town for certain only if houses write it', () => {
  const written = (...houses: ReturnType<typeof house>[]) =>
    new BuiltPlaces([NENDELN, STREET, ...houses]).of(OSM_NODE, 100).town;
  expect(written(house(100, [100, 2]))).toBe('');
  expect(written(house(100, [100, 2]), house(101, [101, 2], 'Nendeln'))).toBe('Nendeln');
});

test('a suburb is the town of the addresses that name it, not of their neighbours', () => {
  const monaco = [
    boundary(1, 8, 'Monaco', [0, 0], 900),
    node(11, [100, 1], { place: 'suburb', name: 'Monte-Carlo' }),
    STREET,
  ];
  const features = [...monaco, house(100, [100, 2], 'Monte-Carlo'), house(101, [101, 2])];
  expect(addressOf(OSM_NODE, 100, features)).toEqual({
    keys: ['town=Monte-Carlo', 'municipality=Monaco'],
    town: 'Monte-Carlo',
  });
  expect(addressOf(OSM_NODE, 101, features)).toEqual({ keys: ['suburb=Monte-Carlo', 'city=Monaco'], town: 'Monaco' });
});
