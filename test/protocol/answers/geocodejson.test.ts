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

test('a threshold leaves out points that are nearer to the line that is left', () => {
  const line = Int32Array.of(...[0, 0, 1, 0.2, 2, 0, 3, 2, 4, 0].map(degrees => degrees * 1e7));
  const pointsOf = (threshold: number) =>
    shapeJson({ kind: 'line', coordinates: line }, [0, 0], threshold).coordinates.length;
  expect([0, 0.1, 0.21, 1.9, 3].map(pointsOf)).toEqual([5, 5, 4, 3, 2]);
});

test('a ring keeps three corners, however large the threshold', () => {
  const corners = [0, 0, 4, 0, 5, 0.5, 4, 1, 0, 1, 0, 0].map(degrees => degrees * 1e7);
  const ringsOf = (threshold: number) =>
    shapeJson({ kind: 'area', rings: [Int32Array.from(corners)] }, [0, 0], threshold).coordinates as unknown[][];
  expect(ringsOf(0.6)[0].length).toBeLessThan(6);
  for (const threshold of [0.6, 2, 90, Number.MAX_VALUE]) {
    const [ring] = ringsOf(threshold);
    expect([ring.length >= 4, ring[0]]).toEqual([true, ring.at(-1)]);
  }
});
