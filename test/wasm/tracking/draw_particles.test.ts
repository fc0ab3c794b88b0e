import { expect, test } from 'vitest';
import { instantiateCore } from '../../../src/core/instantiate.ts';
import { TrackedParticles } from '../../../src/indoor/core/tracked_particles.ts';
import {
  MAX_COMPONENTS,
  MAX_PARTICLES,
  STATUS_NOT_FINITE,
  STATUS_OK,
  STATUS_TOO_FEW,
  STATUS_TOO_MANY,
} from '../../../wasm/memory.ts';

const tracked = new TrackedParticles(instantiateCore());

function setComponent(c: number, east: number, north: number, floor: number, weight: number, sigma = 2): void {
  tracked.componentEast[c] = east;
  tracked.componentNorth[c] = north;
  tracked.componentFloor[c] = floor;
  tracked.componentSigma[c] = sigma;
  tracked.componentBias[c] = 0.1;
  tracked.componentStride[c] = 1.2;
  tracked.componentWeight[c] = weight;
}

function moments(values: Float32Array): { mean: number; sigma: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, sigma: Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) };
}

test('each component gets as many particles, which share its weight and lie around it on its floor', () => {
  setComponent(0, 100, -50, 2, 0.75);
  setComponent(1, -30, 10, -1, 0.25, 0);
  expect(tracked.draw({ first: 0, components: 2, each: 1000 }, 7, 1, { biasSigma: 0.05, strideSigma: 0.02 })).toBe(
    STATUS_OK,
  );
  for (const [values, mean, sigma] of [
    [tracked.east, 100, 2],
    [tracked.north, -50, 2],
    [tracked.bias, 0.1, 0.05],
    [tracked.stride, 1.2, 0.02],
  ] as const) {
    const found = moments(values.subarray(0, 1000));
    expect(Math.abs(found.mean - mean)).toBeLessThan(0.12 * sigma);
    expect(found.sigma / sigma).toBeCloseTo(1, 0);
  }
  for (let i = 0; i < 1000; i++) {
    expect(tracked.floor[i]).toBe(2);
    expect(tracked.weight[i]).toBeCloseTo(0.75 / 1000, 8);
    expect([tracked.east[1000 + i], tracked.north[1000 + i], tracked.floor[1000 + i]]).toEqual([-30, 10, -1]);
    expect(tracked.weight[1000 + i]).toBeCloseTo(0.25 / 1000, 8);
  }
});

test('east, north and bias are drawn independently', () => {
  setComponent(0, 0, 0, 0, 1, 1);
  tracked.componentBias[0] = 0;
  tracked.draw({ first: 0, components: 1, each: MAX_PARTICLES }, 2, 0, { biasSigma: 1, strideSigma: 0 });
  const correlate = (a: Float32Array, b: Float32Array, lag: number) => {
    let sum = 0;
    for (let i = lag; i < MAX_PARTICLES; i++) sum += a[i] * b[i - lag];
    return sum / (MAX_PARTICLES - lag);
  };
  // The standard deviation of such a correlation is 1 / 64.
  for (const lag of [0, 1, 4]) expect(Math.abs(correlate(tracked.east, tracked.north, lag))).toBeLessThan(0.06);
  for (const lag of [1, 2, 4]) expect(Math.abs(correlate(tracked.east, tracked.east, lag))).toBeLessThan(0.06);
  expect(Math.abs(correlate(tracked.north, tracked.bias, 0))).toBeLessThan(0.06);
});

test('the same seed draws the same particles, another one others, and particles before the first stay', () => {
  setComponent(0, 0, 0, 0, 1);
  tracked.draw({ first: 0, components: 1, each: 8 }, 1, 1, { biasSigma: 0, strideSigma: 0 });
  const first = tracked.east.slice(0, 8);
  tracked.draw({ first: 8, components: 1, each: 8 }, 2, 1, { biasSigma: 0, strideSigma: 0 });
  expect(tracked.east.slice(0, 8)).toEqual(first);
  tracked.draw({ first: 0, components: 1, each: 8 }, 2, 1, { biasSigma: 0, strideSigma: 0 });
  expect(tracked.east.slice(0, 8)).not.toEqual(first);
  tracked.draw({ first: 0, components: 1, each: 8 }, 1, 1, { biasSigma: 0, strideSigma: 0 });
  expect(tracked.east.slice(0, 8)).toEqual(first);
});

test('a walk is as long as the stride of a particle says', () => {
  setComponent(0, 0, 0, 0, 1, 0);
  tracked.draw({ first: 0, components: 1, each: 4 }, 1, 1, { biasSigma: 0, strideSigma: 0 });
  tracked.bias.fill(0, 0, 4);
  tracked.move(4, 1, 1, { lengthMetres: 10, heading: 0, lengthSigma: 0, headingSigma: 0, biasSigma: 0, driftSigma: 0 });
  expect(tracked.north[0]).toBeCloseTo(12, 4);
});

test.each([
  ['no component', 0, 0, 4, STATUS_TOO_FEW],
  ['no particle', 0, 1, 0, STATUS_TOO_FEW],
  ['particles that are no multiple of four', 0, 1, 6, STATUS_TOO_FEW],
  ['a first particle that is no multiple of four', 2, 1, 4, STATUS_TOO_FEW],
  ['a first particle before the buffer', -4, 1, 4, STATUS_TOO_FEW],
  ['all particles', 0, MAX_COMPONENTS, MAX_PARTICLES / MAX_COMPONENTS, STATUS_OK],
  ['particles beyond the buffer', 4, MAX_COMPONENTS, MAX_PARTICLES / MAX_COMPONENTS, STATUS_TOO_MANY],
  ['too many components', 0, MAX_COMPONENTS + 1, 4, STATUS_TOO_MANY],
  ['far more particles than there are', 0, 200, 2 ** 30, STATUS_TOO_MANY],
])('%s', (_, first, components, each, status) => {
  expect(tracked.draw({ first, components, each }, 1, 1, { biasSigma: 0, strideSigma: 0 })).toBe(status);
});

test('spreads that are no spreads are refused', () => {
  expect(tracked.draw({ first: 0, components: 1, each: 4 }, 1, 1, { biasSigma: Number.NaN, strideSigma: 0 })).toBe(
    STATUS_NOT_FINITE,
  );
  expect(tracked.draw({ first: 0, components: 1, each: 4 }, 1, 1, { biasSigma: 0, strideSigma: -1 })).toBe(
    STATUS_NOT_FINITE,
  );
  expect(tracked.draw({ first: 0, components: 1, each: 4 }, 1, 1, { biasSigma: 101, strideSigma: 0 })).toBe(
    STATUS_NOT_FINITE,
  );
});
