// Searches the request log, also while a service writes it. Chunks are unpacked from the latest back, a third of a
// millisecond each, and their records compared by their heads, so nothing is parsed but what is found. The reader is a
// process of its own: the writer thread has other things to do.
//
// Chunks are found by the arrival of their oldest request. A request is logged when it is answered, so a chunk may
// begin with one that took an hour, which is the longest that any may take, and go on with others that arrived a moment
// ago.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, RootDatabase } from 'lmdb';
import { closeEnvironment } from '../environment/commit.ts';
import { BINARY, DATA_FILE } from '../environment/environment_file.ts';
import { readSequence } from '../environment/row.ts';
import { timeKey, unpackRecords } from './chunk.ts';
import { openLogEnvironment } from './environment.ts';
import {
  isOfDevice,
  LOG_ROUTES,
  type LoggedRequest,
  readHead,
  readRecord,
  recordLength,
  recordLogId,
} from './record.ts';
import { KEEP_MS } from './request_log.ts';

/** The requests of a chunk arrived within this: an hour, and another for a writer that was kept from storing them. */
const SPAN_MS = 2 * 3_600_000;
const CHUNKS_A_REPORT = 100;

/** Which requests are looked for; an absent member says nothing. */
export interface RequestFilter {
  /** Number of the key. */
  account?: number | undefined;
  device?: string | undefined;
  /** Lowest and highest HTTP status. */
  status?: readonly [number, number] | undefined;
  route?: string | undefined;
  /** Milliseconds since 1970; arrivals from here on. */
  fromMs?: number | undefined;
  /** Arrivals before. */
  toMs?: number | undefined;
  /** Has a word on a head that fits, before the rest of the record is parsed. */
  isWanted?: ((head: Head) => boolean) | undefined;
}

/**
 * Where a page of requests ends: requests of this chunk with smaller numbers and those of the chunks before it come
 * next.
 */
export interface PageEnd {
  /** Of the chunk. */
  oldestMs: number;
  firstId: number;
  logId: number;
}

/** The most that a page may hold and cost. */
interface PageLimits {
  requests: number;
  /** Of records, unpacked. */
  bytes: number;
  /** Of work. */
  milliseconds: number;
}

/** A page of requests. */
interface Page {
  /** Those that were stored last come first. */
  requests: LoggedRequest[];
  /** Where the next page begins; undefined where all is searched. */
  end: PageEnd | undefined;
}

/** Reads the log of a data folder. */
export class RequestSearch {
  private readonly root: RootDatabase<Buffer, Buffer>;
  private readonly chunks: Database<Buffer, Buffer>;
  private readonly byTime: Database<Buffer, Buffer>;
  /** Keys of chunks that the last call has met, as text. */
  private seen = new Set<string>();

  /** @returns undefined when the folder has no log yet @throws Error when it cannot be used */
  static open(dataFolder: string): RequestSearch | undefined {
    const path = join(dataFolder, 'requests');
    return existsSync(join(path, DATA_FILE)) ? new RequestSearch(openLogEnvironment(path)) : undefined;
  }

  private constructor(root: RootDatabase<Buffer, Buffer>) {
    this.root = root;
    this.chunks = root.openDB({ name: 'chunks', ...BINARY });
    this.byTime = root.openDB({ name: 'by time', ...BINARY });
  }

  /**
   * The latest requests that fit, in order of arrival.
   * @param limit most of them, at least 1
   * @param onProgress called with the chunks searched, and with all that there are
   * @param nowMs milliseconds since 1970; nothing is found that is older than the log keeps
   * @throws Error when a chunk is damaged
   */
  latest(
    filter: RequestFilter,
    limit: number,
    nowMs: number,
    onProgress: (done: number, total: number) => void,
  ): LoggedRequest[] {
    const found: LoggedRequest[] = [];
    const { entryCount } = this.byTime.getStats() as { entryCount: number };
    // What is there now is not what `added` looks for, also where the limit ends the search before it.
    for (const key of this.keysBetween(Math.max(0, nowMs - SPAN_MS), nowMs + SPAN_MS, false))
      this.seen.add(key.toString('hex'));
    let searched = 0;
    const fromMs = Math.max(0, (filter.fromMs ?? 0) - SPAN_MS);
    for (const key of this.keysBetween(fromMs, filter.toMs ?? nowMs + SPAN_MS, true)) {
      this.seen.add(key.toString('hex'));
      found.push(...this.matching(key, nowMs, head => fits(head, filter)).found);
      if (++searched % CHUNKS_A_REPORT === 0) onProgress(searched, entryCount);
      if (found.length >= limit) break;
    }
    return inOrder(found).slice(-limit);
  }

