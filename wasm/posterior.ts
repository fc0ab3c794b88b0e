// The posterior of a position given the levels of stations at uncertain positions. trilaterate.ts minimises its
// negative logarithm.
//
// For one station, level = reference - 10 n log10(distance) + noise. Its position has a standard deviation of s
// (`sigmaMetres`) along each axis, so the distance is a random variable. With d the distance to the recorded position,
// rho^2 = d^2 + s^2 + 1 m^2 stands for the squared distance (at d = 0 the mean logarithm is that of 1.12 s^2), and the
// logarithm scatters by s^2 / (d^2 + 2.43 s^2), exact at d = 0 and for d much larger than s. With k = 10 n / ln 10:
//   residual r = level - reference + k/2 ln rho^2, variance v = sigmaDb^2 + k^2 s^2 / (d^2 + 2.43 s^2 + 1), d taken
//   from the measured level. In addition to its ring of equal level each station contributes a "near me" term: a
//   Gaussian around its position with variance s^2 + (reach * ranged distance)^2. A station without a level contributes
//   only this term, ranged at -80 dBm.
//
// The cost is robust: a station's misfit u = r^2 / v + d^2 / near^2 costs nu/2 ln(1 + u / nu), as in a Student t, which
// is a weight of 1 / (1 + u / nu). A weak Gaussian around the stations keeps the equations regular in directions that
// the levels do not determine.

import { logarithms } from './logarithm';
import {
  SOLVE_EAST,
  SOLVE_EXPONENT,
  SOLVE_FILLED_EAST,
  SOLVE_FILLED_NORTH,
  SOLVE_FILLED_WEIGHT,
  SOLVE_HALF_SLOPE,
  SOLVE_LEVEL,
  SOLVE_LEVEL_PRECISION,
  SOLVE_NEAR_PRECISION,
  SOLVE_NORTH,
  SOLVE_OFFSET,
  SOLVE_REFERENCE,
  SOLVE_SIGMA_DB,
  SOLVE_SIGMA_METRES,
  SOLVE_SOFT,
  SOLVE_WEIGHT,
  STATUS_DEGENERATE,
  STATUS_NOT_FINITE,
  STATUS_OK,
} from './memory';
import {
  ABSENT_BELOW,
  ASSUMED_DBM,
  DB_PER_NEPER,
  FARTHEST_METRES,
  FARTHEST_SQUARED,
  FREEDOM,
  LARGEST_EXPONENT,
  POSITION_SCATTER,
  REGULAR,
} from './trilateration_constants';

// Results of `prepare`: the stations' centroid, the number of stations with weight, and the variance along one axis of
// the only one, if there is one.
export let centreEast: f64 = 0;
export let centreNorth: f64 = 0;
export let weighted: i32 = 0;
export let loneVariance: f64 = 0;
let regularPrecision: f64 = 0;
let priorEast: f64 = 0;
let priorNorth: f64 = 0;
export let priorPrecision: f64 = 0;

// Results of `evaluate`: minus log posterior, its gradient and the reweighted normal matrix.
export let cost: f64 = 0;
export let gx: f64 = 0;
export let gy: f64 = 0;
export let hxx: f64 = 0;
export let hxy: f64 = 0;
export let hyy: f64 = 0;

/** True for a position that a local frame can hold. */
export function isPosition(east: f64, north: f64): bool {
  return Math.abs(east) <= FARTHEST_METRES && Math.abs(north) <= FARTHEST_METRES;
}

/** Sets the Gaussian prior; a sigma of 0 means none. */
export function setPrior(east: f64, north: f64, sigma: f64): i32 {
  priorEast = 0;
  priorNorth = 0;
  priorPrecision = 0;
  if (sigma === 0) return STATUS_OK;
  if (!isPosition(east, north) || !(sigma > 1e-3)) return STATUS_NOT_FINITE;
  priorEast = east;
  priorNorth = north;
  priorPrecision = 1 / (sigma * sigma);
  return STATUS_OK;
}

/**
 * Checks the stations, computes everything that does not depend on the position, and their centroid by 1 / (ranged
 * distance^2 + s^2).
 */
