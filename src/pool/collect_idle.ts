// Gives memory back after heavy work. V8 collects garbage while a thread allocates. A thread that has parsed a batch of many megabytes and then waits keeps all
// of it until it works again. So every thread looks from time to time whether it is idle and holds much more than after its last collection, and collects then.

import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_MILLISECONDS = 5_000;
/** A collection takes up to 50 ms. It is worth that above so many bytes of garbage, which light requests alone seldom leave. */
const WORTHWHILE_BYTES = 32 * 1_048_576;
/** A thread that is busy for less than this share of its time is idle: fewer than about a hundred requests a second. */
const IDLE_SHARE = 0.01;
/** How often a thread tries to collect while others do the same; after that it waits for the next occasion. */
const TRIES_MAX = 5;

/** Shared memory that a thread no longer uses. V8 does not count it, so whoever drops some adds its bytes. */
export interface SharedGarbage {
  bytes: number;
}

/**
 * Lets a thread with an event loop collect its garbage when it is idle.
 * @param lookMilliseconds time between two looks
 * @param collect from `garbageCollector`
 */
export function collectWhenIdle(lookMilliseconds: number = LOOK_MILLISECONDS, collect: () => void = garbageCollector()): void {
  let before = performance.eventLoopUtilization();
  const look = (): void => {
    const now = performance.eventLoopUtilization();
    if (performance.eventLoopUtilization(now, before).utilization <= IDLE_SHARE) collect();
    before = now;
  };
  setInterval(look, lookMilliseconds).unref();
}

/**
 * Makes a function that collects this thread's garbage if there is much of it. A worker, which blocks while it waits, calls it after each task.
 * @param shared shared memory among the garbage; 0 after a collection
 */
export function garbageCollector(shared: SharedGarbage = { bytes: 0 }): () => void {
  let least = bytesHeld();
  return () => {
    least = Math.min(least, bytesHeld());
    if (bytesHeld() + shared.bytes < least + WORTHWHILE_BYTES) return;
    if (!collectAll()) return;
    shared.bytes = 0;
    least = bytesHeld();
  };
}

/** Bytes of this thread's heap and of the buffers that its objects hold. */
function bytesHeld(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}

/**
 * Collects all garbage of this thread. Contexts made under the flag have the function. The flag is taken back, because code that Node and V8 compiled ahead is
 * not used under other flags, and a thread then takes longer to start. It belongs to the process: another thread that collects may take it back too early.
 * @returns false if that happened each time
 */
function collectAll(): boolean {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    setFlagsFromString('--expose-gc');
    const gc: (() => void) | undefined = runInNewContext('globalThis.gc');
    setFlagsFromString('--no-expose-gc');
    if (gc !== undefined) {
      gc();
      return true;
    }
  }
  return false;
}
