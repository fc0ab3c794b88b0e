// Moves log entries from the rings of the HTTP threads into the request log. A thread puts an entry into shared memory
// and continues; the writer collects it.

import type { LoggedRequest } from '../tables/requests/record.ts';
import type { RequestLog } from '../tables/requests/request_log.ts';
import { LogConsumer } from '../tables/requests/ring.ts';

/** Interval between drains: short, so that compression never keeps a processor from the HTTP threads for long. */
export const DRAIN_MILLISECONDS = 50;

/** Empties the log rings. */
export class LogDrain {
  private readonly log: RequestLog;
  private readonly rings: readonly LogConsumer[];
  private draining: Promise<void> | undefined;

  /** @param rings one for each HTTP thread */
  constructor(log: RequestLog, rings: readonly SharedArrayBuffer[]) {
    this.log = log;
    this.rings = rings.map(ring => new LogConsumer(ring));
  }

  /**
   * Stores what the HTTP threads have logged so far in one transaction, and repeats only while a ring is half full.
   * Entries that arrive meanwhile wait for the next call, because many small chunks cost the writer far more than one.
   * Only one drain runs at a time; a call during a drain waits for it.
   */
  drain(): Promise<void> {
    this.draining ??= (async () => {
      do {
        const runs = this.rings.map(ring => ring.drain()).filter(run => run !== undefined);
        if (runs.length > 0) await this.log.append(...runs);
      } while (this.rings.some(ring => ring.isHalfFull));
    })().finally(() => {
      this.draining = undefined;
    });
    return this.draining;
  }

  /** Stores everything that was logged before this call. */
  async drainAll(): Promise<void> {
    // The drain under way may already be past a ring.
    await this.draining;
    await this.drain();
  }

  /**
   * Reads a logged request. A reply is sent just before its entry is logged, so an early question waits a moment.
   * @returns undefined when there is none under this id
   */
  async find(id: number): Promise<LoggedRequest | undefined> {
    const logged = await this.findNow(id);
    if (logged !== undefined) return logged;
    await new Promise(resolve => setTimeout(resolve, 4 * DRAIN_MILLISECONDS));
    return this.findNow(id);
  }

  private async findNow(id: number): Promise<LoggedRequest | undefined> {
    await this.drainAll();
    return this.log.get(id, Date.now());
  }
}
