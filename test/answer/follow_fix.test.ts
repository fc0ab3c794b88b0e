import { expect, test } from 'vitest';
import { followFix, pastOf } from '../../src/answer/follow_fix.ts';
import { readFound, readNextTrack, writeFound } from '../../src/radio/query/answer.ts';
import { SOURCE_CELL, SOURCE_GPS, WANTS_OUTDOORS, WANTS_TRACK } from '../../src/radio/query/layout.ts';
import { QueryMemory } from '../../src/radio/query/memory.ts';
import { QueryWriter, queryBytes } from '../../src/radio/query/writer.ts';
import { normal, uniform } from '../kits/random.ts';

const WANTS = WANTS_TRACK | WANTS_OUTDOORS;
const MOTION = { pressureHpa: Number.NaN, steps: Number.NaN, headingDegrees: Number.NaN, activity: -1 };
const METRES_PER_DEGREE = 111_195;

/** A fix at metres north of the equator, seconds after the start, with the track of a device. */
function follow(
  northMetres: number,
  seconds: number,
  state?: Uint8Array,
  changes: { sources?: number; fallback?: number } = {},
) {
  const memory = new QueryMemory(new ArrayBuffer(queryBytes(0, WANTS)));
  const writer = new QueryWriter(memory);
  writer.begin(0);
  writer.addTrack({ timeMs: 1_700_000_000_000 + 1000 * seconds, motion: MOTION, state }, WANTS);
  writer.end();
  const latitude = northMetres / METRES_PER_DEGREE;
  writeFound(memory, 0, {
    latitude,
    longitude: 0,
    accuracyMetres: 60,
    at68: 1.3,
    at95: 2.1,
    sources: SOURCE_CELL,
    used: 3,
    fallback: 0,
    ...changes,
  });
  followFix(memory, 0, pastOf(memory, 0)!, () => []);
  const found = readFound(memory, 0);
  return { north: found.latitude * METRES_PER_DEGREE, found, state: readNextTrack(memory, 0) };
}

test('a first fix stays as it is and begins a track', () => {
  const { found, state } = follow(100, 0);
  expect([found.accuracyMetres, found.latitude]).toEqual([60, 100 / METRES_PER_DEGREE]);
  expect(state).toBeDefined();
});

test('fixes that err by themselves are joined along a walk', () => {
  const noise = normal(uniform(3));
  let alone = 0;
  let followed = 0;
  for (let walk = 0; walk < 20; walk++) {
    let state: Uint8Array | undefined;
    for (let step = 0; step < 20; step++) {
      const truth = 14 * step;
      const fix = truth + 50 * noise();
      const answer = follow(fix, 10 * step, state);
      state = answer.state;
      alone += Math.abs(fix - truth);
      followed += Math.abs(answer.north - truth);
    }
  }
  expect(followed).toBeLessThan(alone);
});

test('a fix by satellites and what a fallback guessed stay as they are', () => {
  const { state } = follow(0, 0);
  expect(follow(70, 5, state, { sources: SOURCE_GPS }).north).toBeCloseTo(70, 6);
  const guessed = follow(70, 5, state, { fallback: 1 });
  expect([guessed.north, guessed.state]).toEqual([expect.closeTo(70, 6), undefined]);
});

test('a track that is none, or of long ago, changes nothing', () => {
  const { state } = follow(0, 0);
  for (const sent of [undefined, Uint8Array.of(1), new Uint8Array(376).fill(255), state!.subarray(1)])
    expect(follow(70, 5, sent).found).toEqual(follow(70, 5).found);
  expect(follow(70, 86_400, state).found).toEqual(follow(70, 86_400).found);
});
