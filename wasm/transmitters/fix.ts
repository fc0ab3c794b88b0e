// Locates by the transmitters around the device. WiFi and Bluetooth use the same steps with different constants.
//
//   1. The stations that belong together take part (links.ts), which drops foreign stations and those that have moved
//   far. One beacon of them must be vouched
//      for. Where none belong together, one that may place a device by itself takes part.
//   2. The path loss of this scan is fitted from a robust first guess of the position (path_loss_fit.ts).
//   3. The position is found that best explains the levels, with the same weight for all stations (../trilaterate.ts).
//   The majority shows which stations have
//      moved; these outliers are removed.
//   4. From there path loss and position are found again, with more weight for strong stations. Shadowing grows with
//   distance and is common to all signals
//      through the same wall: a hundred faint readings are not a hundred measurements.
//
// uncertainty.ts works out the covariance.

import { exp } from '../host';
import {
  FIX_EXPONENT,
  FIX_LEVEL,
  FIX_REFERENCE,
  MAX_TABLE_DB,
  MODEL_BYTES,
  MODEL_MINIMUM,
  OUT_COST,
  OUT_EAST,
  OUT_NORTH,
  OUT_TAKEN,
  SELECTED_LINKED,
  SOLVE_EAST,
  SOLVE_EXPONENT,
  SOLVE_NORTH,
  SOLVE_REFERENCE,
  SOLVE_ROBUST,
  SOLVE_WEIGHT,
  STATUS_DEGENERATE,
  STATUS_NOT_CONVERGED,
  STATUS_NOT_FINITE,
  STATUS_OK,
  STATUS_TOO_FEW,
  TABLE_WEIGHT,
} from '../memory';
import { trilaterate } from '../trilaterate';
import { INLIER_WEIGHT } from '../trilateration_constants';
import { gatherLinked, placeSelected } from './gather';
import { areVouchedFor, linkAlone, linkSelected, unlinkAll } from './links';
import { fitPathLoss, guess, guessEast, guessNorth, priorCost } from './path_loss_fit';
import { writeEstimate, writeEstimateFromOne } from './uncertainty';

/** A station's weight in the final position doubles every 8 dB: natural logarithm of the weight per dB. */
const LOG_WEIGHT_PER_DB: f64 = Math.LN2 / 8;
/** How strongly hearing a station says "near it", see `trilaterate`. */
const REACH: f64 = 1;
/** Below this robust weight of the strongest station the other stations are in doubt. */
const STRONGEST_WEIGHT_MIN: f64 = 0.3;

/** See `SelectedStations.locate` (src/core/selected_stations.ts). */
export function locateByTransmitters(number: i32, count: i32, leastDriftMetres: f64): i32 {
  const model = number * MODEL_BYTES;
  const minimum = load<f64>(model, MODEL_MINIMUM);
  store<i32>(OUT_TAKEN, 0);
  if (<f64>count < minimum) return STATUS_TOO_FEW;
  const placed = placeSelected(count, 0);
  if (placed !== STATUS_OK) return placed;
  let linked = linkSelected(count, model);
  // Where one may be enough, as of beacons, others are carried around: two devices of one person are no place.
  if (linked > 0 && minimum < 2 && !areVouchedFor(count)) linked = unlinkAll(count);
  if (linked === 0 && !linkAlone(count)) return STATUS_TOO_FEW;
  // The frame of those that take part is around one of them: where others are does not show in the last decimal.
  if (linked < count && placeSelected(count, firstLinked()) !== STATUS_OK) return STATUS_NOT_FINITE;
  const near = gatherLinked(count, model, leastDriftMetres);
  store<i32>(OUT_TAKEN, near);
  guess(near);
  if (!solve(near, guessEast, guessNorth, model)) return STATUS_DEGENERATE;
  if (near === 1) return writeEstimateFromOne();
  if (load<f64>(SOLVE_ROBUST) < STRONGEST_WEIGHT_MIN && !retryAtStrongest(near, model)) return STATUS_DEGENERATE;
  rejectMoved(near, minimum);
  weightByLevel(near);
  if (!solve(near, load<f64>(OUT_EAST), load<f64>(OUT_NORTH), model)) return STATUS_DEGENERATE;
  return writeEstimate(near, model);
}

/** The strongest station that belongs with others; there is one. */
function firstLinked(): i32 {
  let s = 0;
  while (load<i32>(s << 2, SELECTED_LINKED) === 0) s++;
  return s;
}

/** Fits the path loss at a position, then solves from there. */
function solve(count: i32, east: f64, north: f64, model: i32): bool {
  fitPathLoss(count, east, north, model);
  return isSolved(trilaterate(count, east, north, 0, 0, 0, REACH));
}

/**
 * Decides what it means that the strongest station is an outlier. Either it has moved, or the device is near it and far
 * from the others. In the second case the path loss was fitted in the wrong place, and the usual one explains the
 * levels better from the station. The likelier solution stays.
 */
function retryAtStrongest(count: i32, model: i32): bool {
  const cost = load<f64>(OUT_COST) + priorCost;
  memory.copy(SOLVE_REFERENCE, FIX_REFERENCE, count << 3);
  memory.copy(SOLVE_EXPONENT, FIX_EXPONENT, count << 3);
  if (!isSolved(trilaterate(count, load<f64>(SOLVE_EAST), load<f64>(SOLVE_NORTH), 0, 0, 0, REACH))) return false;
  return load<f64>(OUT_COST) < cost || solve(count, guessEast, guessNorth, model);
}

function isSolved(status: i32): bool {
  return status === STATUS_OK || status === STATUS_NOT_CONVERGED;
}

/** Sets the weight of outliers to 0, which ends the rest of their pull, unless too few stations would remain. */
function rejectMoved(count: i32, minimum: f64): void {
  const end = count << 3;
  let remain = 0;
  for (let at = 0; at < end; at += 8) if (load<f64>(at, SOLVE_ROBUST) >= INLIER_WEIGHT) remain++;
  if (remain === count || <f64>remain < minimum) return;
  for (let at = 0; at < end; at += 8) if (load<f64>(at, SOLVE_ROBUST) < INLIER_WEIGHT) store<f64>(at, 0, SOLVE_WEIGHT);
}

/** Weights strong stations more than faint ones. The strongest inlier keeps its weight. */
function weightByLevel(count: i32): void {
  let loudest = 0;
  while (load<f64>(loudest, SOLVE_WEIGHT) === 0) loudest += 8;
  const loudestDbm = load<f64>(loudest, FIX_LEVEL);
  for (let at = loudest + 8; at < count << 3; at += 8) {
    store<f64>(at, load<f64>(at, SOLVE_WEIGHT) * weightAt(load<f64>(at, FIX_LEVEL) - loudestDbm), SOLVE_WEIGHT);
  }
}

/** Weight of a level that differs from the strongest by whole dB. */
function weightAt(db: f64): f64 {
  const below = -(<i32>db);
  if (below < 0 || below >= MAX_TABLE_DB) return exp(db * LOG_WEIGHT_PER_DB);
  let weight = load<f64>(below << 3, TABLE_WEIGHT);
  if (weight === 0) {
    weight = exp(db * LOG_WEIGHT_PER_DB);
    store<f64>(below << 3, weight, TABLE_WEIGHT);
  }
  return weight;
}
