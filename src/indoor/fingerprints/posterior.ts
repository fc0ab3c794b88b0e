// Where the device may be in a building: points with weights, each blurred by the same normal distribution. It is made
// of a match, or of a match and what was known before, and summed up into an answer: the floor that has most, the mean
// on that floor, and the radii within which half, 68 and 95 % lie.

import type { Match } from './fingerprint_map.ts';
import { PLACES_MAX } from './map_record.ts';

/** Points on floors with weights. */
export interface Posterior {
  count: number;
  /** Floor index of each point. */
  floors: Int16Array;
  /** Metres from the map's origin. */
  east: Float64Array;
  north: Float64Array;
  /** Their sum is 1. */
  weights: Float64Array;
  /** Standard deviation, in each direction, of what each point stands for, metres. */
  sigmaMetres: number;
}

/** A posterior as an answer. */
export interface Summary {
  floor: number;
  /** 0..1 */
  floorProbability: number;
  eastMetres: number;
  northMetres: number;
  /** Radii that hold half, 68 % and 95 % of the probability on the floor, metres. */
  r50Metres: number;
  at68Metres: number;
  at95Metres: number;
}

/** Places with less than this share of the largest weight are left out. */
const WEIGHT_MIN = 1e-3;
/** More places than these are thinned out. */
const POINTS_MAX = 256;
/** To find the weight from which on places are kept as they are, they are counted in steps of their logarithm. */
const STEPS_PER_UNIT = 64;
const STEPS = Math.ceil(-Math.log(WEIGHT_MIN) * STEPS_PER_UNIT) + 1;
/** Distances are put in order to this. */
const STEPS_PER_METRE = 65_536;
/**
 * How far off the places are: a scan that even the best place is unlike was taken where the map knows less, and the
 * more radios it has, the less is that chance. Metres for each unit of (1 - similarity) * cbrt(radios), so that half of
 * the truths lie inside of the radius, with twenty radios as with a hundred.
 */
const SIGMA_METRES = 2.1;
/** The radii of a normal distribution in two dimensions with a standard deviation of 1. */
const R50 = Math.sqrt(2 * Math.log(2));
const R68 = Math.sqrt(-2 * Math.log(0.32));
const R95 = Math.sqrt(-2 * Math.log(0.05));

/** Places that are likely, and their weights; those of the last match. */
const PLACES = new Int32Array(PLACES_MAX);
const WEIGHTS = new Float64Array(PLACES_MAX);

/**
 * The posterior of a single scan, where every place is as likely before it. Of many places the heavy ones are kept. The
 * others are thinned out evenly, each floor by itself, so that a floor has the share of all its places, and what is
 * spread over a floor stays so.
 * @returns at most 256 points and one for each floor
 */
export function posteriorOf(match: Match): Posterior {
  const { logLikelihood, floors, east, north } = match;
  const least = Math.log(WEIGHT_MIN);
  let found = 0;
  let sum = 0;
  for (let p = 0; p < match.count; p++) {
    if (!(logLikelihood[p] >= least)) continue;
    const weight = Math.exp(logLikelihood[p]);
    PLACES[found] = p;
    WEIGHTS[found++] = weight;
    sum += weight;
  }
  if (found > POINTS_MAX) found = thinOut(found, sum, match);
  const posterior = {
    count: found,
    floors: new Int16Array(found),
    east: new Float64Array(found),
    north: new Float64Array(found),
    weights: new Float64Array(found),
    sigmaMetres: SIGMA_METRES * (1 - match.similarity) * Math.cbrt(match.radios),
  };
  for (let i = 0; i < found; i++) {
    const p = PLACES[i];
    posterior.floors[i] = floors[p];
    posterior.east[i] = east[p];
    posterior.north[i] = north[p];
    posterior.weights[i] = WEIGHTS[i] / sum;
  }
  return posterior;
}

/** The light places of a floor: their weight, and when the next of them is kept. */
interface Light {
  sum: number;
  /** Weight of each that is kept. */
  step: number;
  passed: number;
}

/**
 * Keeps the heavy places, and of the light ones of each floor so many as their weight is worth. @returns how many there
 * are then
 */
