import { describe, expect, test } from 'vitest';
import { centreOf, middleOf } from '../../src/geo/centre.ts';

describe('the middle of a line', () => {
  test('is half-way along it', () => {
    expect(middleOf(Int32Array.of(0, 0, 100, 0, 100, 300))).toEqual([100, 100]);
  });

  test('does not mind repeated points', () => {
    expect(middleOf(Int32Array.of(0, 0, 0, 0, 100, 0, 100, 0))).toEqual([50, 0]);
    expect(middleOf(Int32Array.of(7, 8, 7, 8))).toEqual([7, 8]);
  });
});

describe('the centre of an area', () => {
  test('is its centroid', () => {
    expect(centreOf([Int32Array.of(0, 0, 300, 0, 0, 300, 0, 0)])).toEqual([100, 100]);
  });

  test('is that of what is left around a hole', () => {
    // The hole takes the right half of a square of 100, but for its edges.
    const rings = [
      Int32Array.of(0, 0, 100, 0, 100, 100, 0, 100, 0, 0),
      Int32Array.of(50, 10, 50, 90, 90, 90, 90, 10, 50, 10),
    ];
    expect(centreOf(rings)).toEqual([Math.round((10_000 * 50 - 3_200 * 70) / 6_800), 50]);
  });

  test('is inside where the centroid is not', () => {
    // A horseshoe that is open to the east.
    const ring = Int32Array.of(0, 0, 100, 0, 100, 10, 10, 10, 10, 90, 100, 90, 100, 100, 0, 100, 0, 0);
    expect(centreOf([ring])).toEqual([5, 50]);
  });

  test('of several parts is inside the largest where none is half-way', () => {
    const square = (south: number, side: number) =>
      Int32Array.of(0, south, side, south, side, south + side, 0, south + side, 0, south);
    expect(centreOf([square(0, 100), square(1000, 60)])).toEqual([50, 50]);
  });

  test('of an area without width is one of its points', () => {
    expect(centreOf([Int32Array.of(5, 7, 50, 7, 20, 7, 5, 7)])).toEqual([5, 7]);
  });
});
