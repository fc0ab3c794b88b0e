import { expect, test } from 'vitest';
import { distanceMetres, distanceMetresE7 } from '../../src/geo/distance.ts';
import { EARTH_RADIUS_METRES, METRES_PER_DEGREE } from '../../wasm/earth_constants.ts';

test('a degree of a meridian is as long as one of the equator', () => {
  expect(distanceMetres(50, 8, 51, 8)).toBeCloseTo(METRES_PER_DEGREE, 6);
  expect(distanceMetres(0, 8, 0, 9)).toBeCloseTo(METRES_PER_DEGREE, 6);
});

test(
  'half a great circle lies between opposite points, to within half a metre, and nothing between a point and ' +
    'itself',
  () => {
    expect(distanceMetres(40, 10, -40, -170)).toBeCloseTo(Math.PI * EARTH_RADIUS_METRES, 0);
    expect(distanceMetres(40, 10, 40, 10)).toBe(0);
  },
);

test('the antimeridian is no distance', () => {
  expect(distanceMetres(0, 179.5, 0, -179.5)).toBeCloseTo(METRES_PER_DEGREE, 6);
});

test('positions in degrees times 1e7 are as far from each other as in degrees', () => {
  expect(distanceMetresE7(471_234_567, 95_432_101, 471_300_000, 95_000_000)).toBeCloseTo(
    distanceMetres(47.1234567, 9.5432101, 47.13, 9.5),
    6,
  );
});
