// Threads that share the memory of guesses: what an account asks at several at once is counted as if it came in turn.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { GUESSES_WORDS } from '../../../src/tables/stations/guess_entries.ts';
import { Guesses } from '../../../src/tables/stations/guesses.ts';
import type { GuessingThread } from './guesses_thread.ts';

const THREADS = 2;
const ROUNDS = 20_000;
const NOW = Date.UTC(2026, 10, 26);

test('no more places are noted of a device than it may be guessed at, whoever is first', async () => {
  const memory = new SharedArrayBuffer(GUESSES_WORDS * 4);
  const [begun, fresh] = [new SharedArrayBuffer(ROUNDS * 4), new SharedArrayBuffer(ROUNDS * 4)];
  const ends = Array.from({ length: THREADS }, (_, number) => {
    const workerData: GuessingThread = { memory, begun, fresh, threads: THREADS, rounds: ROUNDS, number, nowMs: NOW };
    return once(new Worker(new URL('./guesses_thread.ts', import.meta.url), { workerData }), 'exit');
  });
  expect(await Promise.all(ends)).toEqual(ends.map(() => [0]));
  expect([...new Int32Array(fresh)].filter(count => count !== 3)).toEqual([]);
  const guesses = new Guesses(memory, 0);
  const pairs = new Set<string>();
  let entries = 0;
  for (const entry of guesses.table.all()) {
    pairs.add(guesses.table.read(entry)!.slice(0, 3).join());
    entries++;
  }
  expect(entries).toBe(pairs.size);
});
