// One position out of what the strategies believe. The estimate that narrows the place down most is the reference; every other one that agrees with it,
// within what both covariances allow, is fused by its information. One that disagrees is left out rather than averaged in: the middle of two places is
// no place.

import { STATUS_OK } from '../../wasm/layout.ts';
import type { Core } from '../core/core.ts';
import { type Estimate, roughR50Metres } from './estimate.ts';

/** Mahalanobis distance up to which two estimates agree: 99 % of a two-dimensional Gaussian. */
const GATE = 3.03;

/** A fused position: the sources of what went into it as bits, and the stations behind them. */
export interface Fused {
  estimate: Estimate;
  sources: number;
  used: number;
}

/**
 * Fuses estimates, at least one.
 * @param estimates in order of precedence between equally precise ones
 */
export function fuseEstimates(core: Core, estimates: readonly Estimate[]): Fused {
  const [only] = estimates;
  if (estimates.length === 1) return { estimate: only, sources: only.source, used: only.used };
  const ordered = [...estimates].sort((a, b) => roughR50Metres(a) - roughR50Metres(b));
  const [reference] = ordered;
  core.setFrame(reference.latitude, reference.longitude);
  ordered.forEach((estimate, i) => {
    core.toLocal(estimate.latitude, estimate.longitude);
    core.estimateEast[i] = core.east;
    core.estimateNorth[i] = core.north;
    core.estimateVarianceEast[i] = estimate.cxx;
    core.estimateCovariance[i] = estimate.cxy;
    core.estimateVarianceNorth[i] = estimate.cyy;
  });
  if (core.fuse(ordered.length, GATE) !== STATUS_OK) return { estimate: reference, sources: reference.source, used: reference.used };
  let sources = 0;
  let used = 0;
  ordered.forEach((estimate, i) => {
    if ((core.used & (1 << i)) === 0) return;
    sources |= estimate.source;
    used += estimate.used;
  });
  return {
    estimate: {
      source: reference.source,
      latitude: core.latitudeOf(core.north),
      longitude: core.longitudeOf(core.east),
      cxx: core.varianceEast,
      cxy: core.covariance,
      cyy: core.varianceNorth,
      used,
    },
    sources,
    used,
  };
}

/** Radius in metres that holds half of the estimate, at least 1. */
export function accuracyMetres(core: Core, estimate: Estimate): number {
  const status = core.radius(estimate.cxx, estimate.cxy, estimate.cyy, 0.5, 1);
  return Math.max(1, status === STATUS_OK ? core.radiusMetres : roughR50Metres(estimate));
}
