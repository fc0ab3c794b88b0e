// Writes the observation log anew, without reports and stations that are to be forgotten, or the measurements of a
// source. What remains is numbered through, so the log is the one that would have grown had they never come, and what
// is learned from it is the same too.
//
// The rewrite fills the set of tables that is not in force (environment.ts), in slices between appends, and then
// catches up with what was appended meanwhile. Station tables that are learned from it hold its number. Once they are
// live, the rewrite is put in force. If a kill comes between the two, the next owner finds the number and does it
// (`ObservationLog.settle`); otherwise the rewrite is given up.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RootDatabase } from 'lmdb';
import type { StationSet } from '../../radio/query/station_set.ts';
import { commit, pagesBytes, requireRoom } from '../environment/commit.ts';
import { readSequence, sequenceKey } from '../environment/row.ts';
import {
  DROPPED_KEY,
  type ObservationTables,
  openReportTables,
  pendingCleanup,
  type ReportTables,
  readRewrites,
  writeComplete,
} from './environment.ts';
import {
  identityOf,
  identityRow,
  isRepeated,
  type LoggedReport,
  packReport,
  RECEIVED,
  readRow,
  reportValue,
  withoutStations,
} from './log_row.ts';
import type { PackedReport, Report } from './report.ts';
import { ByteSums, StoredBytes } from './stored_bytes.ts';

type Root = RootDatabase<Buffer, Buffer>;

/** Reports of one slice: some ten milliseconds, in which nobody else can write. */
const SLICE = 500;
const WHAT = 'The observation log';
const REWRITING = 'Writing the observation log anew';

/** What is to be forgotten. */
export interface Forgotten {
  /** True for a report that goes. @param identity 32 hexadecimal digits */
  isReport(report: Report, identity: string): boolean;
  /** Stations that go out of all reports; a report that names no other goes with them. */
  stations: StationSet;
}

/** A log that is being written anew. */
export class LogRewrite {
  /** How often the log will have been rewritten. */
  readonly number: number;
  /** Reports that were left out. */
  removed = 0;
  /** Reports that stations were taken out of. */
  changed = 0;
  /** Identities of reports that stations were taken out of, before and after. */
  readonly renamed: { from: Buffer; to: Buffer }[] = [];
  /** The number in the new log that stands for the number in the old one which `begin` was given. */
  progress: number;
  private readonly root: Root;
  private readonly from: ObservationTables;
  private readonly to: ReportTables;
  private readonly stored: StoredBytes;
  private readonly forgotten: Forgotten;
  private readonly oldProgress: number;
  /** Last report of the old log that was read. */
  private last: number;
  /** Number of the next report of the new log. */
  private next: number;

  /**
   * Begins, over what an earlier rewrite has left.
   * @param progress a number in the old log; see the member
   * @param tableBytes what the station tables will take that are learned from it
   * @throws Error when there is too little room for both
   */
  static async begin(
    root: Root,
    from: ObservationTables,
    forgotten: Forgotten,
    progress: number,
    tableBytes: number,
  ): Promise<LogRewrite> {
    root.resetReadTxn();
    const logBytes = pagesBytes(from.reports) + pagesBytes(from.identities) + pagesBytes(from.retired);
    requireRoom(pathOf(root), logBytes + tableBytes, REWRITING);
    const clear = pendingCleanup(root, from.meta);
    if (clear !== undefined) await commit(root, WHAT, clear);
    root.resetReadTxn();
    const rewrite = new LogRewrite(root, from, forgotten, progress);
    await rewrite.copyRetired();
    return rewrite;
  }

  private constructor(root: Root, from: ObservationTables, forgotten: Forgotten, progress: number) {
    this.root = root;
    this.from = from;
    this.forgotten = forgotten;
    this.number = readRewrites(from.meta) + 1;
    this.to = openReportTables(root, this.number, true);
    this.stored = new StoredBytes(this.to.stored);
    this.last = from.meta.getBinary(DROPPED_KEY)!.readDoubleLE(0);
    this.next = this.last + 1;
    this.oldProgress = progress;
    this.progress = Math.min(progress, this.last);
  }

