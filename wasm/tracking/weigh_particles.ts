// Weighs the particles by a scan and a position fix, and resamples them when too few carry the weight.
//
// The station model is that of posterior.ts without the "near me" term. Each station's misfit u = r^2 / v has a soft cap, u / (1 + u / CAP), so that no
// single station can kill a particle, however wrong it is. The likelihood is relative to the best particle, so that the weights stay a distribution.

import { logarithms4 } from '../logarithm';
import {
  MAX_PARTICLES,
  MAX_SCAN,
  OUT_EAST,
  OUT_EFFECTIVE,
  OUT_NORTH,
  OUT_RESAMPLED,
  OUT_XX,
  OUT_XY,
  OUT_YY,
  PARTICLE_BIAS,
  PARTICLE_EAST,
  PARTICLE_MISFIT,
  PARTICLE_NEXT_BIAS,
  PARTICLE_NEXT_EAST,
  PARTICLE_NEXT_NORTH,
  PARTICLE_NORTH,
  PARTICLE_WEIGHT,
  SCAN_EAST,
  SCAN_EXPONENT,
  SCAN_HALF_SLOPE,
  SCAN_LEVEL,
  SCAN_NORTH,
  SCAN_OFFSET,
  SCAN_PRECISION,
  SCAN_REFERENCE,
  SCAN_SIGMA_DB,
  SCAN_SIGMA_METRES,
  SCAN_SOFT,
  STATUS_DEGENERATE,
  STATUS_NOT_FINITE,
  STATUS_OK,
  STATUS_TOO_FEW,
  STATUS_TOO_MANY,
} from '../memory';
import { MISFIT_CAP, STREAM_RESAMPLING } from '../particle_constants';
import { keyOf, uniform } from '../random';
import { DB_PER_NEPER, FARTHEST_SQUARED, POSITION_SCATTER } from '../trilateration_constants';

const CAP = <f32>MISFIT_CAP;
const FARTHEST: f32 = 1e6; // metres; f32 resolves 6 cm there

/** See `Core.weighParticles` (src/core/core.ts). */
export function weighParticles(
  count: i32,
  stations: i32,
  fixEast: f64,
  fixNorth: f64,
  fixSigma: f64,
  seed: i32,
  step: i32,
  resampleBelow: f64,
): i32 {
  if (count < 1) return STATUS_TOO_FEW;
  if (count > MAX_PARTICLES || stations > MAX_SCAN) return STATUS_TOO_MANY;
  if (stations < 0) return STATUS_TOO_FEW;
  let fixPrecision: f64 = 0;
  if (fixSigma !== 0) {
    if (!(Math.abs(fixEast) <= FARTHEST && Math.abs(fixNorth) <= FARTHEST && fixSigma > 1e-3)) return STATUS_NOT_FINITE;
    fixPrecision = 1 / (fixSigma * fixSigma);
  } else {
    fixEast = 0;
    fixNorth = 0;
  }
  const status = prepareScan(stations);
  if (status !== STATUS_OK) return status;
  for (let i = count; (i & 3) !== 0; i++) store<f32>(i << 2, 0, PARTICLE_WEIGHT);
  const least = sumMisfit(count, stations, <f32>fixEast, <f32>fixNorth, <f32>fixPrecision);
  const reweighed = reweigh(count, least);
  if (reweighed !== STATUS_OK) return reweighed;
  const resample = load<f64>(OUT_EFFECTIVE) < resampleBelow * <f64>count;
  if (resample) resampleSystematically(count, uniform(keyOf(seed, step, STREAM_RESAMPLING), 0));
  store<i32>(OUT_RESAMPLED, resample ? 1 : 0);
  return STATUS_OK;
}

