// Sends queries to the workers. The queries of one tick travel as a few runs; each run is one number, and the structs lie in the ring. When a worker dies, no
// query is lost: its runs are computed again, one query at a time with nothing else in flight. So only a query that kills a second worker fails.

import { isPending, lengthOf, markFailed, markPending } from '../radio/query/answer.ts';
import { QueryMemory } from '../radio/query/memory.ts';
import { QueryWriter, queryBytes } from '../radio/query/writer.ts';
import { encodeRun, RUN_LIMIT, type Run } from './messages.ts';
import type { OverflowRoom } from './overflow_room.ts';
import type { Query } from './query.ts';
import { RequestRing } from './ring.ts';
import type { WorkerPool } from './worker_pool.ts';

/** Estimated processor time of a query, for splitting the queries of a tick: a base, and a share for each observation. */
const BASE_MICROSECONDS = 4;
const OBSERVATION_MICROSECONDS = 0.4;
const PLACE_MICROSECONDS = 60;
/** Estimated work of a run, at most. */
const RUN_MICROSECONDS = 200;
/** A worker that has not answered a run this long after its start is taken to hang. */
const HANG_MILLISECONDS = 5_000;
const WATCH_MILLISECONDS = 500;
/** A query larger than this part of the ring gets its own memory. */
const RING_PART = 4;

/** A written query that waits for its answer. */
interface Pending {
  query: Query<unknown>;
  offset: number;
  bytes: number;
  /** The memory of a query that is too large for the ring. */
  overflow: QueryMemory | undefined;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

interface RunInFlight {
  queries: Pending[];
  /** When it was sent, or last seen to wait in a worker. */
  startedMs: number;
  abort: AbortController;
}

/** The queries of one HTTP thread that its workers compute. */
export class QueryRuns {
  private readonly pool: WorkerPool;
  private readonly room: OverflowRoom;
  private readonly onError: (message: string) => void;
  private readonly ringBytes: number;
  private readonly ring: RequestRing;
  private readonly ringMemory: QueryMemory;
  private readonly ringWriter: QueryWriter;
  private waiting: Pending[] = [];
  private dispatching = false;
  private readonly inFlight = new Set<RunInFlight>();
  private readonly lost: Pending[] = [];
  private recovering = false;
  private readonly watch: NodeJS.Timeout;

  /**
   * @param ring memory that the workers were given at their start
   * @param onError called for errors inside workers
   */
  constructor(pool: WorkerPool, ring: SharedArrayBuffer, room: OverflowRoom, onError: (message: string) => void) {
    this.pool = pool;
    this.room = room;
    this.onError = onError;
    this.ringBytes = ring.byteLength;
    this.ring = new RequestRing(ring.byteLength);
    this.ringMemory = new QueryMemory(ring);
    this.ringWriter = new QueryWriter(this.ringMemory);
    this.watch = setInterval(() => this.endHangs(), WATCH_MILLISECONDS).unref();
  }

  /** True when no query is on its way. */
  get isIdle(): boolean {
    return this.inFlight.size === 0 && this.waiting.length === 0 && this.lost.length === 0;
  }

  /** Sends a query at the end of this tick. @returns what the query reads from its answer; undefined when there is no room */
  submit<T>(query: Query<T>): Promise<T> | undefined {
    const bytes = queryBytes(query.observations, query.wants);
    const written = bytes > this.ringBytes / RING_PART ? this.writeOverflow(query, bytes) : this.writeToRing(query, bytes);
    if (written === undefined) return undefined;
    if (!this.dispatching) {
      this.dispatching = true;
      setImmediate(() => {
        this.dispatching = false;
        this.dispatch();
      });
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ query, ...written, resolve: resolve as (answer: unknown) => void, reject });
    });
  }

  /** Stops the watch for hanging workers; no query may be on its way. */
  close(): void {
    clearInterval(this.watch);
  }

  private writeToRing(query: Query<unknown>, bytes: number): Pick<Pending, 'offset' | 'bytes' | 'overflow'> | undefined {
    const offset = this.ring.take(bytes);
    if (offset < 0) return undefined;
    query.write(this.ringWriter, offset);
    const written = lengthOf(this.ringMemory, offset);
    this.ring.trim(written);
    return { offset, bytes: written, overflow: undefined };
  }

  private writeOverflow(query: Query<unknown>, bytes: number): Pick<Pending, 'offset' | 'bytes' | 'overflow'> | undefined {
    if (!this.room.take(bytes)) return undefined;
    const overflow = new QueryMemory(new SharedArrayBuffer(bytes));
    query.write(new QueryWriter(overflow), 0);
    return { offset: 0, bytes, overflow };
  }

  /** Sends the queries of the tick as runs: neighbours in the ring, up to about 200 us of work. */
  private dispatch(): void {
    if (this.recovering || this.waiting.length === 0) return;
    const waiting = this.waiting;
    this.waiting = [];
    let run: Pending[] = [];
    let work = 0;
    let end = -1;
    for (const pending of waiting) {
      const { observations, wants } = pending.query;
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
    this.compute(queries).then(
      () => {
        for (const pending of queries) this.answer(pending);
      },
      () => {
        this.lost.push(...queries);
        void this.recover();
      },
    );
  }

  /** Computes one run in a worker. @throws Error when the worker died */
  private async compute(queries: Pending[]): Promise<void> {
    const [{ offset, overflow }] = queries;
    const message: Run = overflow === undefined ? encodeRun(offset, queries.length) : (overflow.buffer as SharedArrayBuffer);
    const run: RunInFlight = { queries, startedMs: performance.now(), abort: new AbortController() };
    this.inFlight.add(run);
    try {
      const errors = (await this.pool.run(message, run.abort.signal)) as string | undefined;
      if (errors !== undefined) this.onError(errors);
    } finally {
      this.inFlight.delete(run);
    }
  }

  /** Computes lost queries again, one at a time, with nothing else in flight. */
  private async recover(): Promise<void> {
    if (this.recovering) return;
    this.recovering = true;
    while (this.inFlight.size > 0) await new Promise(resolve => setTimeout(resolve, 1));
    for (let pending = this.lost.shift(); pending !== undefined; pending = this.lost.shift()) {
      const memory = pending.overflow ?? this.ringMemory;
      markPending(memory, pending.offset);
      try {
        await this.compute([pending]);
      } catch (error) {
        markFailed(memory, pending.offset);
        this.onError(`A request ended two compute workers and is answered 500: ${(error as Error).message}`);
      }
      this.answer(pending);
    }
    this.recovering = false;
    this.dispatch();
  }

  private answer({ query, offset, bytes, overflow, resolve, reject }: Pending): void {
    try {
      resolve(query.read(overflow ?? this.ringMemory, offset));
    } catch (error) {
      reject(error);
    }
    if (overflow === undefined) this.ring.give(offset);
    else this.room.give(bytes);
  }

  private endHangs(): void {
    const now = performance.now();
    for (const run of this.inFlight) {
      const [{ offset, overflow }] = run.queries;
      if (isPending(overflow ?? this.ringMemory, offset)) run.startedMs = now;
      else if (now - run.startedMs > HANG_MILLISECONDS) run.abort.abort();
    }
  }
}
