// The lanes of tasks. Each has its own queue and its own room for what waits, so a long task of one lane never makes
// another lane wait. In a lane accounts take turns (task_queue.ts).
//
//   searches      in the workers of the pool, which give way to positions
//   bodies        large bodies of one request: inflated, parsed, and answered where they are a query; one at a time
//   submissions   large batches of measurements; one at a time
//   batches       parts of long lists of points; one at a time
//
// All but the searches share one more worker, which starts when there is work and ends a while after the last. It has a
// lower priority, and its tasks take turns by slices (slices.ts). When it ends, the memory of large bodies goes back to
// the system.

import { TaskQueue } from './task_queue.ts';
import type { WorkerPool } from './worker_pool.ts';

/** The names of the lanes. */
export const LANES = ['searches', 'bodies', 'submissions', 'batches'] as const;
export type Lane = (typeof LANES)[number];

/** Runs tasks, each in its lane. */
export class Lanes {
  private readonly background: WorkerPool;
  private readonly queues: Readonly<Record<Lane, TaskQueue>>;

  /**
   * @param pool for searches
   * @param background for the other lanes; closed with the lanes
   * @param hangMilliseconds processor time of a task's slice, at most
   */
  constructor(pool: WorkerPool, background: WorkerPool, hangMilliseconds?: number) {
    this.background = background;
    this.queues = {
      searches: new TaskQueue(pool, pool.workers, hangMilliseconds),
      bodies: new TaskQueue(background, 1, hangMilliseconds),
      submissions: new TaskQueue(background, 1, hangMilliseconds),
      batches: new TaskQueue(background, 1, hangMilliseconds),
    };
  }

  /** Tasks that wait or run in a lane. */
  lengthOf(lane: Lane): number {
    return this.queues[lane].length;
  }

  /** True when no task waits or runs. */
  get isEmpty(): boolean {
    return Object.values(this.queues).every(queue => queue.isEmpty);
  }

  /**
   * Runs a task in a worker.
   * @param owner number of the account that it is for, or OWNER_UNKNOWN; the tasks of a lane take turns by owner
   * @param bytes memory that the task takes while it waits and runs
   * @returns undefined when there is no room for it in the lane
   * @throws what the task throws, or Error when two workers died
   */
  run(lane: Lane, owner: number, task: string, input: unknown, bytes: number): Promise<unknown> | undefined {
    return this.queues[lane].run(owner, task, input, bytes);
  }

  /** Ends the worker; no task may be under way. */
  async close(): Promise<void> {
    await this.background.close();
  }
}
