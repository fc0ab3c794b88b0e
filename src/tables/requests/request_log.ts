// The request log: requests and answers of the last seven days, for `sextant log ID`. An LMDB environment:
//
//   chunks   first logId -> last logId, then up to 256 KiB of records (record.ts), compressed by zstd
//   by time  oldest time, first logId -> length of the chunk: the order of dropping
//
// Two more tables hold what keys have used (usage.ts), and one what they have guessed (guess_table.ts). The root holds
// the format and the counter of log ids (ring.ts). A chunk holds the ids of one block only, and blocks belong to one
// HTTP thread, so chunks of different threads never interleave; a thread's own chunks may overlap by the few requests
// whose replies overtook others.
//
// Compression leaves an eighth: a request of the benchmark with its answer takes 206 bytes instead of 1,607; compressed
// alone it would take 548. It costs the writer thread 3 microseconds a request. Only `sextant log ID` and `sextant
// check` read chunks, and unpack one in half a millisecond.
//
// Privacy is a hard rule: no record older than seven days is ever answered. `prune` drops a chunk an hour before its
// oldest record reaches that age, so a writer that prunes at least once an hour keeps nothing longer. A chunk from more
// than an hour in the future was written under a wrong clock, so its age cannot be known, and it is dropped too. The
// clock itself may have jumped, so whoever prunes names two times (src/writer/retention.ts). The size is limited
// the same way, oldest first; LMDB uses freed pages again.

import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, RootDatabase } from 'lmdb';
import { closeEnvironment, commit, pagesBytes, requireSpace } from '../environment/commit.ts';
import { copyEnvironment, type EnvironmentCopy } from '../environment/open_environment.ts';
import { readSequence, sequenceKey } from '../environment/row.ts';
import { type Chunk, ChunkCompressor, chunksOf, LAST_ID, RECORDS, timeKey, unpackRecords } from './chunk.ts';
import { logTable, openLogEnvironment, readClock, type StoredClock, writeClock } from './environment.ts';
import { GuessTable } from './guess_table.ts';
import {
  type LoggedRequest,
  readHead,
  readRecord,
  recordLength,
  recordLogId,
  recordTimeMs,
  redactRecords,
  reduceRecords,
} from './record.ts';
import { LOG_BLOCK_IDS, LogBlocks } from './ring.ts';
import { UsageTable } from './usage.ts';

const HOUR_MS = 3_600_000;
/** Longest that a request is kept, by the specification. */
export const KEEP_MS = 7 * 24 * HOUR_MS;
/** Chunks before the nearest one that are searched for an id: replies overtake each other by less. */
const CHUNKS_BACK = 64;
/** Chunks dropped in one transaction, so that a log unused for a week is not dropped in one piece. */
const DROP_AT_ONCE = 4_096;

/** What the log keeps: whole requests, requests without what was asked and answered (`reduceRecords`), or nothing. */
export type LogKeeping = 'all' | 'reduced' | 'none';

/** Writer thread: the only writer of the folder's request log, and its reader. */
export class RequestLog {
  private readonly root: RootDatabase<Buffer, Buffer>;
  private readonly chunks: Database<Buffer, Buffer>;
  private readonly byTime: Database<Buffer, Buffer>;
  /** The ids that it gives out. */
  readonly blocks: LogBlocks;
  /** What keys have used. */
  readonly usage: UsageTable;
  /** What accounts have guessed. */
  readonly guesses: GuessTable;
  /** What is kept of requests that come from here on; where that is nothing, those before are dropped. */
  keeping: LogKeeping = 'all';
  private readonly compressor = new ChunkCompressor();
  private limitBytes: number;
  private readonly onError: (error: Error) => void;
  private work: Promise<unknown> = Promise.resolve();

  private constructor(root: RootDatabase<Buffer, Buffer>, limitMegabytes: number, onError: (error: Error) => void) {
    this.root = root;
    this.chunks = logTable(root, 'chunks');
    this.byTime = logTable(root, 'by time');
    this.blocks = new LogBlocks(root);
    this.usage = new UsageTable(root);
    this.guesses = new GuessTable(root);
    this.limitBytes = limitMegabytes * 1_048_576;
    this.onError = onError;
  }

  /**
   * Opens or creates the log in `<dataFolder>/requests`.
   * @param limitMegabytes most that the stored requests may take, above 0
   * @param onError called on every failure of `append` and `prune`, which themselves never fail
   * @throws Error when the folder holds something else, another format or a damaged file
   */
  static open(dataFolder: string, limitMegabytes: number, onError: (error: Error) => void): RequestLog {
    const root = openLogEnvironment(join(dataFolder, 'requests'));
    try {
      return new RequestLog(root, limitMegabytes, onError);
    } catch (error) {
      void root.close();
      throw error;
    }
  }

