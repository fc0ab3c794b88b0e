// The radius that holds a share of the truths other than one half. It depends on the tail of the errors, of which each
// estimate states two points (`Tail`). Between them, and beyond up to 99 %, the radius grows as a power of -ln(1 -
// share). That is a Weibull distribution; distances in a Gaussian are the case with a power of 1/2.

import type { Tail } from './estimate.ts';

const LOG_68 = logarithmOf(68);
const LOG_50 = logarithmOf(50);
const LOG_95 = logarithmOf(95);

/**
 * The factor from the 50 % radius to the radius for another share.
 * @param confidence percent, 50..99
 */
export function radiusFactor(confidence: number, { at68, at95 }: Tail): number {
  if (confidence === 50) return 1;
  const logarithm = logarithmOf(confidence);
  if (logarithm <= LOG_68) return at68 ** ((logarithm - LOG_50) / (LOG_68 - LOG_50));
  return at68 * (at95 / at68) ** ((logarithm - LOG_68) / (LOG_95 - LOG_68));
}

/**
 * The inverse: the share of the truths within a radius, 0..1.
 * @param factor the radius as a multiple of the 50 % radius, at least 0
 */
export function shareWithin(factor: number, { at68, at95 }: Tail): number {
  const isFar = factor > at68;
  const from = isFar ? at68 : 1;
  // A tail may be that of a ring: all truths at one distance.
  const power = isFar ? (LOG_95 - LOG_68) / Math.log(at95 / at68) : (LOG_68 - LOG_50) / Math.log(at68);
  const grown = factor === from ? 1 : (factor / from) ** power;
  return -Math.expm1(-Math.exp(isFar ? LOG_68 : LOG_50) * grown);
}

function logarithmOf(confidence: number): number {
  return Math.log(-Math.log(1 - confidence / 100));
}
