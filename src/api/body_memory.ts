// The memory that bodies of requests take, over all HTTP threads, and the ceiling that an operator may set for the
// whole process. A body counts from its arrival until its request has been answered, as received and again as inflated,
// times what parsing and answering it takes. Small bodies do not count.
//
// The room for bodies is the ceiling less what the service takes without them. A body that does not fit is refused
// (503) before it is kept. V8 does not see shared memory, in which large bodies lie, so bodies also count as garbage
// once they are answered, and under a ceiling the thread collects it early.

import type { Config } from '../config.ts';
import type { Garbage } from '../pool/garbage.ts';
import { ApiError, ERRORS } from '../protocol/errors.ts';

const MEGABYTE = 1_048_576;
/** Bodies up to this size do not count. */
const FREE_BYTES = 65_536;
/** The counters hold kilobytes, because bytes would not fit. */
const UNIT_BYTES = 1024;
/**
 * Memory that a body takes until it is answered, as a multiple of its size. Measured: 3 to 5 for several positions of 8
 * MB at once, 6 for a batch of 30 MB.
 */
const BODY_FACTOR = 6;
// What the service takes without bodies, rounded up from measurements, with the garbage that threads leave between two
// collections.
const PROCESS_MEGABYTES = 240;
/**
 * An HTTP thread, its log ring and its worker for heavy work, which takes 100 MB while it parses a position of 8 MB.
 */
const HTTP_THREAD_MEGABYTES = 160;
/** A query worker and a worker for tasks. */
const WORKERS_MEGABYTES = 80;

/**
 * The room for bodies under the operator's ceiling.
 * @returns bytes; undefined without a ceiling
 * @throws Error that says how much is needed, when the ceiling leaves no room for a body of the largest size
 */
export function bodyRoom(
  config: Pick<
    Config,
    'maxMemoryMegabytes' | 'cacheMegabytes' | 'httpThreads' | 'workers' | 'compute' | 'maxBodyMegabytes'
  >,
): number | undefined {
  const { maxMemoryMegabytes, cacheMegabytes, httpThreads, workers, compute, maxBodyMegabytes } = config;
  if (maxMemoryMegabytes === undefined) return undefined;
  const workerMegabytes = compute === 'inline' ? 0 : workers * WORKERS_MEGABYTES;
  const rest = PROCESS_MEGABYTES + cacheMegabytes + httpThreads * HTTP_THREAD_MEGABYTES + workerMegabytes;
  const needed = rest + 2 * maxBodyMegabytes * BODY_FACTOR;
  if (maxMemoryMegabytes < needed) {
    throw new Error(
      `A ceiling of ${maxMemoryMegabytes} MB of memory is too low: cache and threads need ${rest} MB, and a ` +
        `body of ${maxBodyMegabytes} MB needs ${needed - rest} MB more. Give --max-memory at least ${needed}, or ` +
        `lower --cache-mb, --http-threads, --workers or --max-body-mb.`,
    );
  }
  return (maxMemoryMegabytes - rest) * MEGABYTE;
}

/** Bytes that bodies take over all HTTP threads. @param counters as `BodyMemory` has them */
export function bodyBytes(counters: Int32Array): number {
  let units = 0;
  for (let i = 0; i < counters.length; i++) units += Atomics.load(counters, i);
  return units * UNIT_BYTES;
}

/** Counts the memory of bodies; one instance for each HTTP thread. */
export class BodyMemory {
  private readonly counters: Int32Array;
  private readonly index: number;
  private readonly roomBytes: number;
  private readonly garbage: Garbage;
  private readonly hasCeiling: boolean;

  /**
   * @param counters an Int32 for each HTTP thread, the same in all threads
   * @param index of this thread; what a thread held that died counts no more
   * @param roomBytes from `bodyRoom`
   * @param garbage of this thread; grows by each body that is answered, and is collected early where there is a ceiling
   */
  constructor(counters: SharedArrayBuffer, index: number, roomBytes: number | undefined, garbage: Garbage) {
    this.counters = new Int32Array(counters);
    this.index = index;
    this.roomBytes = roomBytes ?? Number.POSITIVE_INFINITY;
    this.garbage = garbage;
    this.hasCeiling = roomBytes !== undefined;
    Atomics.store(this.counters, index, 0);
  }

  /** Bytes taken over all threads. */
  get takenBytes(): number {
    return bodyBytes(this.counters);
  }

  /** Starts to count the body of a request. */
  hold(): BodyHold {
    return new BodyHold(this);
  }

  /** @returns false when there is no room; then nothing was taken */
  take(units: number): boolean {
    Atomics.add(this.counters, this.index, units);
    if (this.takenBytes <= this.roomBytes) return true;
    Atomics.sub(this.counters, this.index, units);
    return false;
  }

  /** Gives back what was taken. */
  give(units: number): void {
    Atomics.sub(this.counters, this.index, units);
    this.garbage.drop((units * UNIT_BYTES) / BODY_FACTOR);
    if (this.hasCeiling) this.garbage.collectBuffers();
  }
}

/** The memory of one request's body. */
export class BodyHold {
  private readonly memory: BodyMemory;
  private units = 0;

  /** @param memory of the thread */
  constructor(memory: BodyMemory) {
    this.memory = memory;
  }

  /**
   * Takes memory for a body that has grown to so many bytes.
   * @param bytes as received and as inflated together
   * @throws ApiError backendError when there is no room
   */
  growTo(bytes: number): void {
    if (bytes <= FREE_BYTES) return;
    const units = Math.ceil((bytes * BODY_FACTOR) / UNIT_BYTES) - this.units;
    if (units <= 0) return;
    if (!this.memory.take(units)) throw new ApiError(ERRORS.backendError);
    this.units += units;
  }

  /** Gives all back. May be called again. */
  release(): void {
    if (this.units > 0) this.memory.give(this.units);
    this.units = 0;
  }
}
