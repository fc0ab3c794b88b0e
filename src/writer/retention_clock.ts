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

import type { StoredClock } from '../tables/requests/stored_clock.ts';

/** How much faster than time itself the trusted time may go. */
const PACE = 7;
/** How long a clock must differ until it is believed. */
const HELD_MS = 7 * 86_400_000;

/** Follows the clock of the machine. */
export class RetentionClock {
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
