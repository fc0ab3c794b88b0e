// Sends the queries of one HTTP thread to the query workers. The queries of one tick travel as a few runs of neighbours
// in the ring. A worker holds one run at a time; if it dies, the queries of that run are computed again, each in a run
// of its own. So no query is lost, and only a query that kills a second worker fails.

import { lengthOf, markFailed } from '../radio/query/answer.ts';
import { QueryMemory } from '../radio/query/memory.ts';
import { QueryWriter, queryBytes } from '../radio/query/writer.ts';
import { Doorbell } from './doorbell.ts';
import type { Query, QueryChannel } from './messages.ts';
import { RequestRing } from './ring.ts';
import { RunQueue } from './run_queue.ts';

/**
 * Estimated processor time of a query, for splitting the queries of a tick: a base, and a share for each observation.
 */
const BASE_MICROSECONDS = 4;
const OBSERVATION_MICROSECONDS = 0.4;
const PLACE_MICROSECONDS = 60;
/** Estimated work of a run, at most. */
const RUN_MICROSECONDS = 200;
/** A query larger than this part of the ring is a task, in memory of its own. */
const RING_PART = 4;

/** A query in the ring that waits for its answer. */
interface Pending {
  query: Query<unknown>;
  offset: number;
  bytes: number;
  /** It was in a run that a worker did not survive. */
  isSuspect: boolean;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/**
 * Runs a query in memory of its own as a task. Rejects when two workers died.
 * @param bytes memory that it takes
 * @returns undefined when there is no room
 */
export type RunAlone = (memory: SharedArrayBuffer, bytes: number) => Promise<unknown> | undefined;

/** Neighbours in the ring; a suspect is alone. */
type Run = Pending[];

/** The queries of one HTTP thread that workers compute. */
export class QueryRuns {
  private readonly runAlone: RunAlone;
  private readonly onError: (message: string) => void;
  private readonly ring: RequestRing;
  private readonly ringMemory: QueryMemory;
  private readonly ringWriter: QueryWriter;
  private readonly runs: RunQueue;
  private readonly bell: Doorbell;
  /** Queries of this tick. */
  private written: Pending[] = [];
  /** Runs that have no slot yet. */
  private readonly unposted: Run[] = [];
  /** By slot. */
  private readonly posted = new Map<number, Run>();
  private isListening = false;

  /**
   * @param runAlone called for queries that are too large for the ring
   * @param onError called for queries that are given up
   */
  constructor({ ring, runs, bell }: QueryChannel, runAlone: RunAlone, onError: (message: string) => void) {
    this.runAlone = runAlone;
    this.onError = onError;
    this.ring = new RequestRing(ring.byteLength);
    this.ringMemory = new QueryMemory(ring);
    this.ringWriter = new QueryWriter(this.ringMemory);
    this.runs = new RunQueue(runs);
    this.bell = new Doorbell(bell);
  }

  /** True when no query is on its way through the ring. */
  get isIdle(): boolean {
    return this.written.length === 0 && this.unposted.length === 0 && this.posted.size === 0;
  }

  /**
   * Sends a query, at the end of this tick at the latest. @returns what the query reads from its answer; undefined when
   * there is no room
   */
  submit<T>(query: Query<T>): Promise<T> | undefined {
    const room = queryBytes(query.observations, query.wants);
    if (room > this.ringMemory.buffer.byteLength / RING_PART) return this.submitAlone(query, room);
    const offset = this.ring.take(room);
    if (offset < 0) return undefined;
    query.write(this.ringWriter, offset);
    const bytes = lengthOf(this.ringMemory, offset);
    this.ring.trim(bytes);
    return new Promise((resolve, reject) => {
      const pending = { query, offset, bytes, isSuspect: false, resolve: resolve as (answer: unknown) => void, reject };
      // With nothing under way the workers are likely to sleep, so one is woken while this tick goes on.
      if (this.isIdle) this.send([[pending]]);
      else if (this.written.push(pending) === 1) setImmediate(() => this.dispatch());
    });
  }

  private submitAlone<T>(query: Query<T>, bytes: number): Promise<T> | undefined {
    const buffer = new SharedArrayBuffer(bytes);
    const memory = new QueryMemory(buffer);
    query.write(new QueryWriter(memory), 0);
    const running = this.runAlone(buffer, bytes);
    return running?.catch(error => this.giveUp(memory, 0, error as Error)).then(() => query.read(memory, 0));
  }

  /** Sends the queries of the tick as runs of about 200 us of work, at most. */
  private dispatch(): void {
    const { written } = this;
    this.written = [];
    const runs: Run[] = [];
    let work = 0;
    let end = -1;
    for (const pending of written) {
      const { observations, wants } = pending.query;
      const cost = BASE_MICROSECONDS + observations * OBSERVATION_MICROSECONDS + (wants === 0 ? 0 : PLACE_MICROSECONDS);
      if (pending.offset === end && work + cost <= RUN_MICROSECONDS) {
        runs.at(-1)!.push(pending);
        work += cost;
      } else {
        runs.push([pending]);
        work = cost;
      }
      end = pending.offset + pending.bytes;
    }
    this.send(runs);
  }

  private send(runs: readonly Run[]): void {
    this.unposted.push(...runs);
    this.post();
    this.listen();
  }

  private post(): void {
    let posted = 0;
    for (const run of this.unposted) {
      const slot = this.runs.post(run[0].offset, run.length);
      if (slot < 0) break;
      this.posted.set(slot, run);
      posted++;
    }
    if (posted === 0) return;
    this.unposted.splice(0, posted);
    this.bell.ring(posted);
  }

  /** Takes the replies that are there, and waits for the next. */
  private listen(): void {
    while (!this.isListening && this.posted.size > 0) {
      const seen = this.runs.replies;
      this.take();
      this.post();
      const next = this.posted.size > 0 ? this.runs.nextReply(seen) : undefined;
      if (next === undefined) continue;
      this.isListening = true;
      void next.then(() => {
        this.isListening = false;
        this.listen();
      });
    }
  }

  /** Takes what became of the posted runs. */
  private take(): void {
    for (const [slot, run] of this.posted) {
      const state = this.runs.stateOf(slot);
      if (state === 'under way') continue;
      this.posted.delete(slot);
      this.runs.free(slot);
      if (state === 'answered') for (const pending of run) this.answer(pending);
      else this.tryAgain(run);
    }
  }

  private tryAgain(run: Run): void {
    for (const pending of run) {
      if (pending.isSuspect) {
        this.giveUp(this.ringMemory, pending.offset, new Error('no worker survived it'));
        this.answer(pending);
      } else {
        pending.isSuspect = true;
        this.unposted.push([pending]);
      }
    }
  }

  private giveUp(memory: QueryMemory, offset: number, { message }: Error): void {
    markFailed(memory, offset);
    this.onError(`A request ended two compute workers and is answered 500: ${message}`);
  }

  private answer({ query, offset, resolve, reject }: Pending): void {
    try {
      resolve(query.read(this.ringMemory, offset));
    } catch (error) {
      reject(error);
    }
    this.ring.give(offset);
  }
}
