// Log-distance path loss: level = reference - 10 * exponent * log10(distance / 1 m), with levels in dBm. Below
// `NEAREST_METRES` the level is constant, so that a reading at the station itself is finite.

import { NEAREST_METRES } from './trilateration_constants';

const LN10: f64 = Math.LN10;

/**
 * Distance in metres at which a level is expected, at least `NEAREST_METRES`; -1 if an argument is not finite or the
 * exponent is not positive.
 */
export function distanceAt(levelDbm: f64, referenceDbm: f64, exponent: f64): f64 {
  if (!(exponent > 0)) return -1;
  const metres = Math.exp(((referenceDbm - levelDbm) * LN10) / (10 * exponent));
  return Number.isFinite(metres) ? Math.max(metres, NEAREST_METRES) : -1;
}
