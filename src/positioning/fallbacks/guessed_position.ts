// One position from several guesses. Each guess has a position and a typical error. A guess is either right or wrong: a
// neighbouring cell id is another sector of the same site, or a site elsewhere. So the answer is not the mean of all
// guesses but the position with the most support. Each guess supports the positions near it, with a weight that falls
// steeply with its typical error. The best supported guess is then refined by the mean of those around it.

import { RADIANS_PER_DEGREE, WHOLE_METRES_PER_DEGREE } from '../../../wasm/earth_constants.ts';
import { wrapDegrees } from '../../geo/angle.ts';

/** Where the device may be. */
export interface Guess {
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** Typical error, metres. */
  typicalMetres: number;
}

/**
 * Power of the typical error in a guess's weight, and the error added to it: positions are no better known than this.
 */
const WEIGHT_POWER = 5;
const BLUR_METRES = 100;
/** A guess supports positions within this part of its typical error plus this many metres. */
const SUPPORT_PART = 0.25;
const SUPPORT_METRES = 300;
const ROUNDS = 4;
/** Number of guesses used: the best ones. */
const GUESSES = 64;

/**
 * The position with the most support, with the weighted mean of the typical errors. @param guesses at least one;
 * reordered
 */
export function positionOf(guesses: Guess[]): Guess {
  const best = guesses.sort((a, b) => a.typicalMetres - b.typicalMetres).slice(0, GUESSES);
  const [{ latitude: originLatitude, longitude: originLongitude }] = best;
  const metresEast = WHOLE_METRES_PER_DEGREE * Math.cos(originLatitude * RADIANS_PER_DEGREE);
  const east = best.map(({ longitude }) => wrapDegrees(longitude - originLongitude) * metresEast);
  const north = best.map(({ latitude }) => (latitude - originLatitude) * WHOLE_METRES_PER_DEGREE);
  // Relative to the best guess, so that the powers stay in range.
  const weights = best.map(
    ({ typicalMetres }) => ((best[0].typicalMetres + BLUR_METRES) / (typicalMetres + BLUR_METRES)) ** WEIGHT_POWER,
  );
  const reach = best.map(({ typicalMetres }) => SUPPORT_PART * typicalMetres + SUPPORT_METRES);
  const distance = (i: number, x: number, y: number) => Math.hypot(east[i] - x, north[i] - y);
  const support = (i: number, x: number, y: number) => weights[i] / (1 + (distance(i, x, y) / reach[i] / 2) ** 2);

  let x = 0;
  let y = 0;
  let mostSupport = -1;
  for (let c = 0; c < best.length; c++) {
    let sum = 0;
    for (let i = 0; i < best.length; i++) sum += support(i, east[c], north[c]);
    if (sum <= mostSupport) continue;
    mostSupport = sum;
    x = east[c];
    y = north[c];
  }
  for (let round = 0; round < ROUNDS; round++) {
    const shares = best.map((_, i) => support(i, x, y));
    x = meanOf(shares, i => east[i]);
    y = meanOf(shares, i => north[i]);
  }
  const shares = best.map((_, i) => support(i, x, y));
  return {
    latitude: originLatitude + y / WHOLE_METRES_PER_DEGREE,
    longitude: wrapDegrees(originLongitude + x / metresEast),
    typicalMetres: meanOf(shares, i => best[i].typicalMetres),
  };
}

function meanOf(weights: readonly number[], of: (i: number) => number): number {
  let sum = 0;
  let total = 0;
  weights.forEach((weight, i) => {
    sum += weight * of(i);
    total += weight;
  });
  return sum / total;
}