  /**
   * Requests that fit and were stored since the last call of `latest` or of this. @throws Error when a chunk is damaged
   */
  added(filter: RequestFilter, nowMs: number): LoggedRequest[] {
    const found: LoggedRequest[] = [];
    const seen = new Set<string>();
    for (const key of this.keysBetween(Math.max(0, nowMs - SPAN_MS), nowMs + SPAN_MS, false)) {
      const name = key.toString('hex');
      seen.add(name);
      if (!this.seen.has(name)) found.push(...this.matching(key, nowMs, head => fits(head, filter)).found);
    }
    this.seen = seen;
    return inOrder(found);
  }

  /**
   * The latest requests that fit, chunk by chunk from the latest back, until the page is full or has cost enough. Gives
   * way to other work after each chunk.
   * @param accepts has the last word on a request that fits
   * @param before the end of the page before
   * @throws Error when a chunk is damaged
   */
  async page(
    filter: RequestFilter,
    accepts: (request: LoggedRequest) => boolean,
    limits: PageLimits,
    nowMs: number,
    before: PageEnd | undefined,
  ): Promise<Page> {
    const requests: LoggedRequest[] = [];
    const earliest = timeKey(Math.max(0, (filter.fromMs ?? nowMs - KEEP_MS) - SPAN_MS), 0);
    const latestMs = Math.min(filter.toMs ?? Number.POSITIVE_INFINITY, nowMs + SPAN_MS);
    let start = before === undefined ? timeKey(latestMs, 0) : timeKey(before.oldestMs, before.firstId);
    let belowId = before?.logId ?? Number.MAX_SAFE_INTEGER;
    const left = { ...limits };
    for (;;) {
      // A snapshot must not stay open while others work.
      this.root.resetReadTxn();
      const [key] = [...this.byTime.getKeys({ start, end: earliest, reverse: true, limit: 1 })].map(found =>
        Buffer.from(found),
      );
      if (key === undefined) return { requests, end: undefined };
      const begunMs = performance.now();
      const { found, bytes } = this.matching(key, nowMs, (head, logId) => logId < belowId && fits(head, filter));
      const next = found
        .filter(accepts)
        .sort((a, b) => b.logId - a.logId)
        .slice(0, limits.requests - requests.length);
      requests.push(...next);
      left.bytes -= bytes;
      left.milliseconds -= performance.now() - begunMs;
      const [oldestMs, firstId] = [readSequence(key), readSequence(key.subarray(8))];
      if (requests.length === limits.requests)
        return { requests, end: { oldestMs, firstId, logId: next.at(-1)!.logId } };
      // This chunk is searched to its end.
      belowId = Number.MAX_SAFE_INTEGER;
      if (left.bytes <= 0 || left.milliseconds <= 0)
        return { requests, end: { oldestMs, firstId: firstId - 1, logId: belowId } };
      start = timeKey(oldestMs, firstId - 1);
      await nextTurn();
    }
  }

  close(): Promise<void> {
    return closeEnvironment(this.root);
  }

  /** Keys of `by time`, in a fresh snapshot. */
  private keysBetween(fromMs: number, toMs: number, reverse: boolean): Iterable<Buffer> {
    this.root.resetReadTxn();
    const [from, to] = [timeKey(fromMs, 0), timeKey(toMs, 0)];
    return this.byTime
      .getKeys(reverse ? { start: to, end: from, reverse } : { start: from, end: to })
      .map(key => Buffer.from(key));
  }

  /** The requests of a chunk that fit, and the bytes of all of its records. */
  private matching(
    key: Buffer,
    nowMs: number,
    fitting: (head: Head, logId: number) => boolean,
  ): { found: LoggedRequest[]; bytes: number } {
    const value = this.chunks.getBinary(key.subarray(8));
    // The writer may have dropped it.
    if (value === undefined) return { found: [], bytes: 0 };
    const records = unpackRecords(value, 'The request log is damaged');
    const view = new DataView(records.buffer, records.byteOffset, records.byteLength);
    const found: LoggedRequest[] = [];
    for (let at = 0; at < records.length; at += recordLength(view, at)) {
      recordLength(view, at); // refuses a record that is damaged
      const head = readHead(view, at);
      if (nowMs - head.timeMs < KEEP_MS && fitting(head, recordLogId(view, at)))
        found.push(readRecord(records, view, at));
    }
    return { found, bytes: records.length };
  }
}

type Head = ReturnType<typeof readHead>;

function fits(head: Head, filter: RequestFilter): boolean {
  const { account, device, status, route, fromMs, toMs, isWanted } = filter;
  if (account !== undefined && head.account !== account) return false;
  if (status !== undefined && (head.status < status[0] || head.status > status[1])) return false;
  if (route !== undefined && (LOG_ROUTES[head.route] ?? 'other') !== route) return false;
  if ((fromMs !== undefined && head.timeMs < fromMs) || (toMs !== undefined && head.timeMs >= toMs)) return false;
  if (device !== undefined && !isOfDevice(head, device)) return false;
  return isWanted === undefined || isWanted(head);
}

/** By arrival, and by number where that is the same. */
function inOrder(requests: LoggedRequest[]): LoggedRequest[] {
  return requests.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : a.logId - b.logId));
}
