// Decides where a query is computed: in the HTTP thread itself, or one hop away in a worker. Both use the same function
// (src/answer/answerer.ts). The query workers belong to the process (query_pool.ts); the workers for tasks belong to
// this thread.

import { Answerer } from '../answer/answerer.ts';
import type { Geocoder } from '../geocoding/geocoder.ts';
import { markFailed } from '../radio/query/answer.ts';
import { QueryMemory } from '../radio/query/memory.ts';
import { QueryWriter, queryBytes } from '../radio/query/writer.ts';
import type { Learned } from '../tables/stations/learned_record.ts';
import { type Lane, Lanes } from './lanes.ts';
import type { Query, QueryChannel, TaskInput, TaskOutput, Tasks, WorkerFile, WorkerSetup } from './messages.ts';
import { OWNER_UNKNOWN } from './overflow_room.ts';
import { QueryRuns, type RunAlone } from './query_runs.ts';
import { createTaskMemory } from './slices.ts';
import { Turns } from './turns.ts';
import { WorkerPool } from './worker_pool.ts';

/** Where queries are computed: `pool` always in a worker, `inline` always in the HTTP thread, `auto` by their size. */
export type ComputeMode = 'auto' | 'pool' | 'inline';

export interface ComputeOptions<T extends Tasks> extends Omit<WorkerSetup, 'queries' | 'opened' | 'isBackground'> {
  mode: ComputeMode;
  /** Leads to the query workers; undefined only where `mode` is `inline`. */
  queries: QueryChannel | undefined;
  /** Workers for this thread's tasks, at least 1. */
  workers: number;
  /** The file that they run. */
  workerFile: WorkerFile<T>;
  /** Called for errors inside workers and for workers that died. */
  onError: (message: string) => void;
  /** Processor time of a task's slice, at most: one that takes more is taken to hang. */
  hangMilliseconds?: number;
  /** After so long without a search its workers end. */
  searchesIdleMilliseconds?: number;
}

/**
 * In `auto`, larger queries go to the pool: above this many observations a hop costs less than the delay of other
 * requests.
 */
const AUTO_INLINE_OBSERVATIONS = 256;
/** A thread that had no query for so long has none to delay. */
const QUIET_MILLISECONDS = 20;
/** Workers for searches end after being idle so long: a start costs half a second of processor time, life 30 MB. */
const SEARCHES_IDLE_MILLISECONDS = 300_000;
/** The worker of heavy lanes ends after being idle so long. */
const BACKGROUND_IDLE_MILLISECONDS = 30_000;
/** How often `close` checks whether all work has ended. */
const CLOSING_MILLISECONDS = 5;

/** The work on its way to workers. */
interface Hop {
  pool: WorkerPool;
  runs: QueryRuns;
  lanes: Lanes;
  onLost: (error: Error) => void;
}

/** Computes the queries of one HTTP thread, and hands tasks to its workers. */
export class Compute<T extends Tasks> {
  private readonly options: ComputeOptions<T>;
  private readonly answerer: Answerer;
  private readonly hop: Hop | undefined;
  private inlineMemory = new QueryMemory(new ArrayBuffer(queryBytes(AUTO_INLINE_OBSERVATIONS)));
  private inlineWriter = new QueryWriter(this.inlineMemory);
  private releasing = false;
  private readonly turns = new Turns();
  private queries = 0;
  private isClosing = false;
  private queriesSeen = 0;
  /** When a query was known to have come last. */
  private lastQueryMs = 0;

  /**
   * Opens the tables. Before `prepare` the first search takes longer, and starts the workers.
   * @throws Error when a table cannot be used
   */
  static async open<T extends Tasks>(options: ComputeOptions<T>): Promise<Compute<T>> {
    return new Compute(options, await Answerer.open(options, 'points'));
  }

  private constructor(options: ComputeOptions<T>, answerer: Answerer) {
    this.options = options;
    this.answerer = answerer;
    this.hop = options.mode === 'inline' ? undefined : openHop(options, options.queries!);
  }

  /**
   * Computes a query: in this thread, which returns the answer, or in a worker, which returns a promise.
   * @returns what the query reads from its answer; undefined when there is no room, for a 503
   */
  submit<A>(query: Query<A>): A | Promise<A> | undefined {
    this.queries++;
    const isHere = this.hop === undefined || (this.isInline && query.observations <= AUTO_INLINE_OBSERVATIONS);
    return isHere ? this.computeInline(query) : this.hop!.runs.submit(query);
  }

  /**
   * Runs a task in a worker; there must be workers. If the worker dies or hangs, the task runs once more.
   * @param lane whose tasks it waits for
   * @param owner number of the account that it is for, or OWNER_UNKNOWN; the tasks of a lane take turns by owner
   * @param bytes memory that the task takes while it waits and runs
   * @returns undefined when there is no room, for a 503
   * @throws what the task throws, or Error when two workers died
   */
  run<N extends keyof T & string>(
    lane: Lane,
    owner: number,
    task: N,
    input: TaskInput<T, N>,
    bytes: number,
  ): Promise<TaskOutput<T, N>> | undefined {
    return this.hop!.lanes.run(lane, owner, task, input, bytes) as Promise<TaskOutput<T, N>> | undefined;
  }