function thinOut(found: number, sum: number, { floors, logLikelihood }: Match): number {
  const heavy = heavyOf(found, sum, logLikelihood);
  const light = new Map<number, Light>();
  for (let i = 0; i < found; i++) {
    const floor = floors[PLACES[i]];
    if (WEIGHTS[i] >= heavy) continue;
    const known = light.get(floor);
    if (known !== undefined) known.sum += WEIGHTS[i];
    else light.set(floor, { sum: WEIGHTS[i], step: 0, passed: 0 });
  }
  for (const each of light.values()) {
    // At least the weight of any of them, so that none stands for more than one of those that are kept.
    each.step = each.sum / Math.max(1, Math.floor(each.sum / heavy));
    each.passed = each.step / 2;
  }
  let kept = 0;
  for (let i = 0; i < found; i++) {
    let weight = WEIGHTS[i];
    if (weight < heavy) {
      const each = light.get(floors[PLACES[i]])!;
      each.passed += weight;
      if (each.passed < each.step) continue;
      each.passed -= each.step;
      weight = each.step;
    }
    PLACES[kept] = PLACES[i];
    WEIGHTS[kept++] = weight;
  }
  return kept;
}

/**
 * The weight from which on places are kept: so that these, and the others at this weight each, are as many as there may
 * be.
 */
function heavyOf(found: number, sum: number, logLikelihood: Float32Array): number {
  const counts = new Int32Array(STEPS);
  const sums = new Float64Array(STEPS);
  for (let i = 0; i < found; i++) {
    const step = Math.floor(-logLikelihood[PLACES[i]] * STEPS_PER_UNIT);
    counts[step]++;
    sums[step] += WEIGHTS[i];
  }
  let left = POINTS_MAX;
  let rest = sum;
  let heavy = sum / POINTS_MAX;
  for (let step = 0; step < STEPS && counts[step] < left; step++) {
    const lightest = Math.exp(-(step + 1) / STEPS_PER_UNIT);
    if (lightest < (rest - sums[step]) / (left - counts[step])) break;
    left -= counts[step];
    rest -= sums[step];
    heavy = rest / left;
  }
  return heavy;
}

/** Sums a posterior up. @param posterior of at least one point */
export function summarise({ count, floors, east, north, weights, sigmaMetres }: Posterior): Summary {
  const byFloor = new Map<number, number>();
  for (let i = 0; i < count; i++) byFloor.set(floors[i], (byFloor.get(floors[i]) ?? 0) + weights[i]);
  let floor = floors[0];
  for (const [candidate, share] of byFloor) if (share > byFloor.get(floor)!) floor = candidate;
  const floorProbability = byFloor.get(floor)!;
  let eastMetres = 0;
  let northMetres = 0;
  for (let i = 0; i < count; i++) {
    if (floors[i] !== floor) continue;
    eastMetres += (weights[i] * east[i]) / floorProbability;
    northMetres += (weights[i] * north[i]) / floorProbability;
  }
  const metresTo = (i: number): number => Math.hypot(east[i] - eastMetres, north[i] - northMetres);
  // Numbers by themselves are sorted many times faster than by a comparison: the distance, and behind it the point.
  const keys = new Float64Array(count);
  let points = 0;
  for (let i = 0; i < count; i++)
    if (floors[i] === floor) keys[points++] = Math.floor(metresTo(i) * STEPS_PER_METRE) * count + i;
  // biome-ignore format: one thought
  const order = keys.subarray(0, points).sort().map(key => key - Math.floor(key / count) * count);
  const within = (share: number, normal: number): number => {
    let sum = 0;
    for (const i of order) {
      sum += weights[i];
      if (sum >= share * floorProbability) return Math.hypot(metresTo(i), sigmaMetres * normal);
    }
    return Math.hypot(metresTo(order[order.length - 1]), sigmaMetres * normal);
  };
  return {
    floor,
    floorProbability,
    eastMetres,
    northMetres,
    r50Metres: within(0.5, R50),
    at68Metres: within(0.68, R68),
    at95Metres: within(0.95, R95),
  };
}
