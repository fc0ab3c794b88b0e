// One place out of guesses. Each guess says where the device would be and how far off guesses of its kind typically are. Guesses are right or wrong as a
// whole: a neighbouring cell id is another sector of the same site, or a site elsewhere. So the answer is not the mean of all but the place that most
// speaks for: each guess supports what lies near to it, by a weight that falls steeply with its typical distance, and the best supported one is
// refined by the mean of those around it.

import { RADIANS_PER_DEGREE, WHOLE_METRES_PER_DEGREE } from '../../../wasm/earth_constants.ts';
import { wrapDegrees } from '../../geo/angle.ts';

/** Where the device may be. */
export interface Guess {
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** How far off such a guess typically is, metres. */
  typicalMetres: number;
}

/** What guesses agree on. */
interface GuessedPosition {
  latitude: number;
  longitude: number;
  /** Weighted mean of what the guesses' typical distances are. */
  typicalMetres: number;
}

/** Power of the typical distance in a guess's weight, and what blurs it: positions are no better known than this. */
const WEIGHT_POWER = 5;
const BLUR_METRES = 100;
/** A guess supports what lies within this part of its typical distance and this many metres. */
const SUPPORT_PART = 0.25;
const SUPPORT_METRES = 300;
const ROUNDS = 4;
/** The best guesses are enough. */
const GUESSES = 64;

/** The place that the guesses, at least one, support most. */
export function positionOf(guesses: Guess[]): GuessedPosition {
  const best = guesses.sort((a, b) => a.typicalMetres - b.typicalMetres).slice(0, GUESSES);
  const [{ latitude: originLatitude, longitude: originLongitude }] = best;
  const metresEast = WHOLE_METRES_PER_DEGREE * Math.cos(originLatitude * RADIANS_PER_DEGREE);
  const east = best.map(({ longitude }) => wrapDegrees(longitude - originLongitude) * metresEast);
  const north = best.map(({ latitude }) => (latitude - originLatitude) * WHOLE_METRES_PER_DEGREE);
  // Relative to the best one, so that powers stay in range.
  const weights = best.map(({ typicalMetres }) => ((best[0].typicalMetres + BLUR_METRES) / (typicalMetres + BLUR_METRES)) ** WEIGHT_POWER);
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
