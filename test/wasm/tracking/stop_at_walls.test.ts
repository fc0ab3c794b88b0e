import { expect, test } from 'vitest';
import { instantiateCore } from '../../../src/core/instantiate.ts';
import { TrackedParticles } from '../../../src/indoor/core/tracked_particles.ts';
import { WallMap } from '../../../src/indoor/tracking/walls.ts';
import { MAX_NEAR_WALLS, MAX_PARTICLES, STATUS_OK, STATUS_TOO_FEW, STATUS_TOO_MANY } from '../../../wasm/memory.ts';
import { uniform } from '../../kits/random.ts';

const tracked = new TrackedParticles(instantiateCore());

function setParticles(first: number, ways: readonly (readonly [east: number, north: number])[]): void {
  for (const [i, [east, north]] of ways.entries()) {
    tracked.east[first + i] = east;
    tracked.north[first + i] = north;
    tracked.weight[first + i] = 0.5;
  }
}

function setWalls(...walls: [x: number, y: number, alongX: number, alongY: number][]): void {
  for (const [w, wall] of walls.entries()) tracked.walls.set(wall, 4 * w);
}

test('ways across a wall lose their weight; ways beside, short of it and along it keep theirs', () => {
  setWalls([2, -1, 0, 2]);
  setParticles(4, [[13, 20], [11, 20], [13, 24], [7, 20]]); // biome-ignore format: a line
  expect(tracked.stopAtWalls(4, 4, 1, 10, 20)).toBe(STATUS_OK);
  expect([...tracked.weight.subarray(4, 8)]).toEqual([0, 0.5, 0.5, 0.5]);
  setWalls([-1, 0, 10, 0]);
  setParticles(0, [[13, 20], [13, 21], [13, 19], [10, 20]]); // biome-ignore format: a line
  expect(tracked.stopAtWalls(0, 4, 1, 10, 20)).toBe(STATUS_OK);
  expect(tracked.weight[0]).toBe(0.5);
  expect(tracked.weight[3]).toBe(0.5);
});

test(
  'of many ways and walls, the same are stopped as in double precision, with more walls than the core has room ' +
    'for as well',
  () => {
    const random = uniform(12);
    for (let round = 0; round < 60; round++) {
      const centre = 6000 * (random() - 0.5);
      const at = () => centre + 30 * (random() - 0.5);
      const from = [at(), at()] as const;
      const walls = Array.from({ length: 4 * (round === 0 ? MAX_NEAR_WALLS + 40 : Math.ceil(12 * random())) }, at);
      const ways = Array.from({ length: 64 }, () => [Math.fround(at()), Math.fround(at())] as const);
      setParticles(128, ways);
      const map = new WallMap([{ floor: 0, walls, doors: [] }]);
      map.stop(tracked, 0, 128, 64, ...from);
      const stopped = ways.map((_, i) => tracked.weight[128 + i] === 0);
      const expected = ways.map(way => map.block(0, ...from, ...way));
      const differences = stopped.filter((each, i) => each !== expected[i]).length;
      // Ways that pass the end of a wall by less than single precision resolves.
      expect(differences).toBeLessThanOrEqual(1);
      if (round > 0) expect(stopped.some(each => each) || expected.every(each => !each)).toBe(true);
    }
  },
);

test('the box around particles is that of all of them and of no other', () => {
  const random = uniform(13);
  const ways = Array.from(
    { length: 48 },
    () => [Math.fround(100 * random() - 50), Math.fround(1000 * random() - 900)] as const,
  );
  setParticles(4, [[-900, 900], [900, -1900], [0, 0], [0, 0]]); // biome-ignore format: a line
  setParticles(8, ways);
  expect(tracked.box(8, 48)).toBe(STATUS_OK);
  const [easts, norths] = [ways.map(([east]) => east), ways.map(([, north]) => north)];
  expect([...tracked.edges]).toEqual([
    Math.min(...easts),
    Math.min(...norths),
    Math.max(...easts),
    Math.max(...norths),
  ]);
});

test('what cannot be is a status', () => {
  for (const [first, count] of [
    [0, 0],
    [-4, 4],
    [2, 4],
    [0, 6],
  ] as const) {
    // biome-ignore format: a line
    expect(tracked.box(first, count)).toBe(STATUS_TOO_FEW);
    expect(tracked.stopAtWalls(first, count, 1, 0, 0)).toBe(STATUS_TOO_FEW);
  }
  for (const [first, count] of [
    [0, MAX_PARTICLES + 4],
    [MAX_PARTICLES, 4],
    [2 ** 31 - 4, 4],
  ] as const) {
    // biome-ignore format: a line
    expect(tracked.box(first, count)).toBe(STATUS_TOO_MANY);
    expect(tracked.stopAtWalls(first, count, 1, 0, 0)).toBe(STATUS_TOO_MANY);
  }
  expect(tracked.stopAtWalls(0, 4, -1, 0, 0)).toBe(STATUS_TOO_FEW);
  expect(tracked.stopAtWalls(0, 4, MAX_NEAR_WALLS, 0, 0)).toBe(STATUS_OK);
  expect(tracked.stopAtWalls(0, 4, MAX_NEAR_WALLS + 1, 0, 0)).toBe(STATUS_TOO_MANY);
});
