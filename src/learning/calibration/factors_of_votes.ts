// The factors by which the radii of a group of estimates are to be multiplied, from what tests found everywhere and in the region.
//
// The factor for a share of the truths is the multiple of the radius that held this share of the errors. With few tests it stays near the level above: the one of
// a region near the one for everywhere, that near 1, which is the prior of the source. Trusted reports decide alone once there are enough of them. Otherwise the
// median over the contributors counts, each with one vote, and the factor moves towards it by a few percent for each contributor after the first. So one who
// lies can move a radius by no more than that, and by the distance from one honest vote to the next.
//
// The weights were chosen on five shared sets together, with priors that were right, 40 % too small and 60 % too large (docs/accuracy.md).

import { multipleOf, SHARES, TRUSTED, testsOf, type Voter } from '../../tables/calibration/votes.ts';

/** Tests for which the level above counts. */
const TESTS_BEFORE = 50;
/** Tests from which on a contributor has a vote, and trusted reports decide. */
const TESTS_A_VOTE = 16;
/** Logarithm of the factor that each contributor after the first may add, at each of the two levels. */
const STEP = 0.03;
/** No factor is further from 1: a network for which the prior is that wrong is not measured but broken. */
const LOG_MAX = Math.log(16);

/** The factors for all shares. @param here votes in the region */
export function factorsOfVotes(everywhere: readonly Voter[], here: readonly Voter[]): readonly number[] {
  return SHARES.map((_, share) => {
    const logarithm = logarithmOf(here, share, logarithmOf(everywhere, share, 0));
    return Math.exp(Math.min(LOG_MAX, Math.max(-LOG_MAX, logarithm)));
  });
}

/** @param above logarithm of the factor of the level above */
function logarithmOf(voters: readonly Voter[], share: number, above: number): number {
  const votes: number[] = [];
  for (const { contributor, counts } of voters) {
    const tests = testsOf(counts);
    if (tests < TESTS_A_VOTE) continue;
    const vote = above + (tests / (tests + TESTS_BEFORE)) * (Math.log(multipleOf(counts, share)) - above);
    if (contributor === TRUSTED) return vote;
    votes.push(vote);
  }
  if (votes.length === 0) return above;
  const limit = STEP * (votes.length - 1);
  return above + Math.min(limit, Math.max(-limit, medianOf(votes) - above));
}

function medianOf(votes: number[]): number {
  votes.sort((a, b) => a - b);
  const middle = votes.length >> 1;
  return votes.length % 2 === 1 ? votes[middle] : (votes[middle - 1] + votes[middle]) / 2;
}
