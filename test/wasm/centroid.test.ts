import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCore } from '../../src/core/core.ts';
import { MAX_POSITIONS, STATUS_DEGENERATE, STATUS_NOT_FINITE, STATUS_OK, STATUS_TOO_FEW, STATUS_TOO_MANY } from '../../wasm/memory.ts';

const core = createCore();

function put(i: number, east: number, north: number, weight: number, cluster: number): void {
  core.positionEast[i] = east;
  core.positionNorth[i] = north;
  core.positionWeight[i] = weight;
  core.positionCluster[i] = cluster;
}

test('three quarters of the weight pull three quarters of the way', () => {
  put(0, 0, 0, 1, 0);
  put(1, 100, 40, 3, 0);
  put(2, 1e6, 1e6, 9, 1);
  expect(core.weightedCentroid(3, 0)).toBe(STATUS_OK);
  expect([core.east, core.north]).toEqual([75, 30]);
});

test('the weighted offsets from the centroid cancel', () => {
  const number = fc.double({ min: -1e4, max: 1e4, noNaN: true });
  const weight = fc.double({ min: 0.01, max: 100, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(number, number, weight), { minLength: 1, maxLength: 60 }), positions => {
      positions.forEach(([east, north, w], i) => {
        put(i, east, north, w, 0);
      });
      expect(core.weightedCentroid(positions.length, 0)).toBe(STATUS_OK);
      const total = positions.reduce((sum, [, , w]) => sum + w, 0);
      expect(positions.reduce((sum, [east, , w]) => sum + w * (east - core.east), 0) / total).toBeCloseTo(0, 7);
      expect(positions.reduce((sum, [, north, w]) => sum + w * (north - core.north), 0) / total).toBeCloseTo(0, 7);
    }),
    { seed: 1 },
  );
});

test('no positions, no weight, a missing cluster, too many and NaN are told apart', () => {
  put(0, 1, 1, 0, 0);
  put(1, NaN, 1, 1, 1);
  expect(core.weightedCentroid(0, 0)).toBe(STATUS_TOO_FEW);
  expect(core.weightedCentroid(2, 7)).toBe(STATUS_TOO_FEW);
  expect(core.weightedCentroid(2, 0)).toBe(STATUS_DEGENERATE);
  expect(core.weightedCentroid(2, 1)).toBe(STATUS_NOT_FINITE);
  expect(core.weightedCentroid(MAX_POSITIONS + 1, 0)).toBe(STATUS_TOO_MANY);
  put(0, 1, 1, NaN, 0);
  expect(core.weightedCentroid(1, 0)).toBe(STATUS_DEGENERATE);
});
