// Where a query is computed: in the HTTP thread itself or one hop away in its Piscina pool, by one and the same function. The queries of one tick
// travel as few tasks, each a number; the structs lie in the ring. A worker that dies takes no query with it: its runs are computed again one at a
// time with nothing else in flight, so that only a query that kills a second worker is failed.

import { Piscina } from 'piscina';
import { Geocoder } from '../geocoding/geocoder.ts';
import { LOCATE_FAILED, LOCATE_PENDING, REQUEST_LENGTH, RESULT_STATUS } from '../radio/query/layout.ts';
import { QueryMemory } from '../radio/query/memory.ts';
import { QueryWriter, queryBytes } from '../radio/query/writer.ts';
import { Answerer } from './answerer.ts';
import { RequestRing } from './ring.ts';
import { encodeRun, OPENED_BYTES, RUN_LIMIT, type Task, type WorkerSetup } from './task.ts';

/** Where queries are computed: see DESIGN, shape. */
export type ComputeMode = 'auto' | 'pool' | 'inline';

/** One query on its way: written once, answered once. */
export interface Computation {
  /** Upper bound of its observations. */
  observations: number;
  /** WANTS_* bits: what is to be told about the place. */
  wants: number;
  /** Writes the query at `offset`. */
  write(writer: QueryWriter, offset: number): void;
  /** The answer stands in the struct at `offset` of `memory`, which is valid during the call only. */
  answered(memory: QueryMemory, offset: number): void;
}

export interface ComputeOptions extends Omit<WorkerSetup, 'ring' | 'opened'> {
  mode: ComputeMode;
  /** Workers of this thread's pool, at least 1. */
  workers: number;
  /** Bytes of the ring. */
  ringBytes: number;
  /** Told about errors inside workers and about workers lost. */
  onError: (message: string) => void;
  /** The worker's file; tests give one that dies on demand. */
  workerFile?: URL;
}

/** In `auto`, queries of more observations than this go to the pool: above it the hop costs less than the wait of the others. */
const AUTO_INLINE_OBSERVATIONS = 256;
/** Estimated processor time of a query, for splitting a tick's queries: a base and a share an observation, in microseconds. */
const BASE_MICROSECONDS = 4;
const OBSERVATION_MICROSECONDS = 0.4;
const PLACE_MICROSECONDS = 60;
/** A task of more estimated work than this is split. */
const RUN_MICROSECONDS = 200;
/** A worker that has not answered a run this long after it began hangs. */
const HANG_MILLISECONDS = 5_000;
/** A worker that has not opened its tables by then never will. */
const OPENING_MILLISECONDS = 5_000;
/** Several queries too large for the ring may hold this much memory of their own at once. */
const OVERFLOW_BYTES = 64 * 1_048_576;

interface Pending {
  offset: number;
  bytes: number;
  computation: Computation;
  /** Own memory of a query too large for the ring. */
  overflow: QueryMemory | undefined;
}

interface Run {
  queries: Pending[];
  /** When it was sent, or last seen waiting for its turn in a worker. */
  startedMs: number;
  abort: AbortController;
}

/** Computes the queries of one HTTP thread. */
export class Compute {
  private readonly options: ComputeOptions;
  private readonly answerer: Answerer;
  private readonly pool: Piscina | undefined;
  /** By thread number: 1 when that worker is loaded and has opened its tables. */
  private readonly opened = new Uint8Array(new SharedArrayBuffer(OPENED_BYTES));
  private readonly ringMemory: QueryMemory;
  private readonly ringWriter: QueryWriter;
  private readonly ring: RequestRing;
  private inlineMemory = new QueryMemory(new ArrayBuffer(queryBytes(AUTO_INLINE_OBSERVATIONS)));
  private inlineWriter = new QueryWriter(this.inlineMemory);
  /** The workers are loaded, or never will be. */
  private readonly loaded: Promise<void> | undefined;
  private overflowBytes = 0;
  private runningElsewhere = 0;
  private readonly waitingElsewhere: (() => void)[] = [];
  private waiting: Pending[] = [];
  private dispatching = false;
  private readonly inFlight = new Set<Run>();
  private readonly lost: Pending[] = [];
  private recovering = false;
  private readonly watch: NodeJS.Timeout | undefined;

  /**
   * Opens the tables and starts the workers.
   * @throws Error with a sentence when a table cannot be used
   */
  static async open(options: ComputeOptions): Promise<Compute> {
    return new Compute(options, await Geocoder.open(options.layers));
  }

