// Moves credits to and fro between the parts of one balance until it is told to stop.

import { workerData } from 'node:worker_threads';
import { AccountCounters } from '../../src/accounts/counters.ts';

const { memory, id, stop }: { memory: SharedArrayBuffer; id: number; stop: Int32Array } = workerData;
const counters = new AccountCounters(memory);
Atomics.store(stop, 1, 1);
Atomics.notify(stop, 1);
while (Atomics.load(stop, 0) === 0) {
  counters.settle(id, counters.reserve(id) - 100, 100);
  counters.takeBack(id);
}
