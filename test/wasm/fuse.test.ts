import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fusion } from '../../src/core/fusion.ts';
import { instantiateCore } from '../../src/core/instantiate.ts';
import {
  MAX_ESTIMATES,
  STATUS_DEGENERATE,
  STATUS_NOT_FINITE,
  STATUS_OK,
  STATUS_TOO_FEW,
  STATUS_TOO_MANY,
} from '../../wasm/memory.ts';

type Estimate = [east: number, north: number, xx: number, xy: number, yy: number];
const kernels = instantiateCore();
const fusion = new Fusion(kernels);

/** @returns the status of the kernel */
function fuse(estimates: Estimate[], gate: number): number {
  estimates.forEach(([east, north, xx, xy, yy], i) => {
    fusion.east[i] = east;
    fusion.north[i] = north;
    fusion.varianceEast[i] = xx;
    fusion.covariance[i] = xy;
    fusion.varianceNorth[i] = yy;
  });
  return kernels.fuse(estimates.length, gate);
}

function fused(estimates: Estimate[], gate: number) {
  expect(fuse(estimates, gate)).toBe(STATUS_OK);
  return fusion.fuse(estimates.length, gate)!;
}

test('two equal estimates meet half way with half the variance', () => {
  const both = fused(
    [
      [0, 0, 100, 0, 100],
      [10, 20, 100, 0, 100],
    ],
    3,
  );
  expect(both).toEqual({ east: 5, north: 10, varianceEast: 50, covariance: 0, varianceNorth: 50, used: 0b11 });
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
      const all = fused(estimates, 1e9);
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
      expect(Math.abs(all.east - (pyy * ix - pxy * iy) / determinant)).toBeLessThan(scale);
      expect(Math.abs(all.north - (pxx * iy - pxy * ix) / determinant)).toBeLessThan(scale);
      expect(all.varianceEast / (pyy / determinant)).toBeCloseTo(1, 6);
      expect(all.varianceNorth / (pxx / determinant)).toBeCloseTo(1, 6);
      expect(all.used).toBe(2 ** estimates.length - 1);
    }),
    { seed: 1 },
  );
});

test('an estimate beyond the gate is left out, by its Mahalanobis distance and not by metres', () => {
  const near: Estimate = [0, 0, 100, 0, 100];
  // Distance over the root of the summed variances: 50 / sqrt(200) = 3.54 and 500 / sqrt(1e6 + 100) = 0.5.
  expect(fused([near, [50, 0, 100, 0, 100], [500, 0, 1e6, 0, 1e6]], 3.5).used).toBe(0b101);
  expect(fused([near, [50, 0, 100, 0, 100]], 3.54).used).toBe(0b11);
});

test('the first estimate leads; if it is unusable the next one does', () => {
  expect(
    fused(
      [
        [0, 0, 4, 0, 4],
        [100, 0, 4, 0, 4],
        [101, 0, 4, 0, 4],
      ],
      3,
    ).used,
  ).toBe(0b001);
  expect(
    fused(
      [
        [NaN, 0, 4, 0, 4],
        [100, 0, 4, 0, 4],
        [101, 0, 4, 0, 4],
      ],
      3,
    ).used,
  ).toBe(0b110);
});

test('the mask holds the last of 32 estimates', () => {
  expect(
    fused(
      Array.from({ length: 32 }, (_, i): Estimate => [i < 31 ? NaN : 5, 0, 1, 0, 1]),
      3,
    ).used,
  ).toBe(2 ** 31);
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
  expect(kernels.fuse(0, 3)).toBe(STATUS_TOO_FEW);
  expect(kernels.fuse(MAX_ESTIMATES + 1, 3)).toBe(STATUS_TOO_MANY);
  expect(fuse([[0, 0, 1, 0, 1]], NaN)).toBe(STATUS_NOT_FINITE);
});
