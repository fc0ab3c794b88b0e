// The real compute worker, except that a query whose fix stands at a magic latitude ends, breaks, hangs or slows it, and that it knows a slow task. Each time
// it meets one leaves a mark in the file `met` of the data folder.

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { decodeRun, type Message, type Run, type WorkerSetup } from '../../src/pool/messages.ts';
import { openAnswerer, workerOf } from '../../src/pool/worker.ts';
import { lengthOf, markFailed } from '../../src/radio/query/answer.ts';
import { QueryMemory } from '../../src/radio/query/memory.ts';
import { QueryReader } from '../../src/radio/query/reader.ts';
import { TASKS } from '../../src/tasks/tasks.ts';
import { POISON, SLOW, SLOW_MILLISECONDS } from './poison.ts';
import { slow } from './slow_task.ts';

const setup: WorkerSetup = workerData;
const work = workerOf(await openAnswerer(), { ...TASKS, slow });

export default function workUnlessPoisoned(message: Message): unknown {
  if (typeof message === 'number' || message instanceof SharedArrayBuffer) poison(message);
  return work(message);
}

function poison(run: Run): void {
  const memory = new QueryMemory(typeof run === 'number' ? setup.ring : run);
  const { offset: first, count } = decodeRun(run);
  let offset = first;
  for (let left = count; left > 0; left--) {
    const latitude = new QueryReader(memory, offset).fix?.latitude ?? Number.NaN;
    if (latitude === SLOW || Object.values(POISON).includes(latitude)) appendFileSync(join(setup.folder, 'met'), '+');
    if (latitude === POISON.exit) process.exit(3);
    if (latitude === POISON.trap) throw Object.assign(new Error('unreachable'), { name: 'RuntimeError' });
    if (latitude === POISON.hang || latitude === SLOW) markFailed(memory, first); // begun
    while (latitude === POISON.hang);
    const end = performance.now() + SLOW_MILLISECONDS;
    while (latitude === SLOW && performance.now() < end);
    offset += lengthOf(memory, offset);
  }
}
