import { expect, test } from 'vitest';
import { instantiateCore } from '../../../src/core/instantiate.ts';
import { MovingParticles } from '../../../src/core/moving_particles.ts';
import { MAX_COMPONENTS, MAX_PARTICLES, STATUS_OK, STATUS_TOO_FEW, STATUS_TOO_MANY } from '../../../wasm/memory.ts';

const moving = new MovingParticles(instantiateCore());

interface Drawn {
  east: number;
  north: number;
  sigma: number;
  slope: number;
  speedSigma: number;
  weight: number;
}

function setComponent(c: number, { east, north, sigma, slope, speedSigma, weight }: Drawn): void {
  moving.componentEast[c] = east;
  moving.componentNorth[c] = north;
  moving.componentEastSpeed[c] = 8;
  moving.componentNorthSpeed[c] = -3;
  moving.componentSigma[c] = sigma;
  moving.componentSlope[c] = slope;
  moving.componentSpeedSigma[c] = speedSigma;
  moving.componentWeight[c] = weight;
}

const AT_REST: Drawn = { east: 0, north: 0, sigma: 10, slope: 0, speedSigma: 0, weight: 1 };

function mean(values: Iterable<number>): number {
  const all = [...values];
  return all.reduce((sum, value) => sum + value, 0) / all.length;
}

test('particles have the moments of their component, and share its weight', () => {
  setComponent(0, { east: 100, north: -50, sigma: 20, slope: 0.1, speedSigma: 3, weight: 0.75 });
  setComponent(1, { ...AT_REST, sigma: 0, weight: 0.25 });
  expect(moving.draw(0, 2, 2000, 7)).toBe(STATUS_OK);
  const first = { east: moving.east.subarray(0, 2000), speed: moving.eastSpeed.subarray(0, 2000) };
  const ahead = [...first.east].map(east => east - 100);
  const faster = [...first.speed].map(speed => speed - 8);
  const north = [...moving.north.subarray(0, 2000)].map(metres => metres + 50);
  // Of a thousand pairs a variance is known to 4.5 %.
  const near = (found: number, expected: number) =>
    expect(Math.abs(found - expected)).toBeLessThan(0.15 * Math.abs(expected));
  near(mean(ahead.map(metres => metres * metres)), 400);
  near(mean(north.map(metres => metres * metres)), 400);
  near(mean(faster.map(speed => speed * speed)), 3 * 3 + 2 * 2);
  near(mean(ahead.map((metres, i) => metres * faster[i])), 0.1 * 400);
  expect(Math.abs(mean(north.map((metres, i) => metres * ahead[i])))).toBeLessThan(0.15 * 400);
  for (let i = 0; i < 2000; i++) {
    expect(moving.weight[i]).toBeCloseTo(0.75 / 2000, 8);
    expect([moving.east[2000 + i], moving.north[2000 + i], moving.eastSpeed[2000 + i]]).toEqual([0, 0, 8]);
  }
});

test('each four of particles have the mean of their component', () => {
  setComponent(0, { east: 100, north: -50, sigma: 20, slope: 0.1, speedSigma: 3, weight: 1 });
  moving.draw(0, 1, 400, 3);
  for (let i = 0; i < 400; i += 4) {
    expect(mean(moving.east.subarray(i, i + 4))).toBeCloseTo(100, 3);
    expect(mean(moving.north.subarray(i, i + 4))).toBeCloseTo(-50, 3);
    expect(mean(moving.eastSpeed.subarray(i, i + 4))).toBeCloseTo(8, 4);
    expect(mean(moving.northSpeed.subarray(i, i + 4))).toBeCloseTo(-3, 4);
  }
});

test('the same seed draws the same particles, another one others, and particles before the first stay', () => {
  setComponent(0, AT_REST);
  moving.draw(0, 1, 8, 1);
  const first = moving.east.slice(0, 8);
  moving.draw(8, 1, 8, 1);
  expect(moving.east.slice(0, 8)).toEqual(first);
  moving.draw(0, 1, 8, -5);
  expect(moving.east.slice(0, 8)).not.toEqual(first);
  moving.draw(0, 1, 8, 1);
  expect(moving.east.slice(0, 8)).toEqual(first);
});

test.each([
  ['a first that is no multiple of four', 2, 1, 4, STATUS_TOO_FEW],
  ['a first below zero', -4, 1, 4, STATUS_TOO_FEW],
  ['no component', 0, 0, 4, STATUS_TOO_FEW],
  ['no particle', 0, 1, 0, STATUS_TOO_FEW],
  ['particles that are no multiple of four', 0, 1, 6, STATUS_TOO_FEW],
  ['all components', 0, MAX_COMPONENTS, MAX_PARTICLES / MAX_COMPONENTS, STATUS_OK],
  ['too many components', 0, MAX_COMPONENTS + 1, 4, STATUS_TOO_MANY],
  ['too many particles', 0, 2, MAX_PARTICLES / 2 + 4, STATUS_TOO_MANY],
  ['too many behind the first', 4, 2, MAX_PARTICLES / 2, STATUS_TOO_MANY],
])('%s', (_, first, components, each, status) => {
  expect(moving.draw(first, components, each, 1)).toBe(status);
});
