// Asks the rate limit 4,000 times within one moment and tells how often it was admitted.

import { parentPort, workerData } from 'node:worker_threads';
import { AccountCounters } from '../../src/accounts/counters.ts';

const { memory, id, nowMs, ratePerSecond } = workerData;
const counters = new AccountCounters(memory);
let admitted = 0;
for (let i = 0; i < 4000; i++) if (counters.admit(id, ratePerSecond, nowMs) === 0) admitted++;
parentPort!.postMessage(admitted);
