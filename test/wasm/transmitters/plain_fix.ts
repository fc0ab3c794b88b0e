// The twin of wasm/transmitters/fix.ts in plain JavaScript, which has the steps. It calls the kernels of the core one
// by one.

import type { Estimate } from '../../../src/positioning/estimates/estimate.ts';
import type { RadioModel } from '../../../src/positioning/transmitters/fix.ts';
import { blockOfRadio, isSameDevice } from '../../../src/radio/mac.ts';
import { decodeRadius } from '../../../src/tables/stations/station.ts';
import {
  MAX_SOLVE,
  ROLE_ABSENT,
  ROLE_GUEST,
  ROLE_VOTER,
  STATUS_NOT_CONVERGED,
  STATUS_OK,
} from '../../../wasm/memory.ts';
import { LEARNED_BIT, UNTRUSTED_BIT } from '../../../wasm/packed_station_constants.ts';
import type { SolverCore } from '../../kits/solver_core.ts';
import { PathLossFit } from './plain_path_loss_fit.ts';
import { estimateFromOne, estimateOf, INLIER_WEIGHT_MIN } from './plain_radii.ts';

/** A station's weight in the final position doubles every 8 dB: natural logarithm of the weight per dB. */
const LOG_WEIGHT_PER_DB = Math.LN2 / 8;
/** How strongly hearing a station says "near it", see SolverCore.trilaterate. */
const REACH = 1;
/** Below this robust weight of the strongest station the other stations are in doubt. */
const STRONGEST_WEIGHT_MIN = 0.3;
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
  /** Selected stations that belong with another one. */
  private linked: boolean[] = [];

  /**
   * Locates by the first `count` selected stations in the core's buffers.
   * @returns undefined if fewer stations than the model's minimum agree
   */
  locate(core: SolverCore, model: RadioModel, selected: number, leastDriftMetres: number): Estimate | undefined {
    const { pathLoss } = this;
    this.selected = selected;
    this.leastDriftMetres = leastDriftMetres;
    if (selected < model.minimum) return undefined;
    const positionOf = (s: number) => ({
      latitude: core.selected.payload[4 * s] / 1e7,
      longitude: core.selected.payload[4 * s + 1] / 1e7,
    });
    if (!writePositions(core, selected, positionOf(0))) return undefined;
    this.link(core, model);
    const isVouchedFor = (s: number) =>
      core.selected.alone[s] === 1 || (core.selected.payload[4 * s + 3] & UNTRUSTED_BIT) === 0;
    if (model.minimum < 2 && !this.linked.some((isLinked, s) => isLinked && isVouchedFor(s))) this.linked.fill(false);
    const alone = this.linked.includes(true) ? -1 : core.selected.alone.subarray(0, selected).indexOf(1);
    if (this.linked.includes(false)) {
      const first = alone >= 0 ? alone : this.linked.indexOf(true);
      if (first >= 0 && !writePositions(core, selected, positionOf(first))) return undefined;
    }
    let count = 0;
    for (let s = 0; s < selected; s++) if (this.linked[s] || s === alone) this.gather(core, model, s, count++);
    if (count === 0) return undefined;
    pathLoss.guess(core, count);
    if (!this.solve(core, model, count, pathLoss.guessEast, pathLoss.guessNorth)) return undefined;
    if (count === 1) return { ...estimateFromOne(core, model), agreement: 1 };
    if (core.stationRobustWeight[0] < STRONGEST_WEIGHT_MIN && !this.retryAtStrongest(core, model, count))
      return undefined;
    rejectMoved(core, count, model.minimum);
    this.weightByLevel(core, count);
    if (!this.solve(core, model, count, core.east, core.north)) return undefined;
    const estimate = estimateOf(core, model, count, this.commonVariance);
    return { ...estimate, agreement: Math.max(0, 1 - 3 * (1 - count / selected)) };
  }

  /** Fits the path loss at a position, then solves from there. */
  private solve(core: SolverCore, model: RadioModel, count: number, east: number, north: number): boolean {
    this.pathLoss.fit(core, count, east, north, model, this.hasOwnFit);
    return isSolved(core.trilaterate(count, east, north, 0, 0, 0, REACH));
  }

  /**
   * Decides what it means that the strongest station is an outlier. Either it has moved, or the device is near it and
   * far from the others. In the second case the path loss was fitted in the wrong place, and the usual one explains the
   * levels better from the station. The likelier solution stays in the core.
   */
  private retryAtStrongest(core: SolverCore, model: RadioModel, count: number): boolean {
    const { pathLoss, references, exponents } = this;
    const { guessEast, guessNorth } = pathLoss;
    const cost = core.cost + pathLoss.priorCost;
    core.stationReferenceDbm.set(references.subarray(0, count));
    core.stationExponent.set(exponents.subarray(0, count));
    if (!isSolved(core.trilaterate(count, core.stationEast[0], core.stationNorth[0], 0, 0, 0, REACH))) return false;
    return core.cost < cost || this.solve(core, model, count, guessEast, guessNorth);
  }

  /** Links those that take part: near a winner of another device, at the place with most votes. */
  private link(core: SolverCore, model: RadioModel): void {
    const { selected } = core;
    const all = Array.from({ length: this.selected }, (_, s) => s);
    const voters = all.filter(s => selected.role[s] === ROLE_VOTER);
    const deviceOf = devicesOf(core, this.selected);
    const devices = new Set(voters.map(s => deviceOf[s])).size;
    const needed = devices === 2 ? 2 : Math.max(3, Math.floor(devices / 2) + 1);
    const isNear = (a: number, b: number) => areNear(core, model, a, b);
    // A device votes where its strongest address is.
    const voting = voters.filter(s => voters.find(other => deviceOf[other] === deviceOf[s]) === s);
    const votesAt = (s: number) => voting.filter(other => isNear(s, other));
    const hasEnough = voters.filter(s => votesAt(s).length >= needed && areOfBlocks(core, votesAt(s)));
    const votes = (s: number) => votesAt(s).length;
    const isBeside = (s: number, other: number) => deviceOf[s] !== deviceOf[other] && isNear(s, other);
    const winners = hasEnough.filter(s => hasEnough.some(other => isBeside(s, other)));
    const most = Math.max(...winners.map(votes));
    const centre = winners.find(s => votes(s) === most) ?? -1;
    const mayTakePart = (s: number) =>
      selected.role[s] === ROLE_VOTER || (selected.role[s] === ROLE_GUEST && devices > 2);
    this.linked = all.map(
      s => centre >= 0 && mayTakePart(s) && hasEnough.some(w => isNear(w, centre) && isBeside(s, w)),
    );
  }

  /** Copies selected station `s` into the solver's buffers at `to`. */
  private gather(core: SolverCore, model: RadioModel, s: number, to: number): void {
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
    core.stationEast[to] = core.selected.east[s];
    core.stationNorth[to] = core.selected.north[s];
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
  private weightByLevel({ stationWeight }: SolverCore, count: number): void {
    const { levelDbm } = this;
    let loudest = 0;
    while (stationWeight[loudest] === 0) loudest++;
    for (let i = loudest + 1; i < count; i++)
      stationWeight[i] *= Math.exp((levelDbm[i] - levelDbm[loudest]) * LOG_WEIGHT_PER_DB);
  }
}

