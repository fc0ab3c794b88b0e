// The tasks of one lane. So many run at once, and the others wait for their turn. Accounts take turns, each with its
// oldest task, so what one account has waiting does not delay the tasks of another. A task that hangs, or whose worker
// dies, runs once more.

import type { Worker } from 'node:worker_threads';
import { HangWatch } from './hang_watch.ts';
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
  private readonly room = new OverflowRoom();
  private running = 0;
  /** Begins of the tasks that wait, by account; the first account is the next whose turn it is. */
  private readonly waiting = new Map<number, (() => void)[]>();

  /** @param atOnce tasks that run at once */
  constructor(workers: TaskWorkers, atOnce: number) {
    this.workers = workers;
    this.atOnce = atOnce;
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
      const watch = new HangWatch(state, () => this.workers.threads);
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
