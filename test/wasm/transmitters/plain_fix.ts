// The twin of wasm/transmitters/fix.ts in plain JavaScript, which has the steps. It calls the kernels of the core one by one.

import type { Core } from '../../../src/core/core.ts';
import { distanceMetres } from '../../../src/geo/distance.ts';
import { type Estimate, roughR50Metres } from '../../../src/positioning/estimates/estimate.ts';
import type { RadioModel } from '../../../src/positioning/transmitters/model.ts';
import { LEARNED_BIT } from '../../../src/tables/stations/packed_station.ts';
import { decodeRadius } from '../../../src/tables/stations/station.ts';
import { MAX_SOLVE, STATUS_NOT_CONVERGED, STATUS_OK } from '../../../wasm/memory.ts';
import { PathLossFit } from './plain_path_loss_fit.ts';
import { estimateFromOne, estimateOf, INLIER_WEIGHT_MIN } from './plain_radii.ts';

/** A station's weight in the final position doubles every 8 dB: natural logarithm of the weight per dB. */
const LOG_WEIGHT_PER_DB = Math.LN2 / 8;
/** How strongly hearing a station says "near it", see Core.trilaterate. */
const REACH = 1;
/** Below this robust weight of the strongest station the other stations are in doubt. */
const STRONGEST_WEIGHT_MIN = 0.3;
/** A group farther from the anchor than both of these is foreign: it counts a third against one cell, and less against more evidence. */
const ANCHOR_RADII = 3;
const ANCHOR_METRES = 2_000;
const FOREIGN_DIVISOR = 2;
/** Frequencies above this are the 5 and 6 GHz bands. */
const HIGH_BAND_MHZ = 3_000;

/** Locates by transmitters. */
export class PlainFix {
  private selected = 0;
  private leastDriftMetres = 0;
  private readonly pathLoss = new PathLossFit();
  private readonly hasOwnFit = new Uint8Array(MAX_SOLVE);
  /** Levels of the stations in the solver's buffers, strongest first; a substitute where none was sent. */
  private readonly levelDbm = new Float64Array(MAX_SOLVE);
  /** Variances along one axis, in square metres, of the errors that the stations share. */
  private readonly commonVariance = new Float64Array(MAX_SOLVE);
  /** Path loss of the stations in the solver's buffers before that of the scan was fitted. */
  private readonly references = new Float64Array(MAX_SOLVE);
  private readonly exponents = new Float64Array(MAX_SOLVE);
  private readonly members = new Int32Array(MAX_SOLVE);
  private readonly strengths = new Float64Array(MAX_SOLVE);

  /**
   * Locates by the first `count` selected stations in the core's buffers.
   * @param anchor a coarse position that decides between groups of similar evidence, if there is one
   * @returns undefined if fewer stations than the model's minimum agree
   */
  locate(core: Core, model: RadioModel, selected: number, leastDriftMetres: number, anchor: Estimate | undefined): Estimate | undefined {
    const { pathLoss } = this;
    this.selected = selected;
    this.leastDriftMetres = leastDriftMetres;
    if (selected < model.minimum) return undefined;
    if (!writePositions(core, selected, 0) || core.cluster(selected, model.groupMetres) !== STATUS_OK) return undefined;
    const group = this.chooseGroup(core, model, anchor);
    if (group < 0) return undefined;
    if (core.clusterCount > 1 && !writePositions(core, selected, this.strongestOf(core, group))) return undefined;
    let count = 0;
    for (let s = 0; s < selected; s++) if (core.positionCluster[s] === group) this.gather(core, model, s, count++);
    pathLoss.guess(core, count);
    if (core.clusterCount > 1) {
      count = this.gatherAround(core, model, pathLoss.guessEast, pathLoss.guessNorth);
      pathLoss.guess(core, count);
    }
    if (!this.solve(core, model, count, pathLoss.guessEast, pathLoss.guessNorth)) return undefined;
    if (count === 1) return estimateFromOne(core, model);
    if (core.stationRobustWeight[0] < STRONGEST_WEIGHT_MIN && !this.retryAtStrongest(core, model, count)) return undefined;
    rejectMoved(core, count, model.minimum);
    this.weightByLevel(core, count);
    if (!this.solve(core, model, count, core.east, core.north)) return undefined;
    return estimateOf(core, model, count, this.commonVariance);
  }

  /** Fits the path loss at a position, then solves from there. */
  private solve(core: Core, model: RadioModel, count: number, east: number, north: number): boolean {
    this.pathLoss.fit(core, count, east, north, model.prior, this.hasOwnFit);
    return isSolved(core.trilaterate(count, east, north, 0, 0, 0, REACH));
  }

  /**
   * Decides what it means that the strongest station is an outlier. Either it has moved, or the device is near it and far from the others. In the second case
   * the path loss was fitted in the wrong place, and the usual one explains the levels better from the station. The likelier solution stays in the core.
   */
  private retryAtStrongest(core: Core, model: RadioModel, count: number): boolean {
    const { pathLoss, references, exponents } = this;
    const { guessEast, guessNorth } = pathLoss;
    const cost = core.cost + pathLoss.priorCost;
    core.stationReferenceDbm.set(references.subarray(0, count));
    core.stationExponent.set(exponents.subarray(0, count));
    if (!isSolved(core.trilaterate(count, core.stationEast[0], core.stationNorth[0], 0, 0, 0, REACH))) return false;
    return core.cost < cost || this.solve(core, model, count, guessEast, guessNorth);
  }

