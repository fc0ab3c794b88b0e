import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Polygon } from '../../src/geo/polygon.ts';

/** The rule itself, over all edges. */
function isInside(rings: readonly Int32Array[], x: number, y: number): boolean {
  let crossings = 0;
  for (const ring of rings) {
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const [x0, y0, x1, y1] = ring.subarray(i, i + 4);
      if (y0 > y !== y1 > y && x < x0 + ((x1 - x0) * (y - y0)) / (y1 - y0)) crossings++;
    }
  }
  return crossings % 2 === 1;
}

const SQUARE = Int32Array.of(0, 0, 100, 0, 100, 100, 0, 100, 0, 0);
const HOLE = Int32Array.of(40, 40, 60, 40, 60, 60, 40, 60, 40, 40);

test('a point is inside of the ring and outside of its hole', () => {
  const polygon = new Polygon([SQUARE, HOLE]);
  expect(polygon.contains(20, 50)).toBe(true);
  expect(polygon.contains(50, 50)).toBe(false);
  expect(polygon.contains(101, 50)).toBe(false);
  expect(polygon.contains(50, -1)).toBe(false);
  expect(polygon.boxSize).toBe(10_000);
});

test('bands give the answer of all edges', () => {
  const coordinate = fc.integer({ min: -50, max: 50 });
  const ring = fc
    .array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 60 })
    .map(points => Int32Array.from([...points, points[0]].flat()));
  fc.assert(
    fc.property(fc.array(ring, { minLength: 1, maxLength: 3 }), coordinate, coordinate, (rings, x, y) => {
      expect(new Polygon(rings).contains(x, y)).toBe(isInside(rings, x, y));
    }),
    { seed: 5, numRuns: 500 },
  );
});