/** Checks the scan and computes everything that does not depend on the particle. */
function prepareScan(stations: i32): i32 {
  for (let i = 0; i < stations; i++) {
    const at = i << 2;
    const east = load<f32>(at, SCAN_EAST);
    const north = load<f32>(at, SCAN_NORTH);
    const offset = <f64>load<f32>(at, SCAN_LEVEL) - <f64>load<f32>(at, SCAN_REFERENCE);
    const k = DB_PER_NEPER * <f64>load<f32>(at, SCAN_EXPONENT);
    const sigmaDb = <f64>load<f32>(at, SCAN_SIGMA_DB);
    const sigma = <f64>load<f32>(at, SCAN_SIGMA_METRES);
    if (!(abs<f32>(east) <= FARTHEST && abs<f32>(north) <= FARTHEST && Math.abs(offset) <= 1000)) return STATUS_NOT_FINITE;
    if (!(k > 0.1 && k <= 1000 && sigmaDb > 0.01 && sigmaDb <= 1000 && sigma >= 0 && sigma <= FARTHEST)) return STATUS_NOT_FINITE;
    const s2 = sigma * sigma;
    const ranged2 = Math.min(Math.exp((-2 * offset) / k), FARTHEST_SQUARED);
    store<f32>(at, <f32>offset, SCAN_OFFSET);
    store<f32>(at, <f32>(0.5 * k), SCAN_HALF_SLOPE);
    store<f32>(at, <f32>(s2 + 1), SCAN_SOFT);
    store<f32>(at, <f32>(1 / (sigmaDb * sigmaDb + (k * k * s2) / (ranged2 + POSITION_SCATTER * s2 + 1))), SCAN_PRECISION);
  }
  return STATUS_OK;
}

/** Sums up the capped misfits of each particle. @returns the least sum among particles with weight */
function sumMisfit(count: i32, stations: i32, fixEast: f32, fixNorth: f32, fixPrecision: f32): f32 {
  const cap = f32x4.splat(CAP);
  const none = f32x4.splat(0);
  const infinite = f32x4.splat(Infinity);
  let least = infinite;
  const end = stations << 2;
  for (let i = 0; i < count; i += 4) {
    const at = i << 2;
    const east = v128.load(at, PARTICLE_EAST);
    const north = v128.load(at, PARTICLE_NORTH);
    let fx = f32x4.sub(east, f32x4.splat(fixEast));
    let fy = f32x4.sub(north, f32x4.splat(fixNorth));
    let u = f32x4.mul(f32x4.add(f32x4.mul(fx, fx), f32x4.mul(fy, fy)), f32x4.splat(fixPrecision));
    let sum = f32x4.div(u, f32x4.add(cap, u));
    for (let s = 0; s < end; s += 4) {
      fx = f32x4.sub(east, v128.load32_splat(s, SCAN_EAST));
      fy = f32x4.sub(north, v128.load32_splat(s, SCAN_NORTH));
      const rho2 = f32x4.add(f32x4.add(f32x4.mul(fx, fx), f32x4.mul(fy, fy)), v128.load32_splat(s, SCAN_SOFT));
      const r = f32x4.add(v128.load32_splat(s, SCAN_OFFSET), f32x4.mul(v128.load32_splat(s, SCAN_HALF_SLOPE), logarithms4(rho2)));
      u = f32x4.mul(f32x4.mul(r, r), v128.load32_splat(s, SCAN_PRECISION));
      sum = f32x4.add(sum, f32x4.div(u, f32x4.add(cap, u)));
    }
    v128.store(at, sum, PARTICLE_MISFIT);
    const weightless = f32x4.le(v128.load(at, PARTICLE_WEIGHT), none);
    least = f32x4.pmin(least, v128.bitselect(infinite, sum, weightless));
  }
  return min<f32>(
    min<f32>(f32x4.extract_lane(least, 0), f32x4.extract_lane(least, 1)),
    min<f32>(f32x4.extract_lane(least, 2), f32x4.extract_lane(least, 3)),
  );
}

