// The radius for a share of the truths other than one half. Errors have heavier tails than a Gaussian: most estimates are better than their radius says,
// and a few rest on a station that is not where it was. A bivariate Student t says that with one number, its degrees of freedom; its radius for the share c
// is r(c)^2 = s^2 nu ((1 - c)^(-2/nu) - 1). Infinitely many degrees are the Gaussian, r(c)^2 = -2 s^2 ln(1 - c).

import { SOURCE_BLUETOOTH, SOURCE_CELL, SOURCE_GPS, SOURCE_WIFI } from '../../wasm/layout.ts';

/**
 * Degrees of freedom by source, fitted on the shared scans, tracks held back: truths within r(68) and r(95) in percent, errors taken relative to their own
 * median so that the fit is of the tail alone.
 *
 *                          68     95
 *   cells     siping     72.9   98.8
 *             jiading    65.7   96.1
 *             cork       65.7   89.7   few observations of most cells
 *             belgium    84.5  100.0   a handful of cells, observed from all around: no tail at all
 *   WiFi      walks      69.0   96.8
 *             ariel      65.0   93.2
 *
 * Beacons have the tail of access points. Of fixes there are no truths: under open sky they are Gaussian, in streets less so.
 */
const FREEDOM: readonly (readonly [source: number, freedom: number])[] = [
  [SOURCE_GPS, 6],
  [SOURCE_WIFI, 2.5],
  [SOURCE_BLUETOOTH, 2.5],
  [SOURCE_CELL, 1.5],
];

/**
 * What the radius of one half is to be multiplied by to hold another share.
 * @param confidence percent, 50..99
 * @param sources SOURCE_* bits of what the position rests on, at least one: of several the lightest tail counts, since the best of them holds the others
 */
export function radiusFactor(confidence: number, sources: number): number {
  if (confidence === 50) return 1;
  let freedom = 0;
  for (const [source, own] of FREEDOM) if ((sources & source) !== 0) freedom = Math.max(freedom, own);
  const power = -2 / freedom;
  return Math.sqrt(((1 - confidence / 100) ** power - 1) / (0.5 ** power - 1));
}
