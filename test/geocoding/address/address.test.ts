import { expect, test } from 'vitest';
import { type AddressContext, addressRows } from '../../../src/geocoding/address/address.ts';
import { displayName } from '../../../src/geocoding/address/display_name.ts';
import { toSpecAddress } from '../../../src/geocoding/address/spec_address.ts';
import type { Place } from '../../../src/tables/places/place.ts';
import { placeOf, type Said } from '../../kits/places/place.ts';

const PLAIN: AddressContext = { languages: [], houseNumber: '', country: undefined };

/** Records by their places in a list; the first one has id 1. */
function listOf(...said: Said[]): { place(id: number): Place } {
  const places = said.map(placeOf);
  return { place: id => places[id - 1] };
}

const LAND: Said = {
  category: 'boundary',
  type: 'administrative',
  addressRank: 4,
  searchRank: 4,
  names: { name: 'Liechtenstein', 'name:fr': 'Le Liechtenstein' },
};
const STATE: Said = {
  category: 'boundary',
  type: 'administrative',
  addressRank: 8,
  names: { name: 'Oberland' },
  subdivisionCode: 'LI-O',
};
const VILLAGE: Said = {
  category: 'boundary',
  type: 'administrative',
  addressRank: 16,
  linkedPlace: 'village',
  names: { name: 'Schaan', 'name:fr': 'Schaan-sur-Rhin' },
};
const ROAD: Said = {
  category: 'highway',
  type: 'residential',
  searchRank: 26,
  addressRank: 26,
  names: { name: 'Landstrasse' },
  rows: [3, 2, 1],
};
const HOUSE: Said = { houseNumber: '33', postcode: '9494', parent: 4, countryCode: 'li' };
const PLACES = listOf(LAND, STATE, VILLAGE, ROAD);

test('a house has its number, its road, what lies around the road, postcode and country', () => {
  const rows = addressRows(placeOf(HOUSE), PLACES, PLAIN);
  expect(rows).toEqual([
    { key: 'house_number', value: '33' },
    { key: 'road', value: 'Landstrasse' },
    { key: 'village', value: 'Schaan' },
    { key: 'state', value: 'Oberland' },
    { key: 'ISO3166-2-lvl4', value: 'LI-O' },
    { key: 'postcode', value: '9494' },
    { key: 'country', value: 'Liechtenstein' },
    { key: 'country_code', value: 'li' },
  ]);
  expect(displayName(rows, [])).toBe('Landstrasse 33, 9494 Schaan, Oberland, Liechtenstein');
});

test('a village in a municipality of the same kind is a part of it', () => {
  const [balzers, maels] = [40, 41];
  const places = new Map<number, Place>([
    [
      balzers,
      placeOf({
        category: 'boundary',
        type: 'administrative',
        linkedPlace: 'village',
        addressRank: 16,
        names: { name: 'Balzers' },
      }),
    ],
    [maels, placeOf({ category: 'place', type: 'village', addressRank: 18, names: { name: 'Maels' } })],
  ]);
  const house = placeOf({ ...HOUSE, parent: 0, rows: [maels, balzers] });
  const rows = addressRows(house, { place: id => places.get(id) }, PLAIN);
  expect(rows).toContainEqual({ key: 'village', value: 'Balzers' });
  expect(rows).toContainEqual({ key: 'city_district', value: 'Maels' });
  expect(displayName(rows, [])).toBe('33, Maels, 9494 Balzers');
  expect(toSpecAddress(rows)).toMatchObject({ town: 'Balzers', city_district: 'Maels' });
});

test('a district that is a village is a district of the town around it, and a village where there is none', () => {
  const places = listOf(
    LAND,
    { ...VILLAGE, linkedPlace: 'town', names: { name: 'Lauf' } },
    { ...VILLAGE, isDistrict: true, addressRank: 18, names: { name: 'Wetzendorf' } },
  );
  const keys = (...rows: number[]) =>
    addressRows(placeOf({ rows }), places, PLAIN).map(({ key, value }) => `${key}=${value}`);
  expect(keys(3, 2, 1)).toEqual(['city_district=Wetzendorf', 'town=Lauf', 'country=Liechtenstein']);
  expect(keys(3, 1)).toEqual(['village=Wetzendorf', 'country=Liechtenstein']);
});

test('a district in a district has the key, and the larger one is a borough', () => {
  const district = { ...STATE, subdivisionCode: '', isDistrict: true };
  const places = listOf({ ...district, names: { name: 'Large' } }, { ...district, names: { name: 'Small' } });
  const rows = addressRows(placeOf({ rows: [2, 1] }), places, PLAIN);
  expect(rows.map(({ key, value }) => `${key}=${value}`)).toEqual(['city_district=Small', 'borough=Large']);
  expect(toSpecAddress(rows).city_district).toBe('Small');
});

