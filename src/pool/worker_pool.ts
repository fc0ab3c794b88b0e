// Worker threads, run by Piscina. No worker is terminated before it is loaded.

import type { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { type Message, OPENED_BYTES, type WorkerSetup } from './messages.ts';

/** A worker that has not opened its tables after this long never will. */
const OPENING_MILLISECONDS = 5_000;
/** Tasks sent to a worker at once, so that the next one is at hand. A query worker is sent one message in its life. */
const TASKS_A_WORKER = 4;

/** Worker threads, all alike. */
export class WorkerPool {
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
   * @param onLost called for each worker that dies while it runs nothing
   * @param onError called for errors of single queries
   * @param idleMilliseconds workers start when there is work and end after being idle so long; without it all of them
   *   live as long as the pool
   */
  constructor(
    file: URL,
    workers: number,
    setup: Omit<WorkerSetup, 'opened'>,
    onLost: (error: Error) => void,
    onError: (message: string) => void,
    idleMilliseconds?: number,
  ) {
    this.workers = workers;
    this.pool = new Piscina({
      filename: file.href,
      workerData: { ...setup, opened: this.opened.buffer } satisfies WorkerSetup,
      minThreads: idleMilliseconds === undefined ? workers : 0,
      maxThreads: workers,
      idleTimeout: idleMilliseconds ?? Number.POSITIVE_INFINITY,
      concurrentTasksPerWorker: setup.queries === undefined ? TASKS_A_WORKER : 1,
      recordTiming: false,
      // Otherwise a worker waits for its next task without going back to its event loop, and the timer that LMDB sets
      // with each read transaction never ends.
      atomics: 'disabled',
    });
    this.pool.on('error', onLost);
    this.pool.on('message', onError);
    this.loaded = this.openedAll();
  }

  /** The workers that live. */
  get threads(): readonly Worker[] {
    return this.pool.threads;
  }

  /**
   * Sends a message to a worker; resolves with what it returns. A message with a signal has the worker for itself.
   * @throws what the worker throws, or Error when it died or the signal ended it
   */
  run(message: Message, signal?: AbortSignal): Promise<unknown> {
    return this.pool.run(message, signal && { signal });
  }

  /**
   * Ends one worker, which must be loaded; another one replaces it. What it ran is rejected when the thread has ended.
   */
  endThread(threadId: number): void {
    void this.pool.threads.find(thread => thread.threadId === threadId)?.terminate();
  }

  /** Ends the workers. */
  async close(): Promise<void> {
    await this.openedAll();
    await this.pool.destroy();
  }

  /**
   * Terminating a thread while it opens an LMDB environment or loads a module aborts the whole process: lmdb-js throws,
   * and Node asserts, in a thread that can run no more JavaScript. So no worker is terminated before it is loaded, not
   * even one that replaces another.
   */
  private async openedAll(): Promise<void> {
    const limit = performance.now() + OPENING_MILLISECONDS;
    // A thread that has ended has the number -1.
    const isOpening = () =>
      this.pool.threads.some(({ threadId: n }) => n >= 0 && Atomics.load(this.opened, n % OPENED_BYTES) === 0);
    while (isOpening() && performance.now() < limit) await new Promise(resolve => setTimeout(resolve, 5));
  }
}
