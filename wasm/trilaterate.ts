// Finds the most likely position given the levels of stations: the maximum of the posterior (posterior.ts), robust
// against stations that have moved.
//
// The search is Levenberg-Marquardt on the reweighted normal equations: a step that does not lower the cost is undone
// and shortened. It starts at the caller's guess, or at the centroid of the stations weighted by their ranged
// distances. A station that has moved can hold the search in a local minimum. If a station is an outlier at the end,
// the search starts again from the best of the nearest stations, and the lower cost wins.

import {
  MAX_SOLVE,
  OUT_COST,
  OUT_EAST,
  OUT_ITERATIONS,
  OUT_NORTH,
  OUT_SCALE,
  OUT_XX,
  OUT_XY,
  OUT_YY,
  SOLVE_FILLED_EAST,
  SOLVE_FILLED_NORTH,
  SOLVE_FILLED_WEIGHT,
  SOLVE_HALF_SLOPE,
  SOLVE_LEVEL_PRECISION,
  SOLVE_NEAR_PRECISION,
  SOLVE_OFFSET,
  SOLVE_ROBUST,
  SOLVE_SOFT,
  STATUS_DEGENERATE,
  STATUS_NOT_CONVERGED,
  STATUS_NOT_FINITE,
  STATUS_OK,
  STATUS_TOO_FEW,
  STATUS_TOO_MANY,
} from './memory';
import {
  centreEast,
  centreNorth,
  cost,
  evaluate,
  gx,
  gy,
  hxx,
  hxy,
  hyy,
  isPosition,
  loneVariance,
  prepare,
  priorPrecision,
  setPrior,
  weighted,
} from './posterior';
import {
  BETTER_BY,
  CANDIDATES,
  DAMPING_FALL,
  DAMPING_FIRST,
  DAMPING_LEAST,
  DAMPING_RISE,
  FEWEST_FOR_RESTARTS,
  FREEDOM,
  ITERATIONS,
  OUTLIER_WEIGHT,
  POSITION_FREEDOM,
  PRIOR_RESIDUALS,
  SETTLED,
} from './trilateration_constants';

// Where `descend` ended, the normal matrix there, and the number of outliers that `writeResult` found.
let atEast: f64 = 0;
let atNorth: f64 = 0;
let best: f64 = 0;
let endXx: f64 = 0;
let endXy: f64 = 0;
let endYy: f64 = 0;
let endDecrement: f64 = 0;
let endIterations: i32 = 0;
let outliers: i32 = 0;

/**
 * Finds the most likely position given the levels of the stations `0..count-1`. With STATUS_NOT_CONVERGED the outputs
 * are usable too.
 * @param startEast, startNorth start of the search; NaN = the centroid of the stations, weighted by their ranged
 *   distances
 * @param priorSigma standard deviation along one axis of the prior around its position; 0 = no prior
 * @param reach how strongly hearing a station says "near it", in addition to its ring of equal level: one standard
 *   deviation is `reach` times the ranged distance; Infinity = rings only
 */
export function trilaterate(
  count: i32,
  startEast: f64,
  startNorth: f64,
  priorEast: f64,
  priorNorth: f64,
  priorSigma: f64,
  reach: f64,
): i32 {
  if (count < 1) return STATUS_TOO_FEW;
  if (count > MAX_SOLVE) return STATUS_TOO_MANY;
  if (!(reach > 0)) return STATUS_NOT_FINITE;
  const prior = setPrior(priorEast, priorNorth, priorSigma);
  if (prior !== STATUS_OK) return prior;
  const status = prepare(count, reach);
  if (status !== STATUS_OK) return status;

  if (weighted === 1 && priorPrecision === 0) return solveSingle(count);
  if (isPosition(startEast, startNorth)) descend(count, startEast, startNorth);
  else descend(count, centreEast, centreNorth);
  let outcome = writeResult(count);
  if (outliers > 0 && count >= FEWEST_FOR_RESTARTS) outcome = restart(count, outcome);
  return outcome;
}

/**
 * A single station and no prior: its ring has no lowest point, so the answer is the ring's centre and the covariance is
 * the ring's own.
 */
function solveSingle(count: i32): i32 {
  for (let at = 0; at < count << 3; at += 8)
    store<f64>(at, load<f64>(at, SOLVE_FILLED_WEIGHT) > 0 ? 1 : 0, SOLVE_ROBUST);
  store<f64>(OUT_EAST, centreEast);
  store<f64>(OUT_NORTH, centreNorth);
  store<f64>(OUT_XX, loneVariance);
  store<f64>(OUT_XY, 0);
  store<f64>(OUT_YY, loneVariance);
  store<f64>(OUT_COST, 0);
  store<f64>(OUT_SCALE, 1);
  store<i32>(OUT_ITERATIONS, 0);
  return STATUS_OK;
}

/**
 * Descends again from the best position among the stations with the least ranged distance. If a moved station has drawn
 * the first answer away, most stations are near another one.
 */
