// Serves as a query worker that nobody asks, and tells how often all garbage was collected. The doorbell is closed in
// the turn of the event loop that the worker takes before it would sleep for good.

import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import type { Answerer } from '../../src/answer/answerer.ts';
import { createDoorbell, Doorbell } from '../../src/pool/doorbell.ts';
import { serveQueries } from '../../src/pool/query_worker.ts';

const LOOK_MILLISECONDS = 20;
const PROGRESS_BYTES = 64;
/** An entry comes a few turns after its collection. */
const TURNS = 20;

let collections = 0;
const observer = new PerformanceObserver(list => {
  const kinds = list.getEntries().map(entry => (entry as unknown as { detail: { kind: number } }).detail.kind);
  collections += kinds.filter(kind => kind === constants.NODE_PERFORMANCE_GC_MAJOR).length;
});
observer.observe({ entryTypes: ['gc'] });
const bell = createDoorbell();
const memories = { bell, channels: [], progress: new SharedArrayBuffer(PROGRESS_BYTES) };
setImmediate(() => new Doorbell(bell).close());
await serveQueries({} as Answerer, memories, 0, LOOK_MILLISECONDS);
for (let i = 0; i < TURNS; i++) await turn();
parentPort!.postMessage(collections);
