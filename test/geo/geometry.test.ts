import { expect, test } from 'vitest';
import { boxOf } from '../../src/geo/geometry.ts';

test('a box goes around all lines', () => {
  expect(boxOf([Int32Array.of(5, -7, -3, 9), Int32Array.of(0, 0)])).toEqual({ west: -3, south: -7, east: 5, north: 9 });
});
