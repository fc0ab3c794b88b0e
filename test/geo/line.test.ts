import { expect, test } from 'vitest';
import {
  cutLine,
  lengthOf,
  lengthsOf,
  measure,
  type NearPoint,
  pointAlong,
  reverseLine,
  shareNearest,
} from '../../src/geo/line.ts';

const ANGLE = Int32Array.of(0, 0, 100, 0, 100, 100);

function nearOf(coordinates: Int32Array, first: number, last: number, x: number, y: number): NearPoint {
  const near = { square: 0, x: 0, y: 0, point: 0, share: 0 };
  measure(coordinates, first, last, x, y, near);
  return near;
}

test('the nearest point is on the line, also of a place beyond its ends', () => {
  expect(nearOf(ANGLE, 0, 2, 50, 10)).toEqual({ square: 100, x: 50, y: 0, point: 0, share: 0.5 });
  expect(nearOf(ANGLE, 0, 2, -3, -4)).toEqual({ square: 25, x: 0, y: 0, point: 0, share: 0 });
  expect(nearOf(ANGLE, 0, 1, 100, 50).square).toBe(2500);
  expect(nearOf(Int32Array.of(5, 5, 5, 5), 0, 1, 8, 9).square).toBe(25);
  expect(nearOf(Int32Array.of(5, 5), 0, 0, 8, 9)).toEqual({ square: 25, x: 5, y: 5, point: 0, share: 0 });
});

test('the nearest point of a segment is between its ends or one of them', () => {
  expect(shareNearest(-30, 7, 100, 0)).toBe(0.3);
  expect(shareNearest(10, 7, 100, 0)).toBe(0);
  expect(shareNearest(-200, 7, 100, 0)).toBe(1);
  expect(shareNearest(3, 4, 0, 0)).toBe(0);
});

test('a point is so far along a stretch of a line, at the most at its end', () => {
  expect(lengthOf(ANGLE, 0, 4)).toBe(200);
  expect(lengthOf(ANGLE, 2, 4)).toBe(100);
  expect([0, 30, 150, 999].map(distance => pointAlong(ANGLE, 0, 4, distance))).toEqual([
    [0, 0],
    [30, 0],
    [100, 50],
    [100, 100],
  ]);
  expect(pointAlong(ANGLE, 2, 4, 50)).toEqual([100, 50]);
  expect(pointAlong(ANGLE, 4, 4, 50)).toEqual([100, 100]);
});

test('lengths add up along the line', () => {
  expect([...lengthsOf(ANGLE)]).toEqual([0, 100, 200]);
});

test('a line is cut at fractions of its length', () => {
  expect([...cutLine(ANGLE, 0.25, 0.75)]).toEqual([50, 0, 100, 0, 100, 50]);
  expect([...cutLine(ANGLE, 0, 1)]).toEqual([0, 0, 100, 0, 100, 100]);
  expect([...cutLine(ANGLE, 0.5, 0.5)]).toEqual([100, 0]);
});

test('a line reversed begins at its end', () => {
  expect([...reverseLine(ANGLE)]).toEqual([100, 100, 100, 0, 0, 0]);
});
