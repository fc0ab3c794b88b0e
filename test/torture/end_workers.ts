// Loaded into every thread of a service under torture (NODE_OPTIONS=--import). When the file that TORTURE_WORKER names
// is there, the next worker that looks at its doorbell takes the file away and ends at once, as it would when its
// memory runs out. Only query workers wait there for longer than a moment.

import { rmSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const order = process.env.TORTURE_WORKER;
/** The lock of the station cache is waited for by a millisecond at a time; who waits there is no query worker. */
const LOCK_MILLISECONDS = 1;

if (!isMainThread && order !== undefined) {
  const wait = Atomics.wait;
  Atomics.wait = ((words: Int32Array, index: number, value: number, milliseconds?: number) => {
    if (milliseconds !== LOCK_MILLISECONDS && isTaken(order)) process.exit(1);
    return wait(words, index, value, milliseconds);
  }) as typeof Atomics.wait;
}

/** True for the one thread that takes the file away. */
function isTaken(file: string): boolean {
  try {
    rmSync(file);
    return true;
  } catch {
    return false;
  }
}
