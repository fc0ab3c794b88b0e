// Collects again and again, as other threads do at the same time, and tells when it has ended.

import { setImmediate } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { Garbage } from '../../src/pool/garbage.ts';

const COLLECTIONS = 30;
const garbage = new Garbage(false);
for (let i = 0; i < COLLECTIONS; i++) {
  garbage.drop(1_048_576_000);
  garbage.collectBuffers();
  await setImmediate();
}
parentPort!.postMessage('ended');