  /** Reads what searches need, and starts their workers. */
  prepare(): void {
    this.answererHere.geocoder.prepareSearches();
    this.wake();
  }

  /** Starts the workers for searches if none lives, so that they are there when they are needed. */
  wake(): void {
    if (this.hop === undefined || this.hop.pool.threads.length > 0) return;
    const { pool, onLost } = this.hop;
    const tell = (error: Error): void => void (this.isClosing || onLost(error));
    for (let i = 0; i < pool.workers; i++)
      pool.run({ task: 'wake', input: undefined, bytes: 0, state: createTaskMemory() }).catch(tell);
  }

  /**
   * Does work of less than a millisecond in this thread, soon, if that delays no query: then it costs less than the way
   * to a worker and back.
   * @returns undefined where a worker shall do it
   * @throws what the work throws
   */
  runHere<R>(work: (answerer: Answerer) => R): Promise<R> | undefined {
    if (!this.isInline || !this.isQuiet || this.turns.isFull) return undefined;
    return this.turns.add(() => work(this.answererHere));
  }

  /** True if no query has come for a while. */
  private get isQuiet(): boolean {
    const now = performance.now();
    if (this.queries !== this.queriesSeen) {
      this.queriesSeen = this.queries;
      this.lastQueryMs = now;
    }
    return now - this.lastQueryMs > QUIET_MILLISECONDS;
  }

  /** True if this thread does light work itself. */
  get isInline(): boolean {
    return this.options.mode !== 'pool';
  }

  /** The data folder. */
  get folder(): string {
    return this.options.folder;
  }

  /** True if there are workers for tasks. */
  get hasWorkers(): boolean {
    return this.hop !== undefined;
  }

  /** Tasks that wait or run in a lane. */
  tasksIn(lane: Lane): number {
    return this.hop?.lanes.lengthOf(lane) ?? 0;
  }

  /** This thread's answerer, for work in this thread. Its read transactions end with the tick. */
  get answererHere(): Answerer {
    this.releaseAfterTick();
    return this.answerer;
  }

  get geocoder(): Geocoder {
    return this.answererHere.geocoder;
  }

  /**
   * What is learned of a station, read in this thread, which takes microseconds. @param key cut to its length @throws
   * Error when the record is damaged
   */
  learned(key: Buffer): Learned | undefined {
    return this.answererHere.learned(key);
  }

  /** Waits for all work, then ends the workers for tasks. */
  async close(): Promise<void> {
    if (this.hop !== undefined) {
      const { pool, runs, lanes } = this.hop;
      while (!runs.isIdle || !lanes.isEmpty) await new Promise(resolve => setTimeout(resolve, CLOSING_MILLISECONDS));
      this.isClosing = true;
      await lanes.close();
      await pool.close();
    }
    await this.answerer.close();
  }

  private computeInline<A>(query: Query<A>): A {
    const bytes = queryBytes(query.observations, query.wants);
    if (bytes > this.inlineMemory.buffer.byteLength) {
      this.inlineMemory = new QueryMemory(new ArrayBuffer(bytes * 2));
      this.inlineWriter = new QueryWriter(this.inlineMemory);
    }
    query.write(this.inlineWriter, 0);
    try {
      this.answerer.answer(this.inlineMemory, 0);
    } catch (error) {
      markFailed(this.inlineMemory, 0);
      this.options.onError((error as Error).stack ?? String(error));
    }
    this.releaseAfterTick();
    return query.read(this.inlineMemory, 0);
  }

  private releaseAfterTick(): void {
    if (this.releasing) return;
    this.releasing = true;
    setImmediate(() => {
      this.releasing = false;
      this.answerer.release();
    });
  }
}

function openHop<T extends Tasks>(options: ComputeOptions<T>, queries: QueryChannel): Hop {
  const { workerFile, workers, folder, cache, revision, layers, onError } = options;
  const { searchesIdleMilliseconds = SEARCHES_IDLE_MILLISECONDS } = options;
  const setup = { folder, cache, revision, layers, queries: undefined, isBackground: false };
  const onLost = (error: Error): void => onError(`A compute worker was lost: ${error.message}`);
  const pool = new WorkerPool(workerFile, workers, setup, onLost, onError, searchesIdleMilliseconds);
  const background = new WorkerPool(
    workerFile,
    1,
    { ...setup, isBackground: true },
    onLost,
    onError,
    BACKGROUND_IDLE_MILLISECONDS,
  );
  const lanes = new Lanes(pool, background, options.hangMilliseconds);
  const runAlone: RunAlone = (memory, bytes) => lanes.run('bodies', OWNER_UNKNOWN, 'query', memory, bytes);
  return { pool, lanes, runs: new QueryRuns(queries, runAlone, onError), onLost };
}
