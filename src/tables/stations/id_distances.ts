// Estimates the distance of two cells of one network from their ids alone. Operators number the sectors, carriers and
// neighbours of a site by a plan, but each by its own (one adds 10 for the same sector on another carrier, one adds 3,
// one 20). So nothing is assumed about the plan: pairs of known cells are sorted into classes by the difference of
// their ids, and each class keeps the typical distance of its pairs.
//
//   same area, ids that differ by 1..255 (LTE: of one eNodeB)      a class for each difference
//   same area, ids further apart (LTE: eNodeBs)                    a class for each power of two
//   other area, ids that differ by 0..3 a class for each difference and power of two between the area codes
//
//   same area, ids that differ by a stride of the network          a class for each stride
//
// The classes of other areas cover area codes that were changed or misread. Strides are differences above 255 between
// the ids of cells that stand together: 10,000 for another carrier, 20,000 eNodeBs for another band. They are found
// among pairs of cells that stand together. The typical distance is the mean of the logarithm; with few pairs it is
// drawn towards that of the neighbouring classes. Each network has one record, stored with its areas.

import { KIND_LTE, KIND_NBIOT } from '../../radio/kind.ts';
import { decodeRadius, encodeRadius } from './station.ts';

const NEAR_IDS = 255;
const FAR_CLASSES = 8;
const FAR = NEAR_IDS + 1;
const OTHER_AREA = FAR + FAR_CLASSES;
/** Largest difference of ids between two areas. */
const OTHER_AREA_IDS = 3;
const AREA_OCTAVES = 24;
const CLASSES = OTHER_AREA + (OTHER_AREA_IDS + 1) * AREA_OCTAVES;

/**
 * Strides of a network, the most telling first; each is stored as five bytes of the difference, 0 for none, and two of
 * the distance.
 */
const STRIDES = 16;
const STRIDE_BYTES = 7;
const STRIDES_AT = CLASSES * 2;

/** Bytes of a network's record. */
export const ID_DISTANCES_BYTES = STRIDES_AT + STRIDES * STRIDE_BYTES;

/** Number of following cells, in key order, that a cell is compared with. */
const AHEAD = 64;
/**
 * Most cells of a network that are compared with those after them: enough for any class that matters, and bounded work
 * in large networks.
 */
const ANCHORS = 20_000;
/** Below this, differences of distances mean nothing. */
const BLUR_METRES = 100;
/** Weight of the neighbouring classes, in pairs. */
const PRIOR_PAIRS = 20;
/**
 * Cells nearer than this stand together. The most frequent differences of such pairs, met in at least so many, may be
 * strides.
 */
const TOGETHER_METRES = 1_500;
const STRIDE_PAIRS_MIN = 6;
const STRIDE_CANDIDATES = 64;
/** Pairs that are looked at for strides. */
const STRIDE_PAIRS_TRIED = 1_000_000;
/** Pairs that are looked at between two steps: a few milliseconds. */
const STEP_PAIRS = 20_000;
/** An area code of 24 bits and a cell's index share one double. */
const INDEX_LIMIT = 2 ** 28;
/**
 * Typical distances where nothing is known: cells of one eNodeB or gNodeB; near ids of other radio types; far ids;
 * other areas.
 */
const SITE_METRES = 1_000;
const NEAR_METRES = 3_000;
const FAR_METRES = 5_000;
const OTHER_AREA_METRES = 10_000;

/** Distance of two cells by their indexes, metres. */
type Distance = (a: number, b: number) => number;

/** A difference of ids between cells of a network that stand together. */
interface Stride {
  difference: number;
  /** Typical distance, metres. */
  metres: number;
}

/** Cells of one network in key order, `count` of each. */
interface CellColumns {
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
  if (areaA !== areaB)
    return difference > OTHER_AREA_IDS
      ? -1
      : OTHER_AREA + difference * AREA_OCTAVES + octaveOf(Math.abs(areaA - areaB));
  if (kind === KIND_LTE || kind === KIND_NBIOT) {
    const sites = Math.abs(Math.floor(cellA / 256) - Math.floor(cellB / 256));
    return sites === 0 ? difference : farClass(octaveOf(sites));
  }
  return difference <= NEAR_IDS ? difference : farClass(octaveOf(difference) - 8);
}

/**
 * Typical distances of a network's classes, measured in steps of a few milliseconds: a large network takes a third of a
 * second in all.
 * @param distanceMetres of two cells by their indexes
 * @returns the record's bytes
 */
