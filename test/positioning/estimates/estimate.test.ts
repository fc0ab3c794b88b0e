import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { radiusFactor, shareWithin } from '../../../src/positioning/estimates/estimate.ts';

const step = fc.double({ min: 1, max: 8, noNaN: true });
const tail = fc.tuple(step, step).map(([at68, more]) => ({ at68, at95: at68 * more }));
const share = fc.double({ min: 50, max: 99, noNaN: true });

test('half of the truths need the radius unchanged', () => {
  fc.assert(
    fc.property(tail, own => {
      expect(radiusFactor(50, own)).toBe(1);
    }),
  );
});

test('more of the truths need a larger radius, without a jump', () => {
  fc.assert(
    fc.property(tail, share, share, (own, a, b) => {
      const [less, more] = a < b ? [a, b] : [b, a];
      expect(radiusFactor(less, own)).toBeLessThanOrEqual(radiusFactor(more, own));
      expect(radiusFactor(less, own)).toBeCloseTo(radiusFactor(Math.min(99, less + 1e-7), own), 4);
    }),
  );
});

test('the two shares of the tail need the factors of the tail', () => {
  fc.assert(
    fc.property(tail, own => {
      expect(radiusFactor(68, own)).toBeCloseTo(own.at68, 9);
      expect(radiusFactor(95, own) / own.at95).toBeCloseTo(1, 9);
    }),
  );
});

describe('the radius of a tail', () => {
  // r(c) = (-ln(1 - c) / ln 2)^power holds the share c of a Weibull distribution; a Gaussian has the power 1/2.
  test.each([
    ['of a Gaussian', 0.5],
    ['of an exponential distribution', 1],
    ['heavier than both', 1.4],
  ])('%s holds its share', (_, power) => {
    const radius = (percent: number) => (-Math.log2(1 - percent / 100)) ** power;
    const own = { at68: radius(68), at95: radius(95) };
    for (const percent of [50, 55, 68, 80, 95, 99]) expect(radiusFactor(percent, own)).toBeCloseTo(radius(percent), 9);
  });
});

test('the share within a radius is the inverse of the radius of a share', () => {
  fc.assert(
    fc.property(tail, share, (own, percent) => {
      // Where the truths all have one distance there is no inverse.
      fc.pre(own.at68 > 1.001 && own.at95 > own.at68 * 1.001);
      expect(shareWithin(radiusFactor(percent, own), own) * 100).toBeCloseTo(percent, 6);
    }),
  );
});

test('the share within a radius grows from none to all', () => {
  const factor = fc.double({ min: 0, max: 100, noNaN: true });
  fc.assert(
    fc.property(tail, factor, factor, (own, a, b) => {
      const [near, far] = a < b ? [a, b] : [b, a];
      expect(shareWithin(near, own)).toBeLessThanOrEqual(shareWithin(far, own));
      expect(shareWithin(0, own)).toBe(0);
      expect(shareWithin(1e9, own)).toBeGreaterThan(0.95);
    }),
  );
});

test('half of the truths lie within the radius, also where all have one distance', () => {
  expect(shareWithin(1, { at68: 1.3, at95: 2.1 })).toBeCloseTo(0.5, 12);
  const ring = { at68: 1, at95: 1 };
  expect([1 - 1e-9, 1, 1 + 1e-9].map(factor => shareWithin(factor, ring))).toEqual([0, 0.5, 1]);
});
