// What the main thread sees of each query worker: its thread, whether it is at work, and a count that rises with each
// query. A worker at work whose count stands still hangs; time alone proves nothing on a busy machine.

// Int32 words of a worker, 64 bytes apart from the next one's.
const WORDS = 16;
const THREAD = 0;
const WORKING = 1;
const STEPS = 2;

/** Memory for the progress of this many workers. */
export function createProgressMemory(workers: number): SharedArrayBuffer {
  return new SharedArrayBuffer(workers * WORDS * 4);
}

/** The progress of one worker. */
export class Progress {
  private readonly words: Int32Array;

  /** @param worker from 0 */
  constructor(memory: SharedArrayBuffer, worker: number) {
    this.words = new Int32Array(memory, worker * WORDS * 4, WORDS);
  }

  /** The number of its thread; 0 before it serves. */
  get thread(): number {
    return Atomics.load(this.words, THREAD);
  }

  set thread(threadId: number) {
    Atomics.store(this.words, THREAD, threadId);
  }

  /** True unless it sleeps. */
  get isWorking(): boolean {
    return Atomics.load(this.words, WORKING) === 1;
  }

  set isWorking(working: boolean) {
    Atomics.store(this.words, WORKING, working ? 1 : 0);
  }

  /** Rises with each step of its work; wraps around. */
  get steps(): number {
    return Atomics.load(this.words, STEPS);
  }

  /** Counts a step. */
  step(): void {
    Atomics.add(this.words, STEPS, 1);
  }
}
