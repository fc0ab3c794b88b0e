// A position from the transmitters around the device: WiFi and Bluetooth take the same way with other constants. The known stations are grouped by
// distance, the group that the readings speak for is chosen, and the position is the one that best explains its levels by log-distance path loss
// (maximum a posteriori, robust against stations that have moved). Receivers and surroundings differ by a common offset in dB that no table knows: it
// is estimated along with the position, held by a prior.

import { STATUS_NOT_CONVERGED, STATUS_OK } from '../../wasm/layout.ts';
import type { Core } from '../core/core.ts';
import { distanceMetres } from '../geo/distance.ts';
import type { StationReader } from '../tables/stations.ts';
import { type Estimate, roughR50Metres } from './estimate.ts';
import type { Selection } from './selection.ts';

/** Constants of one kind of transmitter. */
export interface RadioModel {
  /** One of SOURCE_*. */
  source: number;
  /** Stations farther apart than this are not received at once, in metres. */
  clusterMetres: number;
  /** Stations that must agree. */
  minimum: number;
  /** Noise of a level in dB: shadowing and the receiver's own. */
  levelSigmaDb: number;
  /** Standard deviation of the common offset in dB. */
  offsetSigmaDb: number;
  /** Standard deviation of a station's position as a share of its 50 % radius, and at least this many metres. */
  positionShare: number;
  positionFloorMetres: number;
  /** Level at one metre in dBm where the station has no fit of its own, by frequency in MHz (0 = not sent). */
  referenceDbm(frequencyMhz: number): number;
  /** Path-loss exponent where the station has no fit of its own. */
  exponent: number;
  /** How strongly being heard says "near it", see Core.trilaterate. */
  reach: number;
  /** Share by which the truths' spread differs from the model's covariance. */
  covarianceFactor: number;
}

/** Rounds in which the common offset and the position improve one another. */
const OFFSET_ROUNDS = 2;
/** Below this number of stations the offset cannot be told from the distance. */
const OFFSET_STATIONS = 4;
/** A group this many 50 % radii off the anchor, and at least this many metres, counts a third. */
const ANCHOR_RADII = 3;
const ANCHOR_METRES = 2_000;
const FOREIGN_GROUP_FACTOR = 1 / 3;

/**
 * Locates by the selected stations.
 * @param frequencyOf MHz of a selected station's reading, 0 = not sent
 * @param anchor a coarse position that decides between groups of like evidence, if any
 * @returns undefined when fewer than the model's minimum agree
 */
export function locateByRadio(
  core: Core,
  model: RadioModel,
  selection: Selection,
  stations: StationReader,
  frequencyOf: (observation: number) => number,
  anchor: Estimate | undefined,
): Estimate | undefined {
  if (selection.count < model.minimum) return undefined;
  const first = selection.observation[0];
  if (core.setFrame(stations.latitude(first), stations.longitude(first)) !== STATUS_OK) return undefined;
  for (let s = 0; s < selection.count; s++) {
    core.toLocal(stations.latitude(selection.observation[s]), stations.longitude(selection.observation[s]));
    core.placeEast[s] = core.east;
    core.placeNorth[s] = core.north;
    core.placeWeight[s] = 10 ** (selection.levelDbm[s] / 20);
  }
  if (core.cluster(selection.count, model.clusterMetres) !== STATUS_OK) return undefined;
  const group = chooseGroup(core, model, selection, anchor);
  if (group < 0) return undefined;
  const used = gather(core, model, selection, stations, frequencyOf, group);
  const status = solve(core, model, used);
  if (status !== STATUS_OK && status !== STATUS_NOT_CONVERGED) return undefined;
  const factor = model.covarianceFactor;
  return {
    source: model.source,
    latitude: core.latitudeOf(core.north),
    longitude: core.longitudeOf(core.east),
    cxx: core.varianceEast * factor,
    cxy: core.covariance * factor,
    cyy: core.varianceNorth * factor,
    used,
  };
}

