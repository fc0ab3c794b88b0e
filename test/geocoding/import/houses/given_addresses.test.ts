// Houses that a register gives beside those of a drawn map.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type AddressSource, AddressWriter } from '../../../../src/geocoding/import/houses/address_file.ts';
import type { OsmFeature } from '../../../../src/geocoding/import/osm/features.ts';
import { OSM_NODE, OSM_NONE, OSM_WAY } from '../../../../src/tables/places/place.ts';
import { BuiltPlaces, boundary, degreesOf, node, way } from '../../../kits/places/features.ts';
import type { Step } from '../../../kits/places/place.ts';
import { temporaryFolder } from '../../../kits/temporary_folder.ts';

type House = readonly [number: string, street: string, at: Step, city?: string, postcode?: string];

/** A source as the data folder keeps it. */
function source(name: string, houses: readonly House[], isPostcodes = false): AddressSource {
  const path = join(temporaryFolder(), `${name}.addresses`);
  const writer = new AddressWriter(path);
  for (const [number, street, at, city = '', postcode = ''] of houses)
    writer.add({ number, street, city, postcode, ...degreesOf(at) });
  const checksum = writer.finish();
  writer.close();
  return { name, path, checksum, isPostcodes, count: writer.count };
}

const TOWN = boundary(1, 8, 'Aheim', [0, 0], 500);
const ROAD = way(
  1,
  [
    [-50, 0],
    [50, 0],
  ],
  { highway: 'residential', name: 'Bahnhofstrasse' },
);
const numbered = (id: number, number: string, at: Step, street = 'Bahnhofstrasse') =>
  node(id, at, { 'addr:housenumber': number, 'addr:street': street });

const build = (features: OsmFeature[], ...sources: AddressSource[]) => new BuiltPlaces(features, {}, sources);
const given = (places: BuiltPlaces) =>
  places.all.filter(({ osmType, houseNumber }) => osmType === OSM_NONE && houseNumber !== '');

test('a house that the map does not have stands on its road, in its town, and says whose it is', () => {
  const places = build([TOWN, ROAD], source('register', [['5', 'BAHNHOFSTR.', [10, 1], 'Aheim', '9490']]));
  const [house, ...others] = given(places);
  expect(others).toEqual([]);
  expect(house).toMatchObject({ houseNumber: '5', postcode: '9490', tags: { source: 'register' } });
  expect([places.parentOf(house), places.rowsOf(house)]).toEqual(['Bahnhofstrasse', ['Aheim']]);
  expect(places.summary).toMatchObject({ houses: 1, joined: 0, ownStreets: 0 });
});

test('the same number on the same street within 60 metres is one house, which names both', () => {
  const register = source('register', [
    ['5 A', 'Bahnhofstr.', [13, 1]],
    ['7', 'Bahnhofstrasse', [20, 1]],
  ]);
  const places = build([TOWN, ROAD, numbered(11, '5a', [10, 1]), numbered(12, '9', [30, 1])], register);
  expect(places.of(OSM_NODE, 11).tags).toEqual({ source: 'OpenStreetMap; register' });
  expect(places.of(OSM_NODE, 12).tags).toEqual({});
  expect(given(places).map(({ houseNumber }) => houseNumber)).toEqual(['7']);
  expect(places.summary).toMatchObject({ houses: 3, joined: 1 });
});

test('farther away, or on another street, it is another house', () => {
  const side = way(
    2,
    [
      [10, -50],
      [10, 50],
    ],
    { highway: 'residential', name: 'Seitengasse' },
  );
  const register = source('register', [
    ['5', 'Bahnhofstrasse', [20, 1]],
    ['5', 'Seitengasse', [10, 2]],
  ]);
  const places = build([TOWN, ROAD, side, numbered(11, '5', [10, 1])], register);
  expect(given(places).map(house => places.parentOf(house))).toEqual(['Bahnhofstrasse', 'Seitengasse']);
  expect(places.summary.joined).toBe(0);
});

test('a house of the map with several numbers is each of them', () => {
  const register = source('register', [
    ['1', 'Bahnhofstrasse', [10, 1]],
    ['3', 'Bahnhofstrasse', [11, 1]],
    ['2', 'Bahnhofstrasse', [10, -1]],
  ]);
  const places = build([TOWN, ROAD, numbered(11, '1;3', [10, 1])], register);
  expect(given(places).map(({ houseNumber }) => houseNumber)).toEqual(['2']);
});

