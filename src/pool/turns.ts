// Light work of one thread, in order of arrival. After a millisecond of it, the thread's event loop handles other
// requests and sends replies.

const TURN_MILLISECONDS = 1;
/** Where more waits, other threads shall take part. */
const WAITING_MAX = 32;

/** Work that waits for its turn. */
export class Turns {
  private waiting: (() => void)[] = [];

  /** True if enough waits. */
  get isFull(): boolean {
    return this.waiting.length >= WAITING_MAX;
  }

  /** Does work in its turn. @throws what the work throws */
  add<R>(work: () => R): Promise<R> {
    return new Promise((resolve, reject) => {
      const begun = (): void => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      };
      if (this.waiting.push(begun) === 1) setImmediate(this.turn);
    });
  }

  private readonly turn = (): void => {
    const end = performance.now() + TURN_MILLISECONDS;
    let done = 0;
    do this.waiting[done++]();
    while (done < this.waiting.length && performance.now() < end);
    this.waiting = this.waiting.slice(done);
    if (this.waiting.length > 0) setImmediate(this.turn);
  };
}
