// How much of a building nobody has surveyed, by what was surveyed once. It is the estimate of Good and Turing: what
// has been seen once tells how much has not been seen yet (I. J. Good, "The population frequencies of species and the
// estimation of population parameters", Biometrika 40, 1953). A building of which each corridor was walked again and
// again has no gaps to speak of. Where a third of what a walk passes was passed by no other walk, the next one will
// pass as much that is new.

import type { Fingerprint } from './fingerprint.ts';
import { NearPoints } from './near.ts';

/** Where and when a fingerprint was made. */
export type Visit = Pick<Fingerprint, 'floor' | 'eastMetres' | 'northMetres' | 'timeMs'>;

/** What was measured so near at another time is the same place. */
const NEAR_METRES = 4;
/** Measurements farther apart are of different visits. */
const VISIT_MS = 30_000;
/** Fingerprints that are looked at, at most: of more, every second, third or so on. */
const LOOKED_AT_MAX = 10_000;

/**
 * Estimates the share of fingerprints yet to be made that will be farther than 4 m from all that there are.
 * @param fingerprints at finite positions; those without a time are visits of their own
 * @param onStep called for each that is looked at
 * @returns 0..1; 0 without fingerprints
 */
export function unsurveyedShare(fingerprints: readonly Visit[], onStep: () => void): number {
  const stride = Math.ceil(fingerprints.length / LOOKED_AT_MAX);
  let alone = 0;
  let all = 0;
  for (const floor of new Set(fingerprints.map(({ floor }) => floor))) {
    const there = fingerprints.filter(fingerprint => fingerprint.floor === floor);
    const points = new NearPoints(there, NEAR_METRES);
    for (let i = 0; i < there.length; i += stride) {
      onStep();
      const { eastMetres, northMetres } = there[i];
      all++;
      if (
        !points
          .within(eastMetres, northMetres, NEAR_METRES)
          .some(other => other !== i && isOtherVisit(there[i], there[other]))
      )
        alone++;
    }
  }
  return all === 0 ? 0 : alone / all;
}

function isOtherVisit({ timeMs: a = Number.NaN }: Visit, { timeMs: b = Number.NaN }: Visit): boolean {
  return !(Math.abs(a - b) <= VISIT_MS);
}
