// Position from the levels of stations at uncertain places, robust against stations that have moved.
//
// Model of one station: level = reference - 10 n log10(distance) + noise. Its place is only known to `sigmaMetres` s along each axis, so the distance to
// it is a random variable: with d the distance to the recorded place, rho^2 = d^2 + s^2 + 1 m^2 stands for the squared distance (for d = 0 the mean of its
// logarithm is that of 1.12 s^2), and its logarithm scatters by s^2 / (d^2 + 2.43 s^2), exact for d = 0 and for d much larger than s. With k = 10 n / ln 10:
//   residual r = level - reference + k/2 ln rho^2,  variance v = sigmaDb^2 + k^2 s^2 / (d^2 + 2.43 s^2 + 1), d taken from the measured level.
// Beside its ring of equal level each station says "near me": a Gaussian around its place with variance s^2 + (reach * ranged distance)^2. A station without a
// level says only this, ranged at -80 dBm.
//
// Robust loss: u = r^2 / v + near^2 is the station's surprise, and it counts as a Student t, nu/2 ln(1 + u / nu): weight 1 / (1 + u / nu). The maximum of the posterior is found
// by Levenberg-Marquardt on the reweighted normal equations, two stations at a time; a step that does not lower the cost is taken back. The start is the
// best of several places. A weak Gaussian around the stations keeps the equations regular in directions that no level determines.

import {
  MAX_SOLVE,
  OUT_COST,
  OUT_COUNT,
  OUT_EAST,
  OUT_ITERATIONS,
  OUT_NORTH,
  OUT_SCALE,
  OUT_XX,
  OUT_XY,
  OUT_YY,
  SOLVE_EAST,
  SOLVE_EXPONENT,
  SOLVE_LEVEL,
  SOLVE_NORTH,
  SOLVE_REFERENCE,
  SOLVE_ROBUST,
  SOLVE_SCRATCH,
  SOLVE_SIGMA_DB,
  SOLVE_SIGMA_METRES,
  SOLVE_WEIGHT,
  STATUS_DEGENERATE,
  STATUS_NOT_CONVERGED,
  STATUS_NOT_FINITE,
  STATUS_OK,
  STATUS_TOO_FEW,
  STATUS_TOO_MANY,
} from './layout';
import { logarithms } from './logarithm';

const K: f64 = 4.3429448190325175; // 10 / ln 10
const ABSENT_BELOW: f64 = -200; // dBm; anything lower, and NaN, is no measurement
const ASSUMED_DBM: f64 = -80; // level assumed for a station heard without one, as ichnaea and beaconDB do
const FARTHEST: f64 = 1e8; // metres
const FREEDOM: f64 = 4; // nu of the Student t: chosen by trial, see test/wasm/trilaterate.test.ts
const REGULAR: f64 = 2; // standard deviation of the weak Gaussian, in root mean square ranged distances
const ITERATIONS = 24;
const DISBELIEF: f64 = 0.3; // a robust weight below this casts doubt on the start: a residual of three standard deviations
const RESTARTS = 3;
const FEWEST_FOR_RESTARTS = 4; // among three stations there is no crowd
const SETTLED: f64 = 1e-4; // the search ends when a step promises less: a hundredth of a standard deviation

// Per station, 512 f64 each: level - reference, k / 2, s^2 + 1, precision of the level, precision of "near me".
const OFFSET = SOLVE_SCRATCH;
const HALF_SLOPE = SOLVE_SCRATCH + 4096;
const SOFT = SOLVE_SCRATCH + 8192;
const LEVEL_PRECISION = SOLVE_SCRATCH + 12288;
const NEAR_PRECISION = SOLVE_SCRATCH + 16384;
// Copies, so that an odd count can be filled up with a station of no weight.
const X = SOLVE_SCRATCH + 20480;
const Y = SOLVE_SCRATCH + 24576;
const WEIGHT = SOLVE_SCRATCH + 28672;

// What `prepare` finds out and what `evaluate` sums up.
let centreEast: f64 = 0;
let centreNorth: f64 = 0;
let regularPrecision: f64 = 0;
let priorEast: f64 = 0;
let priorNorth: f64 = 0;
let priorPrecision: f64 = 0;
let atEast: f64 = 0;
let atNorth: f64 = 0;
let best: f64 = 0;
let endXx: f64 = 0;
let endXy: f64 = 0;
let endYy: f64 = 0;
let endDecrement: f64 = 0;
let endIterations: i32 = 0;
let disbelieved: i32 = 0;
let cost: f64 = 0;
let gx: f64 = 0;
let gy: f64 = 0;
let hxx: f64 = 0;
let hxy: f64 = 0;
let hyy: f64 = 0;

