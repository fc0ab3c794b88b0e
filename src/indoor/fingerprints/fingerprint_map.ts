// The fingerprint map of a building, as a scan is matched with it.
//
// A place is compared with the scan by what both have in common of the strengths (strength.ts) over what they have together: a Sorensen similarity in which
// what only the scan has counts 1.75 times, since a phone seldom hears what is not there, and what only the place has counts 0.85 times, since phones are deaf
// for some. A reading counts less with its age. The likelihood is e^(45 * similarity).
//
// Phones differ by several decibels in what they report, and the difference is that of all radios of a scan. So the scan is compared four times, as if the phone
// reported 9 or 3 dB too little or too much, and the likelihoods are summed with a prior on the difference (standard deviation 8 dB).
//
// The lists of the map are by radio, so places are touched only where something of the scan was heard, and nothing is allocated for a place.

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
/** Sums for each place: what it has in common with the scan by offset, how much of itself that is, how much of the scan. */
const SUMS = 6;
const SUM_PLACE = 4;
const SUM_SCAN = 5;

/** A map, opened for matching. Not for several threads: it has the results of the last match. */
export class FingerprintMap {
  /** Origin of the plane, degrees. */
  readonly latitude: number;
  readonly longitude: number;
  private readonly columns: MapColumns;
  /** Sum of the strengths of each place. */
  private readonly total: Float32Array;
  private readonly sums: Float32Array;
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
    this.total = new Float32Array(places);
    this.sums = new Float32Array(places * SUMS);
    this.logLikelihood = new Float32Array(places);
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
    return { count: east.length, floors: floor, east, north, logLikelihood, share: heard.share, radios: heard.count, similarity };
  }

  /** Goes through the lists of the scan's radios. */
  private sumUp(): void {
    const { firstLevel, levelPlace, levelStrength } = this.columns;
    const { heard, sums } = this;
    const strengths = STORED_STRENGTH;
    sums.fill(0);
    for (let h = 0; h < heard.count; h++) {
      const weight = heard.weight[h];
      const x0 = weight * strengthOf(heard.levelDbm[h] + OFFSETS_DB[0]);
      const x1 = weight * strengthOf(heard.levelDbm[h] + OFFSETS_DB[1]);
      const x2 = weight * strengthOf(heard.levelDbm[h] + OFFSETS_DB[2]);
      const x3 = weight * strengthOf(heard.levelDbm[h] + OFFSETS_DB[3]);
      const scanned = weight * strengthOf(heard.levelDbm[h]);
      const r = heard.index[h];
      for (let i = firstLevel[r], end = firstLevel[r + 1]; i < end; i++) {
        const strength = strengths[levelStrength[i]];
        const y = weight * strength;
        const at = levelPlace[i] * SUMS;
        sums[at] += Math.min(x0, y);
        sums[at + 1] += Math.min(x1, y);
        sums[at + 2] += Math.min(x2, y);
        sums[at + 3] += Math.min(x3, y);
        sums[at + SUM_PLACE] += y - ONLY_PLACE * strength;
        sums[at + SUM_SCAN] += scanned;
      }
    }
  }

  /** Turns the sums into likelihoods. @returns the largest similarity */
  private weigh(): number {
    const { sums, total, heard, logLikelihood } = this;
    const { logPrior } = this.columns;
    const scans = Float64Array.from(OFFSETS_DB, offset => heard.strength(offset));
    const priors = OFFSET_PRIORS;
    const scanned = heard.strength(0);
    let similarity = 0;
    let best = Number.NEGATIVE_INFINITY;
    for (let p = 0; p < logLikelihood.length; p++) {
      const at = p * SUMS;
      logLikelihood[p] = Number.NEGATIVE_INFINITY;
      if (sums[at + SUM_SCAN] === 0) continue;
      // How much of the scan the place knows is nearly the same for all offsets, so one sum serves them all.
      const scanShare = ONLY_SCAN - (ONLY_SCAN - 1) * (sums[at + SUM_SCAN] / scanned);
      const place = ONLY_PLACE * total[p] + sums[at + SUM_PLACE];
      let most = Number.NEGATIVE_INFINITY;
      for (let o = 0; o < OFFSETS; o++) {
        const alike = (2 * sums[at + o]) / (scanShare * scans[o] + place);
        if (alike > similarity) similarity = alike;
        const value = SHARPNESS * alike + priors[o];
        sums[at + o] = value;
        if (value > most) most = value;
      }
      most += logPrior[p];
      logLikelihood[p] = most;
      if (most > best) best = most;
    }
    this.addOffsets(best - FAR);
    return Math.min(1, similarity);
  }

  /** Sums the likelihoods of all offsets, where it matters: far below the best, the largest of them stands for the sum. */
  private addOffsets(least: number): void {
    const { sums, logLikelihood } = this;
    const { logPrior } = this.columns;
    let best = Number.NEGATIVE_INFINITY;
    for (let p = 0; p < logLikelihood.length; p++) {
      const most = logLikelihood[p];
      if (most < least) continue;
      let sum = 0;
      for (let o = 0; o < OFFSETS; o++) sum += Math.exp(sums[p * SUMS + o] - most + logPrior[p]);
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
