import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { radiusFactor } from '../../../src/positioning/estimates/confidence.ts';

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