/** A number for the device of each station: those of a chain of addresses have the same. */
function devicesOf(core: SolverCore, count: number): number[] {
  const { selected } = core;
  const deviceOf = Array.from({ length: count }, (_, s) => s);
  const isOne = (a: number, b: number) =>
    selected.alone[a] === 0 &&
    selected.alone[b] === 0 &&
    selected.role[a] !== ROLE_ABSENT &&
    selected.role[b] !== ROLE_ABSENT &&
    isSameDevice(selected.radioOf(a), selected.radioOf(b)) &&
    isSameDevice(selected.radioOf(b), selected.radioOf(a));
  for (let a = 0; a < count; a++)
    for (let b = 0; b < a; b++) {
      if (!isOne(a, b)) continue;
      const [from, to] = [deviceOf[a], deviceOf[b]];
      for (let s = 0; s < count; s++) if (deviceOf[s] === from) deviceOf[s] = to;
    }
  return deviceOf;
}

/** True if stations are of two blocks of addresses. */
function areOfBlocks({ selected }: SolverCore, stations: readonly number[]): boolean {
  const blocks = stations.map(s => (selected.alone[s] === 1 ? -1 - s : blockOfRadio(selected.radioOf(s))));
  return new Set(blocks).size > 1;
}

/** True if one place hears two stations: on a globe, along the mean of their parallels. */
function areNear(core: SolverCore, model: RadioModel, a: number, b: number): boolean {
  const { payload } = core.selected;
  const metresPerStep = (6_371_008.8 * Math.PI) / 180 / 1e7;
  const cosine = (s: number) => Math.cos((payload[4 * s] / 1e7) * (Math.PI / 180));
  const turn = 3_600_000_000;
  const apart = Math.abs(payload[4 * a + 1] - payload[4 * b + 1]);
  const east = Math.min(apart, turn - apart) * metresPerStep * ((cosine(a) + cosine(b)) / 2);
  const north = (payload[4 * a] - payload[4 * b]) * metresPerStep;
  return Math.hypot(east, north) <= reachOf(core, model, a) + reachOf(core, model, b);
}

interface Degrees {
  latitude: number;
  longitude: number;
}

/** Metres within which a selected station is heard. */
function reachOf({ selected: { payload } }: SolverCore, model: RadioModel, s: number): number {
  const most = payload[4 * s + 3] & UNTRUSTED_BIT ? model.reachMetresUntrusted : model.reachMetresMax;
  return Math.min(Math.max(decodeRadius(payload[4 * s + 2] >>> 16), model.reachMetres), most);
}

/** Sets the core's frame and writes the positions of all selected stations. @returns false if a position is invalid */
function writePositions(core: SolverCore, count: number, { latitude, longitude }: Degrees): boolean {
  const packed = core.selected.payload;
  const { frame, east, north } = core.selected;
  if (!frame.set(latitude, longitude)) return false;
  for (let s = 0; s < count; s++) {
    east[s] = frame.eastOf(packed[s * 4 + 1] / 1e7);
    north[s] = frame.northOf(packed[s * 4] / 1e7);
    if (Number.isNaN(east[s] + north[s])) return false;
  }
  return true;
}

function isSolved(status: number): boolean {
  return status === STATUS_OK || status === STATUS_NOT_CONVERGED;
}

/** Sets the weight of outliers to 0, which ends the rest of their pull, unless too few stations would remain. */
function rejectMoved({ stationRobustWeight, stationWeight }: SolverCore, count: number, minimum: number): void {
  let remain = 0;
  for (let i = 0; i < count; i++) if (stationRobustWeight[i] >= INLIER_WEIGHT_MIN) remain++;
  if (remain === count || remain < minimum) return;
  for (let i = 0; i < count; i++) if (stationRobustWeight[i] < INLIER_WEIGHT_MIN) stationWeight[i] = 0;
}
