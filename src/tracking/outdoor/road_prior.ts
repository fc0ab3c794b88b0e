// Where a vehicle or a bicycle is that may be on a road. Its fix is a normal distribution; before that it was most
// probably somewhere along the roads around, and otherwise anywhere. The answer is the mean of both together (Bayes),
// so it is drawn to a road that is alone, stays between two that are equally likely, and is never set onto one: a road
// is as wide as where one drives and how exactly maps are drawn, and who parks or rides a train is beside all of them.
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
const BESIDE = RINGS * RING_POINTS;
/** Those points for a standard deviation of 1. */
const BESIDE_EAST = Float64Array.from({ length: BESIDE }, (_, i) => ringOf(i) * Math.cos(angleOf(i)));
const BESIDE_NORTH = Float64Array.from({ length: BESIDE }, (_, i) => ringOf(i) * Math.sin(angleOf(i)));
/** Directions over half a turn for a mean over all. */
const DIRECTIONS = 32;
/** Steps in which distances are counted, over all that can be. */
const STEPS = 1_024;

const COUNTED = new Float64Array(STEPS);

/** Places where the device may be, metres from the fix. */
interface Points {
  east: number[];
  north: number[];
  weight: number[];
}

/** How far away roads count, metres; 0 where they do not. */
export function roadReach(sigmaMetres: number): number {
  return sigmaMetres <= SIGMA_METRES_MAX ? REACH_SIGMAS * Math.hypot(sigmaMetres, ROAD_SIGMA_METRES) : 0;
}

/**
 * Where the device is by its fix and the roads.
 * @param pieces of roads: four numbers each, metres east and north of the fix, of one end and of the other; what lies
 *   beyond the reach is not looked at
 * @returns undefined where there is no road, or the speed is none of a road
 */
export function alongRoads(fix: BesideRoads, pieces: readonly number[]): AlongRoads | undefined {
  const reach = roadReach(fix.sigmaMetres);
  const { points, metres, evidence } = pointsOnRoads(fix, pieces, reach);
  // No road explains a speed beyond all that drives: then the evidence is no number.
  if (!(evidence > 0 && Number.isFinite(evidence))) return undefined;
  const { east, north, weight } = points;
  // Evidence of the roads for one metre of them, and of all of the plane for one square metre, as densities of the same
  // probability.
  const onRoads = (ON_ROADS * evidence * Math.PI * reach * reach) / metres;
  const beside = 1 - ON_ROADS;
  const scale = onRoads / evidence / (onRoads + beside);
  let eastMetres = 0;
  let northMetres = 0;
  for (let i = 0; i < weight.length; i++) {
    weight[i] *= scale;
    eastMetres += weight[i] * east[i];
    northMetres += weight[i] * north[i];
  }
  for (let i = 0; i < BESIDE; i++) {
    east.push(fix.sigmaMetres * BESIDE_EAST[i]);
    north.push(fix.sigmaMetres * BESIDE_NORTH[i]);
    weight.push(beside / (onRoads + beside) / BESIDE);
  }
  const acrossMetres = ROAD_SIGMA_METRES / Math.hypot(1, ROAD_SIGMA_METRES / fix.sigmaMetres);
  return {
    eastMetres,
    northMetres,
    r50Metres: Math.hypot(medianDistance(points, eastMetres, northMetres, reach), R50 * acrossMetres),
  };
}

/**
 * Points along the roads, weighted by the likelihood of the fix; their sum, for one metre each; and how long the roads
 * are.
 */
function pointsOnRoads(
  { sigmaMetres, eastSpeed, northSpeed, speedSigma }: BesideRoads,
  pieces: readonly number[],
  reach: number,
): { points: Points; metres: number; evidence: number } {
  const variance = sigmaMetres ** 2 + ROAD_SIGMA_METRES ** 2;
  const shrunk = sigmaMetres ** 2 / variance;
  const acrossVariance = speedSigma ** 2 + ACROSS_SPEED ** 2;
  const anyDirection = directionless(Math.hypot(eastSpeed, northSpeed), acrossVariance);
  const spacing = Math.sqrt(variance) / POINTS_A_SIGMA;
  const points: Points = { east: [], north: [], weight: [] };
  let metres = 0;
  let evidence = 0;
  for (let at = 0; at < pieces.length; at += 4) {
    const [fromEast, fromNorth] = [pieces[at], pieces[at + 1]];
    const length = Math.sqrt((pieces[at + 2] - fromEast) ** 2 + (pieces[at + 3] - fromNorth) ** 2);
    if (length === 0) continue;
    const alongEast = (pieces[at + 2] - fromEast) / length;
    const alongNorth = (pieces[at + 3] - fromNorth) / length;
    // The part within reach is a chord.
    const across = fromEast * alongNorth - fromNorth * alongEast;
    if (Math.abs(across) >= reach) continue;
    const half = Math.sqrt(reach * reach - across * across);
    const nearest = -(fromEast * alongEast + fromNorth * alongNorth);
    const begin = Math.max(0, nearest - half);
    const within = Math.min(length, nearest + half) - begin;
    if (within <= 0) continue;
    const acrossSpeed = eastSpeed * alongNorth - northSpeed * alongEast;
    const likelihood = Math.exp(-(acrossSpeed ** 2) / (2 * acrossVariance)) / anyDirection / (2 * Math.PI * variance);
    const count = Math.ceil(within / spacing);
    const step = within / count;
    for (let i = 0; i < count; i++) {
      const share = begin + (i + 0.5) * step;
      const weight = likelihood * Math.exp(-((share - nearest) ** 2 + across * across) / (2 * variance)) * step;
      points.east.push(shrunk * (fromEast + share * alongEast));
      points.north.push(shrunk * (fromNorth + share * alongNorth));
      points.weight.push(weight);
      evidence += weight;
    }
    metres += within;
  }
  return { points, metres, evidence };
}

/** The likelihood of a speed across a road, of which one does not know the direction. */
function directionless(speed: number, variance: number): number {
  let sum = 0;
  for (let i = 0; i < DIRECTIONS; i++)
    sum += Math.exp(-((speed * Math.sin((Math.PI * (i + 0.5)) / DIRECTIONS)) ** 2) / (2 * variance));
  return sum / DIRECTIONS;
}

/** The radius that holds half of the weight, which sums to 1. */
function medianDistance(
  { east, north, weight }: Points,
  eastMetres: number,
  northMetres: number,
  reach: number,
): number {
  // No point is farther from the fix than the reach, and so is the mean.
  const stepMetres = (2 * reach) / STEPS;
  COUNTED.fill(0);
  for (let i = 0; i < weight.length; i++) {
    const metres = Math.sqrt((east[i] - eastMetres) ** 2 + (north[i] - northMetres) ** 2);
    COUNTED[Math.min(STEPS - 1, Math.floor(metres / stepMetres))] += weight[i];
  }
  let below = 0;
  let step = 0;
  while (below + COUNTED[step] < 0.5) below += COUNTED[step++];
  return (step + (0.5 - below) / COUNTED[step]) * stepMetres;
}

/** Radius and angle of a point beside the roads. */
function ringOf(i: number): number {
  return Math.sqrt(-2 * Math.log(1 - (Math.floor(i / RING_POINTS) + 0.5) / RINGS));
}

function angleOf(i: number): number {
  return (2 * Math.PI * (i + Math.floor(i / RING_POINTS) / 2)) / RING_POINTS;
}
