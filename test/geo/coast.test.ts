import { expect, test } from 'vitest';
import { isAtSea as isAtSeaOf, loadCoasts } from '../../src/geo/coast.ts';
import { countryAt } from '../../src/geo/country.ts';

const coasts = loadCoasts();
const isAtSea = (latitude: number, longitude: number): boolean => isAtSeaOf(coasts, latitude, longitude);

test.each([
  ['Paris', 48.85, 2.35],
  ['the middle of Siberia', 65, 100],
  ['an island', 35.9, 14.45],
  ['a great lake', -1, 33],
  ['east of the antimeridian', 65, -179.9],
  ['the ice of Greenland', 75, -40],
  ['the South Pole', -90, 0],
  ['the north of Siberia', 67, 100],
  ['the inland of Canada north of the Arctic Circle', 67.33, -132.5],
  ['Lapland', 68, 26],
  ['the ice of Greenland, as far north as Wrangel Island', 71.03, -40.76],
  ['Taymyr, as far north as Wrangel Island', 71.4, 100],
])('%s is not at sea', (_, latitude, longitude) => {
  expect(isAtSea(latitude, longitude)).toBe(false);
});

test.each([
  ['the North Sea', 54, 4],
  ['the North Pole', 90, 0],
  ['the Pacific', 0, -150],
  ['the Caspian Sea', 42, 50.5],
  ['the Norwegian Sea, as far north as Chukotka ends', 68.985, -5],
  ['the Pacific, as far south as Fiji', -16.54, -100],
])('%s is at sea', (_, latitude, longitude) => {
  expect(isAtSea(latitude, longitude)).toBe(true);
});

test('the sea begins twelve nautical miles off the coast, though the country goes on', () => {
  // Off Cape St. Vincent the coast runs at 37.02 degrees north, 9.0 west, and there is only ocean to the west of it.
  const milesWest = (miles: number): readonly [number, number] => [
    37.023,
    -8.997 - miles / 60 / Math.cos((37.023 * Math.PI) / 180),
  ];
  expect([0, 5, 11].map(miles => isAtSea(...milesWest(miles)))).toEqual([false, false, false]);
  expect([13, 20].map(miles => isAtSea(...milesWest(miles)))).toEqual([true, true]);
  expect(countryAt(...milesWest(20))).toBe('PT');
});

test('near the antimeridian the coast on its other side counts', () => {
  // Wrangel Island lies across it.
  expect([-179.99, 179.99].map(longitude => isAtSea(71.2, longitude))).toEqual([false, false]);
  // East of the islands of Fiji it is 16 kilometres to the coast at 180 degrees, and then 43.
  expect([179.6, -179.85, -179.6].map(longitude => isAtSea(-16.5, longitude))).toEqual([false, false, true]);
});

test('every land is closed: no parallel crosses an odd number of coasts', () => {
  const { points, edges, rows } = coasts;
  for (let latitude = -59.987; latitude < 84; latitude += 0.05) {
    const row = Math.floor(latitude) + 90;
    let crossed = 0;
    for (let i = rows[row]; i < rows[row + 1]; i++) {
      const at = 2 * edges[i];
      if (points[at + 1] > latitude !== points[at + 3] > latitude) crossed++;
    }
    expect(crossed % 2, `at ${latitude}`).toBe(0);
  }
});
