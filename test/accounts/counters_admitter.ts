// Asks the rate limit many times within one moment, together with the other threads, and tells how often it was
// admitted.

import { parentPort, workerData } from 'node:worker_threads';
import { AccountCounters } from '../../src/accounts/counters.ts';

interface Task {
  memory: SharedArrayBuffer;
  id: number;
  nowMs: number;
  ratePerSecond: number;
  tries: number;
  /** Threads that are ready. */
  gate: Int32Array;
  threads: number;
}

const { memory, id, nowMs, ratePerSecond, tries, gate, threads }: Task = workerData;
const counters = new AccountCounters(memory);
Atomics.add(gate, 0, 1);
Atomics.notify(gate, 0);
for (let ready = Atomics.load(gate, 0); ready < threads; ready = Atomics.load(gate, 0)) Atomics.wait(gate, 0, ready);
let admitted = 0;
for (let i = 0; i < tries; i++) if (counters.admit(id, ratePerSecond, nowMs) === 0) admitted++;
parentPort!.postMessage(admitted);