function restart(count: i32, outcome: i32): i32 {
  let lowest = Infinity;
  let start = 0;
  let last = Infinity;
  let lastAt = -1;
  for (let round = 0; round < CANDIDATES; round++) {
    let nearest = -1;
    let highest = -Infinity;
    for (let at = 0; at < count << 3; at += 8) {
      if (load<f64>(at, SOLVE_FILLED_WEIGHT) === 0) continue;
      // Minus the logarithm of the squared ranged distance; ties are broken by order.
      const nearness = load<f64>(at, SOLVE_OFFSET) / load<f64>(at, SOLVE_HALF_SLOPE);
      if (nearness > highest && (nearness < last || (nearness === last && at > lastAt))) {
        highest = nearness;
        nearest = at;
      }
    }
    if (nearest < 0) break;
    last = highest;
    lastAt = nearest;
    evaluate(count, load<f64>(nearest, SOLVE_FILLED_EAST), load<f64>(nearest, SOLVE_FILLED_NORTH));
    if (cost < lowest) {
      lowest = cost;
      start = nearest;
    }
  }
  return retry(count, load<f64>(start, SOLVE_FILLED_EAST), load<f64>(start, SOLVE_FILLED_NORTH), outcome);
}

/** Descends again from another start and keeps the better result. */
function retry(count: i32, startEast: f64, startNorth: f64, outcome: i32): i32 {
  const before = load<f64>(OUT_COST);
  const x = atEast;
  const y = atNorth;
  descend(count, startEast, startNorth);
  if (best < before - BETTER_BY) return writeResult(count);
  atEast = x;
  atNorth = y;
  return outcome;
}

/** Levenberg-Marquardt from a start. The result is in `atEast`, `atNorth` and `best`, with the normal matrix there. */
function descend(count: i32, startEast: f64, startNorth: f64): void {
  evaluate(count, startEast, startNorth);
  let x = startEast;
  let y = startNorth;
  let lowest = cost;
  let bgx = gx;
  let bgy = gy;
  let bxx = hxx;
  let bxy = hxy;
  let byy = hyy;
  let damping: f64 = 0;
  let iterations = 0;
  let decrement: f64 = 0;
  while (iterations < ITERATIONS) {
    iterations++;
    const extra = damping * (bxx + byy);
    const a = bxx + extra;
    const c = byy + extra;
    const inverse = 1 / (a * c - bxy * bxy);
    const sx = (bxy * bgy - c * bgx) * inverse;
    const sy = (bxy * bgx - a * bgy) * inverse;
    // Expected gain of the step in minus log posterior: a step of one standard deviation gains one half.
    decrement = -(bgx * sx + bgy * sy);
    if (decrement < SETTLED) break;
    evaluate(count, x + sx, y + sy);
    if (cost < lowest) {
      lowest = cost;
      x += sx;
      y += sy;
      bgx = gx;
      bgy = gy;
      bxx = hxx;
      bxy = hxy;
      byy = hyy;
      damping = damping > DAMPING_LEAST ? damping * DAMPING_FALL : 0;
    } else {
      damping = damping > 0 ? damping * DAMPING_RISE : DAMPING_FIRST;
    }
  }
  atEast = x;
  atNorth = y;
  best = lowest;
  endXx = bxx;
  endXy = bxy;
  endYy = byy;
  endDecrement = decrement;
  endIterations = iterations;
}

/**
 * Writes each station's robust weight, the residual scale, and the covariance: the inverse of the normal matrix,
 * inflated by the scale.
 */
function writeResult(count: i32): i32 {
  const x = atEast;
  const y = atNorth;
  outliers = 0;
  let squares: f64 = 0;
  let robustTotal: f64 = 0;
  for (let i = 0; i < count; i++) {
    const at = i << 3;
    const dx = x - load<f64>(at, SOLVE_FILLED_EAST);
    const dy = y - load<f64>(at, SOLVE_FILLED_NORTH);
    const d2 = dx * dx + dy * dy;
    const precision = load<f64>(at, SOLVE_LEVEL_PRECISION);
    const weight = load<f64>(at, SOLVE_FILLED_WEIGHT);
    const r = load<f64>(at, SOLVE_OFFSET) + load<f64>(at, SOLVE_HALF_SLOPE) * Math.log(d2 + load<f64>(at, SOLVE_SOFT));
    const u = r * r * precision;
    const robust = 1 / (1 + (u + d2 * load<f64>(at, SOLVE_NEAR_PRECISION)) / FREEDOM);
    store<f64>(at, weight > 0 ? robust : 0, SOLVE_ROBUST);
    if (weight > 0 && robust < OUTLIER_WEIGHT) outliers++;
    if (precision > 0) {
      squares += weight * robust * u;
      robustTotal += weight * robust;
    }
  }
  // Two residuals of the expected size are added, so that a few lucky or unlucky ones decide nothing. The position uses
  // two degrees of freedom.
  const scale2 = Math.max(
    (squares + PRIOR_RESIDUALS) / (Math.max(robustTotal - POSITION_FREEDOM, 0) + PRIOR_RESIDUALS),
    1,
  );
  const determinant = endXx * endYy - endXy * endXy;
  if (!(determinant > 1e-14 * endXx * endYy)) return STATUS_DEGENERATE;
  store<f64>(OUT_EAST, x);
  store<f64>(OUT_NORTH, y);
  store<f64>(OUT_COST, best);
  store<i32>(OUT_ITERATIONS, endIterations);
  store<f64>(OUT_XX, (scale2 * endYy) / determinant);
  store<f64>(OUT_XY, (-scale2 * endXy) / determinant);
  store<f64>(OUT_YY, (scale2 * endXx) / determinant);
  store<f64>(OUT_SCALE, Math.sqrt(scale2));
  return endDecrement > 5 * SETTLED ? STATUS_NOT_CONVERGED : STATUS_OK;
}
