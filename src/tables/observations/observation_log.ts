// The observation log: every accepted report, in the order of arrival. What Sextant learns is a function of this log,
// so the log is append-only and holds a report once, however often it is sent. It is an LMDB environment at
// <folder>/observations:
//
//   reports     sequence u64 BE -> received f64 ms, identity, record (report.ts), without its zeros (report.ts)
//   identities  identity        -> sequence f64, received f64 ms
//   retired     sequence u64 BE -> received f64 ms, identity: of dropped reports
//   stored      account u32 BE -> bytes of its reports f64 (stored_bytes.ts)
//   meta        "format", "next" sequence, highest sequence "dropped", number of "rewrites"
//   and the sources of imported reports (report_sources.ts)
//
// Only what people ask to have forgotten, and measurements of a source, are ever taken out: then the log is rewritten
// (log_rewrite.ts) into a second set of the first four tables.
//
// A report without a time of its own counts once in 24 hours: a client that sends the same surroundings a day later has
// observed them again. An identity stays as long as its report, and at least a week, so that late repetitions are
// recognised.
//
// A batch, and the batches waiting with it, are one transaction. No state lives outside it, so a failed transaction
// leaves no gap.

import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { RootDatabase } from 'lmdb';
import type { Retention } from '../../config/values.ts';
import type { Durability } from '../../config.ts';
import { StationSet } from '../../radio/query/station_set.ts';
import { closeEnvironment, commit, requireSpace } from '../environment/commit.ts';
import { copyEnvironment, type EnvironmentCopy } from '../environment/open_environment.ts';
import { readSequence, sequenceKey } from '../environment/row.ts';
import {
  DROPPED_KEY,
  encodeNumber,
  metaNumber,
  NEXT_KEY,
  type ObservationTables,
  openObservationEnvironment,
  openReportTables,
  POSITION_KEY,
  pendingCleanup,
  putInForce,
  readMark,
  readRewrites,
  type StreamMark,
  writeMark,
} from './environment.ts';
import { type Forgotten, LogRewrite } from './log_rewrite.ts';
import {
  HEAD_BYTES,
  identityRow,
  isRepeated,
  type LoggedReport,
  readRow,
  reportValue,
  unpackWithout,
} from './log_row.ts';
import { DROP_AT_ONCE, dropReports, dropRetired } from './pruning.ts';
import type { PackedReport } from './report.ts';
import { ReportSources } from './report_sources.ts';
import { ByteSums, bytesOfReport, StoredBytes } from './stored_bytes.ts';
import { beginStream, endStream, markAfter, RecentMarks, type StreamedBatch } from './stream_mark.ts';

const DAY_MS = 86_400_000;

const WHAT = 'The observation log';

/** The result of appending a batch. */
interface Appended {
  /** Reports that are new. */
  accepted: number;
  /** Reports that were there already, or came twice in the batch. */
  duplicates: number;
  /** Of the last report in the log, 0 when there was never one. */
  lastSequence: number;
  /** Nothing was appended, because the new reports would take the account over its limit. */
  isFull?: true;
  /** Observations of stations that opted out, which were left out; absent if there were none. */
  optedOut?: number;
}

/** The log as its owner sees it: the writer thread, or a command that owns the data folder. */
export class ObservationLog {
  private readonly path: string;
  private root!: RootDatabase<Buffer, Buffer>;
  private tables!: ObservationTables;
  private stored!: StoredBytes;
  private readonly durability: Durability;
  private readonly recentMarks = new RecentMarks();
  /** Stations whose owners object: they are taken out of what is appended. */
  optedOut = new StationSet();
  /** How often the log had been rewritten when it was opened here, or with `settle`. */
  rewrites = 0;
  /** The sources of imported reports. */
  sources!: ReportSources;
  private refusal: Error | undefined;
  /** A rewrite is put in force, and what it replaces can be read until it is known to be. */
  private isSettling = false;

