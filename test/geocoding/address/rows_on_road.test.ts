import { expect, test } from 'vitest';
import { rowsOnRoad } from '../../../src/geocoding/address/rows_on_road.ts';
import { box, DrawnPlaces } from '../../kits/places/spots.ts';

const STEP = 0.0001;

/**
 * A county with a western and an eastern municipality, a village in the western one, and a road from there to the east.
 */
function draw() {
  const map = new DrawnPlaces([47, 9]);
  const county = map.region([box(0, 0, 200, 100)], 'County', 12);
  const west = map.region([box(0, 0, 100, 100)], 'West', 16);
  const east = map.region([box(100, 0, 200, 100)], 'East', 16);
  const village = map.node([60, 50], 'Village', 20);
  const road = map.place(map.road([50, 50, 400, 50], 'Long Road', { rows: [village, west, county] }));
  const rowsAt = (steps: number) => rowsOnRoad(road, map.spatialIndex(), map, 47 + 50 * STEP, 9 + steps * STEP);
  return { road, county, west, east, village, rowsAt };
}

test('where its rows hold a point, a road has them', () => {
  const { road, rowsAt } = draw();
  expect(rowsAt(90)).toBe(road.rows);
});

test('behind the border the road has the other municipality, and no village of the first', () => {
  const { county, east, rowsAt } = draw();
  expect(rowsAt(110)).toEqual([east, county]);
});

test('where nothing is known around the point, nothing is said', () => {
  expect(draw().rowsAt(300)).toEqual([]);
});