  /** Changes the most that the stored requests may take. @param megabytes above 0 */
  setLimit(megabytes: number): void {
    this.limitBytes = megabytes * 1_048_576;
  }

  /** How long requests are kept. */
  private get keptMs(): number {
    return this.keeping === 'none' ? 0 : KEEP_MS;
  }

  /** Takes a block of log ids for an HTTP thread. See `LogBlocks.allocate`. */
  allocateBlock(): Promise<number> {
    return this.blocks.allocate();
  }

  /** Bytes that the stored requests take, in whole pages. */
  get storedBytes(): number {
    this.root.resetReadTxn();
    return pagesBytes(this.chunks) + pagesBytes(this.byTime);
  }

  /**
   * Stores the records of some rings and the usage that they show in one transaction, with keys blanked out.
   * @param runs what `LogConsumer.drain` returned for each; the log changes them, and nobody else may until the promise
   *   resolves
   * @returns resolves when they are committed, or lost and reported to `onError`. Wait for it before the next call:
   *   then a slow disk fills the rings and not the memory
   */
  append(...runs: Uint8Array[]): Promise<void> {
    return this.enqueue(async () => {
      const values: { chunk: Chunk; value: Buffer }[] = [];
      const counted = this.usage.count(runs);
      for (const run of runs) redactRecords(run);
      for (const chunk of this.kept(runs).flatMap(chunksOf))
        values.push({ chunk, value: await this.chunkValue(chunk) });
      requireSpace(this.root, 'The request log');
      await commit(this.root, 'The request log', () => {
        for (const each of values) this.put(each);
        this.usage.write(counted);
      });
      await this.keepWithinLimit();
    });
  }

  /** The runs without what is not kept. */
  private kept(runs: Uint8Array[]): Uint8Array[] {
    if (this.keeping === 'none') return [];
    return this.keeping === 'all' ? runs : runs.map(reduceRecords);
  }

  /**
   * Drops chunks that are too old. Call it at the start and at least once an hour.
   * @param earliestMs and `latestMs`: the earliest and the latest time that it may be, milliseconds since 1970
   * @returns resolves when that is committed, or reported to `onError`
   */
  prune(earliestMs: number, latestMs = earliestMs): Promise<void> {
    return this.enqueue(async () => {
      await this.dropBetween(0, earliestMs - this.keptMs + HOUR_MS);
      await this.dropBetween(latestMs + HOUR_MS, Number.MAX_SAFE_INTEGER);
      await this.usage.prune(earliestMs);
    });
  }

  /** What retention knew of the time when the service last ran, if it did. */
  get clock(): StoredClock | undefined {
    this.root.resetReadTxn();
    return readClock(this.root);
  }

  /** Stores what it knows now. @returns resolves as `prune` */
  keepClock(clock: StoredClock): Promise<void> {
    return this.enqueue(() => commit(this.root, 'The clock of retention', () => writeClock(this.root, clock)));
  }

