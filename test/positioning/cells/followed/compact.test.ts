// What a track remembers of its particles.

import { expect, test } from 'vitest';
import { instantiateCore } from '../../../../src/core/instantiate.ts';
import { MovingParticles } from '../../../../src/core/moving_particles.ts';
import { COMPACTED_MAX, compactPlaces } from '../../../../src/positioning/cells/followed/compact.ts';
import { type PastPlace, PLACES_MAX } from '../../../../src/positioning/cells/followed/past.ts';
import { normal, uniform } from '../../../kits/random.ts';

const moving = new MovingParticles(instantiateCore());
const { frame } = moving;
frame.set(49.87, 8.65);

interface Particle {
  east: number;
  north: number;
  eastSpeed: number;
  northSpeed: number;
  weight: number;
}

function compact(drawn: readonly Particle[]): PastPlace[] {
  const total = drawn.reduce((sum, { weight }) => sum + weight, 0);
  for (const [i, { east, north, eastSpeed, northSpeed, weight }] of drawn.entries()) {
    moving.east[i] = east;
    moving.north[i] = north;
    moving.eastSpeed[i] = eastSpeed;
    moving.northSpeed[i] = northSpeed;
    moving.weight[i] = weight / total;
  }
  return compactPlaces(moving, drawn.length);
}

/** Around a point at some speed. */
function cluster(east: number, eastSpeed: number, weight: number, seed: number, sigma = 10): Particle[] {
  const noise = normal(uniform(seed));
  return Array.from({ length: 200 }, () => ({
    east: east + sigma * noise(),
    north: sigma * noise(),
    eastSpeed: eastSpeed + noise(),
    northSpeed: noise(),
    weight,
  }));
}

function eastOf({ longitude }: PastPlace): number {
  return frame.eastOf(longitude);
}

test('all places together have the mean and the variance of the particles', () => {
  const random = uniform(8);
  for (let round = 0; round < 20; round++) {
    const particles = Array.from({ length: 4 + Math.floor(600 * random()) }, () => ({
      east: 3_000 * random(),
      north: 500 * random(),
      eastSpeed: 40 * random() - 20,
      northSpeed: 10 * random(),
      weight: 0.5 + random(),
    }));
    const places = compact(particles);
    expect(places.length).toBe(Math.min(PLACES_MAX, particles.length));
    expect(places.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 9);
    for (let i = 1; i < places.length; i++) expect(places[i].weight).toBeLessThanOrEqual(places[i - 1].weight);
    const total = particles.reduce((sum, { weight }) => sum + weight, 0);
    const mean = particles.reduce((sum, { eastSpeed, weight }) => sum + (weight / total) * eastSpeed, 0);
    expect(places.reduce((sum, { eastSpeed, weight }) => sum + weight * eastSpeed, 0)).toBeCloseTo(mean, 4);
    const square = particles.reduce(
      (sum, { east, north, weight }) => sum + (weight / total) * (east * east + north * north),
      0,
    );
    const kept = places.reduce((sum, place) => {
      const east = eastOf(place);
      return sum + place.weight * (east * east + frame.northOf(place.latitude) ** 2 + 2 * place.sigmaMetres ** 2);
    }, 0);
    expect(kept / square).toBeCloseTo(1, 4);
  }
});

test('two roads are places of their own, however many particles each has', () => {
  const places = compact([...cluster(0, 15, 1, 1), ...cluster(2_000, 15, 3, 2)]);
  const near = places.filter(place => Math.abs(eastOf(place)) < 100);
  const far = places.filter(place => Math.abs(eastOf(place) - 2_000) < 100);
  expect(near.length + far.length).toBe(places.length);
  expect(far.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(0.75, 6);
});

test('two directions on one road are places of their own', () => {
  const places = compact([...cluster(0, 15, 1, 3), ...cluster(0, -15, 1, 4)]);
  for (const { eastSpeed, speedSigma } of places) {
    expect(Math.abs(Math.abs(eastSpeed) - 15)).toBeLessThan(5);
    expect(speedSigma).toBeLessThan(3);
  }
});

test('particles without weight are left out, and of one particle or of equal ones one place is made', () => {
  const [light, heavy] = [cluster(9_000, 0, 1e-9, 5), cluster(0, 0, 1, 6)];
  for (const place of compact([...light, ...heavy])) expect(Math.abs(eastOf(place))).toBeLessThan(100);
  const one = { east: 10, north: 20, eastSpeed: 1, northSpeed: 2, weight: 1 };
  for (const particles of [[one], new Array<Particle>(COMPACTED_MAX).fill(one)]) {
    const places = compact(particles);
    expect(places).toMatchObject([{ weight: 1, eastSpeed: 1, northSpeed: 2, speedSigma: 0 }]);
    expect(places[0].sigmaMetres).toBeLessThan(0.01);
  }
});
