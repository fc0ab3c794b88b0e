// The tasks of one lane. So many run at once, and the others wait for their turn. Accounts take turns, each with its
// oldest task, so what one account has waiting does not delay the tasks of another. A task that hangs, or whose worker
// dies, runs once more.

import type { Worker } from 'node:worker_threads';
import type { Message } from './messages.ts';
import { OverflowRoom } from './overflow_room.ts';
import { createTaskMemory, readTaskState } from './slices.ts';

/** Where tasks run (worker_pool.ts). */
interface TaskWorkers {
  readonly loaded: Promise<void>;
  readonly threads: readonly Worker[];
  run(message: Message): Promise<unknown>;
}

/** A task is begun at most this often. It fails earlier if two workers have ended while they worked on it. */
const STARTS_MAX = 6;
const FAILURES_MAX = 2;

/** Tasks that wait or run. */
export class TaskQueue {
  private readonly workers: TaskWorkers;
  private readonly atOnce: number;
  private readonly hangMilliseconds: number;
  private readonly room = new OverflowRoom();
  private running = 0;
  /** Begins of the tasks that wait, by account; the first account is the next whose turn it is. */
  private readonly waiting = new Map<number, (() => void)[]>();

  /**
   * Makes an empty queue.
   * @param atOnce tasks that run at once
   * @param hangMilliseconds processor time of a slice, at most
   */
  constructor(workers: TaskWorkers, atOnce: number, hangMilliseconds = SLICE_MILLISECONDS_MAX) {
    this.workers = workers;
    this.atOnce = atOnce;
    this.hangMilliseconds = hangMilliseconds;
  }

  /** Tasks that wait or run. */
  get length(): number {
    let length = this.running;
    for (const begins of this.waiting.values()) length += begins.length;
    return length;
  }

  /** True when no task waits or runs. */
  get isEmpty(): boolean {
    return this.room.isEmpty;
  }

  /**
   * Runs a task in a worker.
   * @param owner number of the account that it is for, or OWNER_UNKNOWN
   * @param bytes memory that the task takes while it waits and runs
   * @returns undefined when there is no room
   * @throws what the task throws, or Error when two workers died
   */
  run(owner: number, task: string, input: unknown, bytes: number): Promise<unknown> | undefined {
    return this.room.take(owner, bytes) ? this.runInTurn(owner, task, input, bytes) : undefined;
  }

  private async runInTurn(owner: number, task: string, input: unknown, bytes: number): Promise<unknown> {
    await this.turn(owner);
    try {
      return await this.runRepeatedly(task, input, bytes);
    } finally {
      this.room.give(owner, bytes);
      this.handOn();
    }
  }

  /**
   * Runs a task until it ends or has failed. If its worker died between two of its slices, that was no failure of its
   * own.
   */
  private async runRepeatedly(task: string, input: unknown, bytes: number): Promise<unknown> {
    for (let starts = 1, failures = 0; ; starts++) {
      const state = createTaskMemory();
      const watch = new HangWatch(state, () => this.workers.threads, this.hangMilliseconds);
      try {
        return await Promise.race([this.workers.run({ task, input, bytes, state }), watch.hangs]);
      } catch (error) {
        const { phase } = readTaskState(state);
        if (phase === 'works') failures++;
        if (phase === 'ended' || failures === FAILURES_MAX || starts === STARTS_MAX) throw error;
      } finally {
        watch.stop();
      }
    }
  }

  /** Waits for a free place, so that the queue does not count as time of the task. */
  private async turn(owner: number): Promise<void> {
    await this.workers.loaded;
    if (this.running < this.atOnce) {
      this.running++;
      return;
    }
    await new Promise<void>(begin => {
      const begins = this.waiting.get(owner);
      if (begins === undefined) this.waiting.set(owner, [begin]);
      else begins.push(begin);
    });
  }

  /** Gives the place of a task that has ended to the next account, which then is the last in turn. */
  private handOn(): void {
    const [next] = this.waiting;
    if (next === undefined) {
      this.running--;
      return;
    }
    const [owner, begins] = next;
    const begin = begins.shift()!;
    this.waiting.delete(owner);
    if (begins.length > 0) this.waiting.set(owner, begins);
    begin();
  }
}

/** Processor time of a slice, at most. The longest sound one parses a body of eight megabytes. */
const SLICE_MILLISECONDS_MAX = 5_000;
/** Time of a slice by the clock, at most. */
const STANDSTILL_MILLISECONDS = 120_000;
/** How often a slice is looked at in the time that it may take. */
const LOOKS = 10;

/**
 * Ends a task that hangs: when its slice takes too much processor time. On a busy machine a sound task may take any
 * time by the clock. A slice that does not end for minutes is ended as well, because a blocked thread uses no processor
 * time.
 */
class HangWatch {
  /** Rejects when the task hangs and its worker is being ended. */
  readonly hangs: Promise<never>;
  private readonly memory: SharedArrayBuffer;
  private readonly threads: () => readonly Worker[];
  private readonly sliceMicroseconds: number;
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
   * @param sliceMilliseconds processor time of a slice, at most
   */
  constructor(memory: SharedArrayBuffer, threads: () => readonly Worker[], sliceMilliseconds: number) {
    this.memory = memory;
    this.threads = threads;
    this.sliceMicroseconds = sliceMilliseconds * 1_000;
    this.hangs = new Promise((_, reject) => {
      this.reject = reject;
    });
    this.timer = setInterval(() => void this.look().catch(this.reject), sliceMilliseconds / LOOKS).unref();
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
    if (used - this.sinceMicroseconds > this.sliceMicroseconds) this.end(worker);
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