  /**
   * Opens or creates the log in `<dataFolder>/observations`.
   * @param durability when an append counts as done: after its commit, or also after its flush to the disk
   * @throws Error when the folder holds something else, another format or a damaged file
   */
  constructor(dataFolder: string, durability: Durability) {
    this.path = join(dataFolder, 'observations');
    this.durability = durability;
    this.open();
  }

  private open(): void {
    const { root, tables } = openObservationEnvironment(this.path);
    this.root = root;
    this.tables = tables;
    this.rewrites = readRewrites(tables.meta);
    this.stored = new StoredBytes(tables.stored);
    this.sources = new ReportSources(root, tables);
  }

  /**
   * Appends the reports that the log does not hold yet, all or none.
   * @param packed from `packReports`
   * @param receivedMs time of arrival, milliseconds since 1970
   * @param source number of the source that it came from, if any; see `ReportSources.begin`
   * @param limitBytes what the reports of the account that sent them, one for all, may take of the disk; without it
   *   there is no limit
   * @param streamed where the batch stands in the stream of a cluster, in which it must be the next one
   * @returns resolves when it is committed, or also flushed
   * @throws Error when the buffer is damaged or the disk does not take it; then nothing was changed
   */
  async append(
    packed: Uint8Array,
    receivedMs: number,
    source?: number,
    limitBytes = Number.POSITIVE_INFINITY,
    streamed?: StreamedBatch,
  ): Promise<Appended> {
    this.requireWritable();
    const { batch, removed } = unpackWithout(packed, this.optedOut);
    requireSpace(this.root, WHAT);
    const write = () => {
      const before = streamed && readMark(this.tables.meta);
      if (streamed !== undefined) this.advance(streamed.position);
      const appended = this.appendInTransaction(batch, receivedMs, source, limitBytes);
      const mark = streamed && markAfter(before, streamed, appended);
      if (mark !== undefined) writeMark(this.tables.meta, mark);
      return { appended, mark };
    };
    const { appended, mark } = await commit(this.root, WHAT, write, this.durability === 'flush');
    if (mark !== undefined) this.recentMarks.add(mark);
    return removed === 0 ? appended : { ...appended, optedOut: removed };
  }

  /** @throws Error when another batch comes before this one */
  private advance(position: number): void {
    const before = metaNumber(this.tables.meta, POSITION_KEY);
    if (before === undefined || position !== before + 1)
      throw new Error(`Reports at position ${position} of the stream came after those at ${before}.`);
    this.tables.meta.putSync(POSITION_KEY, encodeNumber(position));
  }

  /**
   * What `append` would make of a batch now. @returns how many of its reports the log does not hold yet; undefined when
   * they would take their account over its limit
   */
  countNew(packed: Uint8Array, receivedMs: number, limitBytes = Number.POSITIVE_INFINITY): number | undefined {
    const { batch } = unpackWithout(packed, this.optedOut);
    return this.fresh(() =>
      this.exceeds(batch, receivedMs, limitBytes)
        ? undefined
        : batch.filter(report => !this.isKnown(report, receivedMs)).length,
    );
  }

  /**
   * Puts another log in place of this one, which is lost. Nobody may write to the log meanwhile; it can be read at any
   * moment, also by other processes.
   * @param path folder of the other one, on the same disk; it is moved
   * @param away where the folder of this one is moved
   */
  async replaceBy(path: string, away: string): Promise<void> {
    const { root } = this;
    renameSync(this.path, away);
    renameSync(path, this.path);
    this.recentMarks.clear();
    this.open();
    await closeEnvironment(root);
  }

  /** Position in the stream of a cluster through which its reports are in this log; undefined in one that has none. */
  get position(): number | undefined {
    return this.fresh(() => metaNumber(this.tables.meta, POSITION_KEY));
  }

  /** Which batches of a stream these are; undefined where there are none. */
  get streamMark(): StreamMark | undefined {
    return this.fresh(() => readMark(this.tables.meta));
  }

