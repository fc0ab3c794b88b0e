// Compares a scan with the places of a fingerprint map, in the core's memory (wasm/fingerprints/match.ts). The lists of
// the map are copied in as they are needed: those of the radios that a scan hears.

import * as layout from '../../../wasm/memory.ts';
import type { CoreExports } from '../../core/instantiate.ts';

/** Offsets of the phone's levels that are tried. */
export const MATCHED_OFFSETS = 4;
const STEPS_PER_DB = 2;

/** Typed views of what a match is made of, and the kernels over them. Belongs to the thread of its core. */
export class FingerprintMatcher {
  /** Of each place, up to MAX_MAP_PLACES: the sum of its strengths, and the natural logarithm of its prior. */
  readonly total: Float64Array;
  readonly prior: Float32Array;
  /**
   * Out, for each place: natural logarithm of the likelihood, beside that of the largest similarity by itself;
   * -Infinity for what hears nothing of the scan.
   */
  readonly likelihood: Float32Array;
  private readonly listPlace: Uint16Array;
  private readonly listStrength: Uint8Array;
  private readonly out: Float32Array;
  private readonly kernels: CoreExports;

  constructor(kernels: CoreExports) {
    const { buffer } = kernels.memory;
    const places = layout.MAX_MAP_PLACES;
    this.kernels = kernels;
    this.total = new Float64Array(buffer, layout.MAP_TOTAL, places);
    this.prior = new Float32Array(buffer, layout.MAP_PRIOR, places);
    this.likelihood = new Float32Array(buffer, layout.MAP_LIKELIHOOD, places);
    this.listPlace = new Uint16Array(buffer, layout.MAP_LIST_PLACE, places);
    this.listStrength = new Uint8Array(buffer, layout.MAP_LIST_STRENGTH, places);
    this.out = new Float32Array(buffer, layout.OUT_SIMILARITY, 3);
  }

  /**
   * Sets what is looked up, once.
   * @param strengths of each stored byte @param levelsDbm the same as levels, -105..0
   * @param says what a difference in decibels between a level of the scan and one of a place says, by offset
   */
  setTables(
    strengths: Float64Array,
    levelsDbm: Float64Array,
    says: (differenceDb: number, offset: number) => number,
  ): void {
    const { buffer } = this.kernels.memory;
    const differences = new Float32Array(buffer, layout.MAP_DIFFERENCE, 2 * MATCHED_OFFSETS * layout.LEVEL_STEPS);
    for (const i of differences.keys())
      differences[i] = says((Math.floor(i / MATCHED_OFFSETS) - layout.LEVEL_STEPS) / STEPS_PER_DB, i % MATCHED_OFFSETS);
    new Int32Array(buffer, layout.MAP_STRENGTH_LEVEL, layout.STORED_BYTES).set(
      levelsDbm.map(level => Math.round(STEPS_PER_DB * level)),
    );
    new Float64Array(buffer, layout.MAP_STRENGTH, layout.STORED_BYTES).set(strengths);
    new Float32Array(buffer, layout.MAP_STRENGTH_SINGLES, layout.STORED_BYTES).set(strengths);
  }

  /** Begins a match of `places` places. @returns STATUS_* */
  begin(places: number): number {
    return this.kernels.beginMatch(places);
  }

  /**
   * Adds a radio of the scan to the sums of the places that hear it.
   * @param places, strengths its list in the map: places, each once, and how well they hear it, as it is stored
   * @param steps its strength in the scan by offset, in whole steps
   * @param scale steps of a strength of 1
   * @param weight how much it counts, 0..1
   * @param scanned its strength in the scan, weighted
   * @param levelDbm its level in the scan, -127..0
   * @returns STATUS_*
   */
  addRadio(
    places: Uint16Array,
    strengths: Uint8Array,
    steps: Int32Array,
    scale: number,
    weight: number,
    scanned: number,
    levelDbm: number,
  ): number {
    if (places.length > layout.MAX_MAP_PLACES) return layout.STATUS_TOO_MANY;
    this.listPlace.set(places);
    this.listStrength.set(strengths);
    const level = Math.round(STEPS_PER_DB * levelDbm);
    return this.kernels.matchRadio(
      places.length,
      steps[0],
      steps[1],
      steps[2],
      steps[3],
      scale,
      weight,
      scanned,
      level,
    );
  }

  /**
   * Finds how well the place that explains the scan best does so. Call it before `weigh`, which takes the sums.
   * @param scanned sum of the strengths of the scan, above 0, also of radios that no place hears @param scans the same
   *   by offset @param scale steps of a strength of 1
   * @returns STATUS_*
   */
  explain(places: number, scanned: number, scans: Float64Array, scale: number): number {
    return this.kernels.explainMatch(places, scanned, scans[0], scans[1], scans[2], scans[3], scale);
  }

  /**
   * Writes the likelihood of each place.
   * @param scanned sum of the strengths of the scan, above 0 @param scans the same by offset @param scale steps of a
   *   strength of 1
   * @param power what the levels say counts for, 0..1000
   * @returns STATUS_*
   */
  weigh(places: number, scanned: number, scans: Float64Array, scale: number, power: number): number {
    return this.kernels.weighMatch(places, scanned, scans[0], scans[1], scans[2], scans[3], scale, power);
  }

  /** How alike the scan and the place that is most like it are, and the largest likelihood. */
  get similarity(): number {
    return this.out[0];
  }

  get best(): number {
    return this.out[1];
  }

  /** How well the scan is explained, a natural logarithm beside that of other maps. */
  get explained(): number {
    return this.out[2];
  }
}
