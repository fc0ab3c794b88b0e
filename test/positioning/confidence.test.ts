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

test('the tail is at least that of a Gaussian, and ends somewhere', () => {
  fc.assert(
    fc.property(sources, share, (bits, percent) => {
      const gaussian = Math.sqrt(-Math.log2(1 - percent / 100));
      const factor = radiusFactor(percent, bits);
      expect(factor).toBeGreaterThanOrEqual(gaussian - 1e-9);
      expect(factor).toBeLessThanOrEqual(gaussian * 7);
    }),
  );
});

describe('the radius', () => {
  test.each([
    ['fixes', SOURCE_GPS, 1.33, 2.57],
    ['access points', SOURCE_WIFI, 1.42, 3.67],
    ['beacons', SOURCE_BLUETOOTH, 1.42, 3.67],
    ['cells', SOURCE_CELL, 1.53, 5.92],
  ])('of %s', (_, source, at68, at95) => {
    expect(radiusFactor(68, source)).toBeCloseTo(at68, 2);
    expect(radiusFactor(95, source)).toBeCloseTo(at95, 2);
  });

  test('of several sources is that of the lightest tail', () => {
    expect(radiusFactor(95, SOURCE_CELL | SOURCE_GPS)).toBe(radiusFactor(95, SOURCE_GPS));
    expect(radiusFactor(95, SOURCE_CELL | SOURCE_WIFI | SOURCE_BLUETOOTH)).toBeLessThan(radiusFactor(95, SOURCE_CELL));
  });

  test.each([
    ['fixes', SOURCE_GPS, 6],
    ['access points', SOURCE_WIFI, 2.5],
    ['cells', SOURCE_CELL, 1.5],
  ])('of %s holds its share of a Gaussian whose precision is drawn from a gamma distribution', (_, source, freedom) => {
    let [near, far] = [0, 10];
    while (far - near > 1e-6) {
      const middle = (near + far) / 2;
      if (shareWithin(middle, freedom) < 0.5) near = middle;
      else far = middle;
    }
    for (const percent of [50, 60, 68, 80, 95, 99]) {
      expect(100 * shareWithin(near * radiusFactor(percent, source), freedom)).toBeCloseTo(percent, 2);
    }
  });
});

/** Student's t as it is defined: the share within `radius`, summed over precisions u^4, whose density has no pole in u. */
function shareWithin(radius: number, freedom: number): number {
  let [inside, all] = [0, 0];
  for (let u = 0.0005; u < 3.5; u += 0.001) {
    const precision = u ** 4;
    const density = precision ** (freedom / 2 - 1) * Math.exp((-freedom / 2) * precision) * u ** 3;
    all += density;
    inside += density * (1 - Math.exp((-radius * radius * precision) / 2));
  }
  return inside / all;
}