  /** The mark after the batch at a position; undefined where that is not known any more. */
  markAt(position: number): StreamMark | undefined {
    const last = this.streamMark;
    return last?.position === position ? last : this.recentMarks.at(position);
  }

  /**
   * Sets the position, where a log begins to follow a stream, or follows none any more. @param created when the stream
   * was made
   */
  async setPosition(position: number | undefined, created = ''): Promise<void> {
    const { meta } = this.tables;
    const write = () => (position === undefined ? endStream(meta) : beginStream(meta, position, created));
    await commit(this.root, WHAT, write, true);
  }

  private appendInTransaction(
    batch: readonly PackedReport[],
    receivedMs: number,
    source: number | undefined,
    limitBytes: number,
  ): Appended {
    if (this.exceeds(batch, receivedMs, limitBytes))
      return { accepted: 0, duplicates: 0, lastSequence: this.next() - 1, isFull: true };
    const bytes = new ByteSums();
    const named: { identity: Buffer; brought: boolean }[] = [];
    const first = this.next();
    let sequence = first;
    for (const packed of batch) {
      const identity = Buffer.from(packed.identity.buffer, packed.identity.byteOffset, packed.identity.byteLength);
      const isKnown = this.isKnown(packed, receivedMs);
      named.push({ identity, brought: !isKnown });
      if (isKnown) continue;
      this.tables.identities.putSync(identity, identityRow(sequence, receivedMs));
      const value = reportValue(packed, receivedMs);
      this.tables.reports.putSync(sequenceKey(sequence), value, { append: true }); // fills pages to the end
      bytes.add(packed.contributor, value.length);
      sequence++;
    }
    if (sequence > first) this.tables.meta.putSync(NEXT_KEY, encodeNumber(sequence));
    this.stored.add(bytes);
    if (source === undefined) this.sources.addUnnamed(named);
    else this.sources.add(source, named);
    return { accepted: sequence - first, duplicates: batch.length - (sequence - first), lastSequence: sequence - 1 };
  }

  private isKnown({ identity, isTimed }: PackedReport, receivedMs: number): boolean {
    const key = Buffer.from(identity.buffer, identity.byteOffset, identity.byteLength);
    return isRepeated(this.tables.identities.getBinary(key), isTimed, receivedMs);
  }

  /**
   * True if the new reports of a batch would take their account over its limit. One that stands in the batch twice
   * counts twice.
   */
  private exceeds(batch: readonly PackedReport[], receivedMs: number, limitBytes: number): boolean {
    const sum = (reports: readonly PackedReport[]) =>
      reports.reduce((bytes, { record }) => bytes + bytesOfReport(HEAD_BYTES + record.length), 0);
    if (batch.length === 0 || limitBytes === Number.POSITIVE_INFINITY) return false;
    const left = limitBytes - this.stored.of(batch[0].contributor);
    if (sum(batch) <= left) return false;
    const fresh = batch.filter(packed => !this.isKnown(packed, receivedMs));
    return fresh.length > 0 && sum(fresh) > left;
  }

  /**
   * Reports in order of their sequence, with sequences from `fromSequence` on, at most `limit`.
   * @throws Error when one is damaged
   */
  read(fromSequence: number, limit: number): LoggedReport[] {
    return this.fresh(() => {
      const found: LoggedReport[] = [];
      for (const { key, value } of this.tables.reports.getRange({ start: sequenceKey(fromSequence), limit }))
        found.push(readRow(key, value));
      return found;
    });
  }

  /** Sequence of the oldest report that is kept; the next one's when none is. */
  get firstSequence(): number {
    return this.fresh(() => {
      for (const key of this.tables.reports.getKeys({ limit: 1 })) return readSequence(key);
      return this.next();
    });
  }

  /** Sequence of the youngest report that was ever appended, 0 when none was. */
  get lastSequence(): number {
    return this.fresh(() => this.next() - 1);
  }

