// A city of two kinds of districts: a parish and, inside of it, an older one of level 9, with nodes of suburbs here and
// there.

import { expect, test } from 'vitest';
import { addressRows } from '../../../../src/geocoding/address/address.ts';
import { toSpecAddress } from '../../../../src/geocoding/address/spec_address.ts';
import { OSM_NODE } from '../../../../src/tables/places/place.ts';
import { BuiltPlaces, boundary, node, way } from '../../../kits/places/features.ts';

const CITY = boundary(1, 7, 'Porto', [0, 0], 300, { wikidata: 'Q36433' });
const CITY_NODE = node(10, [0, 0], { place: 'city', name: 'Porto', wikidata: 'Q36433' });
const STREET = way(
  1,
  [
    [0, 0],
    [40, 0],
  ],
  { highway: 'residential', name: 'Rua das Flores' },
);
const HOUSE = node(100, [20, 2], { 'addr:housenumber': '1', 'addr:street': 'Rua das Flores' });
const PARISH = boundary(2, 8, 'União das Freguesias', [0, 0], 200);
const OLD_PARISH = boundary(3, 9, 'Cedofeita', [0, 0], 100);
const SUBURB = node(11, [21, 0], { place: 'suburb', name: 'Baixa' });

function addressOf(...features: ConstructorParameters<typeof BuiltPlaces>[0]) {
  const places = new BuiltPlaces([STREET, HOUSE, ...features]);
  const reader = { place: (id: number) => places.all[id - 1] };
  const rows = addressRows(places.of(OSM_NODE, 100), reader, { languages: [], houseNumber: '', country: undefined });
  return { keys: rows.slice(2, -1).map(({ key, value }) => `${key}=${value}`), spec: toSpecAddress(rows) };
}

test('a boundary of level 9 is the district, before a suburb’s node', () => {
  expect(addressOf(CITY, OLD_PARISH, SUBURB).spec.city_district).toBe('Cedofeita');
});

test('it is so below a city that is one with its node, where ranks have moved', () => {
  const { keys, spec } = addressOf(CITY, CITY_NODE, PARISH, OLD_PARISH, SUBURB);
  expect(keys).toEqual(['suburb=Baixa', 'city_district=Cedofeita', 'borough=União das Freguesias', 'city=Porto']);
  expect(spec).toMatchObject({ city_district: 'Cedofeita', town: 'Porto' });
});

test('it is so when it is one with a suburb’s node, and other suburbs stand in it', () => {
  const { spec } = addressOf(
    CITY,
    CITY_NODE,
    OLD_PARISH,
    node(12, [0, 5], { place: 'suburb', name: 'Cedofeita' }),
    SUBURB,
  );
  expect(spec).toMatchObject({ city_district: 'Cedofeita', town: 'Porto' });
});

test('without a boundary of level 9 the district is what it was', () => {
  expect(addressOf(CITY, CITY_NODE, PARISH, SUBURB).spec.city_district).toBe('União das Freguesias');
  expect(addressOf(CITY, CITY_NODE, SUBURB).spec.city_district).toBe('Baixa');
});
