// A compute worker. A task is a number: where in the ring a run of queries begins and how many there are. The answers go into the same structs.
// What a task returns is the text of errors for the log, or nothing.

import { threadId, workerData } from 'node:worker_threads';
import { Geocoder } from '../geocoding/geocoder.ts';
import { LOCATE_FAILED, REQUEST_LENGTH, RESULT_STATUS } from '../radio/query/layout.ts';
import { QueryMemory } from '../radio/query/memory.ts';
import { Answerer } from './answerer.ts';
import { OPENED_BYTES, type Task, type WorkerSetup } from './task.ts';

const setup: WorkerSetup = workerData;
const ring = new QueryMemory(setup.ring);
/** This worker's own; also for tasks of other files that run in it. */
export const answerer = new Answerer(setup.folder, setup.cache, await Geocoder.open(setup.layers));
// Only when the loader has come to its end as well: Node aborts the process when a thread is ended in the middle of loading a module.
queueMicrotask(() => Atomics.store(new Uint8Array(setup.opened), threadId % OPENED_BYTES, 1));

/** Answers one task. Errors of a single query fail that query only. */
export default function run(task: Task): string | undefined {
  let errors: string | undefined;
  const memory = typeof task === 'number' ? ring : new QueryMemory(task);
  let offset = typeof task === 'number' ? Math.floor(task / 1024) * 8 : 0;
  const count = typeof task === 'number' ? task % 1024 : 1;
  // Pending no more: from now on the run is in work and may hang, before it only waited its turn.
  memory.i32[(offset + RESULT_STATUS) >> 2] = LOCATE_FAILED;
  for (let i = 0; i < count; i++) {
    try {
      answerer.answer(memory, offset);
    } catch (error) {
      memory.i32[(offset + RESULT_STATUS) >> 2] = LOCATE_FAILED;
      errors = `${errors === undefined ? '' : errors + '\n'}${(error as Error).stack ?? error}`;
    }
    offset += memory.u32[(offset + REQUEST_LENGTH) >> 2];
  }
  answerer.release();
  return errors;
}
