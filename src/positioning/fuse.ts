// One position out of what the strategies believe. The estimate that narrows the place down most is the reference; every other one that agrees with it, within what
// both covariances allow, is fused by its information. One that disagrees is left out rather than averaged in: the middle of two places is no place.

import { wrapDegrees } from '../geo/angle.ts';
import { EARTH_RADIUS_METRES } from '../geo/distance.ts';
import { type Estimate, roughR50Metres } from './estimate.ts';

/** Squared Mahalanobis distance up to which two estimates agree: 99 % of a two-dimensional Gaussian. */
const GATE = 9.21;

const METRES_PER_DEGREE = (EARTH_RADIUS_METRES * Math.PI) / 180;

/** A fused position: the sources of what went into it as bits, and the stations behind them. */
export interface Fused {
  estimate: Estimate;
  sources: number;
  used: number;
}

/**
 * Fuses estimates, at least one.
 * @param estimates in order of precedence for equal precision
 */
export function fuseEstimates(estimates: readonly Estimate[]): Fused {
  let reference = estimates[0];
  for (const estimate of estimates) if (roughR50Metres(estimate) < roughR50Metres(reference)) reference = estimate;
  let fused = reference;
  let sources = reference.source;
  let used = reference.used;
  for (const estimate of estimates) {
    if (estimate === reference) continue;
    const joined = join(fused, estimate);
    if (joined === undefined) continue;
    fused = joined;
    sources |= estimate.source;
    used += estimate.used;
  }
  return { estimate: fused, sources, used };
}

/** Product of two Gaussians, or undefined when they disagree. Metres around the first estimate's position. */
function join(a: Estimate, b: Estimate): Estimate | undefined {
  const metresEast = METRES_PER_DEGREE * Math.cos((a.latitude * Math.PI) / 180);
  const dx = wrapDegrees(b.longitude - a.longitude) * metresEast;
  const dy = (b.latitude - a.latitude) * METRES_PER_DEGREE;
  // Gain K = A (A + B)^-1.
  const sxx = a.cxx + b.cxx;
  const sxy = a.cxy + b.cxy;
  const syy = a.cyy + b.cyy;
  const determinant = sxx * syy - sxy * sxy;
  if (!(determinant > 0) || !(metresEast > 1)) return undefined;
  const ixx = syy / determinant;
  const ixy = -sxy / determinant;
  const iyy = sxx / determinant;
  if (dx * dx * ixx + 2 * dx * dy * ixy + dy * dy * iyy > GATE) return undefined;
  const kxx = a.cxx * ixx + a.cxy * ixy;
  const kxy = a.cxx * ixy + a.cxy * iyy;
  const kyx = a.cxy * ixx + a.cyy * ixy;
  const kyy = a.cxy * ixy + a.cyy * iyy;
  return {
    source: a.source,
    latitude: a.latitude + (kyx * dx + kyy * dy) / METRES_PER_DEGREE,
    longitude: wrapDegrees(a.longitude + (kxx * dx + kxy * dy) / metresEast),
    cxx: a.cxx - kxx * a.cxx - kxy * a.cxy,
    cxy: a.cxy - kxx * a.cxy - kxy * a.cyy,
    cyy: a.cyy - kyx * a.cxy - kyy * a.cyy,
    used: a.used,
  };
}
