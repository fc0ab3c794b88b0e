import { expect, test } from 'vitest';
import { boxOf, isInBox } from '../../src/geo/box.ts';

test('a box goes around all lines', () => {
  expect(boxOf([Int32Array.of(5, -7, -3, 9), Int32Array.of(0, 0)])).toEqual({ west: -3, south: -7, east: 5, north: 9 });
});

test('a box holds its edges', () => {
  const box = { west: -3, south: -7, east: 5, north: 9 };
  for (const [x, y] of [
    [0, 0],
    [-3, 0],
    [5, 9],
    [0, -7],
  ])
    expect(isInBox(box, x, y)).toBe(true);
  for (const [x, y] of [
    [-4, 0],
    [6, 0],
    [0, -8],
    [0, 10],
    [Number.NaN, 0],
    [0, Number.NaN],
  ])
    expect(isInBox(box, x, y)).toBe(false);
});
