// A thread that looks stations up, some together, and judges each answer, until it is told to stop or is killed. Says
// when it has begun.

import { parentPort, workerData } from 'node:worker_threads';
import type { CacheMemory } from '../../../src/core/cache_memory.ts';
import { StationCache } from '../../../src/tables/stations/cache.ts';
import { StationReader } from '../../../src/tables/stations/reader.ts';
import { queryOfKeys } from '../../kits/radio/query_of_keys.ts';
import { uniform } from '../../kits/random.ts';
import { FAILURE, judge, LOOKUPS, revisionOf, STATIONS, STOP, WRONG, writeObservation } from './revised_stations.ts';

const TOGETHER_MAX = 12;

const { folder, cache, shared, seed } = workerData as {
  folder: string;
  cache: CacheMemory;
  shared: Int32Array;
  seed: number;
};
const random = uniform(seed);
const reader = new StationReader(folder, new StationCache(cache));
const stations = new Int32Array(TOGETHER_MAX);
const acknowledged = new Int32Array(TOGETHER_MAX);

function lookUpSome(): void {
  const together = 1 + Math.floor(random() * TOGETHER_MAX);
  for (let i = 0; i < together; i++) {
    stations[i] = Math.floor(random() * STATIONS);
    acknowledged[i] = Atomics.load(shared, STATIONS + stations[i]);
  }
  reader.lookUp(queryOfKeys(together, (bytes, at, i) => writeObservation(bytes, at, stations[i])));
  for (let i = 0; i < together; i++) {
    const wrong = judge(reader, i, stations[i], acknowledged[i], Atomics.load(shared, stations[i]));
    if (wrong !== 0) report(wrong, stations[i], revisionOf(reader, i), acknowledged[i]);
  }
  Atomics.add(shared, LOOKUPS, together);
}

/** Keeps the first failure of all threads. */
function report(wrong: number, station: number, revision: number, before: number): void {
  if (Atomics.compareExchange(shared, FAILURE, 0, wrong) !== 0) return;
  shared.set([station, revision, before], FAILURE + 1);
}

parentPort!.postMessage('reading');
try {
  while (Atomics.load(shared, STOP) === 0) {
    for (let turn = 0; turn < 1 + random() * 20; turn++) lookUpSome();
    reader.release();
    // A thread of the service goes back to its events here.
    if (random() < 0.1) await new Promise(resolve => setImmediate(resolve));
  }
  await reader.close();
} catch (error) {
  console.error(error);
  report(WRONG.indexOf('threw'), 0, 0, 0);
}
