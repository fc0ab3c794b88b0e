import { expect, test } from 'vitest';
import { ByteWriter } from '../../../../src/geocoding/index/varint.ts';
import { findHouses, type House, HouseWriter } from '../../../../src/geocoding/search/word_index/houses.ts';

const PLAIN: House = { place: 1, postcode: -1, number: '5', isInRange: false, isPlain: true };
const NO_POSTCODES = new Set<number>();

function placesOf(houses: readonly House[], number: string, postcodes: ReadonlySet<number> = NO_POSTCODES): number[] {
  const writer = new HouseWriter(new ByteWriter());
  for (const house of houses) writer.house(house);
  return findHouses(writer.take(), number, postcodes).map(({ place }) => place);
}

test('the very number goes before one inside of a range, a house before a shop', () => {
  const houses = [
    { ...PLAIN, isInRange: true },
    { ...PLAIN, place: 2, isPlain: false },
    { ...PLAIN, place: 3 },
    { ...PLAIN, place: 4, number: '5a' },
  ];
  expect(placesOf(houses, '5')).toEqual([3, 2, 1]);
  expect(placesOf(houses, '7')).toEqual([]);
});

test('the postcode of the question decides between houses of one number', () => {
  const houses = [
    { ...PLAIN, postcode: 7 },
    { ...PLAIN, place: 2, postcode: 8, isPlain: false },
  ];
  expect(placesOf(houses, '5', new Set([8]))).toEqual([2, 1]);
});

test('a line holds the numbers of its step, each at its share of the length', () => {
  const writer = new HouseWriter(new ByteWriter());
  const coordinates = Int32Array.of(-10_000_000, 20_000_000, -10_000_000, 20_030_000, -9_990_000, 20_030_000);
  writer.line({ place: 9, postcode: -1, range: { start: 10, end: 18, step: 2 }, coordinates });
  const bytes = writer.take();
  const [hit] = findHouses(bytes, '16', NO_POSTCODES);
  expect(hit).toMatchObject({ place: 9, houseNumber: '16' });
  expect([hit.latitude, hit.longitude]).toEqual([2.003, -1]);
  expect(findHouses(bytes, '10', NO_POSTCODES)[0].latitude).toBe(2);
  expect(findHouses(bytes, '18', NO_POSTCODES)[0].longitude).toBe(-0.999);
  for (const number of ['8', '20', '15', '16a', '']) expect(findHouses(bytes, number, NO_POSTCODES)).toEqual([]);
});

test('a line of one number is a point', () => {
  const writer = new HouseWriter(new ByteWriter());
  writer.line({
    place: 9,
    postcode: -1,
    range: { start: 7, end: 7, step: 1 },
    coordinates: Int32Array.of(10_000_000, 20_000_000),
  });
  expect(findHouses(writer.take(), '7', NO_POSTCODES)[0]).toMatchObject({
    latitude: 2,
    longitude: 1,
    houseNumber: '7',
  });
});
