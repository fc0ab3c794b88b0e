// Makes the places that a track remembers of the particles of a filter. The particles are cut in two along the axis of
// their largest variance, position or speed, at the mean; then of the two parts the one that varies more is cut, and so
// on. Each part becomes a place: its mean, and its spreads. So what two roads or two directions hold is kept apart as
// long as there are places for it. 30 such places are as good as all particles, where as many particles picked out are
// not.
//
// The cut is that of colour quantisation: P. Heckbert, Color image quantization for frame buffer display, 1982, with
// variances for extents as in X. Wu, 1991.

import type { MovingParticles } from '../../../core/moving_particles.ts';
import { type PastPlace, PLACES_MAX } from './past.ts';

/** A difference of speeds counts as what it leads to in this time. */
const SPEED_SECONDS = 15;
const SCALE = [1, 1, SPEED_SECONDS ** 2, SPEED_SECONDS ** 2];
/** Particles with this share of the heaviest one's weight are left out. */
const WEIGHT_MIN = 1e-4;
/** Particles that can be made places of. */
export const COMPACTED_MAX = 1_024;

const index = new Int32Array(COMPACTED_MAX);

/** The particles' positions along the four axes. */
type Axes = readonly [east: Float32Array, north: Float32Array, eastSpeed: Float32Array, northSpeed: Float32Array];

/** Sums over particles: of their weights, and by axis of what these multiply: the values, and their squares. */
interface Sums {
  weight: number;
  values: readonly number[];
  squares: readonly number[];
}

/** Particles that become one place: those from one index on, before another. */
interface Part {
  from: number;
  to: number;
  sums: Sums;
  /** By axis: metres, m/s. */
  mean: readonly number[];
  variance: readonly number[];
  /** The axis that varies most, and its variance in square metres times the weight; -1 where nothing can be cut. */
  axis: number;
  loss: number;
}

/**
 * The places of the particles `0..count-1`, at most COMPACTED_MAX, with weights of sum 1. @returns at least one, the
 * likeliest first
 */
export function compactPlaces(particles: MovingParticles, count: number): PastPlace[] {
  const axes: Axes = [particles.east, particles.north, particles.eastSpeed, particles.northSpeed];
  const likely = indexLikely(particles, count);
  const parts = [partOf(0, likely, sumsOf(particles, axes, 0, likely))];
  while (parts.length < PLACES_MAX) {
    let widest = 0;
    for (let i = 1; i < parts.length; i++) if (parts[i].loss > parts[widest].loss) widest = i;
    const part = parts[widest];
    if (!(part.loss > 0)) break;
    const middle = cut(axes, part);
    if (middle === part.from || middle === part.to) {
      part.loss = -1;
      continue;
    }
    const isFirstLess = middle - part.from < part.to - middle;
    const less = isFirstLess ? sumsOf(particles, axes, part.from, middle) : sumsOf(particles, axes, middle, part.to);
    const more = without(part.sums, less);
    parts[widest] = partOf(part.from, middle, isFirstLess ? less : more);
    parts.push(partOf(middle, part.to, isFirstLess ? more : less));
  }
  const total = parts.reduce((sum, { sums }) => sum + sums.weight, 0);
  return parts.sort((a, b) => b.sums.weight - a.sums.weight).map(part => placeOf(particles, part, total));
}

/** Notes the particles that count. @returns how many they are */
function indexLikely({ weight }: MovingParticles, count: number): number {
  let most = 0;
  for (let i = 0; i < count; i++) most = Math.max(most, weight[i]);
  let likely = 0;
  for (let i = 0; i < count; i++) if (weight[i] >= WEIGHT_MIN * most) index[likely++] = i;
  return likely;
}

function sumsOf(
  { weight: shares }: MovingParticles,
  [easts, norths, eastSpeeds, northSpeeds]: Axes,
  from: number,
  to: number,
): Sums {
  // In variables of their own: as elements of an array they take several times as long.
  let weight = 0;
  let east = 0;
  let north = 0;
  let eastward = 0;
  let northward = 0;
  let east2 = 0;
  let north2 = 0;
  let eastward2 = 0;
  let northward2 = 0;
  for (let i = from; i < to; i++) {
    const particle = index[i];
    const share = shares[particle];
    const x = easts[particle];
    const y = norths[particle];
    const u = eastSpeeds[particle];
    const v = northSpeeds[particle];
    weight += share;
    east += share * x;
    north += share * y;
    eastward += share * u;
    northward += share * v;
    east2 += share * x * x;
    north2 += share * y * y;
    eastward2 += share * u * u;
    northward2 += share * v * v;
  }
  return { weight, values: [east, north, eastward, northward], squares: [east2, north2, eastward2, northward2] };
}

/** The sums over those particles of all that are not among some. */
function without(all: Sums, some: Sums): Sums {
  return {
    weight: all.weight - some.weight,
    values: all.values.map((value, axis) => value - some.values[axis]),
    squares: all.squares.map((square, axis) => square - some.squares[axis]),
  };
}

function partOf(from: number, to: number, sums: Sums): Part {
  const { weight, values, squares } = sums;
  const mean = values.map(value => value / weight);
  const variance = squares.map((square, axis) => Math.max(0, square / weight - mean[axis] * mean[axis]));
  let axis = 0;
  for (let other = 1; other < variance.length; other++)
    if (variance[other] * SCALE[other] > variance[axis] * SCALE[axis]) axis = other;
  return { from, to, sums, mean, variance, axis, loss: to - from < 2 ? -1 : weight * variance[axis] * SCALE[axis] };
}

/** Brings the particles below the mean of the axis that varies most before the others. @returns where these begin */
function cut(axes: Axes, { from, to, mean, axis }: Part): number {
  const values = axes[axis];
  const limit = mean[axis];
  let middle = from;
  for (let i = from; i < to; i++) {
    const particle = index[i];
    if (values[particle] > limit) continue;
    index[i] = index[middle];
    index[middle++] = particle;
  }
  return middle;
}

function placeOf({ frame }: MovingParticles, { sums, mean, variance }: Part, total: number): PastPlace {
  return {
    latitude: frame.latitudeOf(mean[1]),
    longitude: frame.longitudeOf(mean[0]),
    weight: sums.weight / total,
    eastSpeed: mean[2],
    northSpeed: mean[3],
    sigmaMetres: Math.sqrt((variance[0] + variance[1]) / 2),
    speedSigma: Math.sqrt((variance[2] + variance[3]) / 2),
  };
}
