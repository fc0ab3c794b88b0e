// Cuts a long task into slices. Between two slices the thread takes other messages. The task's state lies in shared
// memory, so that whoever waits for the task sees which thread works on it and whether it goes on (task_queue.ts).

import { setImmediate as nextTurn } from 'node:timers/promises';

/** A slice in a worker. Other tasks of the worker wait that long. */
const SLICE_MILLISECONDS = 5;

const THREAD = 0;
const SLICE = 1;
const PHASE = 2;
const WORDS = 3;

const PHASES = ['waits', 'works', 'pauses', 'ended'] as const;

interface TaskState {
  /** Number of the thread; 0 before the task has begun. */
  thread: number;
  slice: number;
  /** `waits` before the first slice, `pauses` between two. */
  phase: (typeof PHASES)[number];
}

/** Memory of the state of one task. */
export function createTaskMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(WORDS * 4);
}

/** Reads the state of a task. */
export function readTaskState(memory: SharedArrayBuffer): TaskState {
  const words = new Int32Array(memory);
  return {
    thread: Atomics.load(words, THREAD),
    slice: Atomics.load(words, SLICE),
    phase: PHASES[Atomics.load(words, PHASE)],
  };
}

/** The slices of one task, in the thread that runs it. */
export class Slices {
  private readonly words: Int32Array;
  private readonly milliseconds: number;
  private endMs = 0;

  /**
   * Begins the first slice.
   * @param memory from `createTaskMemory`
   * @param thread number of this thread, from 1
   * @param milliseconds length of a slice
   */
  constructor(memory: SharedArrayBuffer = createTaskMemory(), thread = 0, milliseconds = SLICE_MILLISECONDS) {
    this.words = new Int32Array(memory);
    this.milliseconds = milliseconds;
    Atomics.store(this.words, THREAD, thread);
    this.begin();
  }

  /** True when the slice has lasted long enough. */
  get isOver(): boolean {
    return performance.now() >= this.endMs;
  }

  /** Ends the slice, lets the thread do other work, and begins the next. */
  async giveWay(): Promise<void> {
    this.enter('pauses');
    await nextTurn();
    this.begin();
  }

  /** Ends the last slice. */
  end(): void {
    this.enter('ended');
  }

  private begin(): void {
    this.endMs = performance.now() + this.milliseconds;
    Atomics.add(this.words, SLICE, 1);
    this.enter('works');
  }

  private enter(phase: TaskState['phase']): void {
    Atomics.store(this.words, PHASE, PHASES.indexOf(phase));
  }
}
