// A compute worker: runs of queries, whose answers go into the same structs, and tasks by name. The file that a worker thread starts with makes it of two
// calls, `workerOf(await openAnswerer(), TASKS)`, and exports it as its default.

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
 * The function that the pool calls with each message. A run returns the text of errors for the log, or nothing; a task returns its output.
 * @param answerer this thread's own
 */
export function workerOf(answerer: Answerer, tasks: Tasks): (message: Message) => unknown {
  const { ring, opened } = workerData as WorkerSetup;
  const ringMemory = new QueryMemory(ring);
  // Only when the loader has come to its end as well: Node aborts the process when a thread is ended in the middle of loading a module.
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
  // Pending no more: from now on the run is in work and may hang, before it only waited its turn.
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
