// The selected stations of a query in the core's memory, and the fix among them (wasm/transmitters/fix.ts).

import * as layout from '../../wasm/memory.ts';
import { Frame } from './frame.ts';
import { type Gaussian, gaussianView } from './fusion.ts';
import type { CoreExports } from './instantiate.ts';
import { type TransmitterModel, writeModel } from './transmitter_model.ts';

/** Where a device is by some of its stations. */
interface TransmitterFix extends Gaussian {
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** Stations that it rests on. */
  used: number;
}

/** What came of the stations of a device. */
export interface Located {
  /** Stations that belong together; 0 where none do. */
  taken: number;
  /** Undefined where too few of them agree. */
  fix: TransmitterFix | undefined;
}

/** Typed views of the selected stations, strongest first, up to MAX_SOLVE, and the kernels over them. */
export class SelectedStations {
  /** In which they are placed. */
  readonly frame: Frame;
  /** Four words for each station, as the tables pack them. */
  readonly payload: Int32Array;
  /** dBm, whole; a substitute where none was sent. */
  readonly levelDbm: Float64Array;
  /** 1 if the level was sent. */
  readonly levelSent: Int32Array;
  /** 0 = not sent. */
  readonly frequencyMhz: Int32Array;
  /** Distance that a walking device may have moved since the reading. */
  readonly driftMetres: Float64Array;
  /** Weight of a reading by its age; above 0, up to 1. */
  readonly freshness: Float64Array;
  /**
   * The radio of each station in two words, the low one first: for addresses what `isSameDevice` compares
   * (src/radio/mac.ts).
   */
  readonly radio: Int32Array;
  /** 1 if the station may place a device by itself. */
  readonly alone: Int32Array;
  /** Out: 1 if the station takes part in the fix. */
  readonly takesPart: Int32Array;
  /** ROLE_*: how the station may take part. */
  readonly role: Int32Array;
  /** Out: one station of the same device. */
  readonly device: Int32Array;
  /** Out: metres around its position within which the station is heard, at most. */
  readonly reachMetres: Float64Array;
  /** Out: where the station stands, metres in the frame. */
  readonly east: Float64Array;
  readonly north: Float64Array;
  /**
   * Out: weight of each station that takes part, in their order, and its share that the levels of the others leave to
   * it, 0..1.
   */
  readonly weight: Float64Array;
  readonly robustWeight: Float64Array;
  /** Out: path loss of each station that takes part, as fitted to the scan: level at one metre in dBm, and exponent. */
  readonly fittedDbm: Float64Array;
  readonly fittedExponent: Float64Array;
  /** Out, square metres: the parts of the levels, the geometry and the stations in the sum of both variances. */
  readonly parts: Float64Array;
  private readonly kernels: CoreExports;
  private readonly gaussian: Float64Array;
  /** Degrees, latitude first. */
  private readonly found: Float64Array;
  private readonly taken: Int32Array;
  private readonly used: Int32Array;
  private readonly needed: Int32Array;
  /** Those that the core has, by their numbers. */
  private readonly models: (TransmitterModel | undefined)[] = [];

  constructor(kernels: CoreExports) {
    const { buffer } = kernels.memory;
    const { MAX_SOLVE } = layout;
    this.kernels = kernels;
    this.frame = new Frame(kernels);
    this.payload = new Int32Array(buffer, layout.SELECTED_PAYLOAD, 4 * MAX_SOLVE);
    this.levelDbm = new Float64Array(buffer, layout.SELECTED_LEVEL, MAX_SOLVE);
    this.levelSent = new Int32Array(buffer, layout.SELECTED_SENT, MAX_SOLVE);
    this.frequencyMhz = new Int32Array(buffer, layout.SELECTED_FREQUENCY, MAX_SOLVE);
    this.driftMetres = new Float64Array(buffer, layout.SELECTED_DRIFT, MAX_SOLVE);
    this.freshness = new Float64Array(buffer, layout.SELECTED_FRESHNESS, MAX_SOLVE);
    this.radio = new Int32Array(buffer, layout.SELECTED_RADIO, 2 * MAX_SOLVE);
    this.alone = new Int32Array(buffer, layout.SELECTED_ALONE, MAX_SOLVE);
    this.takesPart = new Int32Array(buffer, layout.SELECTED_LINKED, MAX_SOLVE);
    this.role = new Int32Array(buffer, layout.SELECTED_ROLE, MAX_SOLVE);
    this.device = new Int32Array(buffer, layout.SELECTED_DEVICE, MAX_SOLVE);
    this.needed = new Int32Array(buffer, layout.OUT_NEEDED, 1);
    this.reachMetres = new Float64Array(buffer, layout.SELECTED_REACH, MAX_SOLVE);
    this.east = new Float64Array(buffer, layout.SELECTED_EAST, MAX_SOLVE);
    this.north = new Float64Array(buffer, layout.SELECTED_NORTH, MAX_SOLVE);
    this.weight = new Float64Array(buffer, layout.SOLVE_WEIGHT, MAX_SOLVE);
    this.robustWeight = new Float64Array(buffer, layout.SOLVE_ROBUST, MAX_SOLVE);
    this.fittedDbm = new Float64Array(buffer, layout.SOLVE_REFERENCE, MAX_SOLVE);
    this.fittedExponent = new Float64Array(buffer, layout.SOLVE_EXPONENT, MAX_SOLVE);
    this.parts = new Float64Array(buffer, layout.OUT_PARTS, 3);
    this.gaussian = gaussianView(kernels);
    this.found = new Float64Array(buffer, layout.OUT_LATITUDE, 2);
    this.taken = new Int32Array(buffer, layout.OUT_TAKEN, 1);
    this.used = new Int32Array(buffer, layout.OUT_USED, 1);
  }

  /**
   * Sets the frame at station `origin` and writes the positions of the stations `0..count-1` to `east` and
   * `north`.
   * @returns false if a position is invalid
   */
  place(count: number, origin: number): boolean {
    return this.kernels.placeSelected(count, origin) === layout.STATUS_OK;
  }

  /**
   * Finds the device among the stations `0..count-1`, by a model.
   * @param leastDriftMetres distance that a walking device may have moved since the youngest reading
   */
  locate(model: TransmitterModel, count: number, leastDriftMetres: number): Located {
    if (this.models[model.number] !== model) {
      writeModel(new DataView(this.kernels.memory.buffer), model);
      this.models[model.number] = model;
    }
    const status = this.kernels.locateByTransmitters(model.number, count, leastDriftMetres);
    const { gaussian, found } = this;
    const taken = this.taken[0];
    if (status !== layout.STATUS_OK) return { taken, fix: undefined };
    const fix = {
      latitude: found[0],
      longitude: found[1],
      east: gaussian[0],
      north: gaussian[1],
      varianceEast: gaussian[2],
      covariance: gaussian[3],
      varianceNorth: gaussian[4],
      used: this.used[0],
    };
    return { taken, fix };
  }

  /** Votes that a place needed; 2 where there were two devices. */
  get votesNeeded(): number {
    return this.needed[0];
  }

  /** True if a place might have won, had the stations been elsewhere. */
  get canWin(): boolean {
    return this.needed[0] > 0;
  }

  /** The number of the radio of station `s`, as `Selection` wrote it. */
  radioOf(s: number): number {
    return this.radio[2 * s + 1] * 4_294_967_296 + (this.radio[2 * s] >>> 0);
  }
}
