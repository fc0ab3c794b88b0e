import { expect, test } from 'vitest';
import { instantiateCore } from '../../../src/core/instantiate.ts';
import { MovingParticles } from '../../../src/core/moving_particles.ts';
import {
  MAX_PARTICLES,
  MAX_POINTS,
  STATUS_DEGENERATE,
  STATUS_NOT_FINITE,
  STATUS_OK,
  STATUS_TOO_FEW,
  STATUS_TOO_MANY,
} from '../../../wasm/memory.ts';
import { uniform } from '../../kits/random.ts';

const moving = new MovingParticles(instantiateCore());

function draw(random: () => number, count: number, points: number): void {
  for (let i = 0; i < count; i++) {
    moving.east[i] = 1000 * random();
    moving.north[i] = 1000 * random();
    moving.weight[i] = random() / count;
  }
  for (let p = 0; p < points; p++) {
    moving.pointEast[p] = 1000 * random();
    moving.pointNorth[p] = 1000 * random();
    moving.pointWeight[p] = 2 * random();
  }
}

test('weights and densities are those of the formula, summed one by one', () => {
  const random = uniform(5);
  for (let round = 0; round < 40; round++) {
    const count = 4 * Math.ceil(20 * random());
    const points = Math.floor(30 * random());
    const width = 20 + 200 * random();
    const background = random();
    draw(random, count, points);
    const before = moving.weight.slice(0, count);
    const near = (i: number, p: number) => {
      const metres = Math.hypot(moving.east[i] - moving.pointEast[p], moving.north[i] - moving.pointNorth[p]);
      return 1 / (1 + (metres / width) ** 2) ** 2;
    };
    const all = Array.from({ length: points }, (_, p) => p);
    const expected = [...before].map(
      (weight, i) => weight * all.reduce((sum, p) => sum + near(i, p) * moving.pointWeight[p], background),
    );
    const densities = all.map(p => [...before].reduce((sum, weight, i) => sum + weight * near(i, p), 0));
    const total = expected.reduce((sum, weight) => sum + weight, 0);
    expect(moving.weigh(count, points, width, background)).toBe(STATUS_OK);
    for (const [i, weight] of expected.entries()) expect(moving.weight[i]).toBeCloseTo(weight / total, 5);
    for (const [p, density] of densities.entries()) expect(moving.pointDensity[p]).toBeCloseTo(density, 5);
  }
});

test('without points and background no particle has any weight', () => {
  draw(uniform(6), 8, 0);
  expect(moving.weigh(8, 0, 50, 0)).toBe(STATUS_DEGENERATE);
});

test.each([
  ['no particle', 0, 1, 50, 1, STATUS_TOO_FEW],
  ['particles that are no multiple of four', 6, 1, 50, 1, STATUS_TOO_FEW],
  ['points below zero', 4, -1, 50, 1, STATUS_TOO_FEW],
  ['too many particles', MAX_PARTICLES + 4, 1, 50, 1, STATUS_TOO_MANY],
  ['too many points', 4, MAX_POINTS + 1, 50, 1, STATUS_TOO_MANY],
  ['all particles and points', MAX_PARTICLES, MAX_POINTS, 50, 1, STATUS_OK],
  ['the least width', 4, 1, 1, 1, STATUS_OK],
  ['a width below it', 4, 1, 0.99, 1, STATUS_NOT_FINITE],
  ['a width that is no number', 4, 1, Number.NaN, 1, STATUS_NOT_FINITE],
  ['a background below zero', 4, 1, 50, -1, STATUS_NOT_FINITE],
  ['the largest background', 4, 1, 50, 1e30, STATUS_OK],
  ['a larger background', 4, 1, 50, 1.1e30, STATUS_NOT_FINITE],
])('%s', (_, count, points, width, background, status) => {
  draw(uniform(7), MAX_PARTICLES, MAX_POINTS);
  expect(moving.weigh(count, points, width, background)).toBe(status);
});