  /**
   * Highest sequence that retention has dropped, 0 when it never has: replay from the log alone is possible only then.
   */
  get droppedThrough(): number {
    return this.fresh(() => this.tables.meta.getBinary(DROPPED_KEY)!.readDoubleLE(0));
  }

  /** Bytes of disk that the reports of an account take. */
  storedBytes(account: number): number {
    return this.fresh(() => this.stored.of(account));
  }

  /** Reports that are kept. */
  get count(): number {
    return this.fresh(() => (this.tables.reports.getStats() as { entryCount: number }).entryCount);
  }

  /**
   * Drops reports past their retention, never one that is not aggregated yet, and identities that nobody will send
   * again.
   * @param keep days count from the arrival
   * @param aggregatedThrough highest sequence whose effects are stored in the station tables
   * @param earliestMs and `latestMs`: the earliest and the latest time that it may be, milliseconds since 1970
   * @returns reports dropped, when that is committed
   */
  async prune(keep: Retention, aggregatedThrough: number, earliestMs: number, latestMs = earliestMs): Promise<number> {
    this.requireWritable();
    let dropped = 0;
    const now = { earliestMs, latestMs };
    const keepMs = keep === 'aggregated' ? Number.NEGATIVE_INFINITY : Number(keep) * DAY_MS;
    for (let more = keep !== 'forever'; more; ) {
      const some = await commit(this.root, WHAT, () =>
        dropReports(this.tables, this.sources, this.stored, keepMs, aggregatedThrough, now),
      );
      dropped += some;
      more = some === DROP_AT_ONCE;
    }
    while ((await commit(this.root, WHAT, () => dropRetired(this.tables, this.sources, now))) === DROP_AT_ONCE);
    return dropped;
  }

  /** Begins to write the log anew without what is forgotten; see `LogRewrite.begin`. */
  async rewrite(forgotten: Forgotten, progress: number, tableBytes: number): Promise<LogRewrite> {
    this.requireWritable();
    return LogRewrite.begin(this.root, this.tables, forgotten, progress, tableBytes);
  }

  /**
   * Puts a rewrite in force if it is complete.
   * @param rewrites the number of the log that the live station tables were learned from
   */
  async settle(rewrites: number): Promise<void> {
    const { meta } = this.tables;
    if (rewrites !== this.rewrites + 1) return;
    this.isSettling = true;
    try {
      if (!(await commit(this.root, WHAT, () => putInForce(meta, rewrites), true))) return;
      this.rewrites = rewrites;
      this.tables = { ...this.tables, ...openReportTables(this.root, rewrites, false) };
      this.stored = new StoredBytes(this.tables.stored);
    } finally {
      this.isSettling = false;
    }
  }

  /**
   * Refuses all further reports, where a rewrite is live in the tables and could not be put in force: the next owner
   * does that.
   */
  refuse(reason: Error): void {
    this.refusal = reason;
  }

  private requireWritable(): void {
    if (this.refusal !== undefined) throw this.refusal;
  }

  /** Gives up a rewrite that is not in force, and removes what stood in the log before one that is. */
  async clearRest(): Promise<void> {
    const clear = this.fresh(() => pendingCleanup(this.root, this.tables.meta));
    if (clear !== undefined) await commit(this.root, WHAT, clear);
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
    return this.tables.meta.getBinary(NEXT_KEY)!.readDoubleLE(0);
  }

  /** Reads the latest commit, and holds no snapshot afterwards. */
  private fresh<T>(action: () => T): T {
    this.root.resetReadTxn();
    try {
      if (!this.isSettling && readRewrites(this.tables.meta) !== this.rewrites)
        throw new Error(
          'The observation log was rewritten meanwhile ("sextant forget" or "sextant sources remove"); start again.',
        );
      return action();
    } finally {
      this.root.resetReadTxn();
    }
  }
}
