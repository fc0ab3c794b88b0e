// The factors by which the radii of a group of estimates are to be multiplied, from what tests found everywhere and in
// the region.
//
// The factor for a share of the truths is the multiple of the radius that held this share of the errors. It is drawn
// towards the level above, as an empirical Bayes estimate: the one of a region towards the one for everywhere, that of
// well known stations towards that of less well known ones, and that towards 1, the prior of the source. It is drawn
// the more the less certain it is, compared with what factors differ by between networks. Tests of one track err alike,
// so what is independent is tracks: the variance comes from what the sets of tracks differ by, and while those are few
// also from what tracks usually differ by. That of a large share is larger, because errors are rare there.
//
// Trusted reports decide alone once there are enough of them. Otherwise the mean over the contributors counts, each
// with one vote, and no vote moves the factor further than a few percent for each contributor after the first. So what
// one who lies can add to the mean has a bound, however far his vote is from the others and they from each other; with
// a median it would be the distance from one honest vote to the next.
//
// The constants were chosen with the shared sets in sight: the share of a track was measured on them, and variants were
// compared on them and on drawn towns. So docs/accuracy.md is no proof for a network that is new.

import { logMultipleAt, Multiples, SHARES, TRACK_SETS, TRUSTED, type Voter } from '../../tables/calibration/votes.ts';

/**
 * Variance of the logarithm of a factor at each of the two levels, by share; a region of a network that is new has
 * both. Seven networks that no constant was fitted to had 65, 66, 27, 75, 52, 57 and 30 % of the truths inside the 50 %
 * radius: a standard deviation of 0.3 between factors. Half as much again is allowed for, since a prior that is wrong
 * must be left behind; for 95 % no more than that, since few errors tell.
 */
const LEVEL_VARIANCE = [0.1, 0.1, 0.3 ** 2 / 2] as const;
/**
 * Share of a track in what its tests differ by: 1 if they all err alike. In the shared sets 0 to 0.2 outdoors and 0.2
 * to 0.4 in a mall.
 */
const TRACK_SHARE = 0.2;
/** Sets of tracks as which that counts. */
const SETS_BEFORE = 4;
/** Largest exponent of errors: none are more regular than those of a circular Gaussian. */
const REGULAR = 2;
/** Part of a share at which the slope of the errors is taken. */
const SLOPE_FROM = 0.75;
/** Tests from which on a contributor has a vote, and trusted reports decide. */
const TESTS_A_VOTE = 16;
/**
 * Logarithm by which each contributor after the first lets a vote move the factor, at each of the levels, of which
 * there are two or three. One among n moves the mean by twice (n - 1) / n of this at most, and the votes of all others
 * by this: by less than 3 steps at a level.
 */
const STEP = 0.015;
/** No factor is further from 1: a network for which the prior is that wrong is not measured but broken. */
const LOG_MAX = Math.log(16);

const multiples = new Multiples();

/** The factors for all shares. @param levels votes, the most general first */
export function factorsOfVotes(levels: readonly (readonly Voter[])[]): readonly number[] {
  return SHARES.map((_, share) => {
    const logarithm = levels.reduce((above, voters) => logarithmOf(voters, share, above), 0);
    return Math.exp(Math.min(LOG_MAX, Math.max(-LOG_MAX, logarithm)));
  });
}

/** @param above logarithm of the factor of the level above */
function logarithmOf(voters: readonly Voter[], share: number, above: number): number {
  const votes: number[] = [];
  for (const voter of voters) {
    multiples.set(voter, share);
    if (multiples.tests < TESTS_A_VOTE) continue;
    const { logarithm, variance } = measuredAt(SHARES[share] / 100);
    const vote = above + (LEVEL_VARIANCE[share] / (LEVEL_VARIANCE[share] + variance)) * (logarithm - above);
    if (voter.contributor === TRUSTED) return vote;
    votes.push(vote);
  }
  if (votes.length === 0) return above;
  const limit = STEP * (votes.length - 1);
  let moved = 0;
  for (const vote of votes) moved += Math.min(limit, Math.max(-limit, vote - above));
  return above + moved / votes.length;
}

/**
 * The logarithm of the multiple that held a share 0..1 of the errors, and its variance as an estimate of what holds for
 * tracks to come.
 */
function measuredAt(share: number): { logarithm: number; variance: number } {
  const place = multiples.placeOf(share);
  const logarithm = logMultipleAt(place);
  // Near the share, errors follow 1 - exp(-m^k) of the multiple m. An uncertain share is an uncertain multiple, and of
  // uncertain multiples a larger one is needed that holds a large share on average: errors beyond it are rarer than
  // errors before it.
  const rarity = -Math.log(1 - share);
  const slope =
    (logarithm - logMultipleAt(multiples.placeOf(SLOPE_FROM * share))) / (weibull(share) - weibull(SLOPE_FROM * share));
  const k = Math.min(REGULAR, 1 / slope);
  const variance = varianceOfShare(share, place) / (k * (1 - share) * rarity) ** 2;
  return { logarithm: logarithm + (variance * k * (rarity - 1)) / 2, variance };
}

/** Logarithm of the exponent at which 1 - exp(-x) is a share. */
function weibull(share: number): number {
  return Math.log(-Math.log(1 - share));
}

/** Variance of the share of the tests below a place: as tracks usually differ, and as the sets of tracks do. */
function varianceOfShare(share: number, place: number): number {
  const { perSet, tests } = multiples;
  let sets = 0;
  let squares = 0;
  let deviations = 0;
  for (let set = 0; set < TRACK_SETS; set++) {
    if (perSet[set] === 0) continue;
    sets++;
    squares += perSet[set] * perSet[set];
    deviations += (multiples.testsBelow(set, place) - share * perSet[set]) ** 2;
  }
  const usual = share * (1 - share) * ((TRACK_SHARE * squares) / (tests * tests) + (1 - TRACK_SHARE) / tests);
  if (sets < 2) return usual;
  const own = ((sets / (sets - 1)) * deviations) / (tests * tests);
  return (SETS_BEFORE * usual + (sets - 1) * own) / (SETS_BEFORE + sets - 1);
}
