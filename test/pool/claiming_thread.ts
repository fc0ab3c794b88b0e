// Claims runs as fast as it can, and counts each by its offset. A run of no queries ends it.

import { workerData } from 'node:worker_threads';
import { RunQueue } from '../../src/pool/run_queue.ts';

export interface ClaimSetup {
  /** Of the runs. */
  memory: SharedArrayBuffer;
  /** Int32 for each run: how often it was claimed. */
  claims: SharedArrayBuffer;
  /** Number of this thread. */
  worker: number;
}

const { memory, claims, worker }: ClaimSetup = workerData;
const queue = new RunQueue(memory);
const times = new Int32Array(claims);
for (;;) {
  const slot = queue.claim(worker);
  if (slot < 0) {
    // Lets the others have the processor.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0.05);
    continue;
  }
  const isLast = queue.countOf(slot) === 0;
  if (!isLast) Atomics.add(times, queue.offsetOf(slot) / 8, 1);
  queue.finish(slot);
  if (isLast) break;
}
