// What a query worker does: it takes runs from all HTTP threads in turn, writes each answer into the query's struct,
// and sleeps at the doorbell when there is nothing to do. While it sleeps and works, its event loop stands still, so it
// returns there at least every TURN_MILLISECONDS of work: timers that LMDB sets with each read transaction would pile
// up otherwise. When there has been nothing to do for a while, it gives its garbage back before it sleeps on.

import { parentPort, threadId } from 'node:worker_threads';
import type { Answerer } from '../answer/answerer.ts';
import { lengthOf, markFailed } from '../radio/query/answer.ts';
import { QueryMemory } from '../radio/query/memory.ts';
import { Doorbell } from './doorbell.ts';
import { Garbage, LOOK_MILLISECONDS } from './garbage.ts';
import type { QueryMemories } from './messages.ts';
import { Progress } from './query_pool.ts';
import { RunQueue } from './run_queue.ts';

/** How long the event loop may stand still while there is work. */
const TURN_MILLISECONDS = 50;

/** One HTTP thread's ring and runs. */
interface Channel {
  ring: QueryMemory;
  runs: RunQueue;
}

/**
 * Answers queries until the doorbell is closed.
 * @param worker its number, from 0
 * @param lookMilliseconds without work after which it gives its garbage back
 */
export async function serveQueries(
  answerer: Answerer,
  memories: QueryMemories,
  worker: number,
  lookMilliseconds: number = LOOK_MILLISECONDS,
): Promise<void> {
  const bell = new Doorbell(memories.bell);
  const channels = memories.channels.map(({ ring, runs }) => ({
    ring: new QueryMemory(ring),
    runs: new RunQueue(runs),
  }));
  const progress = new Progress(memories.progress, worker);
  progress.isWorking = true;
  progress.thread = threadId;
  let first = 0;
  const garbage = new Garbage(true);
  let turnedMs = performance.now();
  let sleepMilliseconds = lookMilliseconds;
  for (;;) {
    // Counted before the look, so that no ring between look and sleep is missed.
    const heard = bell.rings;
    if (bell.isClosed) {
      progress.isWorking = false;
      return;
    }
    let found = false;
    for (let i = 0; i < channels.length; i++) {
      const { ring, runs } = channels[(first + i) % channels.length];
      const slot = runs.claim(worker);
      if (slot < 0) continue;
      found = true;
      answerRun(answerer, { ring, runs }, slot, progress);
    }
    if (found) {
      sleepMilliseconds = TURN_MILLISECONDS;
      first = (first + 1) % channels.length;
      if (performance.now() - turnedMs < TURN_MILLISECONDS) continue;
    } else {
      progress.isWorking = false;
      const hasRung = bell.sleep(heard, sleepMilliseconds);
      progress.isWorking = true;
      if (hasRung) continue;
    }
    const isIdle = !found && sleepMilliseconds === lookMilliseconds;
    if (isIdle) await garbage.collectIdle();
    await new Promise(resolve => setImmediate(resolve));
    progress.step();
    turnedMs = performance.now();
    sleepMilliseconds = isIdle ? Number.POSITIVE_INFINITY : lookMilliseconds;
  }
}

/** Answers one run. Errors of a single query fail that query only. */
function answerRun(answerer: Answerer, { ring, runs }: Channel, slot: number, progress: Progress): void {
  let offset = runs.offsetOf(slot);
  for (let left = runs.countOf(slot); left > 0; left--) {
    progress.step();
    answerQuery(answerer, ring, offset);
    offset += lengthOf(ring, offset);
  }
  answerer.release();
  runs.finish(slot);
}

/** Answers one query; an error fails it, and goes to the operator. */
export function answerQuery(answerer: Answerer, memory: QueryMemory, offset: number): void {
  try {
    answerer.answer(memory, offset);
  } catch (error) {
    markFailed(memory, offset);
    parentPort!.postMessage((error as Error).stack ?? String(error));
  }
}
