// The fingerprint map of a building, as a scan is matched with it.
//
// A place is compared with the scan by what both have in common of the strengths (strength.ts) over what they have together: a Sorensen similarity in which
// what only the scan has counts 1.75 times, since a phone seldom hears what is not there, and what only the place has counts 0.85 times, since phones are deaf
// for some. A reading counts less with its age. The likelihood is e^(45 * similarity).
//
// Phones differ by several decibels in what they report, and the difference is that of all radios of a scan. So the scan is compared four times, as if the phone
// reported 9 or 3 dB too little or too much, and the likelihoods are summed with a prior on the difference (standard deviation 8 dB).
//
// The lists of the map are by radio, so places are touched only where something of the scan was heard, and nothing is allocated for a place. What a place has in
// common with the scan is summed up in whole steps, of which two sums share a number: that halves the additions, and the lesser of two whole numbers is found
// without a branch, which the processor could not foresee.

import type { Scan } from './fingerprint.ts';
import { decodeMap, type MapColumns } from './map_record.ts';
import { ScanRadios } from './scan_radios.ts';
import { STORED_STRENGTH, strengthOf } from './strength.ts';

/** Places of a map with their likelihood. Valid until the map matches again. */
export interface Match {
  /** Number of places: all of the map. */
  count: number;
  /** Floor index of each place. */
  floors: Int16Array;
  /** Metres from the map's origin. */
  east: Float32Array;
  north: Float32Array;
  /** Natural logarithm of the likelihood, relative to the most likely place, which has 0. */
  logLikelihood: Float32Array;
  /** Share of the scan that the map knows, by strength: 0..1. */
  share: number;
  /** Radios of the scan that the map knows. */
  radios: number;
  /** How alike the scan and the place that is most like it are: 0..1. */
  similarity: number;
}

/** What the logarithm of likelihood gains from a similarity of 0 to one of 1. */
const SHARPNESS = 45;
/** What only the scan has, and what only the place has, against what both have. */
const ONLY_SCAN = 1.75;
const ONLY_PLACE = 0.85;
/** Decibels that the phone is taken to report too little, each with the logarithm of its prior. */
const OFFSETS_DB = [-9, -3, 3, 9];
const OFFSET_SIGMA_DB = 8;
const OFFSET_PRIORS = Float64Array.from(OFFSETS_DB, offset => -0.5 * (offset / OFFSET_SIGMA_DB) ** 2);
const OFFSETS = 4;
/** Places that are less likely than the best by this much, as a logarithm, take part in no answer. */
const FAR = 8;
/** Sums for each place: what it has in common with the scan by offset, two in a number, how much of itself that is, how much of the scan. */
const SUMS = 4;
const SUM_PLACE = 2;
const SUM_SCAN = 3;
/** Steps of a sum, at most: two of them are exact in a number. */
const STEPS = 2 ** 26;
/** Steps of one level of a place: nothing that a scan has comes near to it. */
const LEVEL_STEPS_MAX = 2 ** 30;

/** A map, opened for matching. Not for several threads: it has the results of the last match. */
export class FingerprintMap {
  /** Origin of the plane, degrees. */
  readonly latitude: number;
  readonly longitude: number;
  /** What the map takes in memory, about. */
  readonly bytes: number;
  private readonly columns: MapColumns;
  /** Sum of the strengths of each place. */
  private readonly total: Float64Array;
  private readonly sums: Float64Array;
  /** Of the last scan: sums of its strengths by offset, and the steps that a strength of 1 has. */
  private readonly scans = new Float64Array(OFFSETS);
  private steps = 0;
  /** How alike the scan and the place last compared are, by offset. */
  private readonly alike = new Float64Array(OFFSETS);
  private readonly logLikelihood: Float32Array;
  private readonly heard: ScanRadios;

  /**
   * Opens a record.
   * @param bytes of `buildFingerprintMap`; read in place, so they must not change
   * @throws Error with a sentence when they are no map or a damaged one
   */
  constructor(bytes: Uint8Array) {
    this.columns = decodeMap(bytes);
    this.latitude = this.columns.latitude;
    this.longitude = this.columns.longitude;
    const places = this.columns.east.length;
    this.total = new Float64Array(places);
    this.sums = new Float64Array(places * SUMS);
    this.logLikelihood = new Float32Array(places);
    this.bytes = bytes.length + this.total.byteLength + this.sums.byteLength + this.logLikelihood.byteLength;
    this.heard = new ScanRadios(this.columns.radio);
    const { levelPlace, levelStrength } = this.columns;
    for (let i = 0; i < levelPlace.length; i++) this.total[levelPlace[i]] += STORED_STRENGTH[levelStrength[i]];
  }

  /** The number of each radio that the map knows, ascending. Must not be changed. */
  radios(): Float64Array {
    return this.columns.radio;
  }

  /** True if a radio was heard at a place of the map, which is counted as in a match. */
  hears(place: number, radio: number): boolean {
    const { radio: radios, firstLevel, levelPlace } = this.columns;
    const r = firstNotBelow(radios, radio, 0, radios.length);
    if (radios[r] !== radio) return false;
    const i = firstNotBelow(levelPlace, place, firstLevel[r], firstLevel[r + 1]);
    return i < firstLevel[r + 1] && levelPlace[i] === place;
  }

  /** Compares a scan with all places. @returns undefined when the map knows no radio of it */
  match(scan: Scan): Match | undefined {
    const { east, north, floor } = this.columns;
    const { heard, logLikelihood } = this;
    heard.read(scan);
    if (heard.count === 0 || east.length === 0) return undefined;
    this.sumUp();
    const similarity = this.weigh();
    // Nothing counts of a scan that is too old, or too weak.
    if (!(similarity > 0)) return undefined;
    return { count: east.length, floors: floor, east, north, logLikelihood, share: heard.share, radios: heard.count, similarity };
  }

