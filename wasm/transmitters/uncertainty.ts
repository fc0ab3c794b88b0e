// The uncertainty of a position found by transmitters, from three sources. The scatter of the stations around it, as
// for their mean, holds for any path loss. The covariance of the posterior uses the levels but takes their errors as
// independent; a small part of it separates directions. The third part is common to all stations and does not average
// out: stations learned on the same few walks err together, and the device has moved on since old readings.
//
// With these constants the 50 % radius holds 49 to 53 % of the truths on walks through a mall and on drives through a
// town, and 44 to 57 % on drawn cities with all path losses tested; 1.42 times the radius holds about 68 %, and 3.4
// times about 95 %. Split by number of stations it holds 48 to 55 % on the walks of all folds. On the drives it is too
// small where many stations are used: with nine or more it holds 36 % of 164 scans. No share of the variances here
// corrects this without making the walks worse. The cause is not known.

import { latitudeOf, longitudeOf } from '../geodesy';
import {
  FIX_COMMON,
  MODEL_HIDDEN_SHARE,
  OUT_EAST,
  OUT_LATITUDE,
  OUT_LONGITUDE,
  OUT_NORTH,
  OUT_PARTS,
  OUT_USED,
  OUT_XX,
  OUT_XY,
  OUT_YY,
  SOLVE_EAST,
  SOLVE_EXPONENT,
  SOLVE_LEVEL,
  SOLVE_NORTH,
  SOLVE_REFERENCE,
  SOLVE_ROBUST,
  SOLVE_SIGMA_METRES,
  SOLVE_WEIGHT,
  STATUS_OK,
} from '../memory';
import { distanceAt } from '../path_loss';
import { INLIER_WEIGHT } from '../trilateration_constants';

/** Distance that a beacon stands for that was sent without a level. */
const UNKNOWN_LEVEL_METRES: f64 = 16;
/** Shares of the three sources. */
const SCATTER_SHARE: f64 = 0.65;
const COMMON_SHARE: f64 = 0.65;
const COVARIANCE_SHARE: f64 = 0.015;

/**
 * Writes the estimate from a single station. Its radius is the larger of the distance that the level stands for and the
 * uncertainty of the station's position.
 */
export function writeEstimateFromOne(): i32 {
  const level = load<f64>(SOLVE_LEVEL);
  const ranged = Number.isNaN(level)
    ? UNKNOWN_LEVEL_METRES
    : distanceAt(level, load<f64>(SOLVE_REFERENCE), load<f64>(SOLVE_EXPONENT));
  // Half of a circular Gaussian lies within this many standard deviations of one axis.
  const r50PerSigma = Math.sqrt(2 * Math.LN2);
  const certain = r50PerSigma * load<f64>(SOLVE_SIGMA_METRES);
  const sigma = Math.max(ranged, certain) / r50PerSigma;
  writeParts(ranged > certain ? 2 * sigma * sigma : 0, 0, ranged > certain ? 0 : 2 * sigma * sigma);
  store<f64>(OUT_XX, sigma * sigma);
  store<f64>(OUT_XY, 0);
  store<f64>(OUT_YY, sigma * sigma);
  store<i32>(OUT_USED, 1);
  return writePosition(load<f64>(SOLVE_EAST), load<f64>(SOLVE_NORTH));
}

/** Writes the solver's position with its uncertainty and the number of stations behind it. */
export function writeEstimate(count: i32, model: i32): i32 {
  const east = load<f64>(OUT_EAST);
  const north = load<f64>(OUT_NORTH);
  let weights: f64 = 0;
  let squares: f64 = 0;
  let common: f64 = 0;
  let uncertain: f64 = 0;
  let xx: f64 = 0;
  let xy: f64 = 0;
  let yy: f64 = 0;
  let used = 0;
  for (let at = 0; at < count << 3; at += 8) {
    const robust = load<f64>(at, SOLVE_ROBUST);
    const weight = robust * load<f64>(at, SOLVE_WEIGHT);
    const dx = load<f64>(at, SOLVE_EAST) - east;
    const dy = load<f64>(at, SOLVE_NORTH) - north;
    const sigmaMetres = load<f64>(at, SOLVE_SIGMA_METRES);
    weights += weight;
    squares += weight * weight;
    common += weight * load<f64>(at, FIX_COMMON);
    uncertain += weight * sigmaMetres * sigmaMetres;
    xx += weight * dx * dx;
    xy += weight * dx * dy;
    yy += weight * dy * dy;
    if (robust >= INLIER_WEIGHT) used++;
  }
  // Stations may scatter less than they are uncertain: those heard all over a mall all seem to stand in its middle.
  const hidden = Math.max(0, load<f64>(model, MODEL_HIDDEN_SHARE) * uncertain - (xx + yy) / 2);
  // Variance of a mean: the mean square distance over the effective number, weights^2 / squares, less the one that the
  // mean itself takes.
  const scatter = (SCATTER_SHARE * squares) / (weights * Math.max(weights * weights - squares, squares / 2));
  const shared = (COMMON_SHARE * common) / weights;
  writeParts(
    COVARIANCE_SHARE * (load<f64>(OUT_XX) + load<f64>(OUT_YY)),
    scatter * (xx + yy),
    2 * (scatter * hidden + shared),
  );
  store<f64>(OUT_XX, COVARIANCE_SHARE * load<f64>(OUT_XX) + scatter * (xx + hidden) + shared);
  store<f64>(OUT_XY, COVARIANCE_SHARE * load<f64>(OUT_XY) + scatter * xy);
  store<f64>(OUT_YY, COVARIANCE_SHARE * load<f64>(OUT_YY) + scatter * (yy + hidden) + shared);
  store<i32>(OUT_USED, used);
  return writePosition(east, north);
}

/**
 * Writes what the sum of both variances is made of, for explanations: the levels, how the stations scatter, and how
 * well they are known.
 */
function writeParts(levels: f64, geometry: f64, stations: f64): void {
  store<f64>(OUT_PARTS, levels);
  store<f64>(OUT_PARTS, geometry, 8);
  store<f64>(OUT_PARTS, stations, 16);
}

function writePosition(east: f64, north: f64): i32 {
  store<f64>(OUT_LATITUDE, latitudeOf(north));
  store<f64>(OUT_LONGITUDE, longitudeOf(east));
  return STATUS_OK;
}
