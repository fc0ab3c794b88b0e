// Leaves garbage, waits as an idle thread does, and tells the megabytes of its buffers before and after.

import { parentPort } from 'node:worker_threads';
import { Garbage } from '../../src/pool/garbage.ts';

const LOOKS = 500;
const LOOK_MILLISECONDS = 20;
const megabytes = (): number => Math.round(process.memoryUsage().arrayBuffers / 1_048_576);

new Garbage(false).collectWhenIdle(LOOK_MILLISECONDS);
let kept: Uint8Array[] = Array.from({ length: 8 }, () => new Uint8Array(5 * 1_048_576).fill(1));
const before = megabytes();
kept = kept.slice(0, 1);
for (let look = 0; look < LOOKS && megabytes() >= before / 2; look++)
  await new Promise(resolve => setTimeout(resolve, LOOK_MILLISECONDS));
parentPort!.postMessage({ before, after: megabytes(), kept: kept.length });
