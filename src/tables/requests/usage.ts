// What keys have used: requests, answers and credits of each key, day and route, counted from the same records as the
// request log and written in the same transaction. So usage holds exactly the requests that the log was given; a kill
// loses what was still in the rings, which is at most a twentieth of a second. Two tables in the environment of the
// log:
//
//   usage day u32, account u32, route u8 -> five doubles: requests, answers, credits, devices, last request
//   usage devices  day u32, account u32, route u8, device 8 bytes  -> nothing (the device was seen)
//
// Days are those of the arrival, UTC. Devices are hashed, and their rows go once their day is over; the number stays.
// Usage is kept for 400 days, so it takes at most 400 rows of about 60 bytes for each key and route.

import { hash } from 'node:crypto';
import type { Database, RootDatabase } from 'lmdb';
import { commit } from '../environment/commit.ts';
import { f64, Row, u8, u32Key } from '../environment/row.ts';
import { logTable } from './environment.ts';
import { LOG_ROUTES, readHead, recordLength } from './record.ts';

/** For how many days usage is kept: a year, and a month to write the bill. */
const KEPT_DAYS = 400;
/** Days whose devices are kept: today, and yesterday for requests around midnight. */
const DEVICE_DAYS = 2;
const DAY_MS = 86_400_000;
const KEY = new Row({ day: u32Key, account: u32Key, route: u8 });
const COUNTS = new Row({ requests: f64, answered: f64, credits: f64, devices: f64, lastMs: f64 });
const DEVICE_BYTES = 8;
/** Devices of which the table is known to have a row. */
const REMEMBERED_DEVICES = 262_144;
/** Rows removed in one transaction. */
const DROP_AT_ONCE = 4_096;
const NOTHING = Buffer.alloc(0);

type Rows = Database<Buffer, Buffer>;

/** What a key has used on one day and route. */
export interface Usage {
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  /** 1..1,048,575. */
  account: number;
  route: string;
  /** All requests, also refused ones. A position of a batch counts as a request, and so does the batch. */
  requests: number;
  /** Requests with a status below 400. */
  answered: number;
  /** Price of what was answered, also for keys that are not prepaid. */
  credits: number;
  /** Distinct device ids. */
  devices: number;
  /** Arrival of the last request, milliseconds since 1970. */
  lastMs: number;
}

/** Numbers of a row. */
type Counts = Omit<Usage, 'day' | 'account' | 'route'>;

/** Usage that is counted and not yet written. */
interface CountedUsage {
  /** By key of the row, as latin1. */
  rows: Map<string, Counts>;
  /** Rows of devices seen for the first time, as latin1. */
  devices: Set<string>;
}

/** The usage tables of the request log. */
export class UsageTable {
  private readonly root: RootDatabase<Buffer, Buffer>;
  private readonly rows: Rows;
  private readonly devices: Rows;
  private readonly remembered = new Set<string>();
  private last = { day: 0, account: 0, route: 0, key: '' };

  /** @param root environment of the request log, opened for writing */
  constructor(root: RootDatabase<Buffer, Buffer>) {
    this.root = root;
    this.rows = logTable(root, 'usage');
    this.devices = logTable(root, 'usage devices');
  }

  /** Counts the requests of some runs of records. Nothing is changed until `write`. */
  count(runs: readonly Uint8Array[]): CountedUsage {
    const counted: CountedUsage = { rows: new Map(), devices: new Set() };
    this.root.resetReadTxn();
    for (const run of runs) {
      const view = new DataView(run.buffer, run.byteOffset, run.byteLength);
      for (let at = 0; at < view.byteLength; at += recordLength(view, at)) this.add(view, at, counted);
    }
    return counted;
  }

  private add(view: DataView, at: number, counted: CountedUsage): void {
    const { account, timeMs, route, status, credits, device } = readHead(view, at);
    if (account === 0) return; // no key, or a wrong one
    const key = this.rowOf(dayOf(timeMs), account, route);
    let counts = counted.rows.get(key);
    if (counts === undefined) {
      counts = this.read(Buffer.from(key, 'latin1')) ?? { requests: 0, answered: 0, credits: 0, devices: 0, lastMs: 0 };
      counted.rows.set(key, counts);
    }
    counts.requests++;
    if (status < 400) counts.answered++;
    counts.credits += credits;
    counts.lastMs = Math.max(counts.lastMs, timeMs);
    if (device !== undefined && this.isNew(key, device, counted)) counts.devices++;
  }

  /** Key of a row, as latin1. Most requests are of the same row as the one before. */
  private rowOf(day: number, account: number, route: number): string {
    const { last } = this;
    if (day !== last.day || account !== last.account || route !== last.route)
      this.last = { day, account, route, key: keyOf(day, account, route).toString('latin1') };
    return this.last.key;
  }

