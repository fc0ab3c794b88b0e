// Fits the path loss of one scan. Transmitters, receivers and streets differ from the usual constants, and by much: at
// 20 m the level of an access point is
// -78 dBm, give or take 10. So the fit uses the scan itself. A first guess of the position hardly needs levels, and it
// gives the distances to the stations well enough to fit a common offset and a common change of the exponent:
//
//   residual = offset + slope * z,   residual = level - (reference - 10 n log10 rho),   z = 10 log10(pivot / rho)
//
// by ridge regression with a prior for each. The pivot is a distance at which offset and slope are about independent.
// Distances are those of posterior.ts: rho^2 = d^2 + s^2 + 1, where s is the uncertainty of the station's position.
// Stations that have moved have large residuals and weigh less, as in a Student t. Tested on a drawn city with
// constants A of -30 to -45 dBm and n of 2.5 to 3.8, the fit halves the median error where a fixed path loss is wrong,
// and costs nothing where it is right.

import { exp, log } from '../host';
import {
  FIT_RESIDUAL,
  FIT_SLOPE,
  FIT_WEIGHT,
  FIX_OWN,
  MAX_TABLE_DB,
  MODEL_EXPONENT_SIGMA,
  MODEL_OFFSET_SIGMA_DB,
  MODEL_PIVOT_METRES,
  SOLVE_EAST,
  SOLVE_EXPONENT,
  SOLVE_LEVEL,
  SOLVE_NORTH,
  SOLVE_REFERENCE,
  SOLVE_SIGMA_DB,
  SOLVE_SIGMA_METRES,
  SOLVE_WEIGHT,
  TABLE_GUESS,
} from '../memory';

/** dB per unit of the natural logarithm: 10 / ln 10. */
const DB_PER_LOGARITHM: f64 = 10 / Math.LN10;
/** Passes of reweighting. */
const PASSES: i32 = 3;
/** Degrees of freedom of the Student t, as in posterior.ts. */
const FREEDOM: f64 = 4;
/** Signals do not fade more slowly than this anywhere. */
const EXPONENT_MIN: f64 = 1.5;

/** Passes of the first guess, and the distance at which a station counts half, as a share of the mean distance. */
const GUESS_PASSES: i32 = 4;
const GUESS_SPREAD: f64 = 0.7;
/** Added to the spread in quadrature, so that it is never 0; metres. */
const GUESS_METRES: f64 = 10;
/**
 * Number of dB over which a station's weight in the guess changes by e: 10^(s / 60). If it were less, one strong
 * station that has moved would pull it along.
 */
const GUESS_DB_PER_LOGARITHM: f64 = 60 / Math.LN10;
/** Level in the guess of a station that was sent without one. */
const GUESS_DBM_UNKNOWN: f64 = -85;

/** Results of `guess`, metres in the frame. */
export let guessEast: f64 = 0;
export let guessNorth: f64 = 0;
/** Minus the logarithm of the prior density of the last fit, up to a constant. */
export let priorCost: f64 = 0;

/**
 * Guesses the device's position among the stations `0..count-1` of the solver: a robust centre that depends little on
 * levels.
 */
export function guess(count: i32): void {
  const end = count << 3;
  let weights: f64 = 0;
  let east: f64 = 0;
  let north: f64 = 0;
  for (let at = 0; at < end; at += 8) {
    const level = load<f64>(at, SOLVE_LEVEL);
    const weight = guessWeight(Number.isNaN(level) ? GUESS_DBM_UNKNOWN : level);
    store<f64>(at, weight, FIT_WEIGHT);
    weights += weight;
    east += weight * load<f64>(at, SOLVE_EAST);
    north += weight * load<f64>(at, SOLVE_NORTH);
  }
  east /= weights;
  north /= weights;
  for (let pass = 0; pass < GUESS_PASSES; pass++) {
    let distances: f64 = 0;
    for (let at = 0; at < end; at += 8) {
      const dx = load<f64>(at, SOLVE_EAST) - east;
      const dy = load<f64>(at, SOLVE_NORTH) - north;
      distances += Math.sqrt(dx * dx + dy * dy);
    }
    const spread = (GUESS_SPREAD * distances) / <f64>count;
    const spread2 = spread * spread + GUESS_METRES * GUESS_METRES;
    let sum: f64 = 0;
    let sumEast: f64 = 0;
    let sumNorth: f64 = 0;
    for (let at = 0; at < end; at += 8) {
      const x = load<f64>(at, SOLVE_EAST);
      const y = load<f64>(at, SOLVE_NORTH);
      const dx = x - east;
      const dy = y - north;
      const robustWeight = load<f64>(at, FIT_WEIGHT) / (spread2 + dx * dx + dy * dy);
      sum += robustWeight;
      sumEast += robustWeight * x;
      sumNorth += robustWeight * y;
    }
    east = sumEast / sum;
    north = sumNorth / sum;
  }
  guessEast = east;
  guessNorth = north;
}

