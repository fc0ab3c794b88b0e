// A position from the transmitters around the device: WiFi and Bluetooth take the same way with other constants.
//
//   1. Groups: stations farther apart than a signal reaches are not heard at once. The group with the most stations is chosen; so foreign and far-moved
//      ones drop out. Then everything near its centre takes part.
//   2. The path loss of this scan is fitted from a robust guess at the position (path_loss_fit.ts).
//   3. The core finds the position that best explains the levels, all stations having the same say: the crowd tells who has moved. Those that it does
//      not believe are taken out.
//   4. From there path loss and position are found again, and now the loud have more say. What shadows a signal grows with its way, and is the same for
//      all that comes through the same wall: a hundred faint readings are not a hundred measurements.
//   5. Uncertainty: the scatter of the stations around the position, as for a mean of them, holds whatever the path loss is; the core's covariance
//      knows the levels, but takes their errors as independent, and keeps the equations regular. Added is what no number of stations averages out: the
//      places of stations that were learned on the same few walks err together, and an old reading has left the device behind as a whole. Scaled by three
//      constants this holds half of the truths in its 50 % radius on walks through a mall, on drives, and on drawn cities of all path losses tried.

import { STATUS_NOT_CONVERGED, STATUS_OK } from '../../wasm/layout.ts';
import type { Core } from '../core/core.ts';
import { distanceMetres } from '../geo/distance.ts';
import type { StationReader } from '../tables/stations.ts';
import { circularEstimate, type Estimate, roughR50Metres } from './estimate.ts';
import { PathLossFit, type PathLossPrior } from './path_loss_fit.ts';
import { SELECTION_LIMIT, Selection } from './selection.ts';

/** Constants of one kind of transmitter. */
export interface RadioModel {
  /** One of SOURCE_*. */
  source: number;
  /** Stations farther apart than this make no group, in metres. */
  groupMetres: number;
  /** Stations this near to the centre of the chosen group take part, whatever their own group. */
  extentMetres: number;
  /** Stations that must agree. */
  minimum: number;
  /** Noise of a level in dB: shadowing and the receiver's own. */
  levelSigmaDb: number;
  /** Standard deviation of a listed station's position as a share of its 50 % radius, the same of a learned one, and what it is at least, in metres. */
  positionShare: number;
  learnedShare: number;
  positionFloorMetres: number;
  /** How far a station stands from where it is heard, along each axis: the error of a place learned from one observation. */
  samplingMetres: number;
  /** Level at one metre in dBm where the station has no fit of its own; above 3 GHz the second. */
  referenceDbm: number;
  referenceHighBandDbm: number;
  /** Path-loss exponent where the station has no fit of its own. */
  exponent: number;
  /** Evidence of one station, see Estimate. */
  evidence: number;
  /** How far a scan may differ from these. */
  prior: PathLossPrior;
}

/** A station's say in the final position doubles with 8 dB: natural logarithm of it per dB. */
const SAY_PER_DB = Math.LN2 / 8;
/** How strongly being heard says "near it", see Core.trilaterate. */
const REACH = 1;
/** A station believed less than this has moved: it is not what the position rests on. */
const BELIEVED = 0.12;
/** Shares in the uncertainty, see the head of this file. */
const SCATTER_SHARE = 0.7;
const COMMON_SHARE = 0.5;
const COVARIANCE_SHARE = 0.02;
/** Share of the variance of their places that stations scatter with at least. */
const HIDDEN_SHARE = 0.5;
/** More stations of one kind than this are no more evidence: they may all have come on one truck. */
const EVIDENCE_LIMIT = 4;
/** A group this many 50 % radii off the anchor, and at least this many metres, counts a third. */
const ANCHOR_RADII = 3;
const ANCHOR_METRES = 2_000;
const FOREIGN_GROUP_FACTOR = 1 / 3;
/** Frequencies above this are the 5 and 6 GHz bands. */
const HIGH_BAND_MHZ = 3_000;

