// The path loss of one station from its reference points: level = reference - 10 n log10(metres), fitted by weighted
// least squares with priors (ridge regression). Only for access points and beacons, as the level of a sector cell says
// little about distance, and only from many points at different distances.

import type { ReferencePoint } from '../tables/stations/learned.ts';
import { POINTS_LIMIT, type Position, writeMetresFrom } from './middle.ts';

/** Least number of reference points, and least spread of their log10(metres). */
const POINTS_MIN = 8;
const SPREAD_MIN = 0.25;
/** Priors: level at ten metres in dBm and exponent, each with its standard deviation over stations. */
const LEVEL_AT_TEN_DBM = -62;
const LEVEL_SIGMA_DB = 10;
const EXPONENT = 3;
const EXPONENT_SIGMA = 0.6;
/** Standard deviation of single points from the fit, dB. */
const POINT_SIGMA_DB = 7;
/** Least distance of a point: the station's own position is no better known. */
const NEAREST_METRES = 5;

/** By point: metres from the station. */
const metres = new Float64Array(POINTS_LIMIT);

/**
 * Fits a station's path loss.
 * @param weights of the points: 0 = it does not count; otherwise all count alike
 * @param position degrees times 1e7
 * @returns level at one metre in dBm and exponent as a record can hold them; undefined when the points do not determine
 *   them
 */
export function fitPathLoss(
  points: readonly ReferencePoint[],
  weights: Float64Array,
  position: Position,
): { referenceDbm: number; exponent: number } | undefined {
  if (points.length < POINTS_MIN) return undefined;
  // Unknowns: offset of the level at ten metres, change of the exponent; z = -10 log10(metres / 10).
  let zz = 1 / EXPONENT_SIGMA ** 2;
  let z1 = 0;
  let ones = 1 / LEVEL_SIGMA_DB ** 2;
  let zr = 0;
  let r1 = 0;
  let sum = 0;
  let squares = 0;
  let count = 0;
  writeMetresFrom(position, points, metres);
  for (let p = 0; p < points.length; p++) {
    if (weights[p] === 0) continue;
    count++;
    const decades = Math.log10(Math.max(metres[p], NEAREST_METRES) / 10);
    sum += decades;
    squares += decades * decades;
    const z = -10 * decades;
    const residual = points[p].levelDbm - (LEVEL_AT_TEN_DBM + EXPONENT * z);
    const weight = 1 / POINT_SIGMA_DB ** 2;
    zz += weight * z * z;
    z1 += weight * z;
    ones += weight;
    zr += weight * z * residual;
    r1 += weight * residual;
  }
  const mean = sum / count;
  if (count < POINTS_MIN || Math.sqrt(Math.max(0, squares / count - mean * mean)) < SPREAD_MIN) return undefined;
  const determinant = zz * ones - z1 * z1;
  const exponent = EXPONENT + (zr * ones - z1 * r1) / determinant;
  const levelAtTen = LEVEL_AT_TEN_DBM + (zz * r1 - z1 * zr) / determinant;
  const referenceDbm = Math.round(levelAtTen + 10 * exponent);
  if (exponent < 1.5 || exponent > 6 || referenceDbm > -1 || referenceDbm < -100) return undefined;
  return { referenceDbm, exponent };
}
