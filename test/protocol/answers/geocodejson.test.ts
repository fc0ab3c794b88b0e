import { expect, test } from 'vitest';
import { shapeJson } from '../../../src/protocol/answers/geocodejson.ts';

/** A square ring, clockwise. */
const ring = (middle: number, half: number) =>
  Int32Array.of(
    ...[middle - half, -half, middle - half, half, middle + half, half, middle + half, -half, middle - half, -half].map(
      steps => steps * 1e7,
    ),
  );
const outline = (middle: number, half: number) => [
  [middle - half, -half],
  [middle + half, -half],
  [middle + half, half],
  [middle - half, half],
  [middle - half, -half],
];

test('a point is its position, a line its points', () => {
  expect(shapeJson({ kind: 'point' }, [9.5, 47])).toEqual({ type: 'Point', coordinates: [9.5, 47] });
  expect(shapeJson({ kind: 'line', coordinates: Int32Array.of(1e7, 2e7, 3e7, 4e7) }, [0, 0])).toEqual({
    type: 'LineString',
    coordinates: [
      [1, 2],
      [3, 4],
    ],
  });
});

test('an area is a polygon with its holes', () => {
  const hole = outline(0, 1).reverse();
  expect(shapeJson({ kind: 'area', rings: [ring(0, 3), ring(0, 1)] }, [0, 0])).toEqual({
    type: 'Polygon',
    coordinates: [outline(0, 3), hole],
  });
});

test('several areas, and an island in a hole, are polygons of their own', () => {
  const shape = shapeJson(
    { kind: 'area', rings: [ring(0, 3), ring(0, 2), ring(0, 1), ring(10, 3), ring(11, 1)] },
    [0, 0],
  );
  expect(shape).toEqual({
    type: 'MultiPolygon',
    coordinates: [
      [outline(0, 3), outline(0, 2).reverse()],
      [outline(0, 1)],
      [outline(10, 3), outline(11, 1).reverse()],
    ],
  });
});
