// The worker threads of one HTTP thread, run by Piscina. No worker is terminated before it is loaded.

import { Piscina } from 'piscina';
import { type Message, OPENED_BYTES, type WorkerSetup } from './messages.ts';

/** A worker that has not opened its tables after this long never will. */
const OPENING_MILLISECONDS = 5_000;
/** Messages sent to a worker at once, so that the next one is at hand. */
const MESSAGES_A_WORKER = 4;

/** Worker threads, all alike. */
export class WorkerPool {
  /** Number of workers. */
  readonly workers: number;
  /** Resolves when all workers are loaded, or OPENING_MILLISECONDS have passed. */
  readonly loaded: Promise<void>;
  private readonly pool: Piscina;
  /** By thread number: 1 once that worker is loaded and has opened its tables. */
  private readonly opened = new Uint8Array(new SharedArrayBuffer(OPENED_BYTES));

  /**
   * Starts the workers.
   * @param file that they run
   * @param workers at least 1
   * @param onLost called for each worker that dies
   */
  constructor(file: URL, workers: number, setup: Omit<WorkerSetup, 'opened'>, onLost: (error: Error) => void) {
    this.workers = workers;
    this.pool = new Piscina({
      filename: file.href,
      workerData: { ...setup, opened: this.opened.buffer } satisfies WorkerSetup,
      minThreads: workers,
      maxThreads: workers,
      idleTimeout: Number.POSITIVE_INFINITY,
      concurrentTasksPerWorker: MESSAGES_A_WORKER,
      recordTiming: false,
    });
    this.pool.on('error', onLost);
    this.loaded = this.openedAll();
  }

  /** Sends a message to a worker; resolves with what it returns. @throws what the worker throws, or Error when it died or the signal ended it */
  run(message: Message, signal: AbortSignal): Promise<unknown> {
    return this.pool.run(message, { signal });
  }

  /** Ends the workers. */
  async close(): Promise<void> {
    await this.openedAll();
    await this.pool.destroy();
  }

  /**
   * Terminating a thread while it opens an LMDB environment or loads a module aborts the whole process: lmdb-js throws, and Node asserts, in a thread that can
   * run no more JavaScript. So no worker is terminated before it is loaded, not even one that replaces another.
   */
  private async openedAll(): Promise<void> {
    const limit = performance.now() + OPENING_MILLISECONDS;
    // A thread that has ended has the number -1.
    const isOpening = () => this.pool.threads.some(({ threadId: n }) => n >= 0 && Atomics.load(this.opened, n % OPENED_BYTES) === 0);
    while (isOpening() && performance.now() < limit) await new Promise(resolve => setTimeout(resolve, 5));
  }
}