/** See `Core.trilaterate` (src/core/core.ts). */
export function trilaterate(
  count: i32,
  startEast: f64,
  startNorth: f64,
  aroundEast: f64,
  aroundNorth: f64,
  aroundSigma: f64,
  reach: f64,
): i32 {
  if (count < 1) return STATUS_TOO_FEW;
  if (count > MAX_SOLVE) return STATUS_TOO_MANY;
  if (!(reach > 0)) return STATUS_NOT_FINITE;
  priorPrecision = 0;
  if (aroundSigma !== 0) {
    if (!isPlace(aroundEast, aroundNorth) || !(aroundSigma > 1e-3)) return STATUS_NOT_FINITE;
    priorPrecision = 1 / (aroundSigma * aroundSigma);
    priorEast = aroundEast;
    priorNorth = aroundNorth;
  }
  const status = prepare(count, reach);
  if (status !== STATUS_OK) return status;

  descend(count, centreEast, centreNorth);
  let outcome = judge(count);
  if (isPlace(startEast, startNorth)) outcome = retry(count, startEast, startNorth, outcome);
  if (disbelieved > 0 && count >= FEWEST_FOR_RESTARTS) outcome = restart(count, outcome);
  return outcome;
}

/** Tries the places of the three stations that claim to be nearest: where a moved one has drawn the first answer away, the crowd is near another. */
function restart(count: i32, outcome: i32): i32 {
  let last = Infinity;
  for (let round = 0; round < RESTARTS; round++) {
    let nearest = -1;
    let highest: f64 = -1;
    for (let at = 0; at < count << 3; at += 8) {
      const precision = load<f64>(at, NEAR_PRECISION);
      if (precision > highest && precision < last && load<f64>(at, WEIGHT) > 0) {
        highest = precision;
        nearest = at;
      }
    }
    if (nearest < 0) break;
    last = highest;
    outcome = retry(count, load<f64>(nearest, X), load<f64>(nearest, Y), outcome);
  }
  return outcome;
}

/** Descends again from another start and keeps the better end. */
function retry(count: i32, startEast: f64, startNorth: f64, outcome: i32): i32 {
  const before = load<f64>(OUT_COST);
  const x = atEast;
  const y = atNorth;
  descend(count, startEast, startNorth);
  if (best < before - 1e-6) return judge(count);
  atEast = x;
  atNorth = y;
  return outcome;
}

function isPlace(east: f64, north: f64): bool {
  return Math.abs(east) <= FARTHEST && Math.abs(north) <= FARTHEST;
}

