import { expect, test } from 'vitest';
import { OSM_NONE, OSM_WAY } from '../../../src/tables/places/place.ts';
import { decodePlace, encodePlace } from '../../../src/tables/places/place_record.ts';
import { drawnPlace } from '../../kits/places/numbered_houses.ts';

const FULL = drawnPlace({
  osmType: OSM_WAY,
  osmId: 13_000_000_001,
  category: 'building',
  type: 'yes',
  searchRank: 30,
  addressRank: 28,
  importance: 0.123456789,
  latitude: -47.1234567,
  longitude: 179.9999999,
  south: -47.2,
  north: -47.1,
  west: 179.9,
  east: 180,
  names: {
    name: 'Haus "Zur Sonne"',
    'name:ar': 'بيت',
    'name:ja': '家',
    alt_name: 'a;b',
    ref: '',
    'name:long': 'Straße '.repeat(40),
  },
  tags: { website: 'https://sonne.example', wikidata: 'Q42' },
  countryCode: 'nz',
  subdivisionCode: 'NZ-AUK',
  houseNumber: '33a–35',
  houseName: 'Große Mühle',
  postcode: '9490',
  linkedPlace: 'village',
  isAddressInherited: true,
  parent: 4_294_967_295,
  rows: [5, 4, 3_000_000_000, 1],
  houseRange: { start: 1, end: 999_999, step: 2 },
});

test('what is encoded is decoded again, in the order of its names', () => {
  const place = decodePlace(encodePlace(FULL));
  expect(place).toEqual(FULL);
  expect(Object.keys(place.names)).toEqual(Object.keys(FULL.names));
});

test('what a place does not have takes no room and comes back empty', () => {
  const bare = drawnPlace({
    osmType: OSM_NONE,
    osmId: 0,
    category: '',
    type: '',
    searchRank: 0,
    addressRank: 0,
    latitude: 0,
    longitude: 0,
    countryCode: '',
  });
  expect(decodePlace(encodePlace(bare))).toEqual(bare);
  expect(encodePlace(bare).length).toBeLessThan(24);
});

test.each([
  [-179.8, 179.6, -179.6],
  [179.8, 179.6, -179.6],
  [-179.8, -180, 179.9999],
  [10, -180, 180],
  [180, -180, -179.9],
])('the box of a place at %d goes from %d to %d', (longitude, west, east) => {
  expect(decodePlace(encodePlace(drawnPlace({ longitude, west, east })))).toMatchObject({ longitude, west, east });
});

test('positions are kept to a centimetre', () => {
  const { latitude, longitude, east } = decodePlace(
    encodePlace(drawnPlace({ latitude: 47.12345678, longitude: 9.98765432, east: 9.99999999 })),
  );
  expect([latitude, longitude, east]).toEqual([47.1234568, 9.9876543, 10]);
});

test('nothing of a decoded place is a view of its bytes', () => {
  const bytes = encodePlace(FULL);
  const place = decodePlace(bytes);
  bytes.fill(0);
  expect(place).toEqual(FULL);
});

test('a record that is cut anywhere is an error or a place, and never made up beyond its end', () => {
  const bytes = encodePlace(FULL);
  let refused = 0;
  for (let length = 0; length < bytes.length; length++) {
    try {
      decodePlace(bytes.slice(0, length));
    } catch (error) {
      refused++;
      expect((error as Error).message).toMatch(/^The record of a place is damaged: .*\.$/);
    }
  }
  expect(refused).toBeGreaterThan(bytes.length - 40);
});

test.each([
  [{ latitude: 91 }, 'it has no position on the globe'],
  [{ searchRank: 31 }, 'its rank is above 30'],
  [{ osmType: 4 as never }, 'its type of object 4 is none'],
  [{ osmId: 1.5 }, 'its object has no whole number'],
  [{ importance: Number.NaN }, 'its importance is no number'],
])('a place that cannot be is refused: %o', (given, reason) => {
  expect(() => decodePlace(encodePlace(drawnPlace(given)))).toThrow(`The record of a place is damaged: ${reason}.`);
});
