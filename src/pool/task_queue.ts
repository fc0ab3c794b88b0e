// Tasks on their way to the workers: fewer run at a time than there are workers, so that one is left for queries. A task that loses its worker, or hangs,
// is run once more.

import type { OverflowRoom } from './overflow_room.ts';
import type { WorkerPool } from './worker_pool.ts';

/** A worker that has not done a task this long after it began hangs. */
const HANG_MILLISECONDS = 5_000;

/** Tasks that wait or run. */
export class TaskQueue {
  private readonly pool: WorkerPool;
  private readonly room: OverflowRoom;
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(pool: WorkerPool, room: OverflowRoom) {
    this.pool = pool;
    this.room = room;
  }

  /**
   * Has a worker do a task.
   * @param bytes memory that the task takes while it waits and runs
   * @returns undefined when there is no room
   * @throws what the task throws, or that two workers were lost
   */
  run(task: string, input: unknown, bytes: number): Promise<unknown> | undefined {
    return this.room.take(bytes) ? this.runInTurn(task, input, bytes) : undefined;
  }

  private async runInTurn(task: string, input: unknown, bytes: number): Promise<unknown> {
    const attempt = () => this.pool.run({ task, input }, AbortSignal.timeout(HANG_MILLISECONDS));
    await this.turn();
    try {
      return await attempt().catch(attempt);
    } finally {
      this.room.give(bytes);
      this.running--;
      this.waiting.shift()?.();
    }
  }

  /** Waits for a free worker, so that the time until a hang is spent neither in a queue nor while the workers start. */
  private async turn(): Promise<void> {
    await this.pool.loaded;
    while (this.running >= Math.max(1, this.pool.workers - 1)) {
      await new Promise<void>(resolve => this.waiting.push(resolve));
    }
    this.running++;
  }
}
