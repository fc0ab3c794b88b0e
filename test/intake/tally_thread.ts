// Counts into a shared tally, beside others.

import { workerData } from 'node:worker_threads';
import { Tally } from '../../src/intake/tally.ts';

const { memory, times }: { memory: SharedArrayBuffer; times: number } = workerData;
const tally = new Tally(memory);
for (let i = 0; i < times; i++) {
  tally.countReport(3);
  tally.refuse('speed');
}
