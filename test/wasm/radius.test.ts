import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fusion } from '../../src/core/fusion.ts';
import { instantiateCore } from '../../src/core/instantiate.ts';
import { normal, uniform } from '../kits/random.ts';

const fusion = new Fusion(instantiateCore());

function radiusOf(xx: number, xy: number, yy: number, p: number): number {
  return fusion.radius(xx, xy, yy, p);
}

/** Share of a Gaussian with standard deviations a and b within r, by a fine midpoint sum over its polar angle. */
function shareWithin(a: number, b: number, r: number): number {
  const steps = 4000;
  let share = 0;
  for (let k = 0; k < steps; k++) {
    const u = ((k + 0.5) * Math.PI) / 2 / steps;
    share += 1 - Math.exp((-0.5 * r * r) / ((a * Math.cos(u)) ** 2 + (b * Math.sin(u)) ** 2));
  }
  return share / steps;
}

test('a circle has the closed form', () => {
  for (const p of [0.01, 0.5, 0.68, 0.95, 0.999])
    expect(radiusOf(100, 0, 100, p)).toBeCloseTo(10 * Math.sqrt(-2 * Math.log(1 - p)), 9);
  expect(radiusOf(1, 0, 1, 0.5)).toBeCloseTo(1.177410022515475, 12);
});

test('on a line it is the quantile of the absolute normal', () => {
  expect(radiusOf(1, 0, 0, 0.5) / 0.674489750196).toBeCloseTo(1, 3);
  expect(radiusOf(0, 0, 1, 0.95) / 1.95996398454).toBeCloseTo(1, 3);
  expect(radiusOf(1, 0, 0, 0.05) / 0.062706777943).toBeCloseTo(1, 3);
});

test('the radius holds its share, at any elongation, to within 1 %', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0.01, max: 0.999, noNaN: true }),
      (b, p) => {
        const r = radiusOf(1, 0, b * b, p);
        expect(shareWithin(1, b, 0.99 * r)).toBeLessThan(p);
        expect(shareWithin(1, b, 1.01 * r)).toBeGreaterThan(p);
      },
    ),
    { seed: 1, numRuns: 300 },
  );
});

test('drawn points lie inside as often as promised', () => {
  const noise = normal(uniform(1));
  // x = 30 g, y = 12 g + 5 h: covariance 900, 360, 169.
  const r = radiusOf(900, 360, 169, 0.5);
  let inside = 0;
  const draws = 40_000;
  for (let i = 0; i < draws; i++) {
    const [g, h] = [noise(), noise()];
    if (Math.hypot(30 * g, 12 * g + 5 * h) < r) inside++;
  }
  expect(Math.abs(inside / draws - 0.5)).toBeLessThan(0.01);
});

test('turning the Gaussian changes nothing', () => {
  const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
  const turned = radiusOf(400 * c * c + 25 * s * s, (400 - 25) * c * s, 400 * s * s + 25 * c * c, 0.68);
  expect(turned).toBeCloseTo(radiusOf(400, 0, 25, 0.68), 9);
});

test('a point has no radius, and nonsense is refused', () => {
  expect(radiusOf(0, 0, 0, 0.5)).toBe(0);
  for (const p of [0, 1, -1, NaN]) expect(fusion.radius(1, 0, 1, p)).toBeNaN();
  expect(fusion.radius(NaN, 0, 1, 0.5)).toBeNaN();
  expect(fusion.radius(1, Infinity, 1, 0.5)).toBeNaN();
  expect(fusion.radius(-1, 0, 1, 0.5)).toBeNaN();
  expect(fusion.radius(1, 2, 1, 0.5)).toBeNaN();
});