test('the name of a shop stands first, under its main key', () => {
  const shop = placeOf({
    ...HOUSE,
    category: 'shop',
    type: 'bakery',
    names: { name: 'Wolf' },
    isAddressInherited: true,
  });
  expect(addressRows(shop, PLACES, PLAIN).slice(0, 3)).toEqual([
    { key: 'shop', value: 'Wolf' },
    { key: 'house_number', value: '33' },
    { key: 'road', value: 'Landstrasse' },
  ]);
});

test('a street that a house names stands for the road that it belongs to', () => {
  const rows = addressRows(placeOf({ ...HOUSE, street: 'Obrosa' }), PLACES, PLAIN);
  expect(rows.filter(({ key }) => key === 'road')).toEqual([{ key: 'road', value: 'Obrosa' }]);
  expect(rows).toContainEqual({ key: 'village', value: 'Schaan' });
});

test('the words of the house itself stand for its road, unless a language is asked for', () => {
  const house = placeOf({ ...HOUSE, streetAsWritten: 'Country Road' });
  const road = (languages: string[]) =>
    addressRows(house, PLACES, { ...PLAIN, languages }).find(({ key }) => key === 'road')?.value;
  expect(road([])).toBe('Country Road');
  expect(road(['de'])).toBe('Landstrasse');
});

test('a house name stands before the number, once', () => {
  const keys = (said: Said) => addressRows(placeOf({ ...HOUSE, ...said }), PLACES, PLAIN).slice(0, 2);
  expect(keys({ houseName: 'Zur Linde' })).toEqual([
    { key: 'house_name', value: 'Zur Linde' },
    { key: 'house_number', value: '33' },
  ]);
  expect(keys({ houseName: 'Zur Linde', names: { name: 'Zur Linde' } })).toEqual([
    { key: 'building', value: 'Zur Linde' },
    { key: 'house_number', value: '33' },
  ]);
});

test('an interpolated number is the one that was found', () => {
  const range = placeOf({
    ...HOUSE,
    houseNumber: '',
    category: 'place',
    type: 'house',
    houseRange: { start: 20, end: 28, step: 2 },
  });
  expect(addressRows(range, PLACES, { ...PLAIN, houseNumber: '24' })[0]).toEqual({ key: 'house_number', value: '24' });
});

test('a house with rows of its own has those, and the parent’s name', () => {
  const rows = addressRows(placeOf({ ...HOUSE, rows: [2, 1] }), PLACES, PLAIN);
  expect(rows.map(({ key }) => key)).toEqual([
    'house_number',
    'road',
    'state',
    'ISO3166-2-lvl4',
    'postcode',
    'country',
    'country_code',
  ]);
});

test('a house of a village without roads has the village for its parent, once', () => {
  const places = listOf(LAND, { ...VILLAGE, rows: [1] });
  const rows = addressRows(placeOf({ ...HOUSE, parent: 2, rows: [2, 1] }), places, PLAIN);
  expect(displayName(rows, [])).toBe('33, 9494 Schaan, Liechtenstein');
});

test('of two rows of one key the smaller place is kept', () => {
  const places = listOf({ ...VILLAGE, names: { name: 'Large' } }, { ...VILLAGE, names: { name: 'Small' } });
  const rows = addressRows(placeOf({ rows: [2, 1] }), places, PLAIN);
  expect(rows).toEqual([{ key: 'village', value: 'Small' }]);
});

test('names are in the language asked for where they have one', () => {
  const rows = addressRows(placeOf(HOUSE), PLACES, { ...PLAIN, languages: ['rm', 'fr'] });
  expect(displayName(rows, ['rm', 'fr'])).toBe('Landstrasse 33, 9494 Schaan-sur-Rhin, Oberland, Le Liechtenstein');
});

test('the country that was decided stands in place of the one among the rows', () => {
  const rows = addressRows(placeOf(HOUSE), PLACES, { ...PLAIN, country: { code: 'at', name: 'Österreich' } });
  expect(rows.slice(-2)).toEqual([
    { key: 'country', value: 'Österreich' },
    { key: 'country_code', value: 'at' },
  ]);
  expect(
    addressRows(placeOf({ ...LAND, countryCode: 'li' }), PLACES, {
      ...PLAIN,
      country: { code: 'li', name: 'Liechtenstein' },
    }),
  ).toEqual([
    { key: 'country', value: 'Liechtenstein' },
    { key: 'country_code', value: 'li' },
  ]);
});

test('what is not known has no row', () => {
  expect(addressRows(placeOf({}), PLACES, PLAIN)).toEqual([]);
});
