// The twin of wasm/transmitters/fix.ts in plain JavaScript, which has the steps. It calls the kernels of the core one
// by one.

import { type Estimate, roughR50Metres } from '../../../src/positioning/estimates/estimate.ts';
import type { RadioModel } from '../../../src/positioning/transmitters/fix.ts';
import { isSameDevice } from '../../../src/radio/mac.ts';
import { decodeRadius } from '../../../src/tables/stations/station.ts';
import { MAX_SOLVE, STATUS_NOT_CONVERGED, STATUS_OK } from '../../../wasm/memory.ts';
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
/** A station farther from the anchor than both of these is foreign. */
const ANCHOR_RADII = 3;
const ANCHOR_METRES = 2_000;
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
   * @param anchor a coarse position of the device, if there is one
   * @returns undefined if fewer stations than the model's minimum agree
   */
  locate(
    core: SolverCore,
    model: RadioModel,
    selected: number,
    leastDriftMetres: number,
    anchor: Estimate | undefined,
  ): Estimate | undefined {
    const { pathLoss } = this;
    this.selected = selected;
    this.leastDriftMetres = leastDriftMetres;
    if (selected < model.minimum) return undefined;
    const positionOf = (s: number) => ({
      latitude: core.selected.payload[4 * s] / 1e7,
      longitude: core.selected.payload[4 * s + 1] / 1e7,
    });
    if (!writePositions(core, selected, positionOf(0))) return undefined;
    this.linkAll(core, model);
    if (this.linked.includes(false) && !this.linkAround(core, model, anchor, positionOf)) return undefined;
    const isVouchedFor = (s: number) =>
      core.selected.alone[s] === 1 || (core.selected.payload[4 * s + 3] & UNTRUSTED_BIT) === 0;
    if (model.minimum < 2 && !this.linked.some((isLinked, s) => isLinked && isVouchedFor(s))) this.linked.fill(false);
    const alone = this.linked.includes(true) ? -1 : core.selected.alone.subarray(0, selected).indexOf(1);
    let count = 0;
    for (let s = 0; s < selected; s++) if (this.linked[s] || s === alone) this.gather(core, model, s, count++);
    if (count === 0) return undefined;
    pathLoss.guess(core, count);
    if (!this.solve(core, model, count, pathLoss.guessEast, pathLoss.guessNorth)) return undefined;
    if (count === 1) return estimateFromOne(core, model);
    if (core.stationRobustWeight[0] < STRONGEST_WEIGHT_MIN && !this.retryAtStrongest(core, model, count))
      return undefined;
    rejectMoved(core, count, model.minimum);
    this.weightByLevel(core, count);
    if (!this.solve(core, model, count, core.east, core.north)) return undefined;
    return estimateOf(core, model, count, this.commonVariance);
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

  /**
   * Links again among the stations around the anchor, or all where none there belong together. @returns false if a
   * position is invalid
   */
  private linkAround(
    core: SolverCore,
    model: RadioModel,
    anchor: Estimate | undefined,
    positionOf: (s: number) => Degrees,
  ): boolean {
    const first = this.linked.indexOf(true);
    if (anchor !== undefined) {
      if (!writePositions(core, this.selected, anchor)) return false;
      const { east, north } = core.selected;
      const metres = Math.max(ANCHOR_RADII * roughR50Metres(anchor), ANCHOR_METRES);
      this.link(core, model, s => east[s] ** 2 + north[s] ** 2 <= metres ** 2);
      if (this.linked.includes(true)) return true;
    }
    if (first < 0) {
      this.linked.fill(false);
      return true;
    }
    if (!writePositions(core, this.selected, positionOf(first))) return false;
    this.linkAll(core, model);
    return true;
  }

  /** Links all stations. Where all are near each other, it is enough that there are two devices. */
  private linkAll(core: SolverCore, model: RadioModel): void {
    const { selected } = core;
    const { east, north } = selected;
    const stations = Array.from({ length: this.selected }, (_, s) => s);
    const reach = stations.map(s => reachOf(core, model, s));
    const span = (of: Float64Array) => Math.max(...stations.map(s => of[s])) - Math.min(...stations.map(s => of[s]));
    if (span(east) ** 2 + span(north) ** 2 > (2 * Math.min(...reach)) ** 2) {
      this.link(core, model, () => true);
      return;
    }
    const areTwo = stations.some(s => areTwoDevices(core, 0, s));
    this.linked = stations.map(() => areTwo);
  }

  /**
   * Finds the stations that are plausible with half of those of other devices, as one near them is, among some. None
   * where all are of one device.
   */
  private link(core: SolverCore, model: RadioModel, isAsked: (s: number) => boolean): void {
    const { selected } = core;
    const { east, north } = selected;
    const all = Array.from({ length: this.selected }, (_, s) => s);
    const reach = all.map(s => reachOf(core, model, s));
    const asked = all.filter(isAsked);
    const isNear = (a: number, b: number) =>
      (east[a] - east[b]) ** 2 + (north[a] - north[b]) ** 2 <= (reach[a] + reach[b]) ** 2;
    const belongs = (s: number) => {
      const others = asked.filter(other => areTwoDevices(core, s, other));
      const near = others.filter(other => isNear(s, other));
      // One of those near it, the centre, hears half of the others too.
      return (
        2 * near.length >= others.length &&
        near.some(centre => 2 * others.filter(other => isNear(centre, other)).length >= others.length)
      );
    };
    const linked = asked.filter(belongs);
    const areTwo = linked.some(s => areTwoDevices(core, linked[0], s));
    this.linked = all.map(s => areTwo && linked.includes(s));
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

/** True for stations of two devices; one that may place a device alone is one by itself. */
function areTwoDevices({ selected }: SolverCore, a: number, b: number): boolean {
  return selected.alone[a] === 1 ? a !== b : !isSameDevice(selected.radioOf(a), selected.radioOf(b));
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