  /** Goes through the lists of the scan's radios. */
  private sumUp(): void {
    const { firstLevel, levelPlace, levelStrength } = this.columns;
    const { heard, scans, sums } = this;
    const strengths = STORED_STRENGTH;
    sums.fill(0);
    for (let o = 0; o < OFFSETS; o++) scans[o] = heard.strength(OFFSETS_DB[o]);
    // Rounding adds at most one step for each radio.
    this.steps = (STEPS - 1 - heard.count) / scans[OFFSETS - 1];
    for (let h = 0; h < heard.count; h++) {
      const weight = heard.weight[h];
      const levelDbm = heard.levelDbm[h];
      const scale = weight * this.steps;
      const x0 = Math.round(scale * strengthOf(levelDbm + OFFSETS_DB[0])) | 0;
      const x1 = Math.round(scale * strengthOf(levelDbm + OFFSETS_DB[1])) | 0;
      const x2 = Math.round(scale * strengthOf(levelDbm + OFFSETS_DB[2])) | 0;
      const x3 = Math.round(scale * strengthOf(levelDbm + OFFSETS_DB[3])) | 0;
      const scanned = weight * strengthOf(levelDbm);
      const r = heard.index[h];
      for (let i = firstLevel[r], end = firstLevel[r + 1]; i < end; i++) {
        const strength = strengths[levelStrength[i]];
        const steps = scale * strength + 0.5;
        const y = steps < LEVEL_STEPS_MAX ? steps | 0 : LEVEL_STEPS_MAX;
        // The sign of a difference, as a mask, leaves the difference or nothing.
        const below0 = (x0 - y) | 0;
        const below1 = (x1 - y) | 0;
        const below2 = (x2 - y) | 0;
        const below3 = (x3 - y) | 0;
        const at = levelPlace[i] * SUMS;
        sums[at] += y + (below0 & (below0 >> 31)) + STEPS * (y + (below1 & (below1 >> 31)));
        sums[at + 1] += y + (below2 & (below2 >> 31)) + STEPS * (y + (below3 & (below3 >> 31)));
        sums[at + SUM_PLACE] += (weight - ONLY_PLACE) * strength;
        sums[at + SUM_SCAN] += scanned;
      }
    }
  }

  /** Turns the sums into likelihoods. @returns the largest similarity; 0 where nothing is alike */
  private weigh(): number {
    const { sums, alike, logLikelihood } = this;
    const { logPrior } = this.columns;
    const [prior0, prior1, prior2, prior3] = OFFSET_PRIORS;
    const scanned = this.heard.strength(0);
    let similarity = 0;
    let best = Number.NEGATIVE_INFINITY;
    for (let p = 0; p < logLikelihood.length; p++) {
      logLikelihood[p] = Number.NEGATIVE_INFINITY;
      if (sums[p * SUMS + SUM_SCAN] === 0) continue;
      this.compare(p, scanned);
      const first = Math.max(SHARPNESS * alike[0] + prior0, SHARPNESS * alike[1] + prior1);
      const last = Math.max(SHARPNESS * alike[2] + prior2, SHARPNESS * alike[3] + prior3);
      similarity = Math.max(similarity, Math.max(alike[0], alike[1]), Math.max(alike[2], alike[3]));
      const most = Math.max(first, last) + logPrior[p];
      logLikelihood[p] = most;
      if (most > best) best = most;
    }
    this.addOffsets(best - FAR, scanned);
    return Math.min(1, similarity);
  }

  /** Finds how alike a place is, by offset. @param scanned sum of the strengths of the scan */
  private compare(p: number, scanned: number): void {
    const { sums, scans, alike } = this;
    const at = p * SUMS;
    // How much of the scan the place knows is nearly the same for all offsets, so one sum serves them all.
    const scanShare = ONLY_SCAN - (ONLY_SCAN - 1) * (sums[at + SUM_SCAN] / scanned);
    const place = ONLY_PLACE * this.total[p] + sums[at + SUM_PLACE];
    const common1 = Math.floor(sums[at] / STEPS);
    const common3 = Math.floor(sums[at + 1] / STEPS);
    const twice = 2 / this.steps;
    alike[0] = (twice * (sums[at] - STEPS * common1)) / (scanShare * scans[0] + place);
    alike[1] = (twice * common1) / (scanShare * scans[1] + place);
    alike[2] = (twice * (sums[at + 1] - STEPS * common3)) / (scanShare * scans[2] + place);
    alike[3] = (twice * common3) / (scanShare * scans[3] + place);
  }

  /** Sums the likelihoods of all offsets, where it matters: far below the best, the largest of them stands for the sum. */
  private addOffsets(least: number, scanned: number): void {
    const { alike, logLikelihood } = this;
    const { logPrior } = this.columns;
    let best = Number.NEGATIVE_INFINITY;
    for (let p = 0; p < logLikelihood.length; p++) {
      const most = logLikelihood[p];
      if (!(most >= least)) continue;
      this.compare(p, scanned);
      let sum = 0;
      for (let o = 0; o < OFFSETS; o++) sum += Math.exp(SHARPNESS * alike[o] + OFFSET_PRIORS[o] + logPrior[p] - most);
      logLikelihood[p] = most + Math.log(sum);
      if (logLikelihood[p] > best) best = logLikelihood[p];
    }
    for (let p = 0; p < logLikelihood.length; p++) logLikelihood[p] -= best;
  }
}

/** Index of the first of ascending numbers that is not below one; `to` if all are. */
function firstNotBelow(ascending: ArrayLike<number>, number: number, from: number, to: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
