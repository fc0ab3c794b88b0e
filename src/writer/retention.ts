// Drops requests and observations that are past their time, at the start and four times an hour, unless somebody needs the old ones.

import type { Retention as Keep } from '../config/values.ts';
import type { ObservationLog } from '../tables/observations/observation_log.ts';
import type { RequestLog } from '../tables/requests/request_log.ts';

const PRUNE_MILLISECONDS = 15 * 60_000;

interface RetentionParts {
  requests: RequestLog;
  observations: ObservationLog;
  keepObservations: Keep;
  /** Number of the last report that took effect. */
  progress: () => number;
  /** Called when reports could not be dropped; the next time tries again. */
  onError: (error: Error) => void;
}

/** Drops what is old. */
export class Retention {
  /** How long observations are kept from here on. */
  keepObservations: Keep;
  private readonly parts: RetentionParts;
  private timer: NodeJS.Timeout | undefined;
  private pruning: Promise<unknown> = Promise.resolve();
  private isPaused = false;

  constructor(parts: RetentionParts) {
    this.parts = parts;
    this.keepObservations = parts.keepObservations;
  }

  /** Begins. */
  start(): void {
    this.timer = setInterval(() => this.dropOld(), PRUNE_MILLISECONDS);
    this.dropOld();
  }

  private dropOld(): void {
    const { requests, observations, progress, onError } = this.parts;
    void requests.prune(Date.now());
    if (this.isPaused) return;
    this.pruning = this.pruning.then(() => observations.prune(this.keepObservations, progress(), Date.now())).catch(onError);
  }

  /** Keeps all observations while an action runs; one action at a time. */
  async during<T>(action: () => Promise<T>): Promise<T> {
    this.isPaused = true;
    try {
      await this.pruning;
      return await action();
    } finally {
      this.isPaused = false;
    }
  }

  /** Ends, once what is under way is done. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.pruning;
  }
}
