import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instantiateCore } from '../../../src/core/instantiate.ts';
import { TrackedParticles } from '../../../src/indoor/core/tracked_particles.ts';
import {
  MAX_PARTICLES,
  MAX_PLACES,
  STATUS_DEGENERATE,
  STATUS_NOT_FINITE,
  STATUS_OK,
  STATUS_TOO_FEW,
  STATUS_TOO_MANY,
} from '../../../wasm/memory.ts';

const tracked = new TrackedParticles(instantiateCore());

function setParticles(...particles: [east: number, north: number, floor: number][]): void {
  for (const [i, [east, north, floor]] of particles.entries()) {
    tracked.east[i] = east;
    tracked.north[i] = north;
    tracked.floor[i] = floor;
    tracked.weight[i] = 1 / particles.length;
  }
}

function setPlace(p: number, east: number, north: number, floor: number, weight: number): void {
  tracked.placeEast[p] = east;
  tracked.placeNorth[p] = north;
  tracked.placeFloor[p] = floor;
  tracked.placeWeight[p] = weight;
}

test('a place counts on its floor, less with the distance and not at all beyond its reach', () => {
  setPlace(0, 0, 0, 1, 1);
  setParticles([0, 0, 1], [2, 0, 1], [5, 0, 1], [0, 0, 2]);
  expect(tracked.weigh(4, 1, 4, 0)).toBe(STATUS_OK);
  const near = (1 - 4 / 16) ** 2;
  expect(tracked.weight[1] / tracked.weight[0]).toBeCloseTo(near, 6);
  expect(tracked.weight.slice(2, 4)).toEqual(Float32Array.of(0, 0));
});

test('with a background no particle dies', () => {
  setPlace(0, 0, 0, 1, 1);
  setParticles([0, 0, 1], [2, 0, 1], [50, 0, 1], [0, 0, 2]);
  tracked.weigh(4, 1, 4, 0.25);
  expect(tracked.weight[2] / tracked.weight[0]).toBeCloseTo(0.2, 6);
  expect(tracked.weight[3] / tracked.weight[0]).toBeCloseTo(0.2, 6);
});

/** The weights that the kernel gives, in plain JavaScript. */
function weighOneByOne(count: number, places: number, reachMetres: number, background: number): number[] {
  const { placeEast, placeNorth, placeFloor, placeWeight, east, north, floor, weight } = tracked;
  const weights = Array.from({ length: count }, (_, i) => {
    let likelihood = background;
    for (let p = 0; p < places; p++) {
      const metres = Math.hypot(east[i] - placeEast[p], north[i] - placeNorth[p]);
      if (placeFloor[p] === floor[i]) likelihood += Math.max(0, 1 - (metres / reachMetres) ** 2) ** 2 * placeWeight[p];
    }
    return weight[i] * likelihood;
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map(weight => weight / total);
}

test('all weights are those of plain JavaScript', () => {
  const metres = fc.double({ min: -20, max: 20, noNaN: true });
  const floor = fc.integer({ min: -1, max: 1 });
  const positive = fc.double({ min: 0.01, max: 1, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(metres, metres, floor), { minLength: 1, maxLength: 40 }),
      fc.array(fc.tuple(metres, metres, floor, positive), { maxLength: 40 }),
      positive,
      (quarters, places, background) => {
        setParticles(
          ...quarters.flatMap(([east, north, at]): [number, number, number][] => [
            [east, north, at],
            [east + 1, north, at],
            [east, north - 2, at],
            [north, east, at],
          ]),
        );
        for (const [p, place] of places.entries()) setPlace(p, ...place);
        const count = 4 * quarters.length;
        const weights = weighOneByOne(count, places.length, 6, background);
        expect(tracked.weigh(count, places.length, 6, background)).toBe(STATUS_OK);
        for (let i = 0; i < count; i++) expect(Math.abs(tracked.weight[i] - weights[i])).toBeLessThan(1e-5);
      },
    ),
    { seed: 1, numRuns: 200 },
  );
});

test.each([
  ['no particle', 0, 1, 4, 0, STATUS_TOO_FEW],
  ['particles that are no multiple of four', 6, 1, 4, 0, STATUS_TOO_FEW],
  ['less than no place', 4, -1, 4, 1, STATUS_TOO_FEW],
  ['no place, with a background', 4, 0, 4, 1, STATUS_OK],
  ['no place, without one', 4, 0, 4, 0, STATUS_DEGENERATE],
  ['all particles and places', MAX_PARTICLES, MAX_PLACES, 4, 1, STATUS_OK],
  ['too many particles', MAX_PARTICLES + 4, 1, 4, 1, STATUS_TOO_MANY],
  ['too many places', 4, MAX_PLACES + 1, 4, 1, STATUS_TOO_MANY],
  ['no reach', 4, 1, 0, 1, STATUS_NOT_FINITE],
  ['a background that is no number', 4, 1, 4, Number.NaN, STATUS_NOT_FINITE],
])('%s', (_, count, places, reach, background, status) => {
  tracked.east.fill(0);
  tracked.north.fill(0);
  tracked.floor.fill(0);
  tracked.placeEast.fill(0);
  tracked.placeNorth.fill(0);
  tracked.placeFloor.fill(0);
  tracked.placeWeight.fill(1);
  tracked.weight.fill(1 / MAX_PARTICLES);
  expect(tracked.weigh(count, places, reach, background)).toBe(status);
});

test('a particle that is no number is found', () => {
  setPlace(0, 0, 0, 0, 1);
  setParticles([0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]);
  tracked.weight[0] = Number.NaN;
  expect(tracked.weigh(4, 1, 4, 1)).toBe(STATUS_NOT_FINITE);
});
