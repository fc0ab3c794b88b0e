// Drops reports past their retention from the observation log (observation_log.ts), and identities that nobody will
// send again. Each call is a piece of the work, in the open transaction.

import type { Database } from 'lmdb';
import { dueReports, isPast, type TimeNow } from './due_reports.ts';
import { DROPPED_KEY, numbers, type ObservationTables, readSequence, sequenceKey } from './environment.ts';
import { decodeIdentity, HEAD_BYTES, identityOf } from './log_row.ts';
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
  const due = dueReports(
    tables.reports.getRange({ end: sequenceKey(aggregatedThrough + 1) }),
    keepMs,
    now,
    DROP_AT_ONCE,
  );
  const bytes = new ByteSums();
  for (const { key, value } of due) {
    const head = value.subarray(0, HEAD_BYTES);
    bytes.add(contributorOf(value), value.length);
    tables.reports.removeSync(key);
    if (isPast(head, IDENTITY_MS, now)) forget(tables.identities, sources, key, head);
    else tables.retired.putSync(key, head);
  }
  stored.subtract(bytes);
  if (due.length > 0) tables.meta.putSync(DROPPED_KEY, numbers(readSequence(due[due.length - 1].key)));
  return due.length;
}

/** Drops the oldest identities of reports that were dropped before. @returns as `dropReports` */
export function dropRetired({ identities, retired }: ObservationTables, sources: ReportSources, now: TimeNow): number {
  const due = dueReports(retired.getRange({}), IDENTITY_MS, now, DROP_AT_ONCE);
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