  private constructor(options: ComputeOptions, geocoder: Geocoder) {
    this.options = options;
    this.answerer = new Answerer(options.folder, options.cache, geocoder);
    const ringBuffer = new SharedArrayBuffer(options.ringBytes);
    this.ringMemory = new QueryMemory(ringBuffer);
    this.ringWriter = new QueryWriter(this.ringMemory);
    this.ring = new RequestRing(options.ringBytes);
    if (options.mode === 'inline') return;
    const { folder, cache, layers } = options;
    const setup: WorkerSetup = { folder, cache, layers, ring: ringBuffer, opened: this.opened.buffer };
    this.pool = new Piscina({
      filename: (options.workerFile ?? new URL('./worker.ts', import.meta.url)).href,
      workerData: setup,
      minThreads: options.workers,
      maxThreads: options.workers,
      idleTimeout: Number.POSITIVE_INFINITY,
      concurrentTasksPerWorker: 4,
      recordTiming: false,
    });
    this.pool.on('error', error => options.onError(`A compute worker was lost: ${(error as Error).message}`));
    this.loaded = this.openedAll();
    this.watch = setInterval(() => this.endHangs(), 500).unref();
  }

  /**
   * Computes a query, now or after a hop; `answered` is called in either case.
   * @returns false when there is no room: the caller answers 503
   */
  submit(computation: Computation): boolean {
    const { mode } = this.options;
    if (mode === 'inline' || (mode === 'auto' && computation.observations <= AUTO_INLINE_OBSERVATIONS)) {
      this.computeInline(computation);
      return true;
    }
    const bytes = queryBytes(computation.observations, computation.wants);
    const pending = bytes > this.options.ringBytes / 4 ? this.writeOverflow(computation, bytes) : this.writeToRing(computation, bytes);
    if (pending === undefined) return false;
    this.waiting.push(pending);
    this.scheduleDispatch();
    return true;
  }

  /** True when light work is done in this thread. */
  get isInline(): boolean {
    return this.options.mode !== 'pool';
  }

  /** This thread's geocoder, for work in this thread; what it holds open is let go at the end of the tick. */
  get geocoder(): Geocoder {
    this.scheduleDispatch();
    return this.answerer.geocoder;
  }

  /** True when there are workers to give tasks of another kind to. */
  get hasWorkers(): boolean {
    return this.pool !== undefined;
  }

  /**
   * Has a worker run the default function of another file, which must load in it. A task that loses its worker, or hangs, is run once more.
   * @param bytes memory that the task takes while it waits and runs
   * @returns undefined when there is no room: the caller answers 503
   * @throws what the function throws, or that two workers were lost
   */
  runElsewhere<T>(file: URL, task: unknown, bytes: number): Promise<T> | undefined {
    if (this.overflowBytes > 0 && this.overflowBytes + bytes > OVERFLOW_BYTES) return undefined;
    this.overflowBytes += bytes;
    const attempt = (): Promise<T> => this.pool!.run(task, { filename: file.href, signal: AbortSignal.timeout(HANG_MILLISECONDS) });
    return this.turnElsewhere()
      .then(() => attempt().catch(attempt))
      .finally(() => {
        this.overflowBytes -= bytes;
        this.runningElsewhere--;
        this.waitingElsewhere.shift()?.();
      });
  }

  /**
   * Waits until fewer such tasks run than there are workers, so that one is left for queries, and the time until a hang is spent neither in a queue nor
   * while the workers start.
   */
  private async turnElsewhere(): Promise<void> {
    await this.loaded;
    while (this.runningElsewhere >= Math.max(1, this.options.workers - 1)) {
      await new Promise<void>(resolve => this.waitingElsewhere.push(resolve));
    }
    this.runningElsewhere++;
  }

  /** Resolves when nothing is in flight, then ends the pool. */
  async close(): Promise<void> {
    while (this.inFlight.size > 0 || this.waiting.length > 0 || this.lost.length > 0 || this.overflowBytes > 0)
      await new Promise(resolve => setTimeout(resolve, 5));
    clearInterval(this.watch);
    await this.openedAll();
    await this.pool?.destroy();
    await this.answerer.close();
  }

  /**
   * Ending a thread in the middle of opening an LMDB environment, or of loading a module, aborts the whole process: lmdb-js throws, and Node asserts,
   * in a thread that can run no more JavaScript. So no worker is ended before it is loaded, also not one that replaces another.
   */
  private async openedAll(): Promise<void> {
    const limit = performance.now() + OPENING_MILLISECONDS;
    // A thread that has ended has the number -1.
    const isOpening = () => this.pool?.threads.some(({ threadId: n }) => n >= 0 && Atomics.load(this.opened, n % OPENED_BYTES) === 0);
    while (isOpening() && performance.now() < limit) await new Promise(resolve => setTimeout(resolve, 5));
  }

  private computeInline(computation: Computation): void {
    const bytes = queryBytes(computation.observations, computation.wants);
    if (bytes > this.inlineMemory.buffer.byteLength) {
      this.inlineMemory = new QueryMemory(new ArrayBuffer(bytes * 2));
      this.inlineWriter = new QueryWriter(this.inlineMemory);
    }
    computation.write(this.inlineWriter, 0);
    try {
      this.answerer.answer(this.inlineMemory, 0);
    } catch (error) {
      this.inlineMemory.i32[RESULT_STATUS >> 2] = LOCATE_FAILED;
      this.options.onError((error as Error).stack ?? String(error));
    }
    this.scheduleDispatch();
    computation.answered(this.inlineMemory, 0);
  }

