// The observation log: every accepted report, in the order of arrival. What Sextant learns is a function of this log, so the log is append-only and holds a
// report once, however often it is sent. It is an LMDB environment at <folder>/observations:
//
//   reports     sequence u64 BE -> received f64 ms, identity, record (report.ts), without its zeros (zero_packing.ts)
//   identities  identity        -> sequence f64, received f64 ms
//   retired     sequence u64 BE -> received f64 ms, identity: of dropped reports
//   meta        "format", "next" sequence, highest sequence "dropped"
//
// A report without a time of its own counts once in 24 hours: a client that sends the same surroundings a day later has observed them again. An identity
// stays as long as its report, and at least a week, so that late repetitions are recognised.
//
// A batch, and the batches waiting with it, are one transaction. No state lives outside it, so a failed transaction leaves no gap.

import { join } from 'node:path';
import type { Database, RootDatabase } from 'lmdb';
import type { Retention } from '../../config/values.ts';
import type { Durability } from '../../config.ts';
import { closeEnvironment, commit, requireSpace } from '../environment/commit.ts';
import { copyEnvironment, type EnvironmentCopy } from '../environment/copy_environment.ts';
import { DROPPED_KEY, NEXT_KEY, numbers, openObservationEnvironment, readSequence, sequenceKey } from './environment.ts';
import { decodeReport, type PackedReport, type Report, unpackReports } from './report.ts';
import { unpackZeros } from './zero_packing.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Time in which a report without a time of its own counts once. */
const UNTIMED_MS = DAY_MS;
/** Least time that an identity is kept. */
const IDENTITY_MS = 7 * DAY_MS;
/** A report received further in the future came under a wrong clock, so its age cannot be known; it counts as old. */
const CLOCK_ERROR_MS = HOUR_MS;
/** Rows dropped in one transaction, so that appends get in between. */
const DROP_AT_ONCE = 1_000;

const WHAT = 'The observation log';

// The head of a report's value.
const RECEIVED = 0; // f64
/** Byte at which a report's value has its identity, 16 bytes. */
export const HEAD_IDENTITY = 8;
/** Bytes in front of the record in a report's value: time of arrival and identity. */
export const HEAD_BYTES = 24;

/** Bytes of an identity's row: sequence and time of arrival. */
const IDENTITY_ROW_BYTES = 16;

type Rows = Database<Buffer, Buffer>;

/** The result of appending a batch. */
interface Appended {
  /** Reports that are new. */
  accepted: number;
  /** Reports that were there already, or came twice in the batch. */
  duplicates: number;
  /** Of the last report in the log, 0 when there was never one. */
  lastSequence: number;
}

/** A report in the log. */
export interface LoggedReport {
  /** From 1, without gaps but for those that retention leaves at the start. */
  sequence: number;
  /** Time of arrival, milliseconds since 1970. */
  receivedMs: number;
  report: Report;
}

/** The log as its owner sees it: the writer thread, or a command that owns the data folder. */
export class ObservationLog {
  private readonly root: RootDatabase<Buffer, Buffer>;
  private readonly reports: Rows;
  private readonly identities: Rows;
  private readonly retired: Rows;
  private readonly meta: Rows;
  private readonly durability: Durability;

  /**
   * Opens or creates the log in `<dataFolder>/observations`.
   * @param durability when an append counts as done: after its commit, or also after its flush to the disk
   * @throws Error when the folder holds something else, a newer format or a damaged file
   */
  constructor(dataFolder: string, durability: Durability) {
    const { root, tables } = openObservationEnvironment(join(dataFolder, 'observations'));
    this.root = root;
    this.reports = tables.reports;
    this.identities = tables.identities;
    this.retired = tables.retired;
    this.meta = tables.meta;
    this.durability = durability;
  }