  /** True if a device was not seen before on its day and route; then it counts as seen. */
  private isNew(key: string, device: Buffer, { devices }: CountedUsage): boolean {
    const row = key + hash('sha256', device, 'buffer').toString('latin1', 0, DEVICE_BYTES);
    if (this.remembered.has(row) || devices.has(row)) return false;
    if (!this.devices.doesExist(Buffer.from(row, 'latin1'))) {
      devices.add(row);
      return true;
    }
    this.remember(row);
    return false;
  }

  private remember(row: string): void {
    if (this.remembered.size >= REMEMBERED_DEVICES) this.remembered.clear();
    this.remembered.add(row);
  }

  /** Writes what was counted, in the caller's write transaction. */
  write({ rows, devices }: CountedUsage): void {
    for (const [key, counts] of rows) void this.rows.put(Buffer.from(key, 'latin1'), COUNTS.encode(counts));
    for (const row of devices) void this.devices.put(Buffer.from(row, 'latin1'), NOTHING);
  }

  /**
   * Usage in order of day, account and route.
   * @param fromDay and `toDay`: first and last day, `YYYY-MM-DD`
   * @param after the last row that the caller has; undefined = from the beginning
   * @param limit most rows
   */
  between(fromDay: string, toDay: string, after: Usage | undefined, limit: number): Usage[] {
    const start =
      after === undefined ? keyOf(numberOf(fromDay), 0, 0) : Buffer.concat([keyOfUsage(after), Buffer.alloc(1)]);
    return this.range(start, keyOf(numberOf(toDay) + 1, 0, 0), limit);
  }

  /** Usage of one account on the days that are kept, in order of day and route. */
  of(account: number, nowMs: number): Usage[] {
    const today = dayOf(nowMs);
    const days = Array.from({ length: KEPT_DAYS + 2 }, (_, i) => today - KEPT_DAYS + i);
    return days.flatMap(day => this.range(keyOf(day, account, 0), keyOf(day, account + 1, 0), Number.MAX_SAFE_INTEGER));
  }

  private range(start: Buffer, end: Buffer, limit: number): Usage[] {
    this.root.resetReadTxn();
    return Array.from(this.rows.getRange({ start, end, limit }), ({ key, value }) => usageOf(key, value));
  }

  /** Drops what is kept no longer. Call it at least once a day. */
  async prune(nowMs: number): Promise<void> {
    const today = dayOf(nowMs);
    await this.dropBefore(this.rows, today - KEPT_DAYS);
    await this.dropBefore(this.devices, today - DEVICE_DAYS + 1);
  }

  private async dropBefore(rows: Rows, day: number): Promise<void> {
    for (;;) {
      this.root.resetReadTxn();
      const keys = [...rows.getKeys({ end: keyOf(day, 0, 0), limit: DROP_AT_ONCE })].map(key => Buffer.from(key));
      if (keys.length === 0) return;
      await commit(this.root, 'The usage of keys', () => {
        for (const key of keys) void rows.remove(key);
      });
    }
  }

  private read(key: Buffer): Counts | undefined {
    const value = this.rows.getBinary(key);
    return value === undefined ? undefined : countsOf(value);
  }
}

/**
 * Reads a row.
 * @throws Error when it is none
 */
export function usageOf(key: Buffer, value: Buffer): Usage {
  const parts = KEY.readWhole(key);
  const route = parts && LOG_ROUTES[parts.route];
  if (route === undefined) throw new Error(`A row of the usage of keys is damaged: its key is ${key.toString('hex')}.`);
  const day = new Date(parts!.day * DAY_MS).toISOString().slice(0, 10);
  return { day, account: parts!.account, route, ...countsOf(value) };
}

function countsOf(value: Buffer): Counts {
  const counts = COUNTS.readWhole(value);
  const isSound =
    counts !== undefined &&
    Object.values(counts).every(number => number >= 0 && number <= Number.MAX_SAFE_INTEGER) &&
    counts.answered <= counts.requests &&
    counts.devices <= counts.requests;
  if (!isSound) throw new Error(`A row of the usage of keys is damaged: it holds ${value.toString('hex')}.`);
  return counts;
}

/** Days since 1970-01-01, UTC; days of a clock that is set before that count as its first. */
function dayOf(timeMs: number): number {
  return Math.max(0, Math.floor(timeMs / DAY_MS));
}

function numberOf(day: string): number {
  return dayOf(Date.parse(day));
}

function keyOfUsage({ day, account, route }: Usage): Buffer {
  return keyOf(numberOf(day), account, (LOG_ROUTES as readonly string[]).indexOf(route));
}

function keyOf(day: number, account: number, route: number): Buffer {
  return KEY.encode({ day: Math.max(0, day), account, route });
}
