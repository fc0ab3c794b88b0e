// The moment between two writes. Contributions write the observation log and then the accounts that they reward, and
// blocks of credits leave the account table before they can be spent. Whoever copies these tables waits here until
// nothing is half done, and everybody else waits meanwhile.

/** Lets work pass, or holds it. */
export class CommitBoundary {
  private readonly underWay = new Set<Promise<unknown>>();
  private held: Promise<void> | undefined;

  /** Begins a piece of work, at once unless the boundary is held. */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    while (this.held !== undefined) await this.held;
    const begun = work();
    this.underWay.add(begun);
    try {
      return await begun;
    } finally {
      this.underWay.delete(begun);
    }
  }

  /** Runs an action while no work is under way; work that comes meanwhile begins after it. One action at a time. */
  async hold<T>(action: () => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.held = promise;
    try {
      await Promise.allSettled(this.underWay);
      return await action();
    } finally {
      this.held = undefined;
      resolve();
    }
  }
}
