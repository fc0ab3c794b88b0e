// The real compute worker, except that a query whose fix stands at a magic latitude ends, breaks or hangs it. Each such death leaves a letter in the file
// `deaths` of the data folder.

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import type { Task, WorkerSetup } from '../../src/pool/task.ts';
import run from '../../src/pool/worker.ts';
import { QueryMemory } from '../../src/positioning/query.ts';
import { REQUEST_GPS_LATITUDE, REQUEST_LENGTH } from '../../wasm/layout.ts';
import { POISON } from './poison.ts';

const setup: WorkerSetup = workerData;

export default function runUnlessPoisoned(task: Task): string | undefined {
  const memory = new QueryMemory(typeof task === 'number' ? setup.ring : task);
  let offset = typeof task === 'number' ? Math.floor(task / 1024) * 8 : 0;
  for (let left = typeof task === 'number' ? task % 1024 : 1; left > 0; left--) {
    const latitude = memory.f64[(offset + REQUEST_GPS_LATITUDE) >> 3];
    if (Object.values(POISON).includes(latitude)) appendFileSync(join(setup.folder, 'deaths'), '+');
    if (latitude === POISON.exit) process.exit(3);
    if (latitude === POISON.trap) throw Object.assign(new Error('unreachable'), { name: 'RuntimeError' });
    while (latitude === POISON.hang);
    offset += memory.u32[(offset + REQUEST_LENGTH) >> 2];
  }
  return run(task);
}
