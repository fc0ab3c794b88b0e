// Drops requests and observations that are past their time, at the start and four times an hour, unless somebody needs
// the old ones. A clock that has jumped is not believed at once (retention_clock.ts).

import type { Retention as Keep } from '../config/values.ts';
import { clockProblem } from '../metrics/problems.ts';
import type { ObservationLog } from '../tables/observations/observation_log.ts';
import type { RequestLog } from '../tables/requests/request_log.ts';
import { RetentionClock } from './retention_clock.ts';

const PRUNE_MILLISECONDS = 15 * 60_000;

interface RetentionParts {
  requests: RequestLog;
  observations: ObservationLog;
  keepObservations: Keep;
  /** Number of the last report that took effect. */
  progress: () => number;
  /** Called when reports could not be dropped; the next time tries again. */
  onError: (error: Error) => void;
  /** Called with a sentence when the clock has jumped. */
  onWarning?: (message: string) => void;
}

/** Two clocks. */
interface Clocks {
  /** That of the machine, milliseconds since 1970. */
  now(): number;
  /** Milliseconds of a clock that nobody sets. */
  ran(): number;
}

const CLOCKS: Clocks = { now: () => Date.now(), ran: () => performance.now() };

/** Drops what is old. */
export class Retention {
  /** How long observations are kept from here on. */
  keepObservations: Keep;
  private readonly parts: RetentionParts;
  private readonly clocks: Clocks;
  private readonly clock: RetentionClock;
  private hasWarned = false;
  private timer: NodeJS.Timeout | undefined;
  private pruning: Promise<unknown> = Promise.resolve();
  private isPaused = false;

  constructor(parts: RetentionParts, clocks = CLOCKS) {
    this.parts = parts;
    this.keepObservations = parts.keepObservations;
    this.clocks = clocks;
    const newestMs = parts.requests.newestMs ?? clocks.now();
    const clock = parts.requests.clock ?? { trustedMs: newestMs, latestMs: newestMs, differsMs: 0 };
    this.clock = new RetentionClock(clock, clocks.now(), clocks.ran());
  }

  /** Begins. */
  start(): void {
    this.timer = setInterval(() => void this.dropOld(), PRUNE_MILLISECONDS);
    void this.dropOld();
  }

  /** The earliest time that it may be: what a right clock keeps is not older than it is by this one. */
  get earliestMs(): number {
    return this.clock.earliestMs;
  }

  /** Drops what is old now. @returns resolves when that is done, or reported */
  async dropOld(): Promise<void> {
    const { requests, observations, progress, onError } = this.parts;
    const now = this.clocks.now();
    this.clock.follow(now, this.clocks.ran());
    const { earliestMs, stored } = this.clock;
    this.warn(now, stored.trustedMs);
    const requestsDone = requests.keepClock(stored).then(() => requests.prune(earliestMs, stored.latestMs));
    if (!this.isPaused) {
      const prune = () => observations.prune(this.keepObservations, progress(), earliestMs, stored.latestMs);
      this.pruning = this.pruning.then(prune).catch(onError);
    }
    await Promise.all([requestsDone, this.pruning]);
  }

  /** Warns once when the clock begins to differ. */
  private warn(now: number, trustedMs: number): void {
    const problem = clockProblem(now, trustedMs);
    if (problem !== undefined && !this.hasWarned) this.parts.onWarning?.(`${problem.what} ${problem.remedy}`);
    this.hasWarned = problem !== undefined;
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
