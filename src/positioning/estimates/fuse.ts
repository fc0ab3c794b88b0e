// Fuses the estimates of the strategies into one position. Estimates that agree within their covariances are fused by
// their information. One that disagrees is left out, not averaged in, because the device is in one place or the other
// and never halfway. Evidence decides between places, not order or precision: two access points that moved to another
// town together give a precise estimate, which is wrong when GPS and the cells agree on this town.

import { STATUS_OK } from '../../../wasm/memory.ts';
import type { Core } from '../../core/core.ts';
import { type Estimate, GROUP_NONE, roughR50Metres, type Tail } from './estimate.ts';

/** Mahalanobis distance up to which two estimates agree: 99 % of a two-dimensional Gaussian. */
const GATE = 3.03;

/** A fused position, the SOURCE_* bits of the estimates in it, and the number of their stations. */
interface Fused {
  estimate: Estimate;
  sources: number;
  used: number;
}

/**
 * Fuses estimates, at least one.
 * @param estimates in order of precedence between equally precise ones; reordered
 */
export function fuseEstimates(core: Core, estimates: Estimate[]): Fused {
  const count = estimates.length;
  if (count === 1) return alone(estimates[0]);
  estimates.sort((a, b) => roughR50Metres(a) - roughR50Metres(b));
  if (!writeAll(core, estimates)) return alone(estimates[0]);
  const reference = bestSupported(core, estimates);
  if (reference > 0) {
    // The reference goes first, the others follow by precision.
    const [chosen] = estimates.splice(reference, 1);
    estimates.unshift(chosen);
    if (!writeAll(core, estimates)) return alone(chosen);
  }
  if (core.fuse(count, GATE) !== STATUS_OK) return alone(estimates[0]);
  let sources = 0;
  let used = 0;
  let { tail } = estimates[0];
  let evidence = 0;
  for (let i = 0; i < count; i++) {
    if ((core.used & (1 << i)) === 0) continue;
    sources |= estimates[i].source;
    tail = lighter(tail, estimates[i].tail);
    used += estimates[i].used;
    evidence += estimates[i].evidence;
  }
  // An estimate that nothing agreed with is answered unchanged, without rounding in the local frame.
  if (sources === estimates[0].source) return alone(estimates[0]);
  const estimate = {
    source: estimates[0].source,
    latitude: core.latitudeOf(core.north),
    longitude: core.longitudeOf(core.east),
    cxx: core.varianceEast,
    cxy: core.covariance,
    cyy: core.varianceNorth,
    tail,
    group: GROUP_NONE,
    used,
    evidence,
  };
  return { estimate, sources, used };
}

/** Radius in metres that holds half of the estimate. */
export function r50Metres(core: Core, estimate: Estimate): number {
  const status = core.radius(estimate.cxx, estimate.cxy, estimate.cyy, 0.5, 1);
  return status === STATUS_OK ? core.radiusMetres : roughR50Metres(estimate);
}

/** The same, and at least 1: what is answered. */
export function accuracyMetres(core: Core, estimate: Estimate): number {
  return Math.max(1, r50Metres(core, estimate));
}

function alone(estimate: Estimate): Fused {
  return { estimate, sources: estimate.source, used: estimate.used };
}

/** Among estimates that agree the lightest tail counts, because the best of them limits the errors of the others. */
function lighter(a: Tail, b: Tail): Tail {
  return { at68: Math.min(a.at68, b.at68), at95: Math.min(a.at95, b.at95) };
}

/**
 * Writes the estimates into the core's buffers, in a frame around the first. @returns false when a position is invalid
 */
function writeAll(core: Core, estimates: readonly Estimate[]): boolean {
  if (core.setFrame(estimates[0].latitude, estimates[0].longitude) !== STATUS_OK) return false;
  for (let i = 0; i < estimates.length; i++) {
    const { latitude, longitude, cxx, cxy, cyy } = estimates[i];
    if (core.toLocal(latitude, longitude) !== STATUS_OK) return false;
    core.estimateEast[i] = core.east;
    core.estimateNorth[i] = core.north;
    core.estimateVarianceEast[i] = cxx;
    core.estimateCovariance[i] = cxy;
    core.estimateVarianceNorth[i] = cyy;
  }
  return true;
}

/** The estimate that agrees with the most evidence, including its own. Among equals the most precise one wins. */
function bestSupported(core: Core, estimates: readonly Estimate[]): number {
  let best = 0;
  let most = 0;
  for (let i = 0; i < estimates.length; i++) {
    let evidence = 0;
    for (let j = 0; j < estimates.length; j++) if (i === j || agree(core, i, j)) evidence += estimates[j].evidence;
    if (evidence > most) {
      best = i;
      most = evidence;
    }
  }
  return best;
}

function agree(core: Core, i: number, j: number): boolean {
  const dx = core.estimateEast[i] - core.estimateEast[j];
  const dy = core.estimateNorth[i] - core.estimateNorth[j];
  const xx = core.estimateVarianceEast[i] + core.estimateVarianceEast[j];
  const xy = core.estimateCovariance[i] + core.estimateCovariance[j];
  const yy = core.estimateVarianceNorth[i] + core.estimateVarianceNorth[j];
  return yy * dx * dx - 2 * xy * dx * dy + xx * dy * dy <= GATE * GATE * (xx * yy - xy * xy);
}