  /** The group with the most members; amplitude decides between equals. @returns its number, -1 if none has the minimum */
  private chooseGroup(core: Core, model: RadioModel, anchor: Estimate | undefined): number {
    const groups = core.clusterCount;
    if (groups === 1) return 0;
    const { members, strengths, selected } = this;
    members.fill(0, 0, groups);
    strengths.fill(0, 0, groups);
    let total = 0;
    for (let s = 0; s < selected; s++) {
      const group = core.positionCluster[s];
      const amplitude = 10 ** (core.selected.levelDbm[s] / 20);
      core.positionWeight[s] = amplitude;
      members[group]++;
      strengths[group] += amplitude;
      total += amplitude;
    }
    let best = -1;
    let bestScore = 0;
    for (let group = 0; group < groups; group++) {
      if (members[group] < model.minimum) continue;
      let score = members[group] + strengths[group] / total;
      if (anchor !== undefined && core.weightedCentroid(selected, group) === STATUS_OK) {
        const away = distanceMetres(anchor.latitude, anchor.longitude, core.latitudeOf(core.north), core.longitudeOf(core.east));
        if (away > Math.max(ANCHOR_RADII * roughR50Metres(anchor), ANCHOR_METRES)) score /= FOREIGN_DIVISOR + anchor.evidence;
      }
      if (score > bestScore) {
        best = group;
        bestScore = score;
      }
    }
    return best;
  }

  /** The first member of a group, which is the strongest. */
  private strongestOf(core: Core, group: number): number {
    let s = 0;
    while (core.positionCluster[s] !== group) s++;
    return s;
  }

  /** Copies the stations near a position into the solver's buffers. @returns their number */
  private gatherAround(core: Core, model: RadioModel, east: number, north: number): number {
    let count = 0;
    for (let s = 0; s < this.selected; s++) {
      const dx = core.positionEast[s] - east;
      const dy = core.positionNorth[s] - north;
      if (dx * dx + dy * dy <= model.extentMetres * model.extentMetres) this.gather(core, model, s, count++);
    }
    return count;
  }

  /** Copies selected station `s` into the solver's buffers at `to`. */
  private gather(core: Core, model: RadioModel, s: number, to: number): void {
    const packed = core.selected.payload.subarray(s * 4, s * 4 + 4);
    const exponent = (packed[3] >>> 24) / 10;
    const fitted = exponent > 0;
    const usual = core.selected.frequencyMhz[s] > HIGH_BAND_MHZ ? model.referenceHighBandDbm : model.referenceDbm;
    const learned = (packed[3] & LEARNED_BIT) !== 0;
    const share = learned ? model.learnedShare : model.positionShare;
    const position = Math.max(model.positionFloorMetres, decodeRadius(packed[2] & 0xffff) * share);
    const sampling = learned ? (model.samplingMetres * model.samplingMetres) / (1 << ((packed[3] >> 4) & 15)) : 0;
    const drift = core.selected.driftMetres[s];
    this.commonVariance[to] = sampling + this.leastDriftMetres * this.leastDriftMetres;
    this.levelDbm[to] = core.selected.levelDbm[s];
    this.hasOwnFit[to] = fitted ? 1 : 0;
    core.stationEast[to] = core.positionEast[s];
    core.stationNorth[to] = core.positionNorth[s];
    core.stationLevelDbm[to] = core.selected.levelSent[s] === 1 ? core.selected.levelDbm[s] : Number.NaN;
    core.stationReferenceDbm[to] = fitted ? (packed[3] << 8) >> 24 : usual;
    core.stationExponent[to] = fitted ? exponent : model.exponent;
    this.references[to] = core.stationReferenceDbm[to];
    this.exponents[to] = core.stationExponent[to];
    core.stationSigmaDb[to] = model.levelSigmaDb;
    core.stationSigmaMetres[to] = Math.sqrt(position * position + sampling + drift * drift);
    core.stationWeight[to] = core.selected.freshness[s];
  }

  /** Weights strong stations more than faint ones. The strongest inlier keeps its weight. */
  private weightByLevel({ stationWeight }: Core, count: number): void {
    const { levelDbm } = this;
    let loudest = 0;
    while (stationWeight[loudest] === 0) loudest++;
    for (let i = loudest + 1; i < count; i++) stationWeight[i] *= Math.exp((levelDbm[i] - levelDbm[loudest]) * LOG_WEIGHT_PER_DB);
  }
}

/** Sets the core's frame at selected station `origin` and writes the positions of all. @returns false if a position is invalid */
function writePositions(core: Core, count: number, origin: number): boolean {
  const packed = core.selected.payload;
  if (core.setFrame(packed[origin * 4] / 1e7, packed[origin * 4 + 1] / 1e7) !== STATUS_OK) return false;
  for (let s = 0; s < count; s++) {
    if (core.toLocal(packed[s * 4] / 1e7, packed[s * 4 + 1] / 1e7) !== STATUS_OK) return false;
    core.positionEast[s] = core.east;
    core.positionNorth[s] = core.north;
  }
  return true;
}

function isSolved(status: number): boolean {
  return status === STATUS_OK || status === STATUS_NOT_CONVERGED;
}

/** Sets the weight of outliers to 0, which ends the rest of their pull, unless too few stations would remain. */
function rejectMoved({ stationRobustWeight, stationWeight }: Core, count: number, minimum: number): void {
  let remain = 0;
  for (let i = 0; i < count; i++) if (stationRobustWeight[i] >= INLIER_WEIGHT_MIN) remain++;
  if (remain === count || remain < minimum) return;
  for (let i = 0; i < count; i++) if (stationRobustWeight[i] < INLIER_WEIGHT_MIN) stationWeight[i] = 0;
}
