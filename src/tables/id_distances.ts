// How far apart two cells of one network stand, told from their numbers alone. Operators number by plan: the sectors of a site, its carriers, its
// neighbours; but each by a plan of its own (one adds 10 for the same sector on another carrier, one adds 3, one 20). So nothing is assumed: pairs of
// known cells are sorted into classes by how their numbers differ, and each class keeps the typical distance of its pairs.
//
//   same area, ids that differ by 1..255 (LTE: of one eNodeB)      a class for each difference
//   same area, ids further apart (LTE: eNodeBs)                    a class for each power of two
//   other area, ids that differ by 0..3                            a class for each difference and power of two between the area codes
//
// The last ones see area codes that were changed or misread. The typical distance is the mean in the logarithm, drawn towards that of the class's
// neighbours where there are few pairs. One record for each network, beside its areas.

import { KIND_LTE, KIND_NBIOT } from '../radio/kind.ts';
import { decodeRadius, encodeRadius } from './station.ts';

const NEAR_IDS = 255;
const FAR_CLASSES = 8;
const FAR = NEAR_IDS + 1;
const OTHER_AREA = FAR + FAR_CLASSES;
/** Largest difference of ids between two areas. */
const OTHER_AREA_IDS = 3;
const AREA_OCTAVES = 24;
const CLASSES = OTHER_AREA + (OTHER_AREA_IDS + 1) * AREA_OCTAVES;

/** Bytes of a network's record. */
export const ID_DISTANCES_BYTES = CLASSES * 2;

/** Cells behind a cell, in key order, that are compared with it. */
const AHEAD = 64;
/** Cells of a network that are compared with those behind them: enough for any class that matters, and no work that grows with the network. */
const ANCHORS = 20_000;
/** Below this, differences of distances mean nothing. */
const BLUR_METRES = 100;
/** Pairs that the neighbouring classes count for. */
const PRIOR_PAIRS = 20;
/** What is taken for likely where nothing is known: cells of one eNodeB or gNodeB; near ids of other radio types; far ids; other areas. */
const SITE_METRES = 1_000;
const NEAR_METRES = 3_000;
const FAR_METRES = 5_000;
const OTHER_AREA_METRES = 10_000;

/** Cells of one network in key order, `count` of each. */
export interface CellColumns {
  count: number;
  cells: Float64Array;
  areas: Int32Array;
}

/**
 * Class of two cells of one network, or -1 when their numbers say nothing.
 * @param kind of both, 8..13
 */
export function idClass(kind: number, cellA: number, areaA: number, cellB: number, areaB: number): number {
  const difference = Math.abs(cellA - cellB);
  if (areaA !== areaB) return difference > OTHER_AREA_IDS ? -1 : OTHER_AREA + difference * AREA_OCTAVES + octaveOf(Math.abs(areaA - areaB));
  if (kind === KIND_LTE || kind === KIND_NBIOT) {
    const sites = Math.abs(Math.floor(cellA / 256) - Math.floor(cellB / 256));
    return sites === 0 ? difference : farClass(octaveOf(sites));
  }
  return difference <= NEAR_IDS ? difference : farClass(octaveOf(difference) - 8);
}

/**
 * Typical distances of a network's classes.
 * @param distanceMetres of two cells by their indexes
 * @returns the record's bytes
 */
export function measureIdDistances(
  kind: number,
  { count, cells, areas }: CellColumns,
  distanceMetres: (a: number, b: number) => number,
): Buffer {
  const sums = new Float64Array(CLASSES);
  const pairs = new Uint32Array(CLASSES);
  const step = Math.max(1, Math.ceil(count / ANCHORS));
  for (let a = 0; a < count; a += step) {
    for (let b = a + 1; b < Math.min(count, a + AHEAD); b++) {
      const k = idClass(kind, cells[a], areas[a], cells[b], areas[b]);
      if (k < 0) continue;
      sums[k] += Math.log(distanceMetres(a, b) + BLUR_METRES);
      pairs[k]++;
    }
  }
  const record = Buffer.alloc(ID_DISTANCES_BYTES);
  const priors = octavePriors(sums, pairs, kind >= KIND_LTE ? SITE_METRES : NEAR_METRES);
  const otherPriors = otherAreaPriors(sums, pairs);
  for (let k = 0; k < CLASSES; k++) {
    const prior = k < OTHER_AREA ? priors[octaveOfClass(k)] : otherPriors[Math.floor((k - OTHER_AREA) / AREA_OCTAVES)];
    const typical = Math.exp((sums[k] + PRIOR_PAIRS * prior) / (pairs[k] + PRIOR_PAIRS)) - BLUR_METRES;
    record.writeUInt16LE(encodeRadius(Math.max(1, typical)), k * 2);
  }
  return record;
}

/** The record of a network of which nothing is known. */
export function usualIdDistances(kind: number): Buffer {
  return measureIdDistances(kind, { count: 0, cells: new Float64Array(0), areas: new Int32Array(0) }, () => 0);
}

/** Typical distance in metres of a class (not -1), from a network's record. */
export function typicalMetres(record: Buffer, k: number): number {
  return decodeRadius(record.readUInt16LE(k * 2));
}

function farClass(octave: number): number {
  return octave < FAR_CLASSES ? FAR + octave : -1;
}

/** For each power of two of the difference in one area, the mean logarithm of its pairs, drawn towards that of the next smaller one. */
function octavePriors(sums: Float64Array, pairs: Uint32Array, nearMetres: number): Float64Array {
  const priors = new Float64Array(octaveOfClass(OTHER_AREA - 1) + 1);
  const weights = new Float64Array(priors.length);
  for (let k = 1; k < OTHER_AREA; k++) {
    priors[octaveOfClass(k)] += sums[k];
    weights[octaveOfClass(k)] += pairs[k];
  }
  let last = Math.log(nearMetres + BLUR_METRES);
  for (let octave = 0; octave < priors.length; octave++) {
    if (octave === octaveOfClass(FAR)) last = Math.max(last, Math.log(FAR_METRES + BLUR_METRES));
    last = (priors[octave] + PRIOR_PAIRS * last) / (weights[octave] + PRIOR_PAIRS);
    priors[octave] = last;
  }
  return priors;
}

/** For each difference of ids in two areas, the mean logarithm of all its pairs. */
function otherAreaPriors(sums: Float64Array, pairs: Uint32Array): number[] {
  return Array.from({ length: OTHER_AREA_IDS + 1 }, (_, difference) => {
    const from = OTHER_AREA + difference * AREA_OCTAVES;
    let sum = PRIOR_PAIRS * Math.log(OTHER_AREA_METRES + BLUR_METRES);
    let weight = PRIOR_PAIRS;
    for (let k = from; k < from + AREA_OCTAVES; k++) {
      sum += sums[k];
      weight += pairs[k];
    }
    return sum / weight;
  });
}

function octaveOfClass(k: number): number {
  return k < FAR ? octaveOf(Math.max(1, k)) : 8 + k - FAR;
}

/** Floor of the logarithm to base 2 of 1..2^32. */
function octaveOf(number: number): number {
  return Math.floor(Math.log2(number));
}
