// The twin of wasm/transmitters/uncertainty.ts in plain JavaScript, which has the model.

import {
  circularEstimate,
  type Estimate,
  R50_PER_SIGMA,
  type Tail,
} from '../../../src/positioning/estimates/estimate.ts';
import type { RadioModel } from '../../../src/positioning/transmitters/fix.ts';
import type { SolverCore } from '../../kits/solver_core.ts';

/** A station with a robust weight below this has moved, and the position does not rest on it. */
export const INLIER_WEIGHT_MIN = 0.12;
/** Shares of the three sources. */
const SCATTER_SHARE = 0.65;
const COMMON_SHARE = 0.65;
const COVARIANCE_SHARE = 0.015;
/** Largest evidence of one kind of station: more of them may all have come on one truck. */
const EVIDENCE_LIMIT = 4;
/** Heavier than the tail of a Gaussian, see above. */
const TAIL: Tail = { at68: 1.42, at95: 3.4 };

/**
 * The estimate from a single station. Its radius is the larger of the distance that the level stands for and the
 * uncertainty of the station's position.
 */
export function estimateFromOne(core: SolverCore, model: RadioModel): Estimate {
  const level = core.stationLevelDbm[0];
  const ranged = Number.isNaN(level)
    ? 16
    : core.distanceAt(level, core.stationReferenceDbm[0], core.stationExponent[0]);
  const r50Metres = Math.max(ranged, R50_PER_SIGMA * core.stationSigmaMetres[0]);
  const { frame } = core.selected;
  return circularEstimate({
    source: model.source,
    latitude: frame.latitudeOf(core.stationNorth[0]),
    longitude: frame.longitudeOf(core.stationEast[0]),
    r50Metres,
    tail: TAIL,
    used: 1,
    evidence: model.evidence,
    group: model.group,
  });
}

/**
 * The core's position with its uncertainty and the number of stations behind it.
 * @param commonVariance for each station: the part of its variance along one axis that it shares with the others, in
 *   square metres
 */
export function estimateOf(core: SolverCore, model: RadioModel, count: number, commonVariance: Float64Array): Estimate {
  const { stationRobustWeight, stationWeight, stationEast, stationNorth, stationSigmaMetres, east, north } = core;
  let weights = 0;
  let squares = 0;
  let common = 0;
  let uncertain = 0;
  let xx = 0;
  let xy = 0;
  let yy = 0;
  let used = 0;
  for (let i = 0; i < count; i++) {
    const weight = stationRobustWeight[i] * stationWeight[i];
    const dx = stationEast[i] - east;
    const dy = stationNorth[i] - north;
    weights += weight;
    squares += weight * weight;
    common += weight * commonVariance[i];
    uncertain += weight * stationSigmaMetres[i] * stationSigmaMetres[i];
    xx += weight * dx * dx;
    xy += weight * dx * dy;
    yy += weight * dy * dy;
    if (stationRobustWeight[i] >= INLIER_WEIGHT_MIN) used++;
  }
  // Stations may scatter less than they are uncertain: those heard all over a mall all seem to stand in its middle.
  const hidden = Math.max(0, model.hiddenShare * uncertain - (xx + yy) / 2);
  // Variance of a mean: the mean square distance over the effective number, weights^2 / squares, less the one that the
  // mean itself takes.
  const scatter = (SCATTER_SHARE * squares) / (weights * Math.max(weights * weights - squares, squares / 2));
  const shared = (COMMON_SHARE * common) / weights;
  return {
    source: model.source,
    latitude: core.selected.frame.latitudeOf(north),
    longitude: core.selected.frame.longitudeOf(east),
    cxx: COVARIANCE_SHARE * core.varianceEast + scatter * (xx + hidden) + shared,
    cxy: COVARIANCE_SHARE * core.covariance + scatter * xy,
    cyy: COVARIANCE_SHARE * core.varianceNorth + scatter * (yy + hidden) + shared,
    tail: TAIL,
    group: model.group,
    used,
    evidence: Math.min(used * model.evidence, EVIDENCE_LIMIT),
  };
}
