// Collects again and again, as other threads do at the same time, and tells what went wrong.

import { parentPort } from 'node:worker_threads';
import { garbageCollector } from '../../src/pool/collect_idle.ts';

const COLLECTIONS = 30;
const shared = { bytes: 0 };
const collect = garbageCollector(shared);
for (let i = 0; i < COLLECTIONS; i++) {
  shared.bytes = 1_048_576_000;
  collect();
}
parentPort!.postMessage('ended');
