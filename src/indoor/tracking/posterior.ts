// Where a tracked device is, of the particles that remain: the floor with most of the weight, the point of that floor
// with the least mean distance from the weight there (the median, which far outliers do not move as they move a mean),
// and the radii around it that hold half, 68 and 95 % of the weight.

import type { TrackedParticles } from '../core/tracked_particles.ts';
import type { Posterior, Summary } from '../fingerprints/posterior.ts';
import type { Component } from './track.ts';

/**
 * What radii of the weight are worth, by what walks showed: the device itself is off by this, and the filter is this
 * much too sure.
 */
const UNSEEN_METRES = 0.8;
const STRETCH = 1.1;
const MEDIAN_ROUNDS = 8;
const BIN_METRES = 0.25;
const BINS = 1024;

const HISTOGRAM = new Float64Array(BINS);

/** The posterior of a mixture. */
export function posteriorOf(components: readonly Component[]): Posterior {
  const count = components.length;
  const floors = new Int16Array(count);
  const [east, north, weights] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  let variance = 0;
  for (const [i, component] of components.entries()) {
    floors[i] = component.floor;
    east[i] = component.east;
    north[i] = component.north;
    weights[i] = component.weight;
    variance += component.weight * component.sigma * component.sigma;
  }
  return { count, floors, east, north, weights, sigmaMetres: Math.sqrt(variance) };
}

/**
 * The position that the particles `0..count-1` stand for.
 * @param components their mixture, the heaviest first
 */
export function positionOf(particles: TrackedParticles, count: number, components: readonly Component[]): Summary {
  const floor = likeliestFloor(components);
  const median = medianOf(components.filter(component => component.floor === floor));
  const { east: easts, north: norths, floor: floors, weight: weights } = particles;
  HISTOGRAM.fill(0);
  const { east, north } = median;
  let total = 0;
  for (let i = 0; i < count; i++) {
    if (floors[i] !== floor) continue;
    const dx = easts[i] - east;
    const dy = norths[i] - north;
    HISTOGRAM[Math.min(BINS - 1, (Math.sqrt(dx * dx + dy * dy) / BIN_METRES) | 0)] += weights[i];
    total += weights[i];
  }
  const radius = (share: number) => Math.hypot(STRETCH * distanceWithin(share * total), UNSEEN_METRES);
  return {
    floor,
    floorProbability: total,
    eastMetres: median.east,
    northMetres: median.north,
    r50Metres: radius(0.5),
    at68Metres: radius(0.68),
    at95Metres: radius(0.95),
  };
}

function likeliestFloor(components: readonly Component[]): number {
  const shares = new Map<number, number>();
  for (const { floor, weight } of components) shares.set(floor, (shares.get(floor) ?? 0) + weight);
  let likeliest = components[0].floor;
  for (const [floor, share] of shares) if (share > shares.get(likeliest)!) likeliest = floor;
  return likeliest;
}

/**
 * The geometric median of a mixture, by Weiszfeld's iteration from its mean; a component counts with the distance of
 * its mean, and with its spread.
 */
function medianOf(components: readonly Component[]): { east: number; north: number } {
  let median = weightedMean(components, ({ weight }) => weight);
  for (let round = 0; round < MEDIAN_ROUNDS; round++) {
    const { east, north } = median;
    median = weightedMean(components, component => {
      const dx = component.east - east;
      const dy = component.north - north;
      return component.weight / Math.sqrt(dx * dx + dy * dy + component.sigma * component.sigma + BIN_METRES);
    });
  }
  return median;
}

function weightedMean(
  components: readonly Component[],
  weightOf: (component: Component) => number,
): { east: number; north: number } {
  let east = 0;
  let north = 0;
  let total = 0;
  for (const component of components) {
    const weight = weightOf(component);
    east += weight * component.east;
    north += weight * component.north;
    total += weight;
  }
  return { east: east / total, north: north / total };
}

/** The distance within which the histogram holds a weight. */
function distanceWithin(weight: number): number {
  let sum = 0;
  for (let bin = 0; bin < BINS; bin++) {
    if (sum + HISTOGRAM[bin] >= weight && HISTOGRAM[bin] > 0)
      return (bin + (weight - sum) / HISTOGRAM[bin]) * BIN_METRES;
    sum += HISTOGRAM[bin];
  }
  return BINS * BIN_METRES;
}
