import { describe, expect, test } from 'vitest';
import { factorsOfVotes } from '../../../src/learning/calibration/factors_of_votes.ts';
import { countTest, TRACK_SETS, TRUSTED, type Voter } from '../../../src/tables/calibration/votes.ts';
import { normal, uniform } from '../../kits/random.ts';

/**
 * Votes of a trusted key: tests whose errors are those of a circular Gaussian, times a factor.
 * @param differ standard deviation of the logarithm of a track's own factor
 */
function votesOf({
  tracks,
  tests,
  factor,
  differ = 0,
  seed = 1,
}: Record<'tracks' | 'tests' | 'factor', number> & Record<string, number>): Voter[] {
  const random = uniform(seed);
  const bell = normal(random);
  const voters: Voter[] = [];
  for (let track = 0; track < tracks; track++) {
    const own = factor * Math.exp(differ * bell());
    for (let i = 0; i < tests; i++) {
      const error = Math.sqrt(-Math.log2(1 - random()));
      countTest(
        voters,
        TRUSTED,
        track % TRACK_SETS,
        [1, 1.28, 2.08].map(radius => (own * error) / radius),
      );
    }
  }
  return voters;
}

describe('a factor is drawn to the level above', () => {
  test('by few tracks much, by many hardly', () => {
    const few = factorsOfVotes([votesOf({ tracks: 2, tests: 100, factor: 2 })]);
    const many = factorsOfVotes([votesOf({ tracks: 60, tests: 15, factor: 2 })]);
    expect(few[0]).toBeLessThan(1.7);
    expect(many[0]).toBeGreaterThan(1.75);
    expect(many[0]).toBeLessThan(2.05);
  });

  test('by tests of one track however many they are', () => {
    const [at50, , at95] = factorsOfVotes([votesOf({ tracks: 1, tests: 1_000, factor: 2 })]);
    expect(at50).toBeLessThan(1.5);
    expect(at95).toBeLessThan(1.5);
  });

  test('more where tracks differ than where they agree', () => {
    const alike = factorsOfVotes([votesOf({ tracks: 12, tests: 40, factor: 2 })]);
    const unlike = factorsOfVotes([votesOf({ tracks: 12, tests: 40, factor: 2, differ: 0.8, seed: 4 })]);
    expect(unlike[0]).toBeLessThan(alike[0]);
  });

  test('for 95 % more than for 50 %: five tracks narrow that radius by at most three quarters of what they say', () => {
    for (const factor of [0.3, 0.5, 0.7]) {
      const [at50, , at95] = factorsOfVotes([votesOf({ tracks: 5, tests: 60, factor })]).map(Math.log);
      expect(at95).toBeGreaterThan(at50);
      expect(at95 / Math.log(factor)).toBeLessThan(0.75);
    }
  });

  test('and is that of the level above without tests', () => {
    const above = votesOf({ tracks: 60, tests: 15, factor: 0.6 });
    expect(factorsOfVotes([above, []])).toEqual(factorsOfVotes([above]));
    expect(factorsOfVotes([[], []])).toEqual([1, 1, 1]);
  });
});

test('where the prior is right, five tracks of which each errs by 30 % hardly spoil it', () => {
  const draws = Array.from({ length: 20 }, (_, n) =>
    factorsOfVotes([votesOf({ tracks: 5, tests: 60, factor: 1, differ: 0.3, seed: n + 1 })]),
  );
  for (const share of [0, 1, 2]) {
    const off = draws.map(factors => Math.abs(Math.log(factors[share])));
    expect(Math.max(...off)).toBeLessThan(Math.log(1.4));
    expect(off.reduce((sum, each) => sum + each) / off.length).toBeLessThan(Math.log(1.15));
  }
});
