import { expect, test } from 'vitest';
import { crossingOf, degreeRowOf } from '../../src/geo/borders.ts';

test('an edge crosses a parallel between its ends and at the southern one', () => {
  const edges = Float64Array.of(10, 50, 20, 54);
  expect(crossingOf(edges, 0, 51)).toBe(12.5);
  expect(crossingOf(edges, 0, 50)).toBe(10);
  for (const latitude of [54, 55, 49]) expect(crossingOf(edges, 0, latitude)).toBeNaN();
  expect(crossingOf(Float64Array.of(0, 0, 0, 0, 20, 54, 10, 50), 4, 51)).toBe(12.5);
  expect(crossingOf(Float64Array.of(10, 50, 20, 50), 0, 50)).toBeNaN();
});

test('rows are degrees of latitude, with the north pole in the last', () => {
  expect([-90, -89.5, 0, 89.9, 90].map(degreeRowOf)).toEqual([0, 0, 90, 179, 179]);
});
