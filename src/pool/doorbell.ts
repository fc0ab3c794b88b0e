// The doorbell of the query workers. A worker without work sleeps at it; every HTTP thread that has posted runs rings.
// It also tells the workers to end.

const RINGS = 0;
const CLOSED = 1;

/** Memory of a doorbell. */
export function createDoorbell(): SharedArrayBuffer {
  return new SharedArrayBuffer(8);
}

/** One thread's view of the doorbell. */
export class Doorbell {
  private readonly words: Int32Array;

  /** @param memory of `createDoorbell` */
  constructor(memory: SharedArrayBuffer) {
    this.words = new Int32Array(memory);
  }

  /** Wakes up to `sleepers` workers. Whatever is there for them must be in memory before. */
  ring(sleepers = Number.POSITIVE_INFINITY): void {
    Atomics.add(this.words, RINGS, 1);
    Atomics.notify(this.words, RINGS, sleepers);
  }

  /** Tells all workers to end. */
  close(): void {
    Atomics.store(this.words, CLOSED, 1);
    this.ring();
  }

  /** True when the workers are to end. */
  get isClosed(): boolean {
    return Atomics.load(this.words, CLOSED) === 1;
  }

  /** Counts the rings. A worker reads it before it looks for work, and sleeps with it. */
  get rings(): number {
    return Atomics.load(this.words, RINGS);
  }

  /**
   * Sleeps until the bell has rung more often than `heard`. This blocks the thread. @returns false when the time is
   * over
   */
  sleep(heard: number, milliseconds: number): boolean {
    return Atomics.wait(this.words, RINGS, heard, milliseconds) !== 'timed-out';
  }
}
