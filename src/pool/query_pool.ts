// The query workers of the process: one pool for all HTTP threads. The main thread starts them, replaces those that
// die, and ends those that hang. It passes nothing on: HTTP threads and workers meet in shared memory (run_queue.ts).
// When a worker dies, the main thread marks the one run that it held as lost, and the HTTP thread decides what to do
// with its queries.

import { createDoorbell, Doorbell } from './doorbell.ts';
import type { QueryChannel, QueryMemories, WorkerSetup } from './messages.ts';
import { createRunMemory, RunQueue } from './run_queue.ts';
import { WorkerPool } from './worker_pool.ts';

/** What a query pool is made of. */
interface QueryPoolOptions extends Omit<WorkerSetup, 'queries' | 'opened' | 'isBackground'> {
  /** The file that the workers run. */
  workerFile: URL;
  /** At least 1. */
  workers: number;
  /** HTTP threads that it serves. */
  httpThreads: number;
  ringBytes: number;
  /** Called for errors inside workers and for workers that died. */
  onError: (message: string) => void;
  /** A worker at work that stands still for so long is taken to hang. */
  hangMilliseconds?: number;
}

const HANG_MILLISECONDS = 5_000;
/**
 * A worker at work is taken to hang when this many looks in a row found it where it was. A pause of the whole process
 * counts as one.
 */
const HANG_LOOKS = 10;
/** Pause before another try when a worker could not start. */
const RESTART_MILLISECONDS = 500;
/** How often `withdraw` and `close` check whether workers have come to an end. */
const WAIT_MILLISECONDS = 5;

/** The query workers, seen from the main thread. */
export class QueryPool {
  private readonly memories: QueryMemories;
  private readonly bell: Doorbell;
  private readonly runs: readonly RunQueue[];
  private readonly workers: readonly Watched[];
  private readonly options: QueryPoolOptions;
  private pool: WorkerPool | undefined;
  private serving: Promise<unknown> | undefined;
  /** Workers that died at work and were replaced. */
  restarts = 0;
  private watch: NodeJS.Timeout | undefined;

  /** Makes the memories of HTTP threads; `start` starts the workers. */
  constructor(options: QueryPoolOptions) {
    const { workers, httpThreads, ringBytes } = options;
    const bell = createDoorbell();
    const channels = Array.from({ length: httpThreads }, () => ({
      ring: new SharedArrayBuffer(ringBytes),
      runs: createRunMemory(),
      bell,
    }));
    this.memories = { channels, bell, progress: createProgressMemory(workers) };
    this.bell = new Doorbell(bell);
    this.runs = channels.map(({ runs }) => new RunQueue(runs));
    this.workers = Array.from({ length: workers }, (_, n) => new Watched(new Progress(this.memories.progress, n)));
    this.options = options;
  }

  /** Starts the workers. Queries that have come before wait for them. */
  start(): this {
    const { workerFile, workers, folder, cache, revision, layers, onError } = this.options;
    const { hangMilliseconds = HANG_MILLISECONDS } = this.options;
    const setup = { folder, cache, revision, layers, queries: this.memories, isBackground: false };
    const pool = new WorkerPool(workerFile, workers, setup, error => this.failStarts(error), onError);
    this.pool = pool;
    this.serving = Promise.all(this.workers.map((_, n) => this.keepServing(pool, n)));
    this.watch = setInterval(() => this.endHangs(pool), hangMilliseconds / HANG_LOOKS).unref();
    return this;
  }

  /** The memory of HTTP thread `index`. */
  channel(index: number): QueryChannel {
    return this.memories.channels[index];
  }

  /** Makes the memory of an HTTP thread that has ended ready for the one that replaces it. */
  async withdraw(index: number): Promise<void> {
    while (!this.runs[index].withdraw()) await new Promise(resolve => setTimeout(resolve, WAIT_MILLISECONDS));
  }

  /** The workers that live. */
  get threads(): WorkerPool['threads'] {
    return this.pool?.threads ?? [];
  }

  /** Runs that wait for a worker, by HTTP thread. */
  get waiting(): number[] {
    return this.runs.map(runs => runs.waiting);
  }

  /** Ends the workers. Call it when the HTTP threads have ended. */
  async close(): Promise<void> {
    this.bell.close();
    while (this.workers.some(({ progress }) => progress.thread !== 0))
      await new Promise(resolve => setTimeout(resolve, WAIT_MILLISECONDS));
    clearInterval(this.watch);
    await this.pool?.close();
    await this.serving;
  }

  /** Keeps query worker `n` running, in one thread after another. */
  private async keepServing(pool: WorkerPool, n: number): Promise<void> {
    const worker = this.workers[n];
    while (!this.bell.isClosed) {
      worker.start = new AbortController();
      try {
        await pool.run(n, worker.start.signal);
        worker.progress.thread = 0;
      } catch (error) {
        // `close` ends workers that have not begun.
        if (!worker.start.signal.aborted && !this.bell.isClosed) this.reportLoss(error as Error);
        await this.replace(n);
      }
    }
  }

  private async replace(n: number): Promise<void> {
    const { progress } = this.workers[n];
    const hasServed = progress.thread !== 0;
    if (hasServed && !this.bell.isClosed) this.restarts++;
    if (!hasServed && !this.bell.isClosed) await new Promise(resolve => setTimeout(resolve, RESTART_MILLISECONDS));
    progress.thread = 0;
    progress.isWorking = false;
    for (const runs of this.runs) runs.lose(n);
    // Without any worker, queries must not wait.
    if (!hasServed && this.workers.every(worker => worker.progress.thread === 0))
      for (const runs of this.runs) runs.loseReady();
    // It may have been woken for a run that it did not come to.
    this.bell.ring();
  }

  /**
   * A worker died before it was sent anything. Piscina starts no other one by itself, and what waits for one would wait
   * forever.
   */
  private failStarts(error: Error): void {
    this.reportLoss(error);
    for (const { progress, start } of this.workers) if (progress.thread === 0) start?.abort();
  }

  private reportLoss({ message }: Error): void {
    this.options.onError(`A compute worker was lost: ${message}`);
  }

  private endHangs(pool: WorkerPool): void {
    for (const worker of this.workers) if (worker.hangs()) pool.endThread(worker.progress.thread);
  }
}

/** A worker and what the last looks at it found. */
class Watched {
  readonly progress: Progress;
  /** Gives its start up. */
  start: AbortController | undefined;
  private steps = 0;
  private looks = 0;

  constructor(progress: Progress) {
    this.progress = progress;
  }

  /** Looks once more. @returns true when it has to be ended */
  hangs(): boolean {
    const { isWorking, steps } = this.progress;
    this.looks = isWorking && steps === this.steps ? this.looks + 1 : 0;
    this.steps = steps;
    return this.looks === HANG_LOOKS;
  }
}

// Progress: what the main thread sees of each query worker: its thread, whether it is at work, and a count that rises
// with each query. A worker at work whose count stands still hangs; time alone proves nothing on a busy machine.
// Int32 words of a worker, 64 bytes apart from the next one's.
const WORDS = 16;
const THREAD = 0;
const WORKING = 1;
const STEPS = 2;

/** Memory for the progress of this many workers. */
function createProgressMemory(workers: number): SharedArrayBuffer {
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
