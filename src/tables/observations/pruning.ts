// Drops reports past their retention from the observation log (observation_log.ts), and identities that nobody will
// send again. Each call is a piece of the work, in the open transaction.

import type { Database } from 'lmdb';
import { readSequence, sequenceKey } from '../environment/row.ts';
import { DROPPED_KEY, encodeNumber, type ObservationTables } from './environment.ts';
import { decodeIdentity, HEAD_BYTES, identityOf, RECEIVED } from './log_row.ts';
import type { ReportSources } from './report_sources.ts';
import { ByteSums, contributorOf, type StoredBytes } from './stored_bytes.ts';

type Rows = Database<Buffer, Buffer>;

/** Least time that an identity is kept. */
const IDENTITY_MS = 7 * 86_400_000;
/** Rows dropped in one transaction, so that appends get in between. */
export const DROP_AT_ONCE = 1_000;

/**
 * Drops the oldest reports.
 * @param keepMs how long reports are kept, from their arrival; -Infinity = not at all
 * @param aggregatedThrough highest sequence that may be dropped
 * @returns how many were dropped, DROP_AT_ONCE if there may be more
 */
export function dropReports(
  tables: ObservationTables,
  sources: ReportSources,
  stored: StoredBytes,
  keepMs: number,
  aggregatedThrough: number,
  now: TimeNow,
): number {
  const due = dueReports(tables.reports.getRange({ end: sequenceKey(aggregatedThrough + 1) }), keepMs, now);
  const bytes = new ByteSums();
  for (const { key, value } of due) {
    const head = value.subarray(0, HEAD_BYTES);
    bytes.add(contributorOf(value), value.length);
    tables.reports.removeSync(key);
    if (isPast(head, IDENTITY_MS, now)) forget(tables.identities, sources, key, head);
    else tables.retired.putSync(key, head);
  }
  stored.subtract(bytes);
  if (due.length > 0) tables.meta.putSync(DROPPED_KEY, encodeNumber(readSequence(due[due.length - 1].key)));
  return due.length;
}

/** Drops the oldest identities of reports that were dropped before. @returns as `dropReports` */
export function dropRetired({ identities, retired }: ObservationTables, sources: ReportSources, now: TimeNow): number {
  const due = dueReports(retired.getRange({}), IDENTITY_MS, now);
  for (const { key, value } of due) {
    retired.removeSync(key);
    forget(identities, sources, key, value);
  }
  return due.length;
}

/** Drops an identity, unless a later report without a time has taken it over. */
function forget(identities: Rows, sources: ReportSources, key: Buffer, head: Buffer): void {
  const identity = identityOf(head);
  const known = identities.getBinary(identity);
  if (known !== undefined && decodeIdentity(known).sequence === readSequence(key)) {
    identities.removeSync(identity);
    sources.forget(identity);
  }
}

// Which reports retention may drop. They lie in the order of arrival, so the first that must stay ends the search,
// whatever stands behind it.
//
// A report that came while the clock of the machine was ahead bears a time of the future, and its age cannot be known
// by itself. But it came before those behind it, so it is past its time when the next report with a sound time is.

/** A time of arrival further in the future came under a wrong clock. */
const CLOCK_ERROR_MS = 3_600_000;

/** The earliest and the latest time that it may be, milliseconds since 1970. */
interface TimeNow {
  earliestMs: number;
  latestMs: number;
}

/** A row that may be dropped, copied. */
interface DueRow {
  key: Buffer;
  value: Buffer;
}

/**
 * The first reports of the log that are past their time, at most DROP_AT_ONCE.
 * @param rows values begin with the head of a report
 * @param keepMs how long they are kept; -Infinity = not at all
 */
function dueReports(
  rows: Iterable<{ key: Buffer; value: Buffer }>,
  keepMs: number,
  { earliestMs, latestMs }: TimeNow,
): DueRow[] {
  const pastMs = earliestMs - keepMs;
  const futureMs = latestMs + CLOCK_ERROR_MS;
  const first: DueRow[] = [];
  let due = 0;
  for (const { key, value } of rows) {
    const receivedMs = receivedOf(value);
    if (first.length < DROP_AT_ONCE) first.push({ key: Buffer.from(key), value: Buffer.from(value) });
    if (receivedMs <= pastMs) due = first.length;
    else if (receivedMs < futureMs) break;
    if (due === DROP_AT_ONCE) break;
  }
  return first.slice(0, due);
}

/** True if a report certainly came longer ago than it is kept. @param head of its value */
function isPast(head: Buffer, keepMs: number, { earliestMs }: TimeNow): boolean {
  return receivedOf(head) <= earliestMs - keepMs;
}

/** Time of arrival; a damaged row came as early as can be. */
function receivedOf(head: Buffer): number {
  return head.length < HEAD_BYTES ? 0 : head.readDoubleLE(RECEIVED);
}