  /**
   * One logged request; undefined when this id has none, or none any more.
   * @param nowMs milliseconds since 1970
   * @throws Error when its chunk is damaged
   */
  get(logId: number, nowMs: number): LoggedRequest | undefined {
    if (!(Number.isSafeInteger(logId) && logId > 0)) return undefined;
    this.root.resetReadTxn();
    const block = sequenceKey(logId - (logId % LOG_BLOCK_IDS));
    for (const key of [...this.chunks.getKeys({ start: sequenceKey(logId), reverse: true, limit: CHUNKS_BACK })]) {
      if (Buffer.compare(key, block) < 0) return undefined;
      const value = this.chunks.getBinary(key)!;
      const lastId = value.length < RECORDS ? 0 : value.readDoubleLE(LAST_ID);
      if (!(lastId >= readSequence(key)))
        throw new Error(`The request log is damaged at the requests from ${readSequence(key)} on.`);
      if (lastId < logId) continue;
      const found = findRecord(value, logId, nowMs, this.keptMs);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /**
   * Takes requests out that are stored by now, with whatever else their records hold, one chunk after the other between
   * other work. Usage stays.
   * @returns how many, when that is committed
   * @throws Error when a chunk is damaged, or cannot be written
   */
  async forget(isForgotten: (head: ReturnType<typeof readHead>, logId: number) => boolean): Promise<number> {
    const keys = await this.inTurn(async () => {
      this.root.resetReadTxn();
      return [...this.byTime.getKeys()].map(key => Buffer.from(key));
    });
    let removed = 0;
    for (const key of keys) {
      removed += await this.inTurn(() => this.forgetInChunk(key, isForgotten));
      await nextTurn();
    }
    return removed;
  }

  private async forgetInChunk(
    timeKeyOfChunk: Buffer,
    isForgotten: Parameters<RequestLog['forget']>[0],
  ): Promise<number> {
    this.root.resetReadTxn();
    const value = this.chunks.getBinary(timeKeyOfChunk.subarray(8));
    this.root.resetReadTxn();
    if (value === undefined) return 0;
    const records = unpackRecords(value, 'The request log is damaged');
    const view = new DataView(records.buffer, records.byteOffset, records.byteLength);
    const kept: Buffer[] = [];
    let removed = 0;
    for (let at = 0, length = 0; at < records.length; at += length) {
      length = recordLength(view, at);
      if (isForgotten(readHead(view, at), recordLogId(view, at))) removed++;
      else kept.push(records.subarray(at, at + length));
    }
    if (removed === 0) return 0;
    const values: { chunk: Chunk; value: Buffer }[] = [];
    for (const chunk of chunksOf(Buffer.concat(kept))) values.push({ chunk, value: await this.chunkValue(chunk) });
    await commit(this.root, 'The request log', () => {
      void this.chunks.remove(timeKeyOfChunk.subarray(8));
      void this.byTime.remove(timeKeyOfChunk);
      for (const each of values) this.put(each);
    });
    return removed;
  }

  private put({ chunk, value }: { chunk: Chunk; value: Buffer }): void {
    void this.chunks.put(sequenceKey(chunk.firstId), value);
    void this.byTime.put(timeKey(chunk.oldestMs, chunk.firstId), lengthValue(value.length));
  }

  /** Begins a copy of the log. */
  copyTo(folder: string): EnvironmentCopy {
    return copyEnvironment(this.root, folder);
  }

  /** Waits for pending writes and closes the environment. */
  async close(): Promise<void> {
    await this.work;
    this.compressor.close();
    await closeEnvironment(this.root);
  }

  /** Runs one piece of work after the other. A failure is reported, and the next one runs. */
  private enqueue(work: () => Promise<void>): Promise<void> {
    return this.inTurn(work).catch((error: Error) =>
      this.onError(new Error(`The request log lost something: ${error.message}`, { cause: error })),
    );
  }

  /** The same for work whose failure is the caller's. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.work.then(work);
    this.work = Promise.allSettled([done]);
    return done;
  }

  private async chunkValue({ run, start, end, lastId }: Chunk): Promise<Buffer> {
    const value = await this.compressor.compress(run.subarray(start, end), RECORDS);
    value.writeDoubleLE(lastId, LAST_ID);
    return value;
  }

  private async keepWithinLimit(): Promise<void> {
    for (let excess = this.storedBytes - this.limitBytes; excess > 0; excess = this.storedBytes - this.limitBytes) {
      const oldest: Buffer[] = [];
      for (const { key, value } of this.byTime.getRange({ limit: DROP_AT_ONCE })) {
        oldest.push(Buffer.from(key));
        excess -= value.readUInt32LE(0);
        if (excess <= 0) break;
      }
      if (oldest.length === 0) return;
      await this.drop(oldest);
    }
  }

  private async dropBetween(fromMs: number, toMs: number): Promise<void> {
    const range = { start: timeKey(fromMs, 0), end: timeKey(toMs, 0), limit: DROP_AT_ONCE };
    for (;;) {
      this.root.resetReadTxn();
      const keys = [...this.byTime.getKeys(range)].map(key => Buffer.from(key));
      if (keys.length === 0) return;
      await this.drop(keys);
    }
  }

  private async drop(timeKeys: Buffer[]): Promise<void> {
    await commit(this.root, 'The request log', () => {
      for (const key of timeKeys) {
        void this.chunks.remove(key.subarray(8));
        void this.byTime.remove(key);
      }
    });
  }
}

function findRecord(value: Buffer, logId: number, nowMs: number, keepMs: number): LoggedRequest | undefined {
  const records = unpackRecords(value, `The request log is damaged where request ${logId} should be`);
  const view = new DataView(records.buffer, records.byteOffset, records.byteLength);
  for (let at = 0; at < records.length; at += recordLength(view, at)) {
    if (recordLogId(view, at) !== logId) continue;
    return nowMs - recordTimeMs(view, at) < keepMs ? readRecord(records, view, at) : undefined;
  }
  return undefined;
}

function lengthValue(bytes: number): Buffer {
  const value = Buffer.allocUnsafe(4);
  value.writeUInt32LE(bytes);
  return value;
}
