// A compute worker. It answers runs of queries, writing each answer into the query's struct, and runs tasks by name. The file that a worker thread starts with
// makes `workerOf(await openAnswerer(), TASKS)` its default export.

import { threadId, workerData } from 'node:worker_threads';
import { Geocoder } from '../geocoding/geocoder.ts';
import { lengthOf, markFailed } from '../radio/query/answer.ts';
import { QueryMemory } from '../radio/query/memory.ts';
import { Answerer } from './answerer.ts';
import { type Call, decodeRun, type Message, OPENED_BYTES, type Run, type WorkerSetup } from './messages.ts';
import type { Tasks } from './tasks.ts';

/** Opens this thread's tables. @throws Error when one cannot be used */
export async function openAnswerer(): Promise<Answerer> {
  const { folder, cache, layers } = workerData as WorkerSetup;
  return new Answerer(folder, cache, await Geocoder.open(layers));
}

/**
 * The function that the pool calls with each message. It returns the output of a task, or for a run the text of its errors, if any.
 * @param answerer this thread's own
 */
export function workerOf(answerer: Answerer, tasks: Tasks): (message: Message) => unknown {
  const { ring, opened } = workerData as WorkerSetup;
  const ringMemory = new QueryMemory(ring);
  // In a microtask, so that the module loader has finished: Node aborts the process when a thread is terminated while it loads a module.
  queueMicrotask(() => Atomics.store(new Uint8Array(opened), threadId % OPENED_BYTES, 1));
  return message => (isCall(message) ? runTask(answerer, tasks, message) : answerRun(answerer, ringMemory, message));
}

function isCall(message: Message): message is Call {
  return typeof message === 'object' && 'task' in message;
}

async function runTask(answerer: Answerer, tasks: Tasks, { task, input }: Call): Promise<unknown> {
  try {
    return await tasks[task](answerer, input as never);
  } finally {
    answerer.release();
  }
}

/** Answers one run. Errors of a single query fail that query only. */
function answerRun(answerer: Answerer, ring: QueryMemory, run: Run): string | undefined {
  let errors: string | undefined;
  const memory = typeof run === 'number' ? ring : new QueryMemory(run);
  let { offset, count } = decodeRun(run);
  // No longer pending: from now on the run is in work and may hang; before, it only waited.
  markFailed(memory, offset);
  for (; count > 0; count--) {
    try {
      answerer.answer(memory, offset);
    } catch (error) {
      markFailed(memory, offset);
      errors = `${errors === undefined ? '' : errors + '\n'}${(error as Error).stack ?? error}`;
    }
    offset += lengthOf(memory, offset);
  }
  answerer.release();
  return errors;
}
