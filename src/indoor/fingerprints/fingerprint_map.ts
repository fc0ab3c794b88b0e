// The fingerprint map of a building, as a scan is matched with it.
//
// A place is compared with the scan by what both have in common of the strengths (strength.ts) over what they have
// together: a Sorensen similarity in which what only the scan has counts 1.75 times, since a phone seldom hears what is
// not there, and what only the place has counts 0.85 times, since phones are deaf for some. A reading counts less with
// its age. The likelihood is similarity^16.
//
// The strong radios decide that nearly alone. So the levels are compared radio by radio as well: what both hear is
// worth 3 - 2 ln(1 + d^2 / (3 * 4^2)) for a difference of d dB, the logarithm of Student's distribution of three
// degrees of freedom and a scale of 4 dB, beside that of not being heard. The sum is divided by the root of the number
// of radios, since the walls and bodies between are the same for many. Both likelihoods err, and not in the same
// places: their product is better than each by itself.
//
// Maps of several buildings are compared by all of the scan: a similarity with what one map knows says nothing beside
// one with what another knows. For the same reason the levels are not divided by the root of a number of radios. What
// only the scan has counts a fifth there, since a phone that has come from another building may still name that one's
// networks. A map explains a scan as well as the place of the largest sum of 10 ln(similarity) and what the levels say.
//
// Phones differ by several decibels in what they report, and the difference is that of all radios of a scan. So the
// scan is compared four times, as if the phone reported 9 or 3 dB too little or too much, and each of the likelihoods
// is summed with a prior on the difference (standard deviation 8 dB).
//
// The lists of the map are by radio, so places are touched only where something of the scan was heard. The core does it
// (src/indoor/core/fingerprint_matcher.ts), for four offsets at once: what a place has in common with the scan is
// summed up in whole steps, of which the lesser is found without a branch.

import { OFFSET_FAR_DB, OFFSET_NEAR_DB } from '../../../wasm/fingerprint_constants.ts';
import { STATUS_OK } from '../../../wasm/memory.ts';
import { coreOfThread } from '../../core/instantiate.ts';
import { FingerprintMatcher, MATCHED_OFFSETS } from '../core/fingerprint_matcher.ts';
import type { Scan } from './fingerprint.ts';
import { decodeMap, type MapColumns } from './map_record.ts';
import { ScanRadios } from './scan_radios.ts';
import { LEVEL_OF_STORED, STORED_STRENGTH, strengthOf } from './strength.ts';

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
  /**
   * How well the map explains all of the scan, beside other maps: a natural logarithm. NaN where that was not asked
   * for.
   */
  explained: number;
}

/** Decibels that the phone is taken to report too little. */
const OFFSETS_DB = [-OFFSET_FAR_DB, -OFFSET_NEAR_DB, OFFSET_NEAR_DB, OFFSET_FAR_DB];
/** Steps of all radios of a scan together, at most. */
const STEPS = 2 ** 30;
/**
 * What is heard at both is worth this beside what is not, how much levels differ by chance, and what that counts for
 * with one radio.
 */
const HEARD = 3;
const LEVEL_SCALE_DB = 4;
const LEVELS_POWER = 1.2;

let shared: FingerprintMatcher | undefined;

/** The matcher of this thread, for all maps: nothing of a match is left in it that another one needs. */
function matcherOfThread(): FingerprintMatcher {
  if (shared === undefined) {
    shared = new FingerprintMatcher(coreOfThread());
    shared.setTables(STORED_STRENGTH, LEVEL_OF_STORED, (differenceDb, offset) =>
      worthOf(differenceDb + OFFSETS_DB[offset]),
    );
  }
  return shared;
}

/** What a radio says for a place whose level differs by so much from that of the scan. */
function worthOf(differenceDb: number): number {
  return HEARD - 2 * Math.log1p((differenceDb / LEVEL_SCALE_DB) ** 2 / 3);
}

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
  /** Of the last scan: sums of its strengths by offset. */
  private readonly scans = new Float64Array(MATCHED_OFFSETS);
  /** Strength of a radio of the scan by offset, in steps. */
  private readonly steps = new Int32Array(MATCHED_OFFSETS);
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
    this.logLikelihood = new Float32Array(places);
    this.bytes = bytes.length + this.total.byteLength + this.logLikelihood.byteLength;
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

  /**
   * Compares a scan with all places.
   * @param isRival true to find how well the map explains the scan, where several do
   * @returns undefined when the map knows no radio of it
   */
  match(scan: Scan, isRival = false): Match | undefined {
    const { east, north, floor } = this.columns;
    const { heard, logLikelihood } = this;
    heard.read(scan);
    if (heard.count === 0 || east.length === 0) return undefined;
    const [similarity, explained] = this.compare(isRival);
    // Nothing counts of a scan that is too old, or too weak.
    if (!(similarity > 0)) return undefined;
    const places = { count: east.length, floors: floor, east, north, logLikelihood };
    return { ...places, share: heard.share, radios: heard.count, similarity, explained };
  }

  /**
   * Compares the scan that was read with all places. @returns the largest similarity, at most 1; 0 where nothing is
   * alike; and how well it is explained
   */
  private compare(isRival: boolean): [similarity: number, explained: number] {
    const { firstLevel, levelPlace, levelStrength, logPrior } = this.columns;
    const { heard, scans, steps, total } = this;
    const places = total.length;
    const matcher = matcherOfThread();
    for (const [o, offset] of OFFSETS_DB.entries()) scans[o] = heard.strength(offset);
    const scanned = heard.strength(0);
    if (!(scanned > 0)) return [0, Number.NaN];
    // Rounding adds at most one step for each radio.
    const most = (STEPS - 1 - heard.count) / scans[MATCHED_OFFSETS - 1];
    mustBeOk(matcher.begin(places));
    for (let h = 0; h < heard.count; h++) {
      const weight = heard.weight[h];
      const levelDbm = heard.levelDbm[h];
      const scale = weight * most;
      for (let o = 0; o < MATCHED_OFFSETS; o++) steps[o] = Math.round(scale * strengthOf(levelDbm + OFFSETS_DB[o]));
      const from = firstLevel[heard.index[h]];
      const to = firstLevel[heard.index[h] + 1];
      const own = weight * strengthOf(levelDbm);
      mustBeOk(
        matcher.addRadio(
          levelPlace.subarray(from, to),
          levelStrength.subarray(from, to),
          steps,
          scale,
          weight,
          own,
          levelDbm,
        ),
      );
    }
    matcher.total.set(total);
    // What the map does not know of the scan is taken to be as old, and to change as much by the offsets, as what it
    // knows.
    // biome-ignore format: one line
    if (isRival) {
          const strengths = scans.map(strength => strength / heard.share);
          mustBeOk(matcher.explain(places, scanned / heard.share, strengths, most));
        }
    const power = LEVELS_POWER / Math.sqrt(Math.max(1, heard.fresh()));
    matcher.prior.set(logPrior);
    mustBeOk(matcher.weigh(places, scanned, scans, most, power));
    const { likelihood, best } = matcher;
    for (let p = 0; p < places; p++) this.logLikelihood[p] = likelihood[p] - best;
    return [Math.min(1, matcher.similarity), isRival ? matcher.explained : Number.NaN];
  }
}

/** A map has been verified, so the core has nothing to refuse. */
function mustBeOk(status: number): void {
  if (status !== STATUS_OK) throw new Error(`The core refuses a fingerprint map with the status ${status}.`);
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
