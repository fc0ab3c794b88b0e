// One worker of low priority with a short queue of its own, for work beside that of requests: what it draws or reads
// through never waits for a query, and no query waits for it. It starts when there is work, and ends a while after the
// last, with all that it has kept.

import type { ComputeOptions } from './compute.ts';
import type { TaskInput, TaskOutput, Tasks } from './messages.ts';
import { OWNER_UNKNOWN } from './overflow_room.ts';
import { TaskQueue } from './task_queue.ts';
import { WorkerPool } from './worker_pool.ts';

/** The worker ends after being idle so long: whoever reads a map looks at it for a while before he goes on. */
const IDLE_MILLISECONDS = 300_000;
/** An input is a few numbers. */
const INPUT_BYTES = 1_024;

/** Runs tasks one at a time. */
export class BackgroundWorker<T extends Tasks> {
  private readonly pool: WorkerPool;
  private readonly queue: TaskQueue;
  private readonly waitingMax: number;

  /** @param waitingMax tasks that run or wait at once */
  constructor(
    options: Pick<ComputeOptions<T>, 'workerFile' | 'folder' | 'cache' | 'revision' | 'layers' | 'onError'>,
    waitingMax: number,
  ) {
    const { workerFile, folder, cache, revision, layers, onError } = options;
    const setup = { folder, cache, revision, layers, queries: undefined, isBackground: true };
    const onLost = (error: Error): void => onError(`A background worker was lost: ${error.message}`);
    this.pool = new WorkerPool(workerFile, 1, setup, onLost, onError, IDLE_MILLISECONDS);
    this.queue = new TaskQueue(this.pool, 1);
    this.waitingMax = waitingMax;
  }

  /**
   * Runs a task. If the worker dies or hangs, the task runs once more.
   * @returns undefined when too many tasks wait
   * @throws what the task throws, or Error when two workers died
   */
  run<N extends keyof T & string>(task: N, input: TaskInput<T, N>): Promise<TaskOutput<T, N>> | undefined {
    if (this.queue.length >= this.waitingMax) return undefined;
    return this.queue.run(OWNER_UNKNOWN, task, input, INPUT_BYTES) as Promise<TaskOutput<T, N>> | undefined;
  }

  /** Ends the worker; what it runs is rejected. */
  close(): Promise<void> {
    return this.pool.close();
  }
}
