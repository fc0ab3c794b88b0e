import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instantiateCore } from '../../../src/core/instantiate.ts';
import { TrackedParticles } from '../../../src/indoor/core/tracked_particles.ts';
import { MAX_PARTICLES, STATUS_NOT_FINITE, STATUS_OK, STATUS_TOO_FEW, STATUS_TOO_MANY } from '../../../wasm/memory.ts';
import {
  BYTES_MEAN,
  BYTES_SCALE,
  MIX_FIRST,
  MIX_SECOND,
  SPREAD_INDEX,
  SPREAD_STEP,
  SPREAD_STREAM,
  STREAM_BIAS,
  STREAM_EAST,
  STREAM_HEADING,
  STREAM_LENGTH,
  STREAM_NORTH,
} from '../../../wasm/particle_constants.ts';

const tracked = new TrackedParticles(instantiateCore());
/** Without noise. */
const EXACT = { lengthSigma: 0, headingSigma: 0, biasSigma: 0, driftSigma: 0 };

/** Draws one cloud, in whole fours, at stride 1. */
function draw(count: number, seed: number, east = 0, north = 0, sigma = 0, biasSigma = 0): void {
  tracked.componentEast[0] = east;
  tracked.componentNorth[0] = north;
  tracked.componentSigma[0] = sigma;
  tracked.componentBias[0] = 0;
  tracked.componentStride[0] = 1;
  tracked.componentWeight[0] = 1;
  expect(
    tracked.draw({ first: 0, components: 1, each: 4 * Math.ceil(count / 4) }, seed, 0, {
      biasSigma: biasSigma,
      strideSigma: 0,
    }),
  ).toBe(STATUS_OK);
}

test('without noise every particle walks the same way, whatever the heading', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -20, max: 20, noNaN: true }),
      fc.double({ min: 0, max: 100, noNaN: true }),
      (heading, metres) => {
        draw(5, 1);
        expect(tracked.move(5, 1, 1, { ...EXACT, lengthMetres: metres, heading })).toBe(STATUS_OK);
        for (let i = 0; i < 5; i++) {
          expect(Math.abs(tracked.east[i] - metres * Math.sin(heading))).toBeLessThan(1e-5 * metres + 1e-6);
          expect(Math.abs(tracked.north[i] - metres * Math.cos(heading))).toBeLessThan(1e-5 * metres + 1e-6);
        }
      },
    ),
    { seed: 1, numRuns: 500 },
  );
});

test('north is heading 0 and east a quarter turn clockwise; the bias turns further', () => {
  draw(4, 1);
  tracked.bias.fill(Math.PI / 2, 0, 4);
  tracked.move(4, 1, 1, { ...EXACT, lengthMetres: 10, heading: 0 });
  expect(tracked.east[0]).toBeCloseTo(10, 4);
  expect(tracked.north[0]).toBeCloseTo(0, 4);
});

const NOISY = { lengthSigma: 0.3, headingSigma: 0.2, biasSigma: 0.05, driftSigma: 0.5 };

interface Cloud {
  east: Float32Array;
  north: Float32Array;
  bias: Float32Array;
  count: number;
  seed: number;
  step: number;
}

/** The kernel in plain JavaScript, for particles at stride 1 and the noise of the test below. */
function moveOneByOne(cloud: Cloud, metres: number, heading: number): void {
  const { east, north, bias, count, seed, step } = cloud;
  const { lengthSigma, headingSigma, biasSigma, driftSigma } = NOISY;
  const lengthKey = keyOf(seed, step, STREAM_LENGTH);
  const headingKey = keyOf(seed, step, STREAM_HEADING);
  const biasKey = keyOf(seed, step, STREAM_BIAS);
  const eastKey = keyOf(seed, step, STREAM_EAST);
  const northKey = keyOf(seed, step, STREAM_NORTH);
  for (let i = 0; i < count; i++) {
    bias[i] += biasSigma * normal(biasKey, i);
    const angle = heading + bias[i] + headingSigma * normal(headingKey, i);
    const walked = metres + lengthSigma * normal(lengthKey, i);
    east[i] += walked * Math.sin(angle) + driftSigma * normal(eastKey, i);
    north[i] += walked * Math.cos(angle) + driftSigma * normal(northKey, i);
  }
}

/** Mixes 32 bits (wasm/random.ts). @returns 0..2^32-1 */
function mix(x: number): number {
  x ^= x >>> 16;
  x = Math.imul(x, MIX_FIRST);
  x ^= x >>> 15;
  x = Math.imul(x, MIX_SECOND);
  return (x ^ (x >>> 15)) >>> 0;
}

function keyOf(seed: number, step: number, stream: number): number {
  return mix((mix((mix(seed) + Math.imul(step, SPREAD_STEP)) | 0) + Math.imul(stream, SPREAD_STREAM)) | 0);
}

function normal(key: number, index: number): number {
  const x = mix((Math.imul(index, SPREAD_INDEX) + key) | 0);
  return ((x & 255) + ((x >>> 8) & 255) + ((x >>> 16) & 255) + (x >>> 24) - BYTES_MEAN) * BYTES_SCALE;
}

test('every particle moves as in plain JavaScript', () => {
  const random = fc.integer({ min: -2147483648, max: 2147483647 });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 300 }),
      random,
      random,
      fc.double({ min: -7, max: 7, noNaN: true }),
      (count, seed, step, heading) => {
        draw(count, seed, 20, 30, 5, 0.4);
        const [east, north, bias] = [tracked.east.slice(), tracked.north.slice(), tracked.bias.slice()];
        expect(tracked.move(count, seed, step, { ...NOISY, lengthMetres: 3, heading })).toBe(STATUS_OK);
        moveOneByOne({ east, north, bias, count, seed, step }, 3, heading);
        for (let i = 0; i < count; i++) {
          expect(Math.abs(tracked.east[i] - east[i])).toBeLessThan(1e-4);
          expect(Math.abs(tracked.north[i] - north[i])).toBeLessThan(1e-4);
          expect(Math.abs(tracked.bias[i] - bias[i])).toBeLessThan(1e-5);
        }
      },
    ),
    { seed: 2, numRuns: 100 },
  );
});

test('the same seed and step draw the same, another step draws otherwise', () => {
  const walk = { lengthMetres: 1, heading: 0, lengthSigma: 0.1, headingSigma: 0.1, biasSigma: 0.1, driftSigma: 0.1 };
  const run = (step: number) => {
    draw(64, 9);
    tracked.move(64, 9, step, walk);
    return Array.from(tracked.east.subarray(0, 64));
  };
  const first = run(1);
  expect(run(1)).toEqual(first);
  expect(run(2)).not.toEqual(first);
  // A particle's draw does not depend on how many there are.
  draw(8, 9);
  tracked.move(8, 9, 1, walk);
  expect(Array.from(tracked.east.subarray(0, 8))).toEqual(first.slice(0, 8));
});

test('none, too many, and values that are no numbers are told apart', () => {
  const walk = { ...EXACT, lengthMetres: 1, heading: 0 };
  expect(tracked.move(0, 1, 1, walk)).toBe(STATUS_TOO_FEW);
  expect(tracked.move(MAX_PARTICLES + 1, 1, 1, walk)).toBe(STATUS_TOO_MANY);
  for (const member of Object.keys(walk))
    expect(tracked.move(4, 1, 1, { ...walk, [member]: Number.NaN }), member).toBe(STATUS_NOT_FINITE);
});
