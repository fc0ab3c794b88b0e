// From the log rings of the HTTP threads into the request log. Threads put what they log into shared memory and go on; the writer takes it from there.

import type { LoggedRequest } from '../tables/requests/record.ts';
import type { RequestLog } from '../tables/requests/request_log.ts';
import { LogConsumer } from '../tables/requests/ring.ts';

/** How often rings are emptied: often, so that compressing never takes a processor from the HTTP threads for more than a moment. */
export const DRAIN_MILLISECONDS = 50;

/** Empties the log rings. */
export class LogDrain {
  private readonly log: RequestLog;
  private readonly rings: readonly LogConsumer[];
  private draining: Promise<void> | undefined;

  /** @param rings one an HTTP thread */
  constructor(log: RequestLog, rings: readonly SharedArrayBuffer[]) {
    this.log = log;
    this.rings = rings.map(ring => new LogConsumer(ring));
  }

  /** Stores what the HTTP threads have logged so far. One run at a time; a call during one waits for that one. */
  drain(): Promise<void> {
    this.draining ??= (async () => {
      for (const ring of this.rings) {
        for (let records = ring.drain(); records !== undefined; records = ring.drain()) await this.log.append(records);
      }
    })().finally(() => {
      this.draining = undefined;
    });
    return this.draining;
  }

  /**
   * Reads a logged request. A reply leaves a moment before its record: who asks at once is answered a moment later.
   * @returns undefined when there is none under this id
   */
  async find(id: number): Promise<LoggedRequest | undefined> {
    const logged = await this.findNow(id);
    if (logged !== undefined) return logged;
    await new Promise(resolve => setTimeout(resolve, 4 * DRAIN_MILLISECONDS));
    return this.findNow(id);
  }

  private async findNow(id: number): Promise<LoggedRequest | undefined> {
    // A drain that is under way may be past the ring that the request was just put into.
    await this.draining;
    await this.drain();
    return this.log.get(id, Date.now());
  }
}
