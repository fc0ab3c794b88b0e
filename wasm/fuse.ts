// Fuses independent Gaussian estimates, the most trusted first. An estimate joins if it agrees with the fused one: its
// squared Mahalanobis distance, under the sum of both covariances, is at most the square of the gate. Joining is a
// Kalman update of two positions.

import {
  FUSE_EAST,
  FUSE_NORTH,
  FUSE_XX,
  FUSE_XY,
  FUSE_YY,
  MAX_ESTIMATES,
  OUT_EAST,
  OUT_NORTH,
  OUT_USED,
  OUT_XX,
  OUT_XY,
  OUT_YY,
  STATUS_DEGENERATE,
  STATUS_NOT_FINITE,
  STATUS_OK,
  STATUS_TOO_FEW,
  STATUS_TOO_MANY,
} from './memory';

const LARGEST: f64 = 1e16; // metres or square metres; far beyond any use and far below overflow

/**
 * Fuses the estimates `0..count-1`; if the first one is unusable, the next takes its role. `gate` is in standard
 * deviations.
 */
export function fuse(count: i32, gate: f64): i32 {
  if (count < 1) return STATUS_TOO_FEW;
  if (count > MAX_ESTIMATES) return STATUS_TOO_MANY;
  if (!(gate >= 0)) return STATUS_NOT_FINITE;
  let x: f64 = 0;
  let y: f64 = 0;
  let xx: f64 = 0;
  let xy: f64 = 0;
  let yy: f64 = 0;
  let used = 0;
  for (let i = 0; i < count; i++) {
    const east = load<f64>(i << 3, FUSE_EAST);
    const north = load<f64>(i << 3, FUSE_NORTH);
    const a = load<f64>(i << 3, FUSE_XX);
    const b = load<f64>(i << 3, FUSE_XY);
    const c = load<f64>(i << 3, FUSE_YY);
    if (!isGaussian(east, north, a, b, c)) continue;
    if (used === 0) {
      x = east;
      y = north;
      xx = a;
      xy = b;
      yy = c;
      used = 1 << i;
      continue;
    }
    // Innovation and its covariance S; the gain is P S^-1.
    const dx = east - x;
    const dy = north - y;
    const sxx = xx + a;
    const sxy = xy + b;
    const syy = yy + c;
    const inverse = 1 / (sxx * syy - sxy * sxy);
    if ((syy * dx * dx - 2 * sxy * dx * dy + sxx * dy * dy) * inverse > gate * gate) continue;
    const k11 = (xx * syy - xy * sxy) * inverse;
    const k12 = (xy * sxx - xx * sxy) * inverse;
    const k21 = (xy * syy - yy * sxy) * inverse;
    const k22 = (yy * sxx - xy * sxy) * inverse;
    x += k11 * dx + k12 * dy;
    y += k21 * dx + k22 * dy;
    // P S^-1 R equals (I - K) P, and is symmetric because it is also (P^-1 + R^-1)^-1.
    const pxx = k11 * a + k12 * b;
    const pxy = k11 * b + k12 * c;
    const pyy = k21 * b + k22 * c;
    xx = pxx;
    xy = pxy;
    yy = pyy;
    used |= 1 << i;
  }
  if (used === 0) return STATUS_DEGENERATE;
  store<f64>(OUT_EAST, x);
  store<f64>(OUT_NORTH, y);
  store<f64>(OUT_XX, xx);
  store<f64>(OUT_XY, xy);
  store<f64>(OUT_YY, yy);
  store<i32>(OUT_USED, used);
  return STATUS_OK;
}

/** True for a finite position with a positive definite covariance. */
function isGaussian(east: f64, north: f64, xx: f64, xy: f64, yy: f64): bool {
  if (!(Math.abs(east) <= LARGEST && Math.abs(north) <= LARGEST)) return false;
  return xx > 0 && yy > 0 && xx <= LARGEST && yy <= LARGEST && xx * yy - xy * xy > 1e-12 * xx * yy;
}
