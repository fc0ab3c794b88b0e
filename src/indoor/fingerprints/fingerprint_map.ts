// The fingerprint map of a building, as a scan is matched with it.
//
// Each place of the map is compared with the scan by the Sorensen similarity of the powed levels: what both have in common over what they have together, with
// levels on the scale ((dBm + 105) / 105)^e. Radios that are missing on either side count by that. The lists of the map are by radio, so only places are
// touched where something of the scan was heard.

import type { Scan } from './fingerprint.ts';
import { decodeMap, type MapColumns } from './map_record.ts';
import { isLevel } from './places.ts';

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
  /** Share of the scan that the map knows, by powed level: 0..1. */
  share: number;
  /** How alike the scan and the place that is most like it are: 0..1. */
  similarity: number;
}

/** Mean levels are stored in steps of half a decibel. */
const STEPS = 256;
const POWED_BELOW_DBM = 105;
/** What a difference of similarity of 1 is worth as logarithm of likelihood. */
const SHARPNESS = 60;

const POWED = new Float64Array(STEPS);
for (let step = 0; step < STEPS; step++) POWED[step] = powed(-step / 2);

/** A map, opened for matching. Not for several threads: it has the results of the last match. */
export class FingerprintMap {
  /** Origin of the plane, degrees. */
  readonly latitude: number;
  readonly longitude: number;
  private readonly columns: MapColumns;
  /** Sum of the powed levels of each place. */
  private readonly total: Float64Array;
  private readonly common: Float64Array;
  private readonly logLikelihood: Float32Array;

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
    this.common = new Float64Array(places);
    this.logLikelihood = new Float32Array(places);
    const { levelPlace, levelMean, levelShare } = this.columns;
    for (let i = 0; i < levelPlace.length; i++) this.total[levelPlace[i]] += (POWED[levelMean[i]] * levelShare[i]) / 255;
  }

  /** The number of each radio that the map knows, ascending. Must not be changed. */
  radios(): Float64Array {
    return this.columns.radio;
  }

  /** Compares a scan with all places. @returns undefined when the map knows no radio of it */
  match(scan: Scan): Match | undefined {
    const { radio, firstLevel, levelPlace, levelMean, levelShare, east, north, floor } = this.columns;
    const { common, total, logLikelihood } = this;
    common.fill(0);
    let known = 0;
    let all = 0;
    for (const [number, levelDbm] of levelsOfScan(scan)) {
      const level = powed(levelDbm);
      all += level;
      const r = indexOf(radio, number);
      if (r < 0) continue;
      known += level;
      for (let i = firstLevel[r]; i < firstLevel[r + 1]; i++) {
        common[levelPlace[i]] += Math.min(level, (POWED[levelMean[i]] * levelShare[i]) / 255);
      }
    }
    if (known === 0) return undefined;
    let best = 0;
    for (let p = 0; p < east.length; p++) {
      common[p] = (2 * common[p]) / (all + total[p]);
      if (common[p] > best) best = common[p];
    }
    for (let p = 0; p < east.length; p++) logLikelihood[p] = SHARPNESS * (common[p] - best);
    return { count: east.length, floors: floor, east, north, logLikelihood, share: known / all, similarity: best };
  }
}

/** The mean level of each radio of a scan. */
function levelsOfScan({ count, radio, levelDbm }: Scan): Map<number, number> {
  const sums = new Map<number, { count: number; sum: number }>();
  for (let i = 0; i < count; i++) {
    if (!isLevel(levelDbm[i])) continue;
    const known = sums.get(radio[i]);
    if (known === undefined) sums.set(radio[i], { count: 1, sum: levelDbm[i] });
    else {
      known.count++;
      known.sum += levelDbm[i];
    }
  }
  return new Map(Array.from(sums, ([number, { count: times, sum }]) => [number, sum / times]));
}

function powed(levelDbm: number): number {
  return Math.max(0, (levelDbm + POWED_BELOW_DBM) / POWED_BELOW_DBM) ** Math.E;
}

/** Binary search. @returns -1 if the number is not there */
function indexOf(sorted: Float64Array, number: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] === number) return middle;
    if (sorted[middle] < number) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
