// Where a vehicle or a bicycle is that may be on a road. Its fix is a normal distribution; before that it was most probably somewhere along the roads around, and
// otherwise anywhere. The answer is the mean of both together (Bayes), so it is drawn to a road that is alone, stays between two that are equally likely, and is never
// set onto one: a road is as wide as where one drives and how exactly maps are drawn, and who parks or rides a train is beside all of them.
//
// The direction of travel counts as well: a vehicle that moves across a road is not on it.

import { R50 } from './outdoor_filter.ts';

/** What is known without the roads. Places are metres east and north of it. */
export interface BesideRoads {
  /** Standard deviation along one axis, metres, above 0. */
  sigmaMetres: number;
  /** m/s. */
  eastSpeed: number;
  northSpeed: number;
  /** Standard deviation of these. */
  speedSigma: number;
}

/** What is known with them. */
interface AlongRoads {
  /** Where the device is, metres from the fix. */
  eastMetres: number;
  northMetres: number;
  /** Radius that holds half of where it may be. */
  r50Metres: number;
}

/** How probably a vehicle or a bicycle is on a road of the map. */
const ON_ROADS = 0.85;
/** Standard deviation across a road. */
const ROAD_SIGMA_METRES = 8;
/** Speed across a road while one changes lanes and turns, m/s. */
const ACROSS_SPEED = 2;
/** Roads farther away than this many standard deviations say nothing. */
const REACH_SIGMAS = 3;
/** Beyond this the roads of a town are told by none of them. */
const SIGMA_METRES_MAX = 300;
/** Points of the roads for one standard deviation. */
const POINTS_A_SIGMA = 8;
/** A normal distribution as points: so many rings that hold equal shares, and so many points on each. */
const RINGS = 8;
const RING_POINTS = 12;
/** Directions over half a turn for a mean over all. */
const DIRECTIONS = 64;

/** A place where the device may be. */
interface Point {
  east: number;
  north: number;
  weight: number;
}

/** How far away roads count, metres; 0 where they do not. */
export function roadReach(sigmaMetres: number): number {
  return sigmaMetres <= SIGMA_METRES_MAX ? REACH_SIGMAS * Math.hypot(sigmaMetres, ROAD_SIGMA_METRES) : 0;
}

/**
 * Where the device is by its fix and the roads.
 * @param pieces of roads: four numbers each, metres east and north of the fix, of one end and of the other; what lies beyond the reach is not looked at
 * @returns undefined where there is no road
 */
export function alongRoads(fix: BesideRoads, pieces: readonly number[]): AlongRoads | undefined {
  const reach = roadReach(fix.sigmaMetres);
  const { points, metres, evidence } = pointsOnRoads(fix, pieces, reach);
  if (evidence === 0) return undefined;
  // Evidence of the roads for one metre of them, and of all of the plane for one square metre, as densities of the same probability.
  const onRoads = (ON_ROADS * evidence * Math.PI * reach * reach) / metres;
  const beside = 1 - ON_ROADS;
  for (const point of points) point.weight *= onRoads / evidence / (onRoads + beside);
  points.push(...pointsBeside(fix.sigmaMetres, beside / (onRoads + beside)));
  const eastMetres = points.reduce((sum, { east, weight }) => sum + weight * east, 0);
  const northMetres = points.reduce((sum, { north, weight }) => sum + weight * north, 0);
  const acrossMetres = ROAD_SIGMA_METRES / Math.hypot(1, ROAD_SIGMA_METRES / fix.sigmaMetres);
  return { eastMetres, northMetres, r50Metres: Math.hypot(medianDistance(points, eastMetres, northMetres), R50 * acrossMetres) };
}

/** Points along the roads, weighted by the likelihood of the fix; their sum, for one metre each; and how long the roads are. */
function pointsOnRoads(
  { sigmaMetres, eastSpeed, northSpeed, speedSigma }: BesideRoads,
  pieces: readonly number[],
  reach: number,
): { points: Point[]; metres: number; evidence: number } {
  const variance = sigmaMetres ** 2 + ROAD_SIGMA_METRES ** 2;
  const shrunk = sigmaMetres ** 2 / variance;
  const acrossVariance = speedSigma ** 2 + ACROSS_SPEED ** 2;
  const anyDirection = directionless(Math.hypot(eastSpeed, northSpeed), acrossVariance);
  const spacing = Math.sqrt(variance) / POINTS_A_SIGMA;
  const points: Point[] = [];
  let metres = 0;
  let evidence = 0;
  for (let at = 0; at < pieces.length; at += 4) {
    const [fromEast, fromNorth] = [pieces[at], pieces[at + 1]];
    const [alongEast, alongNorth] = [pieces[at + 2] - fromEast, pieces[at + 3] - fromNorth];
    const length = Math.hypot(alongEast, alongNorth);
    const count = Math.ceil(length / spacing);
    const acrossSpeed = length === 0 ? 0 : (eastSpeed * alongNorth - northSpeed * alongEast) / length;
    const likelihood = Math.exp(-(acrossSpeed ** 2) / (2 * acrossVariance)) / anyDirection / (2 * Math.PI * variance);
    for (let i = 0; i < count; i++) {
      const east = fromEast + ((i + 0.5) / count) * alongEast;
      const north = fromNorth + ((i + 0.5) / count) * alongNorth;
      const square = east * east + north * north;
      if (square > reach * reach) continue;
      const weight = likelihood * Math.exp(-square / (2 * variance)) * (length / count);
      points.push({ east: shrunk * east, north: shrunk * north, weight });
      metres += length / count;
      evidence += weight;
    }
  }
  return { points, metres, evidence };
}

/** The likelihood of a speed across a road, of which one does not know the direction. */
function directionless(speed: number, variance: number): number {
  let sum = 0;
  for (let i = 0; i < DIRECTIONS; i++) sum += Math.exp(-((speed * Math.sin((Math.PI * (i + 0.5)) / DIRECTIONS)) ** 2) / (2 * variance));
  return sum / DIRECTIONS;
}

/** Points of the normal distribution of the fix, that weigh `weight` together. */
function pointsBeside(sigmaMetres: number, weight: number): Point[] {
  return Array.from({ length: RINGS * RING_POINTS }, (_, i) => {
    const ring = Math.floor(i / RING_POINTS);
    const radius = sigmaMetres * Math.sqrt(-2 * Math.log(1 - (ring + 0.5) / RINGS));
    const angle = (2 * Math.PI * (i + ring / 2)) / RING_POINTS;
    return { east: radius * Math.cos(angle), north: radius * Math.sin(angle), weight: weight / (RINGS * RING_POINTS) };
  });
}

/** The radius that holds half of the weight, which sums to 1. */
function medianDistance(points: readonly Point[], eastMetres: number, northMetres: number): number {
  const distances = points
    .map(({ east, north, weight }) => ({ metres: Math.hypot(east - eastMetres, north - northMetres), weight }))
    .sort((a, b) => a.metres - b.metres);
  let left = 0.5;
  const half = distances.findIndex(({ weight }) => {
    left -= weight;
    return left <= 0;
  });
  return distances[half].metres;
}
