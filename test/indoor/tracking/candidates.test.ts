import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CANDIDATES_MAX, candidatesOf } from '../../../src/indoor/tracking/candidates.ts';
import { uniform } from '../../kits/random.ts';

function match(logLikelihood: number[], similarity = 0.8) {
  const zeros = new Float32Array(logLikelihood.length);
  return { count: logLikelihood.length, floors: zeros, east: zeros, north: zeros, logLikelihood, similarity };
}

test('the candidates are the most likely places, the first the best, with likelihoods of sum 1', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: -50, max: 0, noNaN: true }), { minLength: 1, maxLength: 100 }), values => {
      const { count, places, likelihoods } = candidatesOf(match(values));
      expect(count).toBe(Math.min(values.length, CANDIDATES_MAX));
      const sorted = [...values].sort((a, b) => b - a);
      for (let i = 0; i < count; i++) expect(values[places[i]]).toBe(sorted[i]);
      expect(likelihoods.subarray(0, count).reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 9);
      if (count > 1) expect(Math.log(likelihoods[0] / likelihoods[1])).toBeCloseTo(0.7 * (sorted[0] - sorted[1]), 6);
    }),
    { seed: 1, numRuns: 200 },
  );
});

test('of thousands of places, many of them alike, the most likely are the candidates as well', () => {
  const random = uniform(5);
  for (const spread of [0.01, 1, 30]) {
    const values = Array.from({ length: 70_000 }, () => Math.round(-spread * random() * 4_000) / 4_000);
    const { count, places } = candidatesOf(match(values));
    expect(count).toBe(CANDIDATES_MAX);
    expect(Array.from(places.subarray(0, count), place => values[place])).toEqual(
      [...values].sort((a, b) => b - a).slice(0, CANDIDATES_MAX),
    );
  }
});

test('a scan that is like no place may be from where nobody has surveyed', () => {
  expect(candidatesOf(match([0], 0.9)).background).toBe(0.02);
  expect(candidatesOf(match([0], 0.55)).background).toBeCloseTo(1, 6);
  expect(candidatesOf(match([0], 0.3)).background).toBeGreaterThan(100);
});
