import { expect, test } from 'vitest';
import { instantiateCore } from '../../../src/core/instantiate.ts';
import { TrackedParticles } from '../../../src/indoor/core/tracked_particles.ts';
import { COMPACTED_MAX, compactParticles } from '../../../src/indoor/tracking/compact.ts';
import { COMPONENTS_MAX } from '../../../src/indoor/tracking/track.ts';
import { normal, uniform } from '../../kits/random.ts';

const tracked = new TrackedParticles(instantiateCore());
const climbs = new Int8Array(COMPACTED_MAX);

function setParticles(
  count: number,
  particle: (i: number) => { east: number; north: number; floor?: number; weight?: number },
): void {
  let total = 0;
  for (let i = 0; i < count; i++) {
    const { east, north, floor = 0, weight = 1 } = particle(i);
    tracked.east[i] = east;
    tracked.north[i] = north;
    tracked.floor[i] = floor;
    tracked.weight[i] = weight;
    tracked.bias[i] = 0.1;
    tracked.stride[i] = 1;
    total += weight;
  }
  for (let i = 0; i < count; i++) tracked.weight[i] /= total;
}

test('a mixture has the mean, the variance and the floors of its particles', () => {
  const noise = normal(uniform(1));
  setParticles(COMPACTED_MAX, i => ({
    east: (i % 2 === 0 ? 50 : -20) + 3 * noise(),
    north: 4 * noise(),
    floor: i % 4 === 0 ? 3 : -1,
  }));
  const { components, biasSigma } = compactParticles(tracked, COMPACTED_MAX, climbs);
  expect(components.length).toBeLessThanOrEqual(COMPONENTS_MAX);
  const sum = (value: (i: number) => number) =>
    components.reduce((total, { weight }, i) => total + weight * value(i), 0);
  expect(sum(() => 1)).toBeCloseTo(1, 5);
  expect(sum(i => (components[i].floor === 3 ? 1 : 0))).toBeCloseTo(0.25, 2);
  const mean = tracked.east.subarray(0, COMPACTED_MAX).reduce((total, east) => total + east, 0) / COMPACTED_MAX;
  expect(sum(i => components[i].east)).toBeCloseTo(mean, 2);
  const square =
    tracked.north.subarray(0, COMPACTED_MAX).reduce((total, north) => total + north * north, 0) / COMPACTED_MAX;
  expect(sum(i => components[i].north ** 2 + components[i].sigma ** 2) / square).toBeCloseTo(1, 0);
  expect(sum(i => components[i].bias)).toBeCloseTo(0.1, 5);
  expect(biasSigma).toBeLessThan(0.001);
});

test('particles on more floors than there are components: the heaviest floors are kept', () => {
  setParticles(COMPACTED_MAX, i => ({ east: 0, north: 0, floor: i % 60, weight: 1 + (i % 60) }));
  const { components } = compactParticles(tracked, COMPACTED_MAX, climbs);
  expect(components).toHaveLength(COMPONENTS_MAX);
  expect(components[0].floor).toBe(59);
  expect(components.reduce((total, { weight }) => total + weight, 0)).toBeCloseTo(1, 9);
});

test('particles without weight count as none, and one alone is a component', () => {
  setParticles(COMPACTED_MAX, i => ({ east: i, north: -i, weight: i === 700 ? 1 : 0 }));
  climbs[700] = 5;
  const { components } = compactParticles(tracked, COMPACTED_MAX, climbs);
  expect(components).toEqual([
    { east: 700, north: -700, floor: 0, weight: 1, sigma: 0, bias: expect.closeTo(0.1, 5), stride: 1, climb: 5 },
  ]);
});
