// The radius for a share of the truths other than one half. How much larger it is, is a matter of the tail of the errors, and each estimate says its own
// (`Tail`): two points of the curve. Between them, and beyond up to 99 %, the radius grows as a power of -ln(1 - share), as for a Weibull distribution, of
// which the distances of a Gaussian are one, with a power of 1/2.

import type { Tail } from './estimate.ts';

const LOG_68 = logarithmOf(68);
const LOG_50 = logarithmOf(50);
const LOG_95 = logarithmOf(95);

/**
 * What the radius of one half is to be multiplied by to hold another share.
 * @param confidence percent, 50..99
 */
export function radiusFactor(confidence: number, { at68, at95 }: Tail): number {
  if (confidence === 50) return 1;
  const logarithm = logarithmOf(confidence);
  if (logarithm <= LOG_68) return at68 ** ((logarithm - LOG_50) / (LOG_68 - LOG_50));
  return at68 * (at95 / at68) ** ((logarithm - LOG_68) / (LOG_95 - LOG_68));
}

function logarithmOf(confidence: number): number {
  return Math.log(-Math.log(1 - confidence / 100));
}