export function prepare(count: i32, reach: f64): i32 {
  weighted = 0;
  let sum: f64 = 0;
  let east: f64 = 0;
  let north: f64 = 0;
  let total: f64 = 0;
  let spread: f64 = 0;
  let loneAt = 0;
  for (let i = 0; i < count; i++) {
    const at = i << 3;
    const x = load<f64>(at, SOLVE_EAST);
    const y = load<f64>(at, SOLVE_NORTH);
    const level = load<f64>(at, SOLVE_LEVEL);
    const reference = load<f64>(at, SOLVE_REFERENCE);
    const k = DB_PER_NEPER * load<f64>(at, SOLVE_EXPONENT);
    const sigmaDb = load<f64>(at, SOLVE_SIGMA_DB);
    const sigma = load<f64>(at, SOLVE_SIGMA_METRES);
    const weight = load<f64>(at, SOLVE_WEIGHT);
    if (!isPosition(x, y) || !(Math.abs(reference) <= 1000) || !(k > 0.1 && k <= 1000) || level > 1000)
      return STATUS_NOT_FINITE;
    if (
      !(sigmaDb > 0.01 && sigmaDb <= 1000) ||
      !(sigma >= 0 && sigma <= FARTHEST_METRES) ||
      !(weight >= 0 && weight <= 1e6)
    )
      return STATUS_NOT_FINITE;
    const measured = level > ABSENT_BELOW;
    const offset = (measured ? level : ASSUMED_DBM) - reference;
    const s2 = sigma * sigma;
    const ranged2 = rangedSquared(offset, k);
    const near = measured ? reach * reach * ranged2 : ranged2;
    store<f64>(at, x, SOLVE_FILLED_EAST);
    store<f64>(at, y, SOLVE_FILLED_NORTH);
    store<f64>(at, weight, SOLVE_FILLED_WEIGHT);
    store<f64>(at, offset, SOLVE_OFFSET);
    store<f64>(at, 0.5 * k, SOLVE_HALF_SLOPE);
    store<f64>(at, s2 + 1, SOLVE_SOFT);
    store<f64>(
      at,
      measured ? 1 / (sigmaDb * sigmaDb + (k * k * s2) / (ranged2 + POSITION_SCATTER * s2 + 1)) : 0,
      SOLVE_LEVEL_PRECISION,
    );
    store<f64>(at, 1 / (s2 + near + 1), SOLVE_NEAR_PRECISION);
    if (weight > 0) {
      weighted++;
      loneAt = at;
    }
    const centring = weight / (ranged2 + s2 + 1);
    sum += centring;
    east += centring * x;
    north += centring * y;
    total += weight;
    spread += weight * (ranged2 + s2 + 1);
  }
  if (!(sum > 0)) return STATUS_DEGENERATE;
  if ((count & 1) === 1) {
    const at = count << 3;
    store<f64>(at, 0, SOLVE_FILLED_EAST);
    store<f64>(at, 0, SOLVE_FILLED_NORTH);
    store<f64>(at, 0, SOLVE_FILLED_WEIGHT);
    store<f64>(at, 0, SOLVE_OFFSET);
    store<f64>(at, 0, SOLVE_HALF_SLOPE);
    store<f64>(at, 1, SOLVE_SOFT);
    store<f64>(at, 0, SOLVE_LEVEL_PRECISION);
    store<f64>(at, 0, SOLVE_NEAR_PRECISION);
  }
  if (weighted === 1) loneVariance = varianceAlone(loneAt);
  centreEast = east / sum;
  centreNorth = north / sum;
  regularPrecision = total / (REGULAR * REGULAR * spread);
  return STATUS_OK;
}

/**
 * Variance along one axis of the ring of one station: the squared distance is log-normal, with half of it along each
 * axis.
 */
function varianceAlone(at: i32): f64 {
  const k = DB_PER_NEPER * load<f64>(at, SOLVE_EXPONENT);
  const ranged2 = rangedSquared(load<f64>(at, SOLVE_OFFSET), k);
  if (!(load<f64>(at, SOLVE_LEVEL) > ABSENT_BELOW)) return load<f64>(at, SOLVE_SOFT) + ranged2;
  const scatter = load<f64>(at, SOLVE_SIGMA_DB) / k;
  return load<f64>(at, SOLVE_SOFT) + 0.5 * ranged2 * Math.exp(Math.min(2 * scatter * scatter, LARGEST_EXPONENT));
}