const members = new Int32Array(512);
const strengths = new Float64Array(512);

/** The group with the most members, amplitude deciding between equals. @returns its number, -1 when none has the minimum */
function chooseGroup(core: Core, model: RadioModel, selection: Selection, anchor: Estimate | undefined): number {
  const groups = core.clusterCount;
  if (groups === 1) return 0;
  members.fill(0, 0, groups);
  strengths.fill(0, 0, groups);
  let total = 0;
  for (let s = 0; s < selection.count; s++) {
    const group = core.placeCluster[s];
    members[group]++;
    strengths[group] += core.placeWeight[s];
    total += core.placeWeight[s];
  }
  let best = -1;
  let bestScore = 0;
  for (let group = 0; group < groups; group++) {
    if (members[group] < model.minimum) continue;
    let score = members[group] + strengths[group] / total;
    if (anchor !== undefined && core.weightedCentroid(selection.count, group) === STATUS_OK) {
      const away = distanceMetres(anchor.latitude, anchor.longitude, core.latitudeOf(core.north), core.longitudeOf(core.east));
      if (away > Math.max(ANCHOR_RADII * roughR50Metres(anchor), ANCHOR_METRES)) score *= FOREIGN_GROUP_FACTOR;
    }
    if (score > bestScore) {
      best = group;
      bestScore = score;
    }
  }
  return best;
}

/** Copies the group's stations into the solver's buffers. @returns how many */
function gather(
  core: Core,
  model: RadioModel,
  selection: Selection,
  stations: StationReader,
  frequencyOf: (observation: number) => number,
  group: number,
): number {
  let used = 0;
  for (let s = 0; s < selection.count; s++) {
    if (core.placeCluster[s] !== group) continue;
    const observation = selection.observation[s];
    const fitted = stations.exponent(observation) > 0;
    core.stationEast[used] = core.placeEast[s];
    core.stationNorth[used] = core.placeNorth[s];
    core.stationLevelDbm[used] = selection.levelSent[s] === 1 ? selection.levelDbm[s] : Number.NaN;
    core.stationReferenceDbm[used] = fitted ? stations.referenceDbm(observation) : model.referenceDbm(frequencyOf(observation));
    core.stationExponent[used] = fitted ? stations.exponent(observation) : model.exponent;
    core.stationSigmaDb[used] = model.levelSigmaDb;
    const position = Math.max(model.positionFloorMetres, stations.r50Metres(observation) * model.positionShare);
    core.stationSigmaMetres[used] = Math.hypot(position, selection.driftMetres[s]);
    core.stationWeight[used] = 1;
    used++;
  }
  return used;
}

/** Position and common offset in turn. @returns the status of the last position */
function solve(core: Core, model: RadioModel, used: number): number {
  let status = core.trilaterate(used, Number.NaN, Number.NaN, 0, 0, 0, model.reach);
  if (used < OFFSET_STATIONS) return status;
  for (let round = 0; round < OFFSET_ROUNDS && (status === STATUS_OK || status === STATUS_NOT_CONVERGED); round++) {
    const east = core.east;
    const north = core.north;
    let sum = 0;
    let weights = 1 / model.offsetSigmaDb ** 2;
    for (let i = 0; i < used; i++) {
      if (Number.isNaN(core.stationLevelDbm[i])) continue;
      const metres = Math.hypot(core.stationEast[i] - east, core.stationNorth[i] - north);
      const weight = core.stationRobustWeight[i] / core.stationSigmaDb[i] ** 2;
      sum +=
        weight *
        (core.stationLevelDbm[i] -
          core.levelAt(Math.max(metres, core.stationSigmaMetres[i]), core.stationReferenceDbm[i], core.stationExponent[i]));
      weights += weight;
    }
    const offset = sum / weights;
    if (Math.abs(offset) < 0.5) return status;
    for (let i = 0; i < used; i++) core.stationReferenceDbm[i] += offset;
    status = core.trilaterate(used, east, north, 0, 0, 0, model.reach);
  }
  return status;
}
