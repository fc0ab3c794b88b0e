// Turns of the event loop that long requests share. Each waits for a turn of its own, so however many there are, other requests wait for one slice at most.

import { setImmediate as nextTurn } from 'node:timers/promises';

/** Gives out turns, one at a time. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  /** Resolves in a turn that nobody else was given. */
  next(): Promise<unknown> {
    this.last = this.last.then(() => nextTurn());
    return this.last;
  }
}
