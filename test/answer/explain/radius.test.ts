// How a radius is divided, for drawn estimates that are joined as `fuse` joins them: by their information.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RadiusParts } from '../../../src/answer/explain/explanation.ts';
import { divide, partsOfJoined, shareOf } from '../../../src/answer/explain/radius.ts';
import { circularEstimate, type Estimate } from '../../../src/positioning/estimates/estimate.ts';
import type { EstimateRecord } from '../../../src/positioning/estimates/recorder.ts';

const TAIL = { at68: 1.3, at95: 2.1 };
const metres = fc.double({ min: 1, max: 5_000, noNaN: true });
const correlation = fc.double({ min: -0.9, max: 0.9, noNaN: true });
const factor = fc.double({ min: 0.4, max: 3, noNaN: true });

/** @param r50Metres radius that holds half of it */
const estimateOf = (r50Metres: number) =>
  circularEstimate({ source: 1, latitude: 0, longitude: 0, r50Metres, tail: TAIL, used: 2, evidence: 2 });

const record = fc.record({ east: metres, north: metres, correlation, factor, first: metres, second: metres }).map(
  ({ east, north, correlation: rho, factor: calibration, first, second }): EstimateRecord => ({
    strategy: 'wifi',
    estimate: {
      ...estimateOf(1),
      cxx: east ** 2,
      cyy: north ** 2,
      cxy: rho * east * north,
    },
    parts: { levels: first ** 2, geometry: second ** 2 },
    calibration,
    radiusMetres: 0,
  }),
);

/** The inverse of the sum of the inverses. */
function joinedOf(estimates: readonly Estimate[]): Estimate {
  const sum = { xx: 0, xy: 0, yy: 0 };
  for (const { cxx, cxy, cyy } of estimates) {
    const determinant = cxx * cyy - cxy * cxy;
    sum.xx += cyy / determinant;
    sum.xy -= cxy / determinant;
    sum.yy += cxx / determinant;
  }
  const determinant = sum.xx * sum.yy - sum.xy * sum.xy;
  return { ...estimates[0], cxx: sum.yy / determinant, cxy: -sum.xy / determinant, cyy: sum.xx / determinant };
}

function together(parts: RadiusParts): number {
  return Math.hypot(...Object.values(parts));
}

test('a radius is divided among its parts by their variances', () => {
  expect(divide(10, { fix: 9, movement: 16 })).toEqual({ fix: 6, movement: 8 });
});

test('weights and shares of variance add up to one', () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 4 }), records => {
      const estimates = records.map(({ estimate }) => estimate);
      const shares = estimates.map(estimate => shareOf(estimate, joinedOf(estimates)));
      expect(shares.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 6);
      expect(shares.reduce((sum, { variance }) => sum + variance, 0)).toBeCloseTo(1, 6);
      for (const { variance } of shares) expect(variance).toBeGreaterThanOrEqual(0);
    }),
  );
});

test('the squares of the parts add up to the square of the radius, less what calibration has done', () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 4 }), metres, (records, radiusMetres) => {
      const estimates = records.map(({ estimate }) => estimate);
      const shares = records.map(each => ({ record: each, ...shareOf(each.estimate, joinedOf(estimates)) }));
      const { parts, calibrationMetres } = partsOfJoined(radiusMetres, shares);
      expect((together(parts) + calibrationMetres) / radiusMetres).toBeCloseTo(1, 9);
    }),
  );
});

test('a radius that tests have doubled is one half parts, and one half calibration', () => {
  const estimate = estimateOf(20);
  const one: EstimateRecord = {
    strategy: 'wifi',
    estimate,
    parts: { levels: 9, geometry: 16 },
    calibration: 2,
    radiusMetres: 20,
  };
  const { parts, calibrationMetres } = partsOfJoined(20, [{ record: one, ...shareOf(estimate, estimate) }]);
  expect(parts).toEqual({ levels: expect.closeTo(6, 9), geometry: expect.closeTo(8, 9) });
  expect(calibrationMetres).toBeCloseTo(10, 9);
});
