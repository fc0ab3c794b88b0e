// A worker that sets a timer with each message, and returns how many have gone off.

import { threadId, workerData } from 'node:worker_threads';
import { OPENED_BYTES, type WorkerSetup } from '../../src/pool/messages.ts';

Atomics.store(new Uint8Array((workerData as WorkerSetup).opened), threadId % OPENED_BYTES, 1);
let ended = 0;

export default function setTimer(): number {
  setTimeout(() => ended++);
  return ended;
}
