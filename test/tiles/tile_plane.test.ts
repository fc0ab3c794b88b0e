import { expect, test } from 'vitest';
import { unitsOf } from '../../src/geo/units.ts';
import { EXTENT, isInTile, TilePlane, ZOOM_MAX } from '../../src/tiles/tile_plane.ts';
import { uniform } from '../kits/random.ts';

const RADIANS = Math.PI / 180;

test('the tile of the world has the equator and the first meridian in its middle, and ends at 85.05 degrees', () => {
  const plane = new TilePlane({ z: 0, x: 0, y: 0 });
  expect([plane.x(0), plane.y(0)]).toEqual([EXTENT / 2, EXTENT / 2]);
  expect(plane.x(unitsOf(-180))).toBe(0);
  expect(plane.y(unitsOf(85.0511287798066))).toBeCloseTo(0, 4);
  expect(plane.y(unitsOf(-85.0511287798066))).toBeCloseTo(EXTENT, 4);
});

test('a place is where the formula of slippy maps has it, at every zoom, and in one tile only', () => {
  const random = uniform(1);
  for (let n = 0; n < 500; n++) {
    // At zoom 18 a unit is a third of a coordinate, near the poles several.
    const [latitude, longitude] = [random() * 170 - 85, random() * 360 - 180].map(each => unitsOf(each) / 1e7);
    const z = Math.floor(random() * (ZOOM_MAX + 1));
    const column = ((longitude + 180) / 360) * 2 ** z;
    const row = ((1 - Math.asinh(Math.tan(latitude * RADIANS)) / Math.PI) / 2) * 2 ** z;
    const numbers = { z, x: Math.floor(column), y: Math.floor(row) };
    const plane = new TilePlane(numbers);
    const [x, y] = [plane.x(unitsOf(longitude)), plane.y(unitsOf(latitude))];
    expect(x).toBeCloseTo((column - numbers.x) * EXTENT, 0);
    expect(y).toBeCloseTo((row - numbers.y) * EXTENT, 0);
    expect(isInTile(x, y)).toBe(true);
    expect(isInTile(new TilePlane({ ...numbers, x: numbers.x + 1 }).x(unitsOf(longitude)), y)).toBe(false);
    const { west, south, east, north } = plane.box;
    expect(unitsOf(longitude) >= west && unitsOf(longitude) <= east).toBe(true);
    expect(unitsOf(latitude) >= south && unitsOf(latitude) <= north).toBe(true);
  }
});