export function* measureIdDistances(
  kind: number,
  { count, cells, areas }: CellColumns,
  distanceMetres: Distance,
): Generator<undefined, Buffer, undefined> {
  const sums = new Float64Array(CLASSES);
  const pairs = new Uint32Array(CLASSES);
  const step = Math.max(1, Math.ceil(count / ANCHORS));
  for (let a = 0, left = STEP_PAIRS; a < count; a += step, left -= AHEAD) {
    if (left <= 0) {
      left = STEP_PAIRS;
      yield;
    }
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
  const found = yield* measureStrides(kind, { count, cells, areas }, distanceMetres);
  found.forEach(({ difference, metres }, i) => {
    record.writeUIntLE(difference, STRIDES_AT + i * STRIDE_BYTES, 5);
    record.writeUInt16LE(encodeRadius(metres), STRIDES_AT + i * STRIDE_BYTES + 5);
  });
  return record;
}

/** The record of a network of which nothing is known. */
export function usualIdDistances(kind: number): Buffer {
  const measuring = measureIdDistances(
    kind,
    { count: 0, cells: new Float64Array(0), areas: new Int32Array(0) },
    () => 0,
  );
  for (let step = measuring.next(); ; step = measuring.next()) if (step.done === true) return step.value;
}

/** Typical distance in metres of a class (not -1), from a network's record. */
export function typicalMetres(record: Buffer, k: number): number {
  return decodeRadius(record.readUInt16LE(k * 2));
}

/** The strides of a network and their typical distances, from its record. */
export function stridesOf(record: Buffer): Stride[] {
  const strides: Stride[] = [];
  for (let at = STRIDES_AT; at < ID_DISTANCES_BYTES; at += STRIDE_BYTES) {
    const difference = record.readUIntLE(at, 5);
    if (difference === 0) break;
    strides.push({ difference, metres: decodeRadius(record.readUInt16LE(at + 5)) });
  }
  return strides;
}

/** Differences beyond the near ones that cells standing together have, and how far off such ids typically are. */
function* measureStrides(
  kind: number,
  columns: CellColumns,
  distanceMetres: Distance,
): Generator<undefined, Stride[], undefined> {
  const byArea = orderByArea(columns);
  const { differences, usual } = yield* frequentDifferences(kind, columns, byArea, distanceMetres);
  const strides: (Stride & { gain: number })[] = [];
  for (const difference of differences) {
    let sum = PRIOR_PAIRS * usual;
    let pairs = PRIOR_PAIRS;
    forPairsApart(byArea, columns.cells, difference, (a, b) => {
      sum += Math.log(distanceMetres(a, b) + BLUR_METRES);
      pairs++;
    });
    strides.push({ difference, metres: Math.max(1, Math.exp(sum / pairs) - BLUR_METRES), gain: pairs * usual - sum });
    yield;
  }
  const telling = strides.filter(({ gain }) => gain > 0).sort((a, b) => b.gain - a.gain || a.difference - b.difference);
  return telling.slice(0, STRIDES);
}

/**
 * Cells by area and, as they come, by id: their indexes, and where in these each area begins; the last one ends with
 * the cells.
 */
interface ByArea {
  order: Uint32Array;
  starts: number[];
}

function orderByArea({ count, areas }: CellColumns): ByArea {
  const keys = Float64Array.from({ length: count }, (_, i) => areas[i] * INDEX_LIMIT + i).sort();
  const order = Uint32Array.from(keys, key => key % INDEX_LIMIT);
  const starts: number[] = [];
  for (let i = 0; i < count; i++) if (i === 0 || areas[order[i]] !== areas[order[i - 1]]) starts.push(i);
  starts.push(count);
  return { order, starts };
}

/**
 * Differences in one area that cells standing together have most often, and the mean logarithm of the distances of all
 * ids that are not near.
 */
function* frequentDifferences(
  kind: number,
  { cells }: CellColumns,
  { order, starts }: ByArea,
  distanceMetres: Distance,
): Generator<undefined, { differences: number[]; usual: number }, undefined> {
  let pairs = 0;
  for (let s = 1; s < starts.length; s++) pairs += (starts[s] - starts[s - 1]) ** 2 / 2;
  const step = Math.max(1, Math.ceil(pairs / STRIDE_PAIRS_TRIED));
  const met = new Map<number, number>();
  let sum = 0;
  let count = 0;
  for (let s = 1, i = 0, left = STEP_PAIRS; s < starts.length; s++) {
    for (; i < starts[s]; i += step) {
      left -= starts[s] - i;
      if (left <= 0) {
        left = STEP_PAIRS;
        yield;
      }
      for (let j = i + 1; j < starts[s]; j++) {
        if (isNearId(kind, cells[order[i]], cells[order[j]])) continue;
        const difference = cells[order[j]] - cells[order[i]];
        const metres = distanceMetres(order[i], order[j]);
        sum += Math.log(metres + BLUR_METRES);
        count++;
        if (metres > TOGETHER_METRES) continue;
        met.set(difference, (met.get(difference) ?? 0) + 1);
      }
    }
  }
  const frequent = [...met].filter(([, times]) => times >= STRIDE_PAIRS_MIN).sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return { differences: frequent.slice(0, STRIDE_CANDIDATES).map(([difference]) => difference), usual: sum / count };
}

/** Pairs of cells of one area whose ids differ by exactly this; of many areas only some. */
function forPairsApart(
  { order, starts }: ByArea,
  cells: Float64Array,
  difference: number,
  take: (a: number, b: number) => void,
): void {
  const step = Math.max(1, Math.ceil(order.length / ANCHORS));
  for (let s = 1; s < starts.length; s += step) {
    for (let i = starts[s - 1], j = i; j < starts[s]; j++) {
      while (cells[order[j]] - cells[order[i]] > difference) i++;
      if (cells[order[j]] - cells[order[i]] === difference) take(order[i], order[j]);
    }
  }
}

/** True when the difference of two ids in one area is a class of its own. */
function isNearId(kind: number, cellA: number, cellB: number): boolean {
  const k = idClass(kind, cellA, 0, cellB, 0);
  return k >= 0 && k <= NEAR_IDS;
}

function farClass(octave: number): number {
  return octave < FAR_CLASSES ? FAR + octave : -1;
}

/**
 * For each power of two of the difference in one area, the mean logarithm of its pairs, drawn towards that of the next
 * smaller one.
 */
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
