// The real compute worker, except that a query whose fix stands at a magic latitude ends, breaks, hangs or slows it,
// and that it knows the tasks of test_tasks.ts. Each time it meets one leaves a mark in the file `met` of the data
// folder.

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { Answerer } from '../../src/answer/answerer.ts';
import { Geocoder } from '../../src/geocoding/geocoder.ts';
import type { WorkerSetup } from '../../src/pool/messages.ts';
import { workerOf } from '../../src/pool/worker.ts';
import type { QueryMemory } from '../../src/radio/query/memory.ts';
import { QueryReader } from '../../src/radio/query/reader.ts';
import { TASKS } from '../../src/tasks/tasks.ts';
import { POISON, SLOW, SLOW_MILLISECONDS } from './poison.ts';
import { TEST_TASKS } from './test_tasks.ts';

const setup: WorkerSetup = workerData;

class PoisonedAnswerer extends Answerer {
  private isTrapped = false;

  override answer(memory: QueryMemory, offset: number): void {
    const latitude = new QueryReader(memory, offset).fix?.latitude ?? Number.NaN;
    if (latitude === SLOW || Object.values(POISON).includes(latitude)) appendFileSync(join(setup.folder, 'met'), '+');
    if (latitude === POISON.exit) process.exit(3);
    if (latitude === POISON.trap) this.isTrapped = true;
    while (latitude === POISON.hang);
    const end = performance.now() + SLOW_MILLISECONDS;
    while (latitude === SLOW && performance.now() < end);
    super.answer(memory, offset);
  }

  /** Breaks after a run, where no query can be blamed. */
  override release(): void {
    super.release();
    if (!this.isTrapped) return;
    this.isTrapped = false;
    throw Object.assign(new Error('unreachable'), { name: 'RuntimeError' });
  }
}

export default workerOf(new PoisonedAnswerer(setup.folder, setup.cache, await Geocoder.open(setup.layers), []), {
  ...TASKS,
  ...TEST_TASKS,
});
