// Where the device may be in a building: points with weights, each blurred by the same normal distribution. It is made of a match, or of a match and what was
// known before, and summed up into an answer: the floor that has most, the mean on that floor, and the radii within which half, 68 and 95 % lie.

import type { Match } from './fingerprint_map.ts';

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

/** Points with less than this share of the largest weight are left out. */
const WEIGHT_MIN = 1e-3;
const POINTS_MAX = 256;
/**
 * How far off the places are: a scan that even the best place is unlike was taken where the map knows less, and the more radios it has, the less is that chance.
 * Metres for each unit of (1 - similarity) * sqrt(radios), so that half of the truths lie inside of the radius.
 */
const SIGMA_METRES = 1.3;
/** The radii of a normal distribution in two dimensions with a standard deviation of 1. */
const R50 = Math.sqrt(2 * Math.log(2));
const R68 = Math.sqrt(-2 * Math.log(0.32));
const R95 = Math.sqrt(-2 * Math.log(0.05));

/** The posterior of a single scan, where every place is as likely before it. */
export function posteriorOf(match: Match): Posterior {
  const { logLikelihood, floors, east, north } = match;
  const least = Math.log(WEIGHT_MIN);
  let order: number[] = [];
  for (let p = 0; p < match.count; p++) if (logLikelihood[p] >= least) order.push(p);
  order = order.sort((a, b) => logLikelihood[b] - logLikelihood[a]).slice(0, POINTS_MAX);
  const weights = Float64Array.from(order, p => Math.exp(logLikelihood[p]));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return {
    count: order.length,
    floors: Int16Array.from(order, p => floors[p]),
    east: Float64Array.from(order, p => east[p]),
    north: Float64Array.from(order, p => north[p]),
    weights: weights.map(weight => weight / sum),
    sigmaMetres: SIGMA_METRES * (1 - match.similarity) * Math.sqrt(match.radios),
  };
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
  const distances: { metres: number; weight: number }[] = [];
  for (let i = 0; i < count; i++) {
    if (floors[i] === floor) distances.push({ metres: Math.hypot(east[i] - eastMetres, north[i] - northMetres), weight: weights[i] });
  }
  distances.sort((a, b) => a.metres - b.metres);
  const within = (share: number, normal: number): number => {
    let sum = 0;
    for (const { metres, weight } of distances) {
      sum += weight;
      if (sum >= share * floorProbability) return Math.hypot(metres, sigmaMetres * normal);
    }
    return Math.hypot(distances[distances.length - 1].metres, sigmaMetres * normal);
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
