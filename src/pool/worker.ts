// A compute worker. It answers queries until it is told to end (query_worker.ts), or runs tasks by name. The file that
// a worker thread starts with makes
// `workerOf(await openAnswerer(), TASKS)` its default export.

import { constants, getPriority, setPriority } from 'node:os';
import { threadId, workerData } from 'node:worker_threads';
import { Answerer } from '../answer/answerer.ts';
import type { Prepared } from '../geocoding/geocoder.ts';
import { QueryMemory } from '../radio/query/memory.ts';
import { Garbage } from './garbage.ts';
import { type Call, type Message, OPENED_BYTES, type Tasks, type WorkerSetup } from './messages.ts';
import { answerQuery, serveQueries } from './query_worker.ts';
import { Slices } from './slices.ts';

/** What every worker knows: to answer the query in this memory, which is too large for the ring, and to be there. */
const OWN_TASKS = {
  wake: (): void => {},
  query: (answerer: Answerer, memory: SharedArrayBuffer) => answerQuery(answerer, new QueryMemory(memory), 0),
};

/** Lower than that of positions: whoever has one waiting gets a core at once, also where searches have them all. */
const SEARCHES_PRIORITY = constants.priority.PRIORITY_BELOW_NORMAL / 2;

/** What a body and the values that it is parsed into take, as a multiple of its size (api/body_memory.ts). */
const PARSED_FACTOR = 6;

/** Opens this thread's tables. @param prepared as for `Answerer.open` @throws Error when one cannot be used */
export function openAnswerer(prepared?: Prepared): Promise<Answerer> {
  return Answerer.open(workerData as WorkerSetup, prepared);
}

/**
 * The function that the pool calls with each message. It returns the output of a task; for a query worker it returns
 * when that is to end.
 * @param answerer this thread's own
 */
export function workerOf(answerer: Answerer, tasks: Tasks): (message: Message) => Promise<unknown> {
  const { queries, opened, isBackground } = workerData as WorkerSetup;
  // On Linux this is the priority of the thread, elsewhere that of the process. Few may raise one.
  const priority = isBackground ? constants.priority.PRIORITY_BELOW_NORMAL : SEARCHES_PRIORITY;
  if (queries === undefined && process.platform === 'linux' && getPriority() < priority) setPriority(priority);
  const known = { ...tasks, ...OWN_TASKS };
  const garbage = new Garbage(true);
  if (queries === undefined) garbage.collectWhenIdle();
  // In a microtask, so that the module loader has finished: Node aborts the process when a thread is terminated while
  // it loads a module.
  queueMicrotask(() => Atomics.store(new Uint8Array(opened), threadId % OPENED_BYTES, 1));
  return message => {
    if (typeof message === 'number') return serveQueries(answerer, queries!, message);
    // Only there large bodies lie.
    return runTask(answerer, known, message, isBackground ? garbage : undefined);
  };
}

async function runTask(answerer: Answerer, tasks: Tasks, call: Call, garbage: Garbage | undefined): Promise<unknown> {
  const slices = new Slices(call.state, threadId);
  try {
    return await startTask(answerer, tasks, call, slices);
  } finally {
    slices.end();
    answerer.release();
    garbage?.drop(call.bytes * PARSED_FACTOR);
    garbage?.collectBuffers();
  }
}

/** Starts a task and forgets its input, which may be a large body, so that it can be collected after the task. */
function startTask(answerer: Answerer, tasks: Tasks, call: Call, slices: Slices): unknown {
  const { task, input } = call;
  call.input = undefined;
  return tasks[task](answerer, input as never, slices);
}
