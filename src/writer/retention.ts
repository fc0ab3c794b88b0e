// Drops requests and observations that are past their time, at the start and four times an hour, unless somebody needs
// the old ones. A clock that has jumped is not believed at once (retention.ts).

import type { Retention as Keep } from '../config/values.ts';
import { clockProblem } from '../metrics/problems.ts';
import type { ObservationLog } from '../tables/observations/observation_log.ts';
import type { StoredClock } from '../tables/requests/environment.ts';
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
    const now = clocks.now();
    const clock = parts.requests.clock ?? { trustedMs: now, latestMs: now, differsMs: 0 };
    this.clock = new RetentionClock(clock, now, clocks.ran());
  }

  /** Begins. */
  start(): void {
    const drop = (): void => void this.dropOld().catch(this.parts.onError);
    this.timer = setInterval(drop, PRUNE_MILLISECONDS);
    drop();
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

// What time it is for retention, between two bounds. The clock of a machine may jump: its battery is empty, a virtual
// machine wakes up, somebody mistypes a year. If it were believed at once, one start would drop what a right clock
// keeps for days or years.
//
// A record is too old only by the trusted time. That follows the clock, but at most seven times as fast as time passes
// while the service runs: a jump that is set right within an hour moves it by seven hours. After a pause of any length
// it goes on from where it was. Requests are kept for a week, so those from before the pause are gone within a day. A
// record is of the future only by the latest time that the clock has shown.
//
// When the clock has differed for a week, it is believed. Then it was wrong before, or nobody heeds the warning. What
// came under a clock that was ahead is kept for that week, as a right clock would have kept it.

/** How much faster than time itself the trusted time may go. */
const PACE = 7;
/** How long a clock must differ until it is believed. */
const HELD_MS = 7 * 86_400_000;

/** Follows the clock of the machine. */
class RetentionClock {
  private readonly state: StoredClock;
  private nowMs: number;
  private ranMs: number;

  /**
   * @param state as it was when the service last ran @param nowMs what the clock says @param ranMs milliseconds of a
   * clock that nobody sets
   */
  constructor(state: StoredClock, nowMs: number, ranMs: number) {
    this.state = { ...state };
    this.nowMs = nowMs;
    this.ranMs = ranMs;
  }

  /** Believes as much of the clock as the time allows that has passed since the last call. */
  follow(nowMs: number, ranMs: number): void {
    const { state } = this;
    const passedMs = ranMs - this.ranMs;
    this.ranMs = ranMs;
    this.nowMs = nowMs;
    state.latestMs = Math.max(state.latestMs, nowMs);
    state.trustedMs = Math.max(state.trustedMs, Math.min(nowMs, state.trustedMs + PACE * passedMs));
    const differs = state.trustedMs !== nowMs || state.latestMs !== nowMs;
    state.differsMs = differs ? state.differsMs + passedMs : 0;
    if (state.differsMs >= HELD_MS) Object.assign(state, { trustedMs: nowMs, latestMs: nowMs, differsMs: 0 });
  }

  /** The earliest time that it may be. */
  get earliestMs(): number {
    return Math.min(this.nowMs, this.state.trustedMs);
  }

  /** A copy of what the next start needs. */
  get stored(): StoredClock {
    return { ...this.state };
  }
}