/** Weight of a level, in whole dBm, in the first guess. */
function guessWeight(levelDbm: f64): f64 {
  const below = -(<i32>levelDbm);
  if (below < 0 || below >= MAX_TABLE_DB) return exp(levelDbm / GUESS_DB_PER_LOGARITHM);
  let weight = load<f64>(below << 3, TABLE_GUESS);
  if (weight === 0) {
    weight = exp(levelDbm / GUESS_DB_PER_LOGARITHM);
    store<f64>(below << 3, weight, TABLE_GUESS);
  }
  return weight;
}

/**
 * Fits references and exponents of the stations `0..count-1` of the solver to their levels at a position. `model`: byte
 * of the model, counted from the first.
 */
export function fitPathLoss(count: i32, east: f64, north: f64, model: i32): void {
  const end = count << 3;
  const pivotDb = DB_PER_LOGARITHM * log(load<f64>(model, MODEL_PIVOT_METRES));
  takeResiduals(end, east, north, pivotDb);
  const offsetSigmaDb = load<f64>(model, MODEL_OFFSET_SIGMA_DB);
  const exponentSigma = load<f64>(model, MODEL_EXPONENT_SIGMA);
  const offsetPrecision = 1 / (offsetSigmaDb * offsetSigmaDb);
  const slopePrecision = 1 / (exponentSigma * exponentSigma);
  let offset: f64 = 0;
  let change: f64 = 0;
  for (let pass = 0; pass < PASSES; pass++) {
    let a = offsetPrecision;
    let b: f64 = 0;
    let c = slopePrecision;
    let p: f64 = 0;
    let q: f64 = 0;
    for (let at = 0; at < end; at += 8) {
      const z = load<f64>(at, FIT_SLOPE);
      const residual = load<f64>(at, FIT_RESIDUAL);
      const weight = load<f64>(at, FIT_WEIGHT);
      const r = residual - offset - change * z;
      // The first pass is not robust: before an offset is fitted every station may look like an outlier.
      const w = pass === 0 ? weight : weight / (1 + (r * r * weight) / FREEDOM);
      a += w;
      b += w * z;
      c += w * z * z;
      p += w * residual;
      q += w * z * residual;
    }
    const inverse = 1 / (a * c - b * b);
    offset = (c * p - b * q) * inverse;
    change = (a * q - b * p) * inverse;
  }
  priorCost = 0.5 * (offsetPrecision * offset * offset + slopePrecision * change * change);
  for (let at = 0; at < end; at += 8) {
    const reference = load<f64>(at, SOLVE_REFERENCE) + offset;
    if (load<i32>(at, FIX_OWN) === 1) {
      store<f64>(at, reference, SOLVE_REFERENCE);
      continue;
    }
    const before = load<f64>(at, SOLVE_EXPONENT);
    const exponent = Math.max(EXPONENT_MIN, before + change);
    store<f64>(at, reference + (exponent - before) * pivotDb, SOLVE_REFERENCE);
    store<f64>(at, exponent, SOLVE_EXPONENT);
  }
}

/**
 * Works out the residuals of the levels, their precision, and how they change with the exponent. `end`: 8 for each
 * station.
 */
function takeResiduals(end: i32, east: f64, north: f64, pivotDb: f64): void {
  for (let at = 0; at < end; at += 8) {
    const level = load<f64>(at, SOLVE_LEVEL);
    if (Number.isNaN(level)) {
      store<f64>(at, 0, FIT_WEIGHT);
      store<f64>(at, 0, FIT_RESIDUAL);
      store<f64>(at, 0, FIT_SLOPE);
      continue;
    }
    const dx = load<f64>(at, SOLVE_EAST) - east;
    const dy = load<f64>(at, SOLVE_NORTH) - north;
    const d2 = dx * dx + dy * dy;
    const sigmaMetres = load<f64>(at, SOLVE_SIGMA_METRES);
    const s2 = sigmaMetres * sigmaMetres;
    const exponent = load<f64>(at, SOLVE_EXPONENT);
    const rangeDb = 0.5 * DB_PER_LOGARITHM * log(d2 + s2 + 1);
    const k = DB_PER_LOGARITHM * exponent;
    const sigmaDb = load<f64>(at, SOLVE_SIGMA_DB);
    store<f64>(at, level - load<f64>(at, SOLVE_REFERENCE) + exponent * rangeDb, FIT_RESIDUAL);
    store<f64>(at, load<i32>(at, FIX_OWN) === 1 ? 0 : pivotDb - rangeDb, FIT_SLOPE);
    store<f64>(at, load<f64>(at, SOLVE_WEIGHT) / (sigmaDb * sigmaDb + (k * k * s2) / (d2 + 2.43 * s2 + 1)), FIT_WEIGHT);
  }
}