  /**
   * Appends the reports that the log does not hold yet, all or none.
   * @param packed from `packReports`
   * @param receivedMs time of arrival, milliseconds since 1970
   * @returns resolves when it is committed, or also flushed
   * @throws Error when the buffer is damaged or the disk does not take it; then nothing was changed
   */
  async append(packed: Uint8Array, receivedMs: number): Promise<Appended> {
    const batch = [...unpackReports(packed)];
    requireSpace(this.root, WHAT);
    return commit(this.root, WHAT, () => this.appendInTransaction(batch, receivedMs), this.durability === 'flush');
  }

  private appendInTransaction(batch: readonly PackedReport[], receivedMs: number): Appended {
    const first = this.next();
    let sequence = first;
    for (const packed of batch) {
      const identity = Buffer.from(packed.identity.buffer, packed.identity.byteOffset, packed.identity.byteLength);
      const known = this.identities.getBinary(identity);
      if (known !== undefined && (packed.isTimed || receivedMs - decodeIdentity(known).receivedMs < UNTIMED_MS)) continue;
      this.identities.putSync(identity, numbers(sequence, receivedMs));
      this.reports.putSync(sequenceKey(sequence), reportValue(packed, receivedMs), { append: true }); // fills pages to the end
      sequence++;
    }
    if (sequence > first) this.meta.putSync(NEXT_KEY, numbers(sequence));
    return { accepted: sequence - first, duplicates: batch.length - (sequence - first), lastSequence: sequence - 1 };
  }

  /**
   * Reports in order of their sequence, with sequences from `fromSequence` on, at most `limit`.
   * @throws Error when one is damaged
   */
  read(fromSequence: number, limit: number): LoggedReport[] {
    return this.fresh(() => {
      const found: LoggedReport[] = [];
      for (const { key, value } of this.reports.getRange({ start: sequenceKey(fromSequence), limit })) found.push(readRow(key, value));
      return found;
    });
  }

  /** Sequence of the oldest report that is kept; the next one's when none is. */
  get firstSequence(): number {
    return this.fresh(() => {
      for (const key of this.reports.getKeys({ limit: 1 })) return readSequence(key);
      return this.next();
    });
  }

  /** Sequence of the youngest report that was ever appended, 0 when none was. */
  get lastSequence(): number {
    return this.fresh(() => this.next() - 1);
  }

  /** Highest sequence that retention has dropped, 0 when it never has: replay from the log alone is possible only then. */
  get droppedThrough(): number {
    return this.fresh(() => this.meta.getBinary(DROPPED_KEY)!.readDoubleLE(0));
  }

  /** Reports that are kept. */
  get count(): number {
    return this.fresh(() => (this.reports.getStats() as { entryCount: number }).entryCount);
  }

  /**
   * Drops reports past their retention, never one that is not aggregated yet, and identities that nobody will send again.
   * @param keep days count from the arrival
   * @param aggregatedThrough highest sequence whose effects are stored in the station tables
   * @param nowMs milliseconds since 1970
   * @returns reports dropped, when that is committed
   */
  async prune(keep: Retention, aggregatedThrough: number, nowMs: number): Promise<number> {
    let dropped = 0;
    for (let more = keep !== 'forever'; more; ) {
      const some = await commit(this.root, WHAT, () =>
        this.dropReports(keep === 'aggregated' ? 0 : Number(keep) * DAY_MS, aggregatedThrough, nowMs),
      );
      dropped += some;
      more = some === DROP_AT_ONCE;
    }
    while ((await commit(this.root, WHAT, () => this.dropRetired(nowMs))) === DROP_AT_ONCE);
    return dropped;
  }

  private dropReports(keepMs: number, aggregatedThrough: number, nowMs: number): number {
    const due: { key: Buffer; head: Buffer }[] = [];
    for (const { key, value } of this.reports.getRange({ end: sequenceKey(aggregatedThrough + 1), limit: DROP_AT_ONCE })) {
      if (!isPast(value, keepMs, nowMs)) break;
      due.push({ key: Buffer.from(key), head: Buffer.from(value.subarray(0, HEAD_BYTES)) });
    }
    for (const { key, head } of due) {
      this.reports.removeSync(key);
      if (isPast(head, IDENTITY_MS, nowMs)) this.forget(key, head);
      else this.retired.putSync(key, head);
    }
    if (due.length > 0) this.meta.putSync(DROPPED_KEY, numbers(readSequence(due[due.length - 1].key)));
    return due.length;
  }

