// The radius that holds a share p of a two-dimensional Gaussian around its mean.
//
// With standard deviations a >= b along its axes, a draw is R (a cos u, b sin u) with u uniform and R Rayleigh, so that
//   P(within r) = mean over u of 1 - exp(-r^2 / (2 s(u))),  s(u) = a^2 cos^2 u + b^2 sin^2 u.
// The integrand is smooth and periodic, so the midpoint rule converges fast once its step is below the width of the
// narrowest feature, max(r, b) / a. P grows with r, so a bracketed Newton finds the radius. A circle has the closed
// form sigma * sqrt(-2 ln(1 - p)).

const HALF_PI: f64 = 1.5707963267948966;
// sqrt(pi / 2); times p sigma it is a lower bound of the radius on a line, and so in a plane
const MEAN_HALF_NORMAL: f64 = 1.2533141373155003;
const NODES_PER_WIDTH: f64 = 5;
const NODES_AT_LEAST: f64 = 8;
const NODES_AT_MOST: f64 = 4096;

/**
 * The radius that holds the share `p` of a Gaussian with this covariance in square metres; NaN where it is that of
 * none.
 */
export function radius(xx: f64, xy: f64, yy: f64, p: f64): f64 {
  if (!(p > 0 && p < 1)) return NaN;
  if (!Number.isFinite(xx) || !Number.isFinite(xy) || !Number.isFinite(yy)) return NaN;
  const mean = 0.5 * (xx + yy);
  const half = Math.sqrt(0.25 * (xx - yy) * (xx - yy) + xy * xy);
  const major = mean + half;
  const minor = mean - half;
  if (xx < 0 || yy < 0 || minor < -1e-9 * major || !Number.isFinite(major)) return NaN;
  return shareRadius(major, Math.max(minor, 0), p);
}

/** The radius for variances `major >= minor >= 0`. */
function shareRadius(major: f64, minor: f64, p: f64): f64 {
  const circle = Math.sqrt(-2 * Math.log(1 - p));
  let high = circle * Math.sqrt(major);
  let low = Math.max(circle * Math.sqrt(minor), MEAN_HALF_NORMAL * p * Math.sqrt(major));
  if (high - low <= 1e-12 * high) return high;
  const nodes = <i32>(
    Math.min(
      Math.max(Math.ceil((NODES_PER_WIDTH * Math.sqrt(major)) / Math.max(low, Math.sqrt(minor))), NODES_AT_LEAST),
      NODES_AT_MOST,
    )
  );
  // 2 cos(2 step) and the cosines of twice the first two midpoints, for the recurrence cos(t + h) = 2 cos h cos t -
  // cos(t - h).
  const step = HALF_PI / <f64>nodes;
  const cosine = Math.cos(step);
  const twice = 2 * Math.cos(2 * step);
  let r = Math.max(low, Math.min(high, circle * Math.sqrt(0.5 * (major + minor))));
  for (let i = 0; i < 60; i++) {
    let share: f64 = 0;
    let density: f64 = 0;
    let before = cosine;
    let here = cosine;
    for (let k = 0; k < nodes; k++) {
      const s = minor + (major - minor) * Math.max(0.5 + 0.5 * here, 0);
      const tail = s > 0 ? Math.exp((-0.5 * r * r) / s) : 0;
      share += 1 - tail;
      if (tail > 0) density += (r / s) * tail;
      const next = twice * here - before;
      before = here;
      here = next;
    }
    const excess = share / <f64>nodes - p;
    if (excess > 0) high = r;
    else low = r;
    let next = r - (excess * <f64>nodes) / density;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (Math.abs(next - r) <= 1e-6 * r) return next;
    r = next;
  }
  return r;
}