/** Sets new weights, which sum to 1, and writes mean, covariance and effective number. On an error the weights stay unchanged. */
function reweigh(count: i32, least: f32): i32 {
  if (least === Infinity) return STATUS_DEGENERATE;
  const originEast = load<f32>(PARTICLE_EAST);
  const originNorth = load<f32>(PARTICLE_NORTH);
  const ox = f32x4.splat(originEast);
  const oy = f32x4.splat(originNorth);
  const base = f32x4.splat(least);
  // exp(-u / 2) = 2^(-u / (2 ln 2)), u = CAP * misfit.
  const binary = f32x4.splat(-0.7213475204444817 * CAP);
  const zero = f32x4.splat(0);
  let sum = zero;
  let squares = sum;
  let sx = sum;
  let sy = sum;
  let sxx = sum;
  let sxy = sum;
  let syy = sum;
  for (let i = 0; i < count; i += 4) {
    const at = i << 2;
    const exponent = f32x4.mul(f32x4.sub(v128.load(at, PARTICLE_MISFIT), base), binary);
    const weight = f32x4.mul(f32x4.max(v128.load(at, PARTICLE_WEIGHT), zero), powersOfTwo(exponent));
    v128.store(at, weight, PARTICLE_MISFIT);
    const dx = f32x4.sub(v128.load(at, PARTICLE_EAST), ox);
    const dy = f32x4.sub(v128.load(at, PARTICLE_NORTH), oy);
    const wx = f32x4.mul(weight, dx);
    const wy = f32x4.mul(weight, dy);
    sum = f32x4.add(sum, weight);
    squares = f32x4.add(squares, f32x4.mul(weight, weight));
    sx = f32x4.add(sx, wx);
    sy = f32x4.add(sy, wy);
    sxx = f32x4.add(sxx, f32x4.mul(wx, dx));
    sxy = f32x4.add(sxy, f32x4.mul(wx, dy));
    syy = f32x4.add(syy, f32x4.mul(wy, dy));
  }
  const total = lanes(sum);
  if (!Number.isFinite(total) || !Number.isFinite(lanes(sxx) + lanes(syy))) return STATUS_NOT_FINITE;
  if (!(total > 1e-30)) return STATUS_DEGENERATE;
  const inverse = 1 / total;
  const scale = f32x4.splat(<f32>inverse);
  for (let i = 0; i < count; i += 4) v128.store(i << 2, f32x4.mul(v128.load(i << 2, PARTICLE_MISFIT), scale), PARTICLE_WEIGHT);
  const mx = lanes(sx) * inverse;
  const my = lanes(sy) * inverse;
  store<f64>(OUT_EAST, <f64>originEast + mx);
  store<f64>(OUT_NORTH, <f64>originNorth + my);
  store<f64>(OUT_XX, Math.max(lanes(sxx) * inverse - mx * mx, 0));
  store<f64>(OUT_XY, lanes(sxy) * inverse - mx * my);
  store<f64>(OUT_YY, Math.max(lanes(syy) * inverse - my * my, 0));
  store<f64>(OUT_EFFECTIVE, (total * total) / lanes(squares));
  return STATUS_OK;
}

function lanes(sum: v128): f64 {
  const even = <f64>f32x4.extract_lane(sum, 0) + <f64>f32x4.extract_lane(sum, 2);
  return even + <f64>f32x4.extract_lane(sum, 1) + <f64>f32x4.extract_lane(sum, 3);
}

/** 2^x of four f32 for x at most 0, and at least 2^-126; relative error under 3e-7. */
function powersOfTwo(x: v128): v128 {
  const kept = f32x4.max(x, f32x4.splat(-126));
  const whole = f32x4.nearest(kept);
  const t = f32x4.sub(kept, whole);
  let sum = f32x4.add(f32x4.splat(0.0013333558146428443), f32x4.mul(t, f32x4.splat(0.0001540353039338161)));
  sum = f32x4.add(f32x4.splat(0.009618129107628477), f32x4.mul(t, sum));
  sum = f32x4.add(f32x4.splat(0.05550410866482158), f32x4.mul(t, sum));
  sum = f32x4.add(f32x4.splat(0.2402265069591007), f32x4.mul(t, sum));
  sum = f32x4.add(f32x4.splat(<f32>Math.LN2), f32x4.mul(t, sum));
  sum = f32x4.add(f32x4.splat(1), f32x4.mul(t, sum));
  const power = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(whole), i32x4.splat(127)), 23);
  return f32x4.mul(sum, power);
}

/** Systematic resampling: draws `count` particles at equal steps of the cumulative weight, offset by one uniform number. The weights become equal. */
function resampleSystematically(count: i32, offset: f64): void {
  const share = 1.0 / <f64>count;
  let from = 0;
  let cumulated = <f64>load<f32>(0, PARTICLE_WEIGHT);
  for (let i = 0; i < count; i++) {
    const mark = (<f64>i + offset) * share;
    while (cumulated <= mark && from < count - 1) cumulated += <f64>load<f32>(++from << 2, PARTICLE_WEIGHT);
    store<f32>(i << 2, load<f32>(from << 2, PARTICLE_EAST), PARTICLE_NEXT_EAST);
    store<f32>(i << 2, load<f32>(from << 2, PARTICLE_NORTH), PARTICLE_NEXT_NORTH);
    store<f32>(i << 2, load<f32>(from << 2, PARTICLE_BIAS), PARTICLE_NEXT_BIAS);
  }
  memory.copy(PARTICLE_EAST, PARTICLE_NEXT_EAST, count << 2);
  memory.copy(PARTICLE_NORTH, PARTICLE_NEXT_NORTH, count << 2);
  memory.copy(PARTICLE_BIAS, PARTICLE_NEXT_BIAS, count << 2);
  for (let i = 0; i < count; i++) store<f32>(i << 2, <f32>share, PARTICLE_WEIGHT);
}
