import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCore } from '../../src/core/core.ts';
import {
  MAX_ESTIMATES,
  STATUS_DEGENERATE,
  STATUS_NOT_FINITE,
  STATUS_OK,
  STATUS_TOO_FEW,
  STATUS_TOO_MANY,
} from '../../wasm/memory.ts';

type Estimate = [east: number, north: number, xx: number, xy: number, yy: number];
const core = createCore();

function fuse(estimates: Estimate[], gate: number): number {
  estimates.forEach(([east, north, xx, xy, yy], i) => {
    core.estimateEast[i] = east;
    core.estimateNorth[i] = north;
    core.estimateVarianceEast[i] = xx;
    core.estimateCovariance[i] = xy;
    core.estimateVarianceNorth[i] = yy;
  });
  return core.fuse(estimates.length, gate);
}

test('two equal estimates meet half way with half the variance', () => {
  expect(
    fuse(
      [
        [0, 0, 100, 0, 100],
        [10, 20, 100, 0, 100],
      ],
      3,
    ),
  ).toBe(STATUS_OK);
  expect([core.east, core.north, core.varianceEast, core.covariance, core.varianceNorth]).toEqual([5, 10, 50, 0, 50]);
  expect(core.used).toBe(0b11);
});

test('the fused precision is the sum of the precisions', () => {
  const sigma = fc.double({ min: 0.5, max: 500, noNaN: true });
  const estimate = fc
    .tuple(
      fc.integer({ min: -500, max: 500 }),
      fc.integer({ min: -500, max: 500 }),
      sigma,
      fc.double({ min: -0.95, max: 0.95, noNaN: true }),
      sigma,
    )
    .map(([east, north, a, correlation, b]): Estimate => [east, north, a * a, correlation * a * b, b * b]);
  fc.assert(
    fc.property(fc.array(estimate, { minLength: 1, maxLength: MAX_ESTIMATES }), estimates => {
      expect(fuse(estimates, 1e9)).toBe(STATUS_OK);
      let [pxx, pxy, pyy, ix, iy] = [0, 0, 0, 0, 0];
      for (const [east, north, xx, xy, yy] of estimates) {
        const determinant = xx * yy - xy * xy;
        pxx += yy / determinant;
        pxy -= xy / determinant;
        pyy += xx / determinant;
        ix += (yy * east - xy * north) / determinant;
        iy += (xx * north - xy * east) / determinant;
      }
      const determinant = pxx * pyy - pxy * pxy;
      const scale = 1e-6 * Math.sqrt((pxx + pyy) / determinant) + 1e-6;
      expect(Math.abs(core.east - (pyy * ix - pxy * iy) / determinant)).toBeLessThan(scale);
      expect(Math.abs(core.north - (pxx * iy - pxy * ix) / determinant)).toBeLessThan(scale);
      expect(core.varianceEast / (pyy / determinant)).toBeCloseTo(1, 6);
      expect(core.varianceNorth / (pxx / determinant)).toBeCloseTo(1, 6);
      expect(core.used).toBe(2 ** estimates.length - 1);
    }),
    { seed: 1 },
  );
});

test('an estimate beyond the gate is left out, by its Mahalanobis distance and not by metres', () => {
  const near: Estimate = [0, 0, 100, 0, 100];
  // Distance over the root of the summed variances: 50 / sqrt(200) = 3.54 and 500 / sqrt(1e6 + 100) = 0.5.
  expect(fuse([near, [50, 0, 100, 0, 100], [500, 0, 1e6, 0, 1e6]], 3.5)).toBe(STATUS_OK);
  expect(core.used).toBe(0b101);
  expect(fuse([near, [50, 0, 100, 0, 100]], 3.54)).toBe(STATUS_OK);
  expect(core.used).toBe(0b11);
});

test('the first estimate leads; if it is unusable the next one does', () => {
  expect(
    fuse(
      [
        [0, 0, 4, 0, 4],
        [100, 0, 4, 0, 4],
        [101, 0, 4, 0, 4],
      ],
      3,
    ),
  ).toBe(STATUS_OK);
  expect(core.used).toBe(0b001);
  expect(
    fuse(
      [
        [NaN, 0, 4, 0, 4],
        [100, 0, 4, 0, 4],
        [101, 0, 4, 0, 4],
      ],
      3,
    ),
  ).toBe(STATUS_OK);
  expect(core.used).toBe(0b110);
});

test('the mask holds the last of 32 estimates', () => {
  expect(
    fuse(
      Array.from({ length: 32 }, (_, i): Estimate => [i < 31 ? NaN : 5, 0, 1, 0, 1]),
      3,
    ),
  ).toBe(STATUS_OK);
  expect(core.used).toBe(2 ** 31);
});

test('nothing usable, none, too many and a senseless gate are told apart', () => {
  const unusable: Estimate[] = [
    [0, 0, 0, 0, 1],
    [0, 0, 1, 1, 1],
    [0, 0, -1, 0, 1],
    [0, Infinity, 1, 0, 1],
    [0, 0, NaN, 0, 1],
    [0, 0, 1, NaN, 1],
  ];
  for (const estimate of unusable) expect(fuse([estimate], 3)).toBe(STATUS_DEGENERATE);
  expect(core.fuse(0, 3)).toBe(STATUS_TOO_FEW);
  expect(core.fuse(MAX_ESTIMATES + 1, 3)).toBe(STATUS_TOO_MANY);
  expect(fuse([[0, 0, 1, 0, 1]], NaN)).toBe(STATUS_NOT_FINITE);
});