  private writeToRing(computation: Computation, bytes: number): Pending | undefined {
    const offset = this.ring.take(bytes);
    if (offset < 0) return undefined;
    computation.write(this.ringWriter, offset);
    const written = this.ringMemory.u32[(offset + REQUEST_LENGTH) >> 2];
    this.ring.trim(written);
    return { offset, bytes: written, computation, overflow: undefined };
  }

  private writeOverflow(computation: Computation, bytes: number): Pending | undefined {
    // One is always let in: what exceeds the limit alone would be told to try again for ever.
    if (this.overflowBytes > 0 && this.overflowBytes + bytes > OVERFLOW_BYTES) return undefined;
    this.overflowBytes += bytes;
    const overflow = new QueryMemory(new SharedArrayBuffer(bytes));
    computation.write(new QueryWriter(overflow), 0);
    return { offset: 0, bytes, computation, overflow };
  }

  private scheduleDispatch(): void {
    if (this.dispatching) return;
    this.dispatching = true;
    setImmediate(() => {
      this.dispatching = false;
      this.answerer.release();
      this.dispatch();
    });
  }

  /** Sends the tick's queries as runs: what lies side by side in the ring, up to about 200 us of work. */
  private dispatch(): void {
    if (this.recovering || this.waiting.length === 0) return;
    const waiting = this.waiting;
    this.waiting = [];
    let run: Pending[] = [];
    let work = 0;
    let end = -1;
    for (const pending of waiting) {
      const { observations, wants } = pending.computation;
      const cost = BASE_MICROSECONDS + observations * OBSERVATION_MICROSECONDS + (wants === 0 ? 0 : PLACE_MICROSECONDS);
      const joins = pending.overflow === undefined && pending.offset === end && work + cost <= RUN_MICROSECONDS && run.length < RUN_LIMIT;
      if (!joins && run.length > 0) {
        this.send(run);
        run = [];
        work = 0;
      }
      run.push(pending);
      work += cost;
      end = pending.overflow === undefined ? pending.offset + pending.bytes : -1;
    }
    if (run.length > 0) this.send(run);
  }

  private send(queries: Pending[]): void {
    const run: Run = { queries, startedMs: performance.now(), abort: new AbortController() };
    this.inFlight.add(run);
    void this.runTask(run).then(
      errors => {
        this.inFlight.delete(run);
        if (errors !== undefined) this.options.onError(errors);
        for (const query of queries) this.answer(query);
      },
      () => {
        this.inFlight.delete(run);
        this.lost.push(...queries);
        void this.recover();
      },
    );
  }

  private runTask(run: Run): Promise<string | undefined> {
    const [first] = run.queries;
    const task: Task =
      first.overflow === undefined ? encodeRun(first.offset, run.queries.length) : (first.overflow.buffer as SharedArrayBuffer);
    return this.pool!.run(task, { signal: run.abort.signal });
  }

  /** Computes lost queries again, one at a time, with nothing else in flight. */
  private async recover(): Promise<void> {
    if (this.recovering) return;
    this.recovering = true;
    while (this.inFlight.size > 0) await new Promise(resolve => setTimeout(resolve, 1));
    for (let query = this.lost.shift(); query !== undefined; query = this.lost.shift()) {
      const memory = query.overflow ?? this.ringMemory;
      const run: Run = { queries: [query], startedMs: performance.now(), abort: new AbortController() };
      this.inFlight.add(run);
      try {
        memory.i32[(query.offset + RESULT_STATUS) >> 2] = LOCATE_PENDING;
        const errors = await this.runTask(run);
        if (errors !== undefined) this.options.onError(errors);
      } catch (error) {
        memory.i32[(query.offset + RESULT_STATUS) >> 2] = LOCATE_FAILED;
        this.options.onError(`A request ended two compute workers and is answered 500: ${(error as Error).message}`);
      }
      this.inFlight.delete(run);
      this.answer(query);
    }
    this.recovering = false;
    this.dispatch();
  }

  private answer(query: Pending): void {
    query.computation.answered(query.overflow ?? this.ringMemory, query.offset);
    if (query.overflow === undefined) this.ring.give(query.offset);
    else this.overflowBytes -= query.bytes;
  }

  private endHangs(): void {
    const now = performance.now();
    for (const run of this.inFlight) {
      const [{ offset, overflow }] = run.queries;
      const memory = overflow ?? this.ringMemory;
      if (Atomics.load(memory.i32, (offset + RESULT_STATUS) >> 2) === LOCATE_PENDING) run.startedMs = now;
      else if (now - run.startedMs > HANG_MILLISECONDS) run.abort.abort();
    }
  }
}
