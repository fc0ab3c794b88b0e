// What the laboratory asks of tallies beyond their accuracy.

import { Tally } from './evaluation/accuracy.ts';
import { quantile } from './evaluation/quantile.ts';
import type { Scale } from './unseen.ts';

/** All answers of several tallies as one. */
export function pooledTally(tallies: readonly Tally[]): Tally {
  const pool = new Tally();
  for (const { tested, errors, multiples } of tallies) {
    pool.tested += tested;
    for (const error of errors) pool.errors.push(error);
    for (const [share, all] of multiples.entries()) for (const multiple of all) pool.multiples[share].push(multiple);
  }
  return pool;
}

/** The factors by which the radii for 50, 68 and 95 % would hold these shares; undefined if there are none. */
export function honestFactors({ multiples: [at50, at68, at95] }: Tally): Scale | undefined {
  return at95.length === 0 ? undefined : [quantile(at50, 0.5), quantile(at68, 0.68), quantile(at95, 0.95)];
}

/** Share of the answers with a larger error than this; null if nothing was answered. */
export function shareBeyond({ errors }: Tally, metres: number): number | null {
  return errors.length === 0 ? null : errors.filter(error => error > metres).length / errors.length;
}
