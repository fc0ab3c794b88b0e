// The time of the servers of a cluster. Clocks of nodes may be wrong, and a month must begin at all of them at once. So
// it is what the servers have said last, and what has passed here since by a clock that nobody sets.

import type { StreamInfo } from '@nats-io/jetstream';

/** See above. */
export class ServerClock {
  /** Time of the servers at zero of `performance.now`. */
  private originMs: number | undefined;

  /** Notes what the servers say the time is, with an answer that has just come. */
  note(info: StreamInfo): void {
    // The types of the library leave it out; every server that a cluster may have sends it.
    const { ts } = info as StreamInfo & { ts: string };
    this.originMs = Date.parse(ts) - performance.now();
  }

  /** Milliseconds since 1970; undefined until the servers have answered. */
  get nowMs(): number | undefined {
    return this.originMs === undefined ? undefined : this.originMs + performance.now();
  }
}
