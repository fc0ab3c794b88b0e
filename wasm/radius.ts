// Radius that holds a share p of a two-dimensional Gaussian around its mean.
//
// With standard deviations a >= b along its axes a draw is R (a cos u, b sin u), u uniform and R Rayleigh, so that
//   P(within r) = mean over u of 1 - exp(-r^2 / (2 s(u))),  s(u) = a^2 cos^2 u + b^2 sin^2 u.
// The integrand is smooth and periodic, for which the midpoint rule converges fast; P grows with r, so a bracketed Newton finds the radius. A circle has
// the closed form sigma * sqrt(-2 ln(1 - p)).

import { OUT_RADIUS, STATUS_DEGENERATE, STATUS_NOT_FINITE, STATUS_OK } from './layout';

// cos^2 at the midpoints of eight equal parts of a quarter turn.
const NODES: StaticArray<f64> = [
  0.9903926402016152, 0.9157348061512727, 0.7777851165098011, 0.5975451610080641, 0.4024548389919359, 0.22221488349019886,
  0.08426519384872733, 0.009607359798384785,
];

/** Writes the radius that holds the share `p` of a Gaussian with this covariance (square metres), times `calibration`. */
export function radius(xx: f64, xy: f64, yy: f64, p: f64, calibration: f64): i32 {
  if (!(p > 0 && p < 1) || !(calibration > 0) || !Number.isFinite(calibration)) return STATUS_NOT_FINITE;
  if (!Number.isFinite(xx) || !Number.isFinite(xy) || !Number.isFinite(yy)) return STATUS_NOT_FINITE;
  const mean = 0.5 * (xx + yy);
  const half = Math.sqrt(0.25 * (xx - yy) * (xx - yy) + xy * xy);
  const major = mean + half;
  const minor = mean - half;
  if (xx < 0 || yy < 0 || minor < -1e-9 * major) return STATUS_DEGENERATE;
  if (!Number.isFinite(major)) return STATUS_NOT_FINITE;
  store<f64>(OUT_RADIUS, calibration * shareRadius(major, Math.max(minor, 0), p));
  return STATUS_OK;
}

/** The radius for variances `major >= minor >= 0`. */
function shareRadius(major: f64, minor: f64, p: f64): f64 {
  const circle = Math.sqrt(-2 * Math.log(1 - p));
  let high = circle * Math.sqrt(major);
  let low = circle * Math.sqrt(minor);
  if (high - low <= 1e-12 * high) return high;
  let r = circle * Math.sqrt(0.5 * (major + minor));
  for (let i = 0; i < 60; i++) {
    let share: f64 = 0;
    let density: f64 = 0;
    for (let k = 0; k < 8; k++) {
      const s = minor + (major - minor) * unchecked(NODES[k]);
      const tail = Math.exp((-0.5 * r * r) / s);
      share += 1 - tail;
      density += (r / s) * tail;
    }
    const excess = share - 8 * p;
    if (excess > 0) high = r;
    else low = r;
    let next = r - excess / density;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (Math.abs(next - r) <= 1e-9 * r) return next;
    r = next;
  }
  return r;
}
