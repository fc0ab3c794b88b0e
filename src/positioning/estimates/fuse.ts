// Fuses the estimates of the strategies into one position. Estimates that agree within their covariances are fused by
// their information. One that disagrees is left out, not averaged in, because the device is in one place or the other
// and never halfway. Evidence decides between places, not order or precision: two access points that moved to another
// town together give a precise estimate, which is wrong when GPS and the cells agree on this town.

import type { Fusion } from '../../core/fusion.ts';
import { distanceMetres } from '../../geo/distance.ts';
import { SOURCE_GPS } from '../../radio/query/layout.ts';
import { type Estimate, GROUP_NONE, R50_PER_SIGMA, roughR50Metres, type Tail } from './estimate.ts';

/** Mahalanobis distance up to which two estimates agree: 99 % of a two-dimensional Gaussian. */
const GATE = 3.03;

/** Three access points that agree, or two beacons, contradict a fix that is this far from them. */
const CONTRADICTING_EVIDENCE = 3;
const CONTRADICTING_METRES = 5_000;

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
export function fuseEstimates(fusion: Fusion, estimates: Estimate[]): Fused {
  const count = estimates.length;
  if (count === 1) return alone(estimates[0]);
  sortByRadius(estimates);
  if (!writeAll(fusion, estimates)) return alone(estimates[0]);
  const reference = bestSupported(fusion, estimates);
  if (reference > 0) {
    // The reference goes first, the others follow by precision.
    const [chosen] = estimates.splice(reference, 1);
    estimates.unshift(chosen);
    if (!writeAll(fusion, estimates)) return alone(chosen);
  }
  const fused = fusion.fuse(count, GATE);
  if (fused === undefined) return alone(estimates[0]);
  let sources = 0;
  let used = 0;
  let { tail } = estimates[0];
  let evidence = 0;
  for (let i = 0; i < count; i++) {
    if ((fused.used & (1 << i)) === 0) continue;
    sources |= estimates[i].source;
    tail = lighter(tail, estimates[i].tail);
    used += estimates[i].used;
    evidence += estimates[i].evidence;
  }
  // An estimate that nothing agreed with is answered unchanged, without rounding in the local frame.
  if (sources === estimates[0].source) return alone(estimates[0]);
  const estimate = {
    source: estimates[0].source,
    latitude: fusion.frame.latitudeOf(fused.north),
    longitude: fusion.frame.longitudeOf(fused.east),
    cxx: fused.varianceEast,
    cxy: fused.covariance,
    cyy: fused.varianceNorth,
    tail,
    group: GROUP_NONE,
    used,
    evidence,
  };
  return { estimate, sources, used };
}

/**
 * Widens a fix that is answered alone although several stations that agree are far from it, so that its radius reaches
 * them: nothing tells which of both is wrong, a fix that was set by hand or access points that moved together.
 * @param estimates of the query @returns metres to the farthest of them; 0 if the fix stays as it is
 */
export function widenContradicted({ estimate, sources }: Fused, estimates: readonly Estimate[]): number {
  if (sources !== SOURCE_GPS) return 0;
  const apart = estimates
    .filter(each => supportOf(each) >= CONTRADICTING_EVIDENCE)
    .map(each => distanceMetres(estimate.latitude, estimate.longitude, each.latitude, each.longitude));
  const metres = Math.max(0, ...apart);
  if (metres < CONTRADICTING_METRES) return 0;
  const variance = (metres / R50_PER_SIGMA) ** 2;
  estimate.cxx += variance;
  estimate.cyy += variance;
  return metres;
}

/** Radius in metres that holds half of the estimate. */
export function r50Metres(fusion: Fusion, estimate: Estimate): number {
  const metres = fusion.radius(estimate.cxx, estimate.cxy, estimate.cyy, 0.5);
  return Number.isNaN(metres) ? roughR50Metres(estimate) : metres;
}

/** The same, and at least 1: what is answered. */
export function accuracyMetres(fusion: Fusion, estimate: Estimate): number {
  return Math.max(1, r50Metres(fusion, estimate));
}

/** Sorts a handful by insertion: `sort` and its closure cost more than the fusion of two. */
function sortByRadius(estimates: Estimate[]): void {
  for (let i = 1; i < estimates.length; i++) {
    const estimate = estimates[i];
    const metres = roughR50Metres(estimate);
    let to = i;
    for (; to > 0 && roughR50Metres(estimates[to - 1]) > metres; to--) estimates[to] = estimates[to - 1];
    estimates[to] = estimate;
  }
}

function alone(estimate: Estimate): Fused {
  return { estimate, sources: estimate.source, used: estimate.used };
}

/** Among estimates that agree the lightest tail counts, because the best of them limits the errors of the others. */
function lighter(a: Tail, b: Tail): Tail {
  return { at68: Math.min(a.at68, b.at68), at95: Math.min(a.at95, b.at95) };
}

/** Writes the estimates for `fuse`, in a frame around the first. @returns false when a position is invalid */
function writeAll(fusion: Fusion, estimates: readonly Estimate[]): boolean {
  const { frame, east, north, varianceEast, covariance, varianceNorth } = fusion;
  if (!frame.set(estimates[0].latitude, estimates[0].longitude)) return false;
  for (let i = 0; i < estimates.length; i++) {
    const { latitude, longitude, cxx, cxy, cyy } = estimates[i];
    east[i] = frame.eastOf(longitude);
    north[i] = frame.northOf(latitude);
    if (Number.isNaN(east[i] + north[i])) return false;
    varianceEast[i] = cxx;
    covariance[i] = cxy;
    varianceNorth[i] = cyy;
  }
  return true;
}

/** The evidence of an estimate, less what contradicts it in its own scan. */
function supportOf({ evidence, agreement = 1 }: Estimate): number {
  return evidence * agreement;
}

/** The estimate that agrees with the most evidence, including its own. Among equals the most precise one wins. */
function bestSupported(fusion: Fusion, estimates: readonly Estimate[]): number {
  let best = 0;
  let most = 0;
  for (let i = 0; i < estimates.length; i++) {
    let evidence = 0;
    for (let j = 0; j < estimates.length; j++) if (i === j || agree(fusion, i, j)) evidence += supportOf(estimates[j]);
    if (evidence > most) {
      best = i;
      most = evidence;
    }
  }
  return best;
}

function agree({ east, north, varianceEast, covariance, varianceNorth }: Fusion, i: number, j: number): boolean {
  const dx = east[i] - east[j];
  const dy = north[i] - north[j];
  const xx = varianceEast[i] + varianceEast[j];
  const xy = covariance[i] + covariance[j];
  const yy = varianceNorth[i] + varianceNorth[j];
  return yy * dx * dx - 2 * xy * dx * dy + xx * dy * dy <= GATE * GATE * (xx * yy - xy * xy);
}