  /** Identities of dropped reports, which keep them from counting again. */
  private async copyRetired(): Promise<void> {
    for (let first = 1, more = true; more; ) {
      const rows = this.slice(this.from.retired, first);
      requireRoom(pathOf(this.root), 0, REWRITING);
      await commit(this.root, WHAT, () => {
        for (const { key, value } of rows) {
          this.to.retired.putSync(key, value, { append: true });
          this.to.identities.putSync(identityOf(value), identityRow(readSequence(key), receivedOf(value)));
        }
      });
      more = rows.length === SLICE;
      if (more) first = readSequence(rows[SLICE - 1].key) + 1;
      await nextTurn();
    }
  }

  /** Rows of a table of the old log, from a number on. */
  private slice(table: ObservationTables['reports'], first: number): { key: Buffer; value: Buffer }[] {
    this.root.resetReadTxn();
    const range = { start: sequenceKey(first), limit: SLICE };
    return [...table.getRange(range)].map(({ key, value }) => ({ key: Buffer.from(key), value: Buffer.from(value) }));
  }

  /**
   * Copies what the old log holds by now; may be called again for what was appended since.
   * @param onProgress called with the number of the last report that was read
   * @param checkStop called between slices; an error that it throws ends the copy
   */
  async copy(onProgress: (last: number) => void, checkStop: () => void): Promise<void> {
    for (;;) {
      const rows = this.slice(this.from.reports, this.last + 1);
      if (rows.length === 0) return;
      const kept = rows.map(({ key, value }) => this.keptOf(key, value));
      requireRoom(pathOf(this.root), 0, REWRITING);
      await commit(this.root, WHAT, () => {
        const bytes = new ByteSums();
        for (const row of kept) this.add(row, bytes);
        this.stored.add(bytes);
      });
      onProgress(this.last);
      checkStop();
      await nextTurn();
    }
  }

  /** What of a row goes into the new log. */
  private keptOf(key: Buffer, value: Buffer): KeptRow {
    const { sequence, receivedMs, report } = readRow(key, value);
    const { isTimed, contributor } = report;
    const row = { sequence, receivedMs, isTimed, contributor, identity: identityOf(value), value };
    if (this.forgotten.isReport(report, row.identity.toString('hex'))) return { ...row, value: undefined };
    const left = withoutStations(report, this.forgotten.stations);
    if (left === report) return row;
    if (left.observations.length === 0) return { ...row, value: undefined };
    this.changed++;
    const packed: PackedReport = packReport(left);
    this.renamed.push({ from: row.identity, to: Buffer.from(packed.identity) });
    return { ...row, identity: Buffer.from(packed.identity), value: reportValue(packed, receivedMs) };
  }

  /**
   * Adds a row, in the open transaction. Without a station, two reports may be the same one. @param bytes adds up what
   * the rows take
   */
  private add({ sequence, receivedMs, isTimed, contributor, identity, value }: KeptRow, bytes: ByteSums): void {
    if (value === undefined || isRepeated(this.to.identities.getBinary(identity), isTimed, receivedMs)) this.removed++;
    else {
      this.to.identities.putSync(identity, identityRow(this.next, receivedMs));
      this.to.reports.putSync(sequenceKey(this.next), value, { append: true });
      bytes.add(contributor, value.length);
      this.next++;
    }
    this.last = sequence;
    if (sequence <= this.oldProgress) this.progress = this.next - 1;
  }

  /** Says that all reports are copied and on the disk. Nobody may append until the rewrite is in force or given up. */
  async complete(): Promise<void> {
    await commit(this.root, WHAT, () => writeComplete(this.from.meta, this.number, this.next), true);
  }

  /** Reports of the new log, as `ObservationLog.read`. */
  read(fromSequence: number, limit: number): LoggedReport[] {
    this.root.resetReadTxn();
    const found = [...this.to.reports.getRange({ start: sequenceKey(fromSequence), limit })].map(({ key, value }) =>
      readRow(key, value),
    );
    this.root.resetReadTxn();
    return found;
  }

  /** Number of the last report of the new log. */
  get lastSequence(): number {
    return this.next - 1;
  }
}

/** A row of the new log; without a value it is left out. */
interface KeptRow {
  sequence: number;
  receivedMs: number;
  isTimed: boolean;
  contributor: number;
  identity: Buffer;
  value: Buffer | undefined;
}

function pathOf(root: Root): string {
  return (root as Root & { path: string }).path;
}

function receivedOf(value: Buffer): number {
  return value.readDoubleLE(RECEIVED);
}