/** Locates by transmitters; one a thread. */
export class RadioFix {
  /** The stations to locate by: to be selected first. */
  readonly selection = new Selection();
  private readonly pathLoss = new PathLossFit();
  private readonly hasOwnFit = new Uint8Array(SELECTION_LIMIT);
  /** Of the stations in the solver's buffers, whether sent or not; strongest first. */
  private readonly levelDbm = new Float64Array(SELECTION_LIMIT);
  /** Variances along an axis, in square metres, of errors that the stations share. */
  private readonly commonVariance = new Float64Array(SELECTION_LIMIT);
  private readonly members = new Int32Array(SELECTION_LIMIT);
  private readonly strengths = new Float64Array(SELECTION_LIMIT);

  /**
   * Locates by the selected stations.
   * @param anchor a coarse position that decides between groups of like evidence, if any
   * @returns undefined when fewer than the model's minimum agree
   */
  locate(core: Core, model: RadioModel, stations: StationReader, anchor: Estimate | undefined): Estimate | undefined {
    const { selection, pathLoss } = this;
    if (selection.count < model.minimum) return undefined;
    if (!selection.place(core, stations, 0) || core.cluster(selection.count, model.groupMetres) !== STATUS_OK) return undefined;
    const group = this.chooseGroup(core, model, anchor);
    if (group < 0) return undefined;
    if (core.clusterCount > 1 && !selection.place(core, stations, this.strongestOf(core, group))) return undefined;
    let count = 0;
    for (let s = 0; s < selection.count; s++) if (core.placeCluster[s] === group) this.gather(core, model, stations, s, count++);
    pathLoss.guess(core, count);
    if (core.clusterCount > 1) {
      count = this.gatherAround(core, model, stations, pathLoss.guessEast, pathLoss.guessNorth);
      pathLoss.guess(core, count);
    }
    pathLoss.fit(core, count, pathLoss.guessEast, pathLoss.guessNorth, model.prior, this.hasOwnFit);
    if (!isSolved(core.trilaterate(count, pathLoss.guessEast, pathLoss.guessNorth, 0, 0, 0, REACH))) return undefined;
    if (count === 1) return besideOne(core, model);
    rejectMoved(core, count, model.minimum);
    this.heedLoudness(core, count);
    pathLoss.fit(core, count, core.east, core.north, model.prior, this.hasOwnFit);
    if (!isSolved(core.trilaterate(count, core.east, core.north, 0, 0, 0, REACH))) return undefined;
    return judge(core, model, count, this.commonVariance);
  }

