// Ends tasks that hang. A task hangs when its slice takes too much processor time: on a busy machine a sound task may
// take any time by the clock. A slice that does not end for minutes is ended as well, because a blocked thread uses no
// processor time.

import type { Worker } from 'node:worker_threads';
import { readTaskState } from './slices.ts';

/** Processor time of a slice, at most. The longest sound one parses a body of eight megabytes. */
const SLICE_MICROSECONDS = 5_000_000;
/** Time of a slice by the clock, at most. */
const STANDSTILL_MILLISECONDS = 120_000;
const WATCH_MILLISECONDS = 500;

/** Watches one task. */
export class HangWatch {
  /** Rejects when the task hangs and its worker is being ended. */
  readonly hangs: Promise<never>;
  private readonly memory: SharedArrayBuffer;
  private readonly threads: () => readonly Worker[];
  private readonly timer: NodeJS.Timeout;
  private reject!: (error: Error) => void;
  private slice = 0;
  private sinceMs = performance.now();
  /** Processor time of the thread when it was first seen in this slice. */
  private sinceMicroseconds: number | undefined;

  /**
   * Starts watching.
   * @param memory of the task's state (slices.ts)
   * @param threads that may run the task
   */
  constructor(memory: SharedArrayBuffer, threads: () => readonly Worker[]) {
    this.memory = memory;
    this.threads = threads;
    this.hangs = new Promise((_, reject) => {
      this.reject = reject;
    });
    this.timer = setInterval(() => void this.look(), WATCH_MILLISECONDS).unref();
  }

  /** Stops watching. */
  stop(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    const { thread, slice, phase } = readTaskState(this.memory);
    if (slice !== this.slice) {
      this.slice = slice;
      this.sinceMs = performance.now();
      this.sinceMicroseconds = undefined;
    }
    const worker = this.threads().find(({ threadId }) => threadId === thread);
    if (performance.now() - this.sinceMs > STANDSTILL_MILLISECONDS) this.end(worker);
    if (phase !== 'works' || worker === undefined) return;
    const used = await processorMicroseconds(worker);
    // While the answer was on its way, the next slice may have begun.
    if (used === undefined || this.slice !== slice || readTaskState(this.memory).slice !== slice) return;
    this.sinceMicroseconds ??= used;
    if (used - this.sinceMicroseconds > SLICE_MICROSECONDS) this.end(worker);
  }

  /** @param worker undefined before the task has begun */
  private end(worker: Worker | undefined): void {
    this.stop();
    this.reject(new Error('The task hung.'));
    void worker?.terminate();
  }
}

/** Processor time of a thread. @returns undefined where Node cannot tell, before 24.6, and when the thread has ended */
async function processorMicroseconds(worker: Partial<Worker>): Promise<number | undefined> {
  try {
    const used = await worker.cpuUsage?.();
    return used && used.user + used.system;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_NOT_RUNNING') return undefined;
    throw error;
  }
}
