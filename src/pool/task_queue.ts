// Sends tasks to the workers. Fewer tasks run at a time than there are workers, so that one is left for queries. A task that hangs, or whose worker dies, runs
// once more.

import type { OverflowRoom } from './overflow_room.ts';
import type { WorkerPool } from './worker_pool.ts';

/** A task that has not ended this long after its start is taken to hang. */
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
   * Runs a task in a worker.
   * @param bytes memory that the task takes while it waits and runs
   * @returns undefined when there is no room
   * @throws what the task throws, or Error when two workers died
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

  /** Waits for a free worker, so that neither the queue nor the start of the workers counts as time of the task. */
  private async turn(): Promise<void> {
    await this.pool.loaded;
    while (this.running >= Math.max(1, this.pool.workers - 1)) {
      await new Promise<void>(resolve => this.waiting.push(resolve));
    }
    this.running++;
  }
}
