// Gives memory back after heavy work. V8 collects garbage while a thread allocates, which is enough for a thread that
// is busy with small things. It is not enough in three cases, and only then a thread has all of its garbage collected:
//
// - A thread has started. Loading its modules leaves tens of megabytes of garbage and of room for young objects, and
//   V8 would keep both for as long as the thread has little to do. Without the room it collects young objects more
//   often. So only threads that are rarely busy give it back, and those of a small service.
// - A thread has handled a batch of many megabytes and then waits, with the same result. So a thread looks from time to
//   time whether it is idle and holds much more than after its last collection.
// - A thread has dropped large buffers, such as bodies. V8 does not count them where they lie in shared memory, and
//   lets others stand for long.
//
// Small objects are no reason for a busy thread: a search leaves hundreds of kilobytes of them, which V8 collects at
// next to no cost while they are young.
//
// The collection is asked for by the protocol of V8's inspector, in a session of the thread with itself; nothing is
// opened to the outside. V8's own function stands behind a flag of the process, and code that was compiled ahead is not
// used where that is set.

import { Session } from 'node:inspector';
import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

/** Time between two looks whether a thread is idle. */
export const LOOK_MILLISECONDS = 5_000;
/** A collection takes up to 100 ms. It is worth that above so many bytes of garbage. */
const WORTHWHILE_BYTES = 32 * 1_048_576;
/** The same for an idle thread that gives back its heap, which may also have grown by so much. */
const WORTHWHILE_IDLE_BYTES = 16 * 1_048_576;
/** A thread that is busy for less than this share of its time is idle: fewer than about a hundred requests a second. */
const IDLE_SHARE = 0.01;

/** What a thread holds, in bytes. */
interface Held {
  /** Buffers of its own. */
  buffers: number;
  /** The same, and its other objects, or its heap with the room that is free in it. */
  all: number;
}

/** The garbage of the thread that makes it. */
export class Garbage {
  private dropped = 0;
  /** Since the last collection. */
  private least: Held;
  private session: Session | undefined;
  private readonly givesHeap: boolean;

  /** @param givesHeap the thread also gives back the room in its heap, from its start on, when it is idle */
  constructor(givesHeap: boolean) {
    this.givesHeap = givesHeap;
    this.least = this.heldNow();
    // Whatever is held before the first collection is much.
    if (givesHeap) this.least.all = Number.NEGATIVE_INFINITY;
  }

  /** Bytes dropped since the last collection. */
  get droppedBytes(): number {
    return this.dropped;
  }

  /**
   * Counts what heavy work has left and V8 does not see or lets stand: shared memory, and the values of a large body.
   */
  drop(bytes: number): void {
    this.dropped += bytes;
  }

  /** Collects all garbage soon if much of it is large buffers. For threads that are busy. */
  collectBuffers(): void {
    if (this.isMuch('buffers', WORTHWHILE_BYTES)) this.collect();
  }

  /**
   * From now on collects all garbage when the thread is idle and there is much of it. @param lookMilliseconds time
   * between two looks
   */
  collectWhenIdle(lookMilliseconds: number = LOOK_MILLISECONDS): void {
    let before = performance.eventLoopUtilization();
    const look = (): void => {
      const now = performance.eventLoopUtilization();
      if (performance.eventLoopUtilization(now, before).utilization <= IDLE_SHARE && this.isMuchIdle) this.collect();
      before = now;
    };
    setInterval(look, lookMilliseconds).unref();
  }

  /** Collects all garbage if there is much of it; resolves when that is done. For threads that are idle. */
  collectIdle(): Promise<void> {
    return this.isMuchIdle ? new Promise(resolve => this.collect(resolve)) : Promise.resolve();
  }

  private get isMuchIdle(): boolean {
    return this.isMuch('all', this.givesHeap ? WORTHWHILE_IDLE_BYTES : WORTHWHILE_BYTES);
  }

  private isMuch(what: keyof Held, worthwhileBytes: number): boolean {
    const held = this.heldNow();
    this.least = { buffers: Math.min(this.least.buffers, held.buffers), all: Math.min(this.least.all, held.all) };
    return held[what] + this.dropped >= this.least[what] + worthwhileBytes;
  }

  /** V8 collects in a turn of the event loop of its own, when the functions that now run hold nothing any more. */
  private collect(onDone = (): void => {}): void {
    this.dropped = 0;
    if (this.session === undefined) {
      this.session = new Session();
      this.session.connect();
    }
    this.session.post('HeapProfiler.collectGarbage', error => {
      if (error !== null) throw error;
      this.least = this.heldNow();
      onDone();
    });
  }

  private heldNow(): Held {
    const { total_physical_size, used_heap_size, external_memory } = getHeapStatistics();
    return {
      buffers: external_memory,
      all: external_memory + (this.givesHeap ? total_physical_size : used_heap_size),
    };
  }
}
