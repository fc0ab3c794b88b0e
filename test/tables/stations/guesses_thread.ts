// One of the threads of guesses_stress.test.ts: in each round it is wrong about the same device, at places of its own.

import { workerData } from 'node:worker_threads';
import { Guesses } from '../../../src/tables/stations/guesses.ts';

export interface GuessingThread {
  memory: SharedArrayBuffer;
  /** Threads that have begun each round. */
  begun: SharedArrayBuffer;
  /** Guesses of each round that were new, and had room. */
  fresh: SharedArrayBuffer;
  threads: number;
  rounds: number;
  number: number;
  nowMs: number;
}

const { memory, threads, rounds, number, nowMs, ...rest } = workerData as GuessingThread;
const guesses = new Guesses(memory, 0);
const [begun, fresh] = [new Int32Array(rest.begun), new Int32Array(rest.fresh)];
const PLACES = 2;
/** Looks at the others, about 100 µs. */
const SPINS = 10_000;
/** Radios of different devices, which differ in several octets. */
const radioOf = (n: number) => 0x1400000000 + (n & 255) * 0x01010000 + (n >> 8) * 0x0100000100;

for (let round = 0; round < rounds; round++) {
  Atomics.add(begun, round, 1);
  // The others begin at the same time where there is a processor for each, and else when they get one.
  for (let looks = 0; Atomics.load(begun, round) < threads; looks++)
    if (looks > SPINS) Atomics.wait(begun, round, Atomics.load(begun, round), 1);
  Atomics.notify(begun, round);
  for (let place = 0; place < PLACES; place++) {
    const at = [10_000_000 * (1 + number * PLACES + place), 0] as const;
    if (guesses.noteElsewhere(7, true, radioOf(round), at, nowMs) === 'new') Atomics.add(fresh, round, 1);
  }
}
