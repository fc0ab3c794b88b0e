// A position from the transmitters around the device: WiFi and Bluetooth take the same way with other constants. The known stations are grouped by
// distance, the group that the readings speak for is chosen, and the position is the one that best explains its levels by log-distance path loss
// (maximum a posteriori, robust against stations that have moved). Receivers and transmitters differ in gain by a common offset that no table knows:
// it is estimated along with the position, held by a prior.

import type { Core } from '../core/core.ts';
import type { StationReader } from '../tables/stations.ts';
import { STATUS_NOT_CONVERGED, STATUS_OK } from '../../wasm/layout.ts';
import type { Estimate } from './estimate.ts';
import { R50_PER_SIGMA } from './estimate.ts';
import type { Selection } from './selection.ts';

/** Constants of one kind of transmitter. */
export interface RadioModel {
  source: number;
  /** Stations farther apart than this are not seen at once, in metres. */
  clusterMetres: number;
  /** Stations that must agree. */
  minimum: number;
  /** Scale of the level's noise in dB, without the station's own uncertainty. */
  levelSigmaDb: number;
  /** Standard deviation of the common gain offset in dB. */
  offsetSigmaDb: number;
  /** Least standard deviation of a station's position in metres. */
  positionFloorMetres: number;
  /** Level at one metre in dBm and path-loss exponent where the station has no fit of its own. */
  referenceDbm(observation: number): number;
  exponent: number;
  /** Share by which the reported covariance differs from the model's, from evaluation. */
  covarianceFactor: number;
}

/** Rounds in which the common offset and the position improve one another. */
const OFFSET_ROUNDS = 2;

/**
 * Locates by the selected stations.
 * @param anchor a coarse position that decides between groups of equal evidence, if any
 * @returns undefined when fewer than `minimum` stations agree
 */
export function locateByRadio(
  core: Core,
  model: RadioModel,
  selection: Selection,
  stations: StationReader,
  anchor: Estimate | undefined,
): Estimate | undefined {
  if (selection.count < model.minimum) return undefined;
  const first = selection.observation[0];
  core.setOrigin(stations.latitude(first), stations.longitude(first));
  for (let s = 0; s < selection.count; s++) {
    core.placeStation(s, stations.latitude(selection.observation[s]), stations.longitude(selection.observation[s]));
  }
  const group = chooseGroup(core, model, selection, anchor);
  if (group === undefined) return undefined;
  const used = gather(core, model, selection, stations, group);
  const status = solve(core, model, selection, used);
  if (status !== STATUS_OK && status !== STATUS_NOT_CONVERGED) return undefined;
  return {
    source: model.source,
    latitude: core.latitudeOf(core.resultX, core.resultY),
    longitude: core.longitudeOf(core.resultX, core.resultY),
    cxx: core.resultCxx * model.covarianceFactor,
    cxy: core.resultCxy * model.covarianceFactor,
    cyy: core.resultCyy * model.covarianceFactor,
    used,
  };
}