/** Levenberg-Marquardt from a start; leaves the end in `atEast`, `atNorth`, `best`, and the normal matrix there. */
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
    // What the step promises to gain, in units of minus log posterior: a step of one standard deviation gains one half.
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
      damping = damping > 0.02 ? damping * 0.2 : 0;
    } else {
      damping = damping > 0 ? damping * 5 : 0.1;
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

/** Checks the stations, works out what does not depend on the position, and finds their centroid by 1 / (ranged distance^2 + s^2). */
function prepare(count: i32, reach: f64): i32 {
  let sum: f64 = 0;
  let east: f64 = 0;
  let north: f64 = 0;
  let total: f64 = 0;
  let spread: f64 = 0;
  for (let i = 0; i < count; i++) {
    const at = i << 3;
    const x = load<f64>(at, SOLVE_EAST);
    const y = load<f64>(at, SOLVE_NORTH);
    const level = load<f64>(at, SOLVE_LEVEL);
    const reference = load<f64>(at, SOLVE_REFERENCE);
    const k = K * load<f64>(at, SOLVE_EXPONENT);
    const sigmaDb = load<f64>(at, SOLVE_SIGMA_DB);
    const sigma = load<f64>(at, SOLVE_SIGMA_METRES);
    const weight = load<f64>(at, SOLVE_WEIGHT);
    if (!isPlace(x, y) || !(Math.abs(reference) <= 1000) || !(k > 0.1 && k <= 1000) || level > 1000) return STATUS_NOT_FINITE;
    if (!(sigmaDb > 0.01 && sigmaDb <= 1000) || !(sigma >= 0 && sigma <= FARTHEST) || !(weight >= 0 && weight <= 1e6))
      return STATUS_NOT_FINITE;
    const measured = level > ABSENT_BELOW;
    const offset = (measured ? level : ASSUMED_DBM) - reference;
    const s2 = sigma * sigma;
    const ranged2 = Math.min(Math.exp((-2 * offset) / k), FARTHEST * FARTHEST);
    const near = measured ? reach * reach * ranged2 : ranged2;
    store<f64>(at, x, X);
    store<f64>(at, y, Y);
    store<f64>(at, weight, WEIGHT);
    store<f64>(at, offset, OFFSET);
    store<f64>(at, 0.5 * k, HALF_SLOPE);
    store<f64>(at, s2 + 1, SOFT);
    store<f64>(at, measured ? 1 / (sigmaDb * sigmaDb + (k * k * s2) / (ranged2 + 2.43 * s2 + 1)) : 0, LEVEL_PRECISION);
    store<f64>(at, 1 / (s2 + near + 1), NEAR_PRECISION);
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
    store<f64>(at, 0, X);
    store<f64>(at, 0, Y);
    store<f64>(at, 0, WEIGHT);
    store<f64>(at, 0, OFFSET);
    store<f64>(at, 0, HALF_SLOPE);
    store<f64>(at, 1, SOFT);
    store<f64>(at, 0, LEVEL_PRECISION);
    store<f64>(at, 0, NEAR_PRECISION);
  }
  centreEast = east / sum;
  centreNorth = north / sum;
  regularPrecision = total / (REGULAR * REGULAR * spread);
  return STATUS_OK;
}

/** Sums the cost, its gradient and the reweighted normal matrix at a position. */
function evaluate(count: i32, x: f64, y: f64): void {
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
    const dx = f64x2.sub(px, v128.load(at, X));
    const dy = f64x2.sub(py, v128.load(at, Y));
    const dx2 = f64x2.mul(dx, dx);
    const dy2 = f64x2.mul(dy, dy);
    const d2 = f64x2.add(dx2, dy2);
    const rho2 = f64x2.add(d2, v128.load(at, SOFT));
    const halfSlope = v128.load(at, HALF_SLOPE);
    const levelPrecision = v128.load(at, LEVEL_PRECISION);
    const nearPrecision = v128.load(at, NEAR_PRECISION);
    const weight = v128.load(at, WEIGHT);
    const r = f64x2.add(v128.load(at, OFFSET), f64x2.mul(halfSlope, logarithms(rho2)));
    const u = f64x2.add(f64x2.mul(f64x2.mul(r, r), levelPrecision), f64x2.mul(d2, nearPrecision));
    const surprise = f64x2.add(one, f64x2.mul(u, perFreedom));
    sumCost = f64x2.add(sumCost, f64x2.mul(weight, logarithms(surprise)));
    // One division for both 1 / surprise and 1 / rho^2.
    const inverse = f64x2.div(one, f64x2.mul(surprise, rho2));
    const believed = f64x2.mul(weight, f64x2.mul(inverse, rho2));
    const slope = f64x2.mul(f64x2.add(halfSlope, halfSlope), f64x2.mul(inverse, surprise));
    const level = f64x2.mul(f64x2.mul(believed, levelPrecision), slope);
    const near = f64x2.mul(believed, nearPrecision);
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
  cost = 0.5 * (FREEDOM * total(sumCost) + priorPrecision * (ex * ex + ey * ey) + regularPrecision * (cx * cx + cy * cy));
  gx = total(sumGx) + priorPrecision * ex + regularPrecision * cx;
  gy = total(sumGy) + priorPrecision * ey + regularPrecision * cy;
  hxx = total(sumXx) + precision;
  hxy = total(sumXy);
  hyy = total(sumYy) + precision;
}

function total(pair: v128): f64 {
  return f64x2.extract_lane(pair, 0) + f64x2.extract_lane(pair, 1);
}

/** Writes each station's robust weight, the residual scale and the covariance: the inverse of the normal matrix, inflated by the scale. */
function judge(count: i32): i32 {
  const x = atEast;
  const y = atNorth;
  let inliers = 0;
  disbelieved = 0;
  let squares: f64 = 0;
  let believedTotal: f64 = 0;
  for (let i = 0; i < count; i++) {
    const at = i << 3;
    const dx = x - load<f64>(at, X);
    const dy = y - load<f64>(at, Y);
    const d2 = dx * dx + dy * dy;
    const precision = load<f64>(at, LEVEL_PRECISION);
    const weight = load<f64>(at, WEIGHT);
    const r = load<f64>(at, OFFSET) + load<f64>(at, HALF_SLOPE) * Math.log(d2 + load<f64>(at, SOFT));
    const u = r * r * precision;
    const believed = 1 / (1 + (u + d2 * load<f64>(at, NEAR_PRECISION)) / FREEDOM);
    store<f64>(at, weight > 0 ? believed : 0, SOLVE_ROBUST);
    if (weight > 0 && believed >= 0.5) inliers++;
    if (weight > 0 && believed < DISBELIEF) disbelieved++;
    if (precision > 0) {
      squares += weight * believed * u;
      believedTotal += weight * believed;
    }
  }
  // Two residuals of the expected size are added, so that a handful of lucky or unlucky ones decides nothing; two are spent on the position.
  const scale2 = Math.max((squares + 2) / (Math.max(believedTotal - 2, 0) + 2), 1);
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
  store<i32>(OUT_COUNT, inliers);
  return endDecrement > 100 * SETTLED ? STATUS_NOT_CONVERGED : STATUS_OK;
}
