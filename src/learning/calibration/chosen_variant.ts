// Which variant of a method a network gets. All are tried on the same tests, and the mean of their losses decides. A
// variant takes the place of the one from the level above, which at first is the source's, if its loss is smaller by
// more than chance and a margin. Tests of one track err alike, so chance is what the sets of tracks differ by.
//
// Trusted reports decide alone once there are enough of them. Otherwise the median over the contributors counts, and
// chance is what they differ by. So a few who lie choose nothing where the others agree.

import { type Comparison, differenceOf, weightOf } from '../../tables/calibration/comparisons.ts';
import { VARIANTS } from '../../tables/calibration/places.ts';
import { TRACK_SETS, TRUSTED } from '../../tables/calibration/votes.ts';

/** Weight of the tests, and sets of tracks, from which on a contributor has a vote, and trusted reports decide. */
const TESTS_A_VOTE = 16;
const SETS_A_VOTE = 4;
/** Fewest contributors that choose without a trusted one: two agree whatever the third says. */
const VOTES_MIN = 3;
/**
 * A gain this small does not carry over to the next tracks: on the shared sets, where tests promised 2 to 4 % more than
 * chance, errors changed by -3 to +6 % from fold to fold. On drawn networks that are much quieter or noisier, tests
 * promise 5 to 11 %.
 */
const MARGIN = 0.02;
/**
 * Errors up to this part of the radius are as good as none: what makes them smaller must not outweigh what makes others
 * larger.
 */
const SMALL = 0.5;
/**
 * Standard deviation of a normal distribution by the median of the deviations from its median; and that of a median by
 * that of a mean.
 */
const DEVIATION_PER_MEDIAN = 1.4826;
const MEDIAN_PER_MEAN = 1.2533;

/**
 * What an error costs: its logarithm, but for small ones.
 * @param radiusMetres that holds half of the errors
 */
export function lossOf(errorMetres: number, radiusMetres: number): number {
  return Math.log(Math.hypot(errorMetres, SMALL * radiusMetres));
}

/** The variant for a place. @param levels comparisons, the most general first */
export function chosenVariant(levels: readonly (readonly Comparison[])[]): number {
  return levels.reduce(bestOf, 0);
}

/** @param chosen at the level above */
function bestOf(chosen: number, comparisons: readonly Comparison[]): number {
  let best = chosen;
  let least = -MARGIN;
  for (let variant = 0; variant < VARIANTS; variant++) {
    if (variant === chosen) continue;
    const most = likelyDifference(comparisons, variant, chosen);
    if (most >= least) continue;
    best = variant;
    least = most;
  }
  return best;
}

/**
 * By how much the loss of a variant is larger than that of another one, and a standard error more; 0 if too little is
 * known.
 */
function likelyDifference(comparisons: readonly Comparison[], variant: number, other: number): number {
  const differences: number[] = [];
  const errors: number[] = [];
  for (const comparison of comparisons) {
    const vote = voteOf(comparison, variant, other);
    if (vote === undefined) continue;
    if (comparison.contributor === TRUSTED) return vote.difference + vote.error;
    differences.push(vote.difference);
    errors.push(vote.error);
  }
  const votes = differences.length;
  if (votes < VOTES_MIN) return 0;
  const middle = median(differences);
  const deviation = DEVIATION_PER_MEDIAN * median(differences.map(difference => Math.abs(difference - middle)));
  return middle + (MEDIAN_PER_MEAN * Math.max(deviation, median(errors))) / Math.sqrt(votes);
}

/** The mean difference of the losses in a contributor's tests, and its standard error; undefined for too few. */
function voteOf(
  comparison: Comparison,
  variant: number,
  other: number,
): { difference: number; error: number } | undefined {
  const { weights } = comparison;
  const tests = weightOf(comparison);
  const sets = weights.filter(weight => weight > 0).length;
  if (tests < TESTS_A_VOTE || sets < SETS_A_VOTE) return undefined;
  let difference = 0;
  for (let set = 0; set < TRACK_SETS; set++) difference += differenceOf(comparison, variant, other, set) / tests;
  let squares = 0;
  for (let set = 0; set < TRACK_SETS; set++)
    squares += (differenceOf(comparison, variant, other, set) - difference * weights[set]) ** 2;
  return { difference, error: Math.sqrt((sets / (sets - 1)) * squares) / tests };
}

/** The middle number, of an even count the larger of the two. */
function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
}
