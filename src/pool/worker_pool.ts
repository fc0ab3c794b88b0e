// The worker threads of one HTTP thread (Piscina), from their start to an end that waits until each of them is loaded.

import { Piscina } from 'piscina';
import { type Message, OPENED_BYTES, type WorkerSetup } from './messages.ts';

/** A worker that has not opened its tables by then never will. */
const OPENING_MILLISECONDS = 5_000;
/** Messages that a worker holds at once, so that it has the next one at hand. */
const MESSAGES_A_WORKER = 4;

/** Worker threads, all alike. */
export class WorkerPool {
  /** How many there are. */
  readonly workers: number;
  /** Resolves when the workers are loaded, or never will be. */
  readonly loaded: Promise<void>;
  private readonly pool: Piscina;
  /** By thread number: 1 when that worker is loaded and has opened its tables. */
  private readonly opened = new Uint8Array(new SharedArrayBuffer(OPENED_BYTES));

  /**
   * Starts the workers.
   * @param file that they run
   * @param workers at least 1
   * @param onLost told of each worker that ended
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

  /** Sends a message to a worker; resolves with what it returns. @throws what the worker throws, or that it was lost or ended by the signal */
  run(message: Message, signal: AbortSignal): Promise<unknown> {
    return this.pool.run(message, { signal });
  }

  /** Ends the workers. */
  async close(): Promise<void> {
    await this.openedAll();
    await this.pool.destroy();
  }

  /**
   * Ending a thread in the middle of opening an LMDB environment, or of loading a module, aborts the whole process: lmdb-js throws, and Node asserts,
   * in a thread that can run no more JavaScript. So no worker is ended before it is loaded, also not one that replaces another.
   */
  private async openedAll(): Promise<void> {
    const limit = performance.now() + OPENING_MILLISECONDS;
    // A thread that has ended has the number -1.
    const isOpening = () => this.pool.threads.some(({ threadId: n }) => n >= 0 && Atomics.load(this.opened, n % OPENED_BYTES) === 0);
    while (isOpening() && performance.now() < limit) await new Promise(resolve => setTimeout(resolve, 5));
  }
}