  /** The group with the most members, amplitude deciding between equals. @returns its number, -1 when none has the minimum */
  private chooseGroup(core: Core, model: RadioModel, anchor: Estimate | undefined): number {
    const groups = core.clusterCount;
    if (groups === 1) return 0;
    const { members, strengths, selection } = this;
    members.fill(0, 0, groups);
    strengths.fill(0, 0, groups);
    let total = 0;
    for (let s = 0; s < selection.count; s++) {
      const group = core.placeCluster[s];
      const amplitude = 10 ** (selection.levelDbm[s] / 20);
      core.placeWeight[s] = amplitude;
      members[group]++;
      strengths[group] += amplitude;
      total += amplitude;
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

  /** The first member of a group: the strongest. */
  private strongestOf(core: Core, group: number): number {
    let s = 0;
    while (core.placeCluster[s] !== group) s++;
    return s;
  }

  /** Copies the stations near a place into the solver's buffers. @returns how many */
  private gatherAround(core: Core, model: RadioModel, stations: StationReader, east: number, north: number): number {
    let count = 0;
    for (let s = 0; s < this.selection.count; s++) {
      const dx = core.placeEast[s] - east;
      const dy = core.placeNorth[s] - north;
      if (dx * dx + dy * dy <= model.extentMetres * model.extentMetres) this.gather(core, model, stations, s, count++);
    }
    return count;
  }

  /** Copies selected station `s` into the solver's buffers at `to`. */
  private gather(core: Core, model: RadioModel, stations: StationReader, s: number, to: number): void {
    const { selection } = this;
    const observation = selection.observation[s];
    const exponent = stations.exponent(observation);
    const fitted = exponent > 0;
    const usual = selection.frequencyMhz[s] > HIGH_BAND_MHZ ? model.referenceHighBandDbm : model.referenceDbm;
    const learned = stations.isLearned(observation);
    const share = learned ? model.learnedShare : model.positionShare;
    const position = Math.max(model.positionFloorMetres, stations.r50Metres(observation) * share);
    const sampling = learned ? (model.samplingMetres * model.samplingMetres) / stations.samples(observation) : 0;
    const drift = selection.driftMetres[s];
    this.commonVariance[to] = sampling + selection.leastDriftMetres * selection.leastDriftMetres;
    this.levelDbm[to] = selection.levelDbm[s];
    this.hasOwnFit[to] = fitted ? 1 : 0;
    core.stationEast[to] = core.placeEast[s];
    core.stationNorth[to] = core.placeNorth[s];
    core.stationLevelDbm[to] = selection.levelSent[s] === 1 ? selection.levelDbm[s] : Number.NaN;
    core.stationReferenceDbm[to] = fitted ? stations.referenceDbm(observation) : usual;
    core.stationExponent[to] = fitted ? exponent : model.exponent;
    core.stationSigmaDb[to] = model.levelSigmaDb;
    core.stationSigmaMetres[to] = Math.sqrt(position * position + sampling + drift * drift);
    core.stationWeight[to] = selection.freshness[s];
  }

  /** Gives the loud more say than the faint; the loudest that is believed keeps its own. */
  private heedLoudness({ stationWeight }: Core, count: number): void {
    const { levelDbm } = this;
    let loudest = 0;
    while (stationWeight[loudest] === 0) loudest++;
    for (let i = loudest + 1; i < count; i++) stationWeight[i] *= Math.exp((levelDbm[i] - levelDbm[loudest]) * SAY_PER_DB);
  }
}

function isSolved(status: number): boolean {
  return status === STATUS_OK || status === STATUS_NOT_CONVERGED;
}

/** Takes the weight of stations that are not believed, so that what is left of their pull goes too; unless too few would remain. */
function rejectMoved({ stationRobustWeight, stationWeight }: Core, count: number, minimum: number): void {
  let remain = 0;
  for (let i = 0; i < count; i++) if (stationRobustWeight[i] >= BELIEVED) remain++;
  if (remain === count || remain < minimum) return;
  for (let i = 0; i < count; i++) if (stationRobustWeight[i] < BELIEVED) stationWeight[i] = 0;
}

/** One station alone: the device is as far from it as its level says. */
function besideOne(core: Core, model: RadioModel): Estimate {
  const level = core.stationLevelDbm[0];
  const ranged = Number.isNaN(level)
    ? model.extentMetres / 10
    : core.distanceAt(level, core.stationReferenceDbm[0], core.stationExponent[0]);
  const r50Metres = Math.hypot(ranged, core.stationSigmaMetres[0]);
  return circularEstimate(
    model.source,
    core.latitudeOf(core.stationNorth[0]),
    core.longitudeOf(core.stationEast[0]),
    r50Metres,
    1,
    model.evidence,
  );
}

/** The core's position with its uncertainty and the number of stations that it rests on. */
function judge(core: Core, model: RadioModel, count: number, commonVariance: Float64Array): Estimate {
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
    if (stationRobustWeight[i] >= BELIEVED) used++;
  }
  // Places can scatter less than they are uncertain: stations that were heard all over a mall all seem to stand in its middle.
  const hidden = Math.max(0, HIDDEN_SHARE * uncertain - (xx + yy) / 2);
  // Of a mean: the mean square distance over the effective number, weights^2 / squares, less the one that the mean itself takes.
  const scatter = (SCATTER_SHARE * squares) / (weights * Math.max(weights * weights - squares, squares / 2));
  const shared = (COMMON_SHARE * common) / weights;
  return {
    source: model.source,
    latitude: core.latitudeOf(north),
    longitude: core.longitudeOf(east),
    cxx: COVARIANCE_SHARE * core.varianceEast + scatter * (xx + hidden) + shared,
    cxy: COVARIANCE_SHARE * core.covariance + scatter * xy,
    cyy: COVARIANCE_SHARE * core.varianceNorth + scatter * (yy + hidden) + shared,
    used,
    evidence: Math.min(used * model.evidence, EVIDENCE_LIMIT),
  };
}
