// The runs of one HTTP thread, in memory that it shares with the workers and the main thread. A run is a piece of the
// ring: neighbouring queries that one worker answers together. The HTTP thread posts runs, workers claim them in that
// order and mark them answered, and a word that the workers raise wakes the HTTP thread.
//
// Each run has a slot, and the state of the slot says who has the run: free, ready, in work by worker n, answered, or
// lost. Every change of hands is one atomic exchange of that word. So a run has one owner at any moment, and when a
// worker dies, the main thread finds what it held and marks it lost. The two counters only say where to look: `head`
// counts the runs posted, `tail` those that are certainly claimed.

/** Runs of one HTTP thread under way at once, a power of two. */
const RUN_SLOTS = 1024;

// Int32 words. The counters stand 64 bytes apart, so that threads that write different ones do not slow each other
// down.
const HEAD = 0;
const TAIL = 16;
const REPLIES = 32;
const SLOTS = 48;
const SLOT_WORDS = 4;
const STATE = 0;
const OFFSET = 1; // in units of 8 bytes
const COUNT = 2;

const FREE = 0;
const READY = 1;
const ANSWERED = 2;
const LOST = 3;
/** In work by worker n: IN_WORK + n. */
const IN_WORK = 16;

/** What became of a run that was posted. */
type RunState = 'under way' | 'answered' | 'lost';

/** Memory for the runs of one HTTP thread. */
export function createRunMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer((SLOTS + RUN_SLOTS * SLOT_WORDS) * 4);
}

/** One thread's view of the runs of one HTTP thread. */
export class RunQueue {
  private readonly words: Int32Array;

  /** @param memory of `createRunMemory` */
  constructor(memory: SharedArrayBuffer) {
    this.words = new Int32Array(memory);
  }

  // The HTTP thread's side.

  /**
   * Posts a run.
   * @param offset in bytes, a multiple of 8
   * @param count of queries
   * @returns its slot, or -1 when the oldest run still has that slot
   */
  post(offset: number, count: number): number {
    const { words } = this;
    const head = Atomics.load(words, HEAD);
    const slot = head & (RUN_SLOTS - 1);
    const at = wordOf(slot);
    if (Atomics.load(words, at + STATE) !== FREE) return -1;
    words[at + OFFSET] = offset / 8;
    words[at + COUNT] = count;
    Atomics.store(words, at + STATE, READY);
    Atomics.store(words, HEAD, (head + 1) | 0);
    return slot;
  }

  /** What became of the run in `slot`. */
  stateOf(slot: number): RunState {
    const state = Atomics.load(this.words, wordOf(slot) + STATE);
    return state === ANSWERED ? 'answered' : state === LOST ? 'lost' : 'under way';
  }

  /** Gives a slot back whose run is answered or lost. */
  free(slot: number): void {
    Atomics.store(this.words, wordOf(slot) + STATE, FREE);
  }

  /** Counts what became of runs. Read it before their states, and wait with it. */
  get replies(): number {
    return Atomics.load(this.words, REPLIES);
  }

  /** Resolves at the next reply after `seen`; undefined when it has come already. */
  nextReply(seen: number): Promise<unknown> | undefined {
    const waiting = Atomics.waitAsync(this.words, REPLIES, seen);
    return waiting.async ? waiting.value : undefined;
  }

  // The workers' side.

  /** Takes the oldest run that is ready. @returns its slot, or -1 when there is none */
  claim(worker: number): number {
    const { words } = this;
    for (;;) {
      const tail = Atomics.load(words, TAIL);
      if (tail === Atomics.load(words, HEAD)) return -1;
      const slot = tail & (RUN_SLOTS - 1);
      const isOurs = Atomics.compareExchange(words, wordOf(slot) + STATE, READY, IN_WORK + worker) === READY;
      // Also where another worker took the run and has not come to this line.
      Atomics.compareExchange(words, TAIL, tail, (tail + 1) | 0);
      if (isOurs) return slot;
    }
  }

  /** Where the claimed run begins in the ring, in bytes. */
  offsetOf(slot: number): number {
    return this.words[wordOf(slot) + OFFSET] * 8;
  }

  /** Queries of the claimed run. */
  countOf(slot: number): number {
    return this.words[wordOf(slot) + COUNT];
  }

  /** Marks a claimed run as answered. */
  finish(slot: number): void {
    Atomics.store(this.words, wordOf(slot) + STATE, ANSWERED);
    this.reply();
  }

  // The main thread's side.

  /** Runs that no worker has claimed. */
  get waiting(): number {
    return (Atomics.load(this.words, HEAD) - Atomics.load(this.words, TAIL)) >>> 0;
  }

  /** Marks as lost what a worker held that has died. */
  lose(worker: number): void {
    this.exchangeAll(IN_WORK + worker, LOST);
    this.reply();
  }

  /** Marks as lost what no worker has claimed. */
  loseReady(): void {
    this.exchangeAll(READY, LOST);
    this.reply();
  }

  /**
   * Withdraws the runs of an HTTP thread that has ended. @returns true when no worker is at one any more, so that
   * another thread may begin
   */
  withdraw(): boolean {
    const { words } = this;
    Atomics.store(words, TAIL, Atomics.load(words, HEAD));
    for (const done of [READY, ANSWERED, LOST]) this.exchangeAll(done, FREE);
    for (let slot = 0; slot < RUN_SLOTS; slot++) if (Atomics.load(words, wordOf(slot) + STATE) !== FREE) return false;
    return true;
  }

  private exchangeAll(from: number, to: number): void {
    for (let slot = 0; slot < RUN_SLOTS; slot++) Atomics.compareExchange(this.words, wordOf(slot) + STATE, from, to);
  }

  private reply(): void {
    Atomics.add(this.words, REPLIES, 1);
    Atomics.notify(this.words, REPLIES);
  }
}

function wordOf(slot: number): number {
  return SLOTS + slot * SLOT_WORDS;
}