test('what two registers have is one house of both, with the place that came first; flats are one house', () => {
  const places = build(
    [TOWN, ROAD],
    source('first', [
      ['5', 'Bahnhofstrasse', [10, 1]],
      ['5', 'Bahnhofstrasse', [10, 1]],
    ]),
    source('second', [
      ['5', 'Bahnhofstr.', [12, 1]],
      ['6', 'Bahnhofstr.', [14, 1]],
    ]),
  );
  expect(given(places).map(({ houseNumber, tags }) => [houseNumber, tags.source])).toEqual([
    ['5', 'first; second'],
    ['6', 'second'],
  ]);
  expect(given(places)[0].longitude).toBeCloseTo(degreesOf([10, 1]).longitude, 7);
});

test('a street that no road is named by is a street of its own, without a shape', () => {
  const register = source('register', [
    ['1', 'Neue Gasse', [0, 100], 'Aheim'],
    ['2', 'Neue Gasse', [5, 101], 'Aheim'],
    ['3', 'Neue Gasse', [30, 102], 'Aheim'],
  ]);
  const places = build([TOWN, ROAD, numbered(11, '4', [31, 102], 'Neue Gasse')], register);
  const streets = places.all.filter(({ category, names }) => category === 'highway' && names.name === 'Neue Gasse');
  expect(streets).toHaveLength(1);
  expect(streets[0]).toMatchObject({ osmType: OSM_NONE, osmId: 0, tags: { source: 'register' } });
  expect([places.geometryOf(streets[0]), places.rowsOf(streets[0])]).toEqual([{ kind: 'point' }, ['Aheim']]);
  expect(given(places).map(house => places.parentOf(house))).toEqual(['Neue Gasse', 'Neue Gasse', 'Neue Gasse']);
  expect(places.parentOf(places.of(OSM_NODE, 11))).toBe('Neue Gasse');
  expect(places.summary.ownStreets).toBe(1);
});

test('streets of one name that are far from each other are two, and one beside a road is none', () => {
  const register = source('register', [
    ['1', 'Bahnhofstrasse', [40, 5]],
    ['1', 'Bahnhofstrasse', [0, 450]],
    ['2', 'Bahnhofstrasse', [5, 450]],
    ['1', 'Bahnhofstrasse', [0, -450]],
  ]);
  const places = build([TOWN, ROAD], register);
  expect(places.summary.ownStreets).toBe(2);
  expect(places.parentOf(given(places)[0])).toBe('Bahnhofstrasse');
  expect(places.all[given(places)[0].parent - 1].osmType).toBe(OSM_WAY);
});

test('a number without a street counts in the place that it names', () => {
  const village = node(3, [100, 100], { place: 'village', name: 'Bdorf' });
  const places = build([TOWN, ROAD, village], source('register', [['17', '', [101, 100], 'Bdorf']]));
  expect(places.parentOf(given(places)[0])).toBe('Bdorf');
});

test('without a map the register is a map of its own', () => {
  const register = source('register', [
    ['1', 'Neue Gasse', [0, 100], 'Bdorf', '9490'],
    ['2', 'Neue Gasse', [5, 101], 'Bdorf', '9490'],
  ]);
  const places = build([], register);
  expect(given(places).map(house => [places.parentOf(house), house.town, house.postcode])).toEqual([
    ['Neue Gasse', 'Bdorf', '9490'],
    ['Neue Gasse', 'Bdorf', '9490'],
  ]);
  expect(places.all.filter(({ type }) => type === 'postcode').map(({ names }) => names.name)).toEqual(['9490']);
});

test('a postcode that no house has is a place; one that houses have is where they are', () => {
  const codes = source(
    'codes',
    [
      ['', '', [10, 400], 'Aheim', '9490'],
      ['', '', [10, 300], 'Aheim', '9491'],
      ['', '', [10, 301], 'Aheim', '9491'],
    ],
    true,
  );
  const places = build([TOWN, ROAD], codes, source('register', [['1', 'Bahnhofstrasse', [10, 1], '', '9490']]));
  const postcodes = places.all.filter(({ type }) => type === 'postcode');
  expect(postcodes.map(({ names, tags }) => [names.name, tags.source])).toEqual([
    ['9490', undefined],
    ['9491', 'codes'],
  ]);
  expect(postcodes.map(place => places.rowsOf(place))).toEqual([['Aheim'], ['Aheim']]);
  expect(postcodes[0].latitude).toBeCloseTo(degreesOf([10, 1]).latitude, 5);
  expect(places.summary).toMatchObject({ postcodes: 2, houses: 1 });
});
