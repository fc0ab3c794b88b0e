import { expect, test } from 'vitest';
import { instantiateCore } from '../../../src/core/instantiate.ts';
import { TrackedParticles } from '../../../src/indoor/core/tracked_particles.ts';
import { COMPACTED_MAX, compactParticles } from '../../../src/indoor/tracking/compact.ts';
import { positionOf, posteriorOf } from '../../../src/indoor/tracking/posterior.ts';
import { normal, uniform } from '../../kits/random.ts';

const tracked = new TrackedParticles(instantiateCore());
const climbs = new Int8Array(COMPACTED_MAX);

function positionAmong(particle: (i: number) => [east: number, north: number, floor: number]) {
  for (let i = 0; i < COMPACTED_MAX; i++) {
    [tracked.east[i], tracked.north[i], tracked.floor[i]] = particle(i);
    tracked.weight[i] = 1 / COMPACTED_MAX;
  }
  const { components } = compactParticles(tracked, COMPACTED_MAX, climbs);
  return { components, position: positionOf(tracked, COMPACTED_MAX, components) };
}

test('the position is the median on the likeliest floor, and a few particles far away do not move it', () => {
  const noise = normal(uniform(3));
  const { position } = positionAmong(i =>
    i % 10 === 0 ? [200, 0, 1] : i % 3 === 0 ? [0, 90, 2] : [20 + 2 * noise(), 2 * noise(), 1],
  );
  expect(position.floor).toBe(1);
  expect(position.floorProbability).toBeCloseTo(0.7, 1);
  expect(Math.hypot(position.eastMetres - 20, position.northMetres)).toBeLessThan(0.6);
});

test('the radii are those of a normal distribution, a tenth wider and never below what is not seen', () => {
  const noise = normal(uniform(4));
  const { position } = positionAmong(() => [4 * noise(), 4 * noise(), 0]);
  expect(position.r50Metres).toBeCloseTo(1.1 * 4 * 1.177, 0);
  expect(position.at68Metres / position.r50Metres).toBeCloseTo(1.28, 1);
  expect(position.at95Metres / position.r50Metres).toBeCloseTo(2.08, 0);
  const point = positionAmong(() => [7, 7, 0]).position;
  expect(point.r50Metres).toBeGreaterThanOrEqual(0.8);
  expect(point.at95Metres).toBeLessThan(1);
});

test('the radii of particles all over a city are bounded', () => {
  const { position } = positionAmong(i => [5 * (i - 512), 0, 0]);
  expect(position.at95Metres).toBeLessThan(300);
});

test('a posterior has the points of the mixture', () => {
  const { components } = positionAmong(i => [i % 2, 0, i % 2]);
  const posterior = posteriorOf(components);
  expect(posterior.count).toBe(components.length);
  expect(posterior.weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 6);
  expect(posterior.sigmaMetres).toBeCloseTo(0, 3);
});