/** Square of the distance that a level stands for. @param offset dB above the reference @param k dB per neper */
function rangedSquared(offset: f64, k: f64): f64 {
  return Math.min(Math.exp((-2 * offset) / k), FARTHEST_SQUARED);
}

/** Sums up the cost, its gradient and the reweighted normal matrix at a position. */
export function evaluate(count: i32, x: f64, y: f64): void {
  const px = f64x2.splat(x);
  const py = f64x2.splat(y);
  const one = f64x2.splat(1);
  const perFreedom = f64x2.splat(1 / FREEDOM);
  let sumCost = f64x2.splat(0);
  let sumGx = sumCost;
  let sumGy = sumCost;
  let sumXx = sumCost;
  let sumXy = sumCost;
  let sumYy = sumCost;
  const end = count << 3;
  for (let at = 0; at < end; at += 16) {
    const dx = f64x2.sub(px, v128.load(at, SOLVE_FILLED_EAST));
    const dy = f64x2.sub(py, v128.load(at, SOLVE_FILLED_NORTH));
    const dx2 = f64x2.mul(dx, dx);
    const dy2 = f64x2.mul(dy, dy);
    const d2 = f64x2.add(dx2, dy2);
    const rho2 = f64x2.add(d2, v128.load(at, SOLVE_SOFT));
    const halfSlope = v128.load(at, SOLVE_HALF_SLOPE);
    const levelPrecision = v128.load(at, SOLVE_LEVEL_PRECISION);
    const nearPrecision = v128.load(at, SOLVE_NEAR_PRECISION);
    const weight = v128.load(at, SOLVE_FILLED_WEIGHT);
    const r = f64x2.add(v128.load(at, SOLVE_OFFSET), f64x2.mul(halfSlope, logarithms(rho2)));
    const u = f64x2.add(f64x2.mul(f64x2.mul(r, r), levelPrecision), f64x2.mul(d2, nearPrecision));
    const inverseWeight = f64x2.add(one, f64x2.mul(u, perFreedom));
    sumCost = f64x2.add(sumCost, f64x2.mul(weight, logarithms(inverseWeight)));
    // One division for both 1 / inverseWeight and 1 / rho^2.
    const inverse = f64x2.div(one, f64x2.mul(inverseWeight, rho2));
    const robust = f64x2.mul(weight, f64x2.mul(inverse, rho2));
    const slope = f64x2.mul(f64x2.add(halfSlope, halfSlope), f64x2.mul(inverse, inverseWeight));
    const level = f64x2.mul(f64x2.mul(robust, levelPrecision), slope);
    const near = f64x2.mul(robust, nearPrecision);
    const pull = f64x2.add(f64x2.mul(level, r), near);
    const curve = f64x2.mul(level, slope);
    sumGx = f64x2.add(sumGx, f64x2.mul(pull, dx));
    sumGy = f64x2.add(sumGy, f64x2.mul(pull, dy));
    sumXx = f64x2.add(sumXx, f64x2.add(f64x2.mul(curve, dx2), near));
    sumXy = f64x2.add(sumXy, f64x2.mul(curve, f64x2.mul(dx, dy)));
    sumYy = f64x2.add(sumYy, f64x2.add(f64x2.mul(curve, dy2), near));
  }
  const cx = x - centreEast;
  const cy = y - centreNorth;
  const ex = x - priorEast;
  const ey = y - priorNorth;
  const precision = priorPrecision + regularPrecision;
  cost =
    0.5 * (FREEDOM * total(sumCost) + priorPrecision * (ex * ex + ey * ey) + regularPrecision * (cx * cx + cy * cy));
  gx = total(sumGx) + priorPrecision * ex + regularPrecision * cx;
  gy = total(sumGy) + priorPrecision * ey + regularPrecision * cy;
  hxx = total(sumXx) + precision;
  hxy = total(sumXy);
  hyy = total(sumYy) + precision;
}

function total(pair: v128): f64 {
  return f64x2.extract_lane(pair, 0) + f64x2.extract_lane(pair, 1);
}