  private dropRetired(nowMs: number): number {
    const due: { key: Buffer; head: Buffer }[] = [];
    for (const { key, value } of this.retired.getRange({ limit: DROP_AT_ONCE })) {
      if (!isPast(value, IDENTITY_MS, nowMs)) break;
      due.push({ key: Buffer.from(key), head: Buffer.from(value) });
    }
    for (const { key, head } of due) {
      this.retired.removeSync(key);
      this.forget(key, head);
    }
    return due.length;
  }

  /** Drops an identity, unless a later report without a time has taken it over. */
  private forget(key: Buffer, head: Buffer): void {
    const identity = head.subarray(HEAD_IDENTITY, HEAD_BYTES);
    const known = this.identities.getBinary(identity);
    if (known !== undefined && decodeIdentity(known).sequence === readSequence(key)) this.identities.removeSync(identity);
  }

  /** Begins a copy of the log. */
  copyTo(folder: string): EnvironmentCopy {
    return copyEnvironment(this.root, folder);
  }

  /** Waits for pending writes and closes the environment. */
  close(): Promise<void> {
    return closeEnvironment(this.root);
  }

  private next(): number {
    return this.meta.getBinary(NEXT_KEY)!.readDoubleLE(0);
  }

  /** Reads the latest commit, and holds no snapshot afterwards. */
  private fresh<T>(action: () => T): T {
    this.root.resetReadTxn();
    try {
      return action();
    } finally {
      this.root.resetReadTxn();
    }
  }
}

/** Decodes the row of an identity. @throws Error when it is damaged */
export function decodeIdentity(row: Buffer): { sequence: number; receivedMs: number } {
  if (row.length !== IDENTITY_ROW_BYTES)
    throw new Error(`The row of an identity is damaged: it has ${row.length} bytes instead of ${IDENTITY_ROW_BYTES}.`);
  const sequence = row.readDoubleLE(0);
  const receivedMs = row.readDoubleLE(8);
  if (!(Number.isSafeInteger(sequence) && sequence > 0))
    throw new Error(`The row of an identity is damaged: the number ${sequence} of its report is none.`);
  if (!Number.isFinite(receivedMs)) throw new Error('The row of an identity is damaged: it has no time of arrival.');
  return { sequence, receivedMs };
}

/** Decodes the value of a report. @throws Error when it is damaged */
export function decodeReportValue(value: Buffer): Omit<LoggedReport, 'sequence'> {
  if (value.length <= HEAD_BYTES) throw new Error(`The record of a report is damaged: it has ${value.length} bytes.`);
  const receivedMs = value.readDoubleLE(RECEIVED);
  if (!Number.isFinite(receivedMs)) throw new Error('The record of a report is damaged: it has no time of arrival.');
  return { receivedMs, report: decodeReport(unpackZeros(value.subarray(HEAD_BYTES))) };
}

function readRow(key: Buffer, value: Buffer): LoggedReport {
  const sequence = readSequence(key);
  try {
    return { sequence, ...decodeReportValue(value) };
  } catch (error) {
    throw new Error(`The observation log is damaged at report ${sequence}: ${(error as Error).message} Restore it from a backup.`, {
      cause: error,
    });
  }
}

/** Encodes the value of a report. */
export function reportValue({ identity, record }: PackedReport, receivedMs: number): Buffer {
  const value = Buffer.allocUnsafe(HEAD_BYTES + record.length);
  value.writeDoubleLE(receivedMs, RECEIVED);
  value.set(identity, HEAD_IDENTITY);
  value.set(record, HEAD_BYTES);
  return value;
}

function isPast(head: Buffer, keepMs: number, nowMs: number): boolean {
  const ageMs = nowMs - (head.length < HEAD_BYTES ? 0 : head.readDoubleLE(RECEIVED));
  return !(ageMs < keepMs && ageMs > -CLOCK_ERROR_MS);
}
