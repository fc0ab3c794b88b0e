import { expect, test } from 'vitest';
import { distanceMetres } from '../../src/geo/distance.ts';
import { apart, degreesOf, localMetres, planeUnitsOf, turnOf } from '../../src/geo/plane.ts';

test('the antimeridian is one line, whichever way it is named', () => {
  expect(planeUnitsOf(180)).toBe(planeUnitsOf(-180));
  expect(planeUnitsOf(179.9999999)).toBe(1_799_999_999);
  expect(degreesOf(1_800_000_001)).toBe(-179.9999999);
  expect(degreesOf(-1_800_000_001)).toBe(179.9999999);
  expect(apart(1_799_999_999, 4, -1_799_999_998, 0)).toBe(5);
});

test('a search turns to the other end only when that is within reach', () => {
  expect(turnOf(1_799_999_990, 11)).toBe(-3_600_000_000);
  expect(turnOf(-1_799_999_990, 11)).toBe(3_600_000_000);
  expect(turnOf(1_799_999_990, 10)).toBe(0);
});

test('over a kilometre it is the distance on the globe, to the metre', () => {
  const origin = { latitude: 60, longitude: 10 };
  const point = { latitude: 60.006, longitude: 9.99 };
  const { eastMetres, northMetres } = localMetres(origin, point);
  expect(Math.hypot(eastMetres, northMetres)).toBeCloseTo(distanceMetres(60, 10, 60.006, 9.99), 0);
  expect([eastMetres < 0, northMetres > 0, localMetres(origin, origin)]).toEqual([
    true,
    true,
    { eastMetres: 0, northMetres: 0 },
  ]);
});
