import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PlainParticles } from '../../bench/micro/plain_particles.ts';
import { createCore } from '../../src/core/core.ts';
import { MAX_PARTICLES, STATUS_NOT_FINITE, STATUS_OK, STATUS_TOO_FEW, STATUS_TOO_MANY } from '../../wasm/memory.ts';

const core = createCore();

function moments(values: Float32Array): { mean: number; sigma: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, sigma: Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) };
}

test('seeded particles have the mean, the spread and the weights asked for', () => {
  expect(core.seedParticles(MAX_PARTICLES, 1, 100, -50, 10, 0.3)).toBe(STATUS_OK);
  for (const [values, mean, sigma] of [
    [core.particleEast, 100, 10],
    [core.particleNorth, -50, 10],
    [core.particleBias, 0, 0.3],
  ] as const) {
    const found = moments(values);
    expect(Math.abs(found.mean - mean)).toBeLessThan(0.06 * sigma);
    expect(found.sigma / sigma).toBeCloseTo(1, 1);
  }
  expect(core.particleWeight.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 5);
});

test('east, north and bias are drawn independently', () => {
  core.seedParticles(MAX_PARTICLES, 2, 0, 0, 1, 1);
  const correlate = (a: Float32Array, b: Float32Array, lag: number) => {
    let sum = 0;
    for (let i = lag; i < MAX_PARTICLES; i++) sum += a[i] * b[i - lag];
    return sum / (MAX_PARTICLES - lag);
  };
  // The standard deviation of such a correlation is 1 / 64.
  for (const lag of [0, 1, 4]) expect(Math.abs(correlate(core.particleEast, core.particleNorth, lag))).toBeLessThan(0.06);
  for (const lag of [1, 2, 4]) expect(Math.abs(correlate(core.particleEast, core.particleEast, lag))).toBeLessThan(0.06);
  expect(Math.abs(correlate(core.particleNorth, core.particleBias, 0))).toBeLessThan(0.06);
});

test('without noise every particle walks the same way, whatever the heading', () => {
  fc.assert(
    fc.property(fc.double({ min: -20, max: 20, noNaN: true }), fc.double({ min: 0, max: 100, noNaN: true }), (heading, metres) => {
      core.seedParticles(5, 1, 0, 0, 0, 0);
      expect(core.moveParticles(5, 1, 1, metres, heading, 0, 0, 0, 0)).toBe(STATUS_OK);
      for (let i = 0; i < 5; i++) {
        expect(Math.abs(core.particleEast[i] - metres * Math.sin(heading))).toBeLessThan(1e-5 * metres + 1e-6);
        expect(Math.abs(core.particleNorth[i] - metres * Math.cos(heading))).toBeLessThan(1e-5 * metres + 1e-6);
      }
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('north is heading 0 and east a quarter turn clockwise; the bias turns further', () => {
  core.seedParticles(4, 1, 0, 0, 0, 0);
  core.particleBias.fill(Math.PI / 2, 0, 4);
  core.moveParticles(4, 1, 1, 10, 0, 0, 0, 0, 0);
  expect(core.particleEast[0]).toBeCloseTo(10, 4);
  expect(core.particleNorth[0]).toBeCloseTo(0, 4);
});

test('every particle moves as in plain JavaScript', () => {
  const random = fc.integer({ min: -2147483648, max: 2147483647 });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 300 }),
      random,
      random,
      fc.double({ min: -7, max: 7, noNaN: true }),
      (count, seed, step, heading) => {
        core.seedParticles(count, seed, 20, 30, 5, 0.4);
        const plain = new PlainParticles();
        plain.east.set(core.particleEast);
        plain.north.set(core.particleNorth);
        plain.bias.set(core.particleBias);
        expect(core.moveParticles(count, seed, step, 3, heading, 0.3, 0.2, 0.05, 0.5)).toBe(STATUS_OK);
        plain.move(count, seed, step, 3, heading, 0.3, 0.2, 0.05, 0.5);
        for (let i = 0; i < count; i++) {
          expect(Math.abs(core.particleEast[i] - plain.east[i])).toBeLessThan(1e-4);
          expect(Math.abs(core.particleNorth[i] - plain.north[i])).toBeLessThan(1e-4);
          expect(Math.abs(core.particleBias[i] - plain.bias[i])).toBeLessThan(1e-5);
        }
      },
    ),
    { seed: 2, numRuns: 100 },
  );
});

test('the same seed and step draw the same, another step draws otherwise', () => {
  const run = (step: number) => {
    core.seedParticles(64, 9, 0, 0, 0, 0);
    core.moveParticles(64, 9, step, 1, 0, 0.1, 0.1, 0.1, 0.1);
    return Array.from(core.particleEast.subarray(0, 64));
  };
  const first = run(1);
  expect(run(1)).toEqual(first);
  expect(run(2)).not.toEqual(first);
  // A particle's draw does not depend on how many there are.
  core.seedParticles(8, 9, 0, 0, 0, 0);
  core.moveParticles(8, 9, 1, 1, 0, 0.1, 0.1, 0.1, 0.1);
  expect(Array.from(core.particleEast.subarray(0, 8))).toEqual(first.slice(0, 8));
});

test('none, too many, and values that are no numbers are told apart', () => {
  expect(core.seedParticles(0, 1, 0, 0, 1, 0)).toBe(STATUS_TOO_FEW);
  expect(core.seedParticles(MAX_PARTICLES + 1, 1, 0, 0, 1, 0)).toBe(STATUS_TOO_MANY);
  expect(core.seedParticles(1, 1, NaN, 0, 1, 0)).toBe(STATUS_NOT_FINITE);
  expect(core.seedParticles(1, 1, 0, 0, -1, 0)).toBe(STATUS_NOT_FINITE);
  expect(core.moveParticles(0, 1, 1, 1, 0, 0, 0, 0, 0)).toBe(STATUS_TOO_FEW);
  expect(core.moveParticles(MAX_PARTICLES + 1, 1, 1, 1, 0, 0, 0, 0, 0)).toBe(STATUS_TOO_MANY);
  const fine = [1, 0, 0, 0, 0, 0] as const;
  for (let k = 0; k < fine.length; k++) {
    const values = fine.map((value, i) => (i === k ? NaN : value)) as unknown as [number, number, number, number, number, number];
    expect(core.moveParticles(4, 1, 1, ...values)).toBe(STATUS_NOT_FINITE);
  }
});
