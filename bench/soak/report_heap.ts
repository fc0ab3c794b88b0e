// Loaded into every thread of a service under soak (NODE_OPTIONS=--import). When the file that SOAK_ORDER names holds a
// number that a thread has not seen yet, the thread writes what its heap holds beside the file, and first collects its
// garbage where it was told to. Threads of a process share its memory, so only a thread itself can say what is its own.
// Workers stand still while they wait for work; they look for an order each time before they do.

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread, threadId, threadName } from 'node:worker_threads';
import type { HeapOrder, ThreadHeap } from './heaps.ts';

const LOOK_MILLISECONDS = 1_000;

const file = process.env.SOAK_ORDER;
let seen = 0;
let lookedMs = 0;

if (file !== undefined) {
  setInterval(() => look(file), LOOK_MILLISECONDS).unref();
  const wait = Atomics.wait;
  Atomics.wait = ((words: Int32Array, index: number, value: number, milliseconds?: number) => {
    if (performance.now() - lookedMs >= LOOK_MILLISECONDS) look(file);
    return wait(words, index, value, milliseconds);
  }) as typeof Atomics.wait;
}

function look(orderFile: string): void {
  lookedMs = performance.now();
  const { number, collects } = JSON.parse(readFileSync(orderFile, 'utf8')) as HeapOrder;
  if (number === seen) return;
  seen = number;
  if (collects) collectGarbage();
  const { used_heap_size, total_physical_size, external_memory, malloced_memory } = getHeapStatistics();
  const heap: ThreadHeap = {
    thread: threadId,
    name: isMainThread ? 'main' : threadName || 'unnamed',
    used: used_heap_size,
    committed: total_physical_size,
    external: external_memory,
    arrayBuffers: process.memoryUsage().arrayBuffers,
    malloced: malloced_memory,
  };
  const part = `${orderFile}.${number}.${threadId}`;
  writeFileSync(`${part}.part`, JSON.stringify(heap));
  renameSync(`${part}.part`, `${part}.json`);
}

/**
 * The flag belongs to the process, so another thread that collects may take it back; then this thread shows its heap
 * with its garbage.
 */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: (() => void) | undefined = runInNewContext('globalThis.gc');
  collect?.();
}
