// The real compute worker, except that a query whose fix stands at a magic latitude ends, breaks, hangs or slows it. Each time it meets one leaves a mark in
// the file `met` of the data folder.

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import type { Task, WorkerSetup } from '../../src/pool/task.ts';
import run from '../../src/pool/worker.ts';
import { LOCATE_FAILED, REQUEST_GPS_LATITUDE, REQUEST_LENGTH, RESULT_STATUS } from '../../src/radio/query/layout.ts';
import { QueryMemory } from '../../src/radio/query/memory.ts';
import { POISON, SLOW, SLOW_MILLISECONDS } from './poison.ts';

const setup: WorkerSetup = workerData;

export default function runUnlessPoisoned(task: Task): string | undefined {
  const memory = new QueryMemory(typeof task === 'number' ? setup.ring : task);
  const first = typeof task === 'number' ? Math.floor(task / 1024) * 8 : 0;
  let offset = first;
  for (let left = typeof task === 'number' ? task % 1024 : 1; left > 0; left--) {
    const latitude = memory.f64[(offset + REQUEST_GPS_LATITUDE) >> 3];
    if (latitude === SLOW || Object.values(POISON).includes(latitude)) appendFileSync(join(setup.folder, 'met'), '+');
    if (latitude === POISON.exit) process.exit(3);
    if (latitude === POISON.trap) throw Object.assign(new Error('unreachable'), { name: 'RuntimeError' });
    if (latitude === POISON.hang || latitude === SLOW) memory.i32[(first + RESULT_STATUS) >> 2] = LOCATE_FAILED; // begun
    while (latitude === POISON.hang);
    const end = performance.now() + SLOW_MILLISECONDS;
    while (latitude === SLOW && performance.now() < end);
    offset += memory.u32[(offset + REQUEST_LENGTH) >> 2];
  }
  return run(task);
}
