import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { radiusFactor } from '../../src/positioning/confidence.ts';
import { SOURCE_BLUETOOTH, SOURCE_CELL, SOURCE_GPS, SOURCE_WIFI } from '../../wasm/layout.ts';

const SOURCES = [SOURCE_WIFI, SOURCE_BLUETOOTH, SOURCE_CELL, SOURCE_GPS];
const sources = fc.integer({ min: 1, max: 15 });
const share = fc.double({ min: 50, max: 99, noNaN: true });

test('half of the truths need the radius as it is', () => {
  for (let bits = 1; bits <= 15; bits++) expect(radiusFactor(50, bits)).toBe(1);
});

test('more of the truths need a larger radius, without a jump at one half', () => {
  fc.assert(
    fc.property(sources, share, share, (bits, a, b) => {
      const [less, more] = a < b ? [a, b] : [b, a];
      expect(radiusFactor(less, bits)).toBeLessThanOrEqual(radiusFactor(more, bits));
    }),
  );
  for (const source of SOURCES) expect(radiusFactor(50.0001, source)).toBeCloseTo(1, 4);
});

test('the tail is at least that of a Gaussian, and no more than three times as long', () => {
  fc.assert(
    fc.property(sources, share, (bits, percent) => {
      const gaussian = Math.sqrt(-Math.log2(1 - percent / 100));
      const factor = radiusFactor(percent, bits);
      expect(factor).toBeGreaterThanOrEqual(gaussian - 1e-9);
      expect(factor).toBeLessThanOrEqual(gaussian * 4);
    }),
  );
});

describe('the radius', () => {
  test.each([['cells', SOURCE_CELL, 1.46, 4.36]])('of %s', (_, source, at68, at95) => {
    expect(radiusFactor(68, source)).toBeCloseTo(at68, 2);
    expect(radiusFactor(95, source)).toBeCloseTo(at95, 2);
  });

  test('of several sources is that of the lightest tail', () => {
    expect(radiusFactor(95, SOURCE_CELL | SOURCE_GPS)).toBe(radiusFactor(95, SOURCE_GPS));
    expect(radiusFactor(95, SOURCE_CELL | SOURCE_WIFI | SOURCE_BLUETOOTH)).toBeLessThan(radiusFactor(95, SOURCE_CELL));
  });

  test('holds its share of errors drawn with that tail', () => {
    // Student's t with 2 degrees of freedom in the plane, for cells: a Gaussian over the root of an exponential.
    const radii: number[] = [];
    for (let i = 0; i < 20_000; i++) {
      const [u, v] = [((i * 7919 + 0.5) % 20_000) / 20_000, (i + 0.5) / 20_000];
      radii.push(Math.sqrt(Math.log(u) / Math.log(v)));
    }
    const half = radii.toSorted((a, b) => a - b)[10_000];
    for (const percent of [50, 68, 80, 95, 99]) {
      const inside = radii.filter(radius => radius <= half * radiusFactor(percent, SOURCE_CELL)).length / 200;
      expect(Math.abs(inside - percent)).toBeLessThan(1);
    }
  });
});
