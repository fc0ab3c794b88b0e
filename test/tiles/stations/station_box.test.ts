// Stations in a box, against a look at each of them.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { worldPointOf } from '../../../src/tiles/stations/place_order.ts';
import { stationsInBox } from '../../../src/tiles/stations/station_box.ts';
import { StationColumns } from '../../../src/tiles/stations/station_columns.ts';

const ABOUT = { lastSeenDay: 0, source: 0, logSamples: 0, isUsed: true, radio: 0 };

function columnsOf(places: readonly (readonly [latitude: number, longitude: number])[]): StationColumns {
  const columns = new StationColumns(2, places.length);
  places.forEach(([latitude, longitude], i) => {
    columns.add(worldPointOf(latitude, longitude), ABOUT, Uint8Array.of(i >> 8, i), 0);
  });
  for (const _ of columns.sortInSteps());
  return columns;
}

const near = (middle: number) => fc.double({ min: middle - 0.02, max: middle + 0.02, noNaN: true });

test('are those that are in it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(near(47), near(9)), { maxLength: 200 }),
      fc.tuple(near(47), near(47)),
      fc.tuple(near(9), near(9)),
      (places, latitudes, longitudes) => {
        const [south, north] = latitudes.toSorted((a, b) => a - b);
        const [west, east] = longitudes.toSorted((a, b) => a - b);
        const columns = columnsOf(places);
        const found = [...stationsInBox(columns, { south, north, west, east })].map(at => columns.keyOf(at).toString());
        // The index rounds to a centimetre.
        const margin = 1e-6;
        const isIn = ([latitude, longitude]: readonly [number, number], by: number) =>
          latitude > south - by && latitude < north + by && longitude > west - by && longitude < east + by;
        const keys = (by: number) => places.flatMap((place, i) => (isIn(place, by) ? [`${i >> 8},${i & 255}`] : []));
        expect(new Set(found).size).toBe(found.length);
        expect(keys(margin)).toEqual(expect.arrayContaining(found));
        expect(found).toEqual(expect.arrayContaining(keys(-margin)));
      },
    ),
    { seed: 7, numRuns: 200 },
  );
});

test('at the edges of the world, and at a point', () => {
  const places = [
    [85, 180],
    [-85, -180],
    [89, 0],
    [0, 0],
  ] as const;
  const columns = columnsOf(places);
  const count = (south: number, west: number, north: number, east: number) =>
    [...stationsInBox(columns, { south, west, north, east })].length;
  expect([count(-90, -180, 90, 180), count(0, 0, 0, 0), count(-85, -180, -84.9, -179.9), count(1, 1, 1, 1)]).toEqual([
    4, 1, 1, 0,
  ]);
});
