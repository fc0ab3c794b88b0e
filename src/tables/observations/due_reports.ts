// Which reports retention may drop. They lie in the order of arrival, so the first that must stay ends the search,
// whatever stands behind it.
//
// A report that came while the clock of the machine was ahead bears a time of the future, and its age cannot be known
// by itself. But it came before those behind it, so it is past its time when the next report with a sound time is.

import { HEAD_BYTES, RECEIVED } from './log_row.ts';

/** A time of arrival further in the future came under a wrong clock. */
const CLOCK_ERROR_MS = 3_600_000;

/** The earliest and the latest time that it may be, milliseconds since 1970. */
export interface TimeNow {
  earliestMs: number;
  latestMs: number;
}

/** A row that may be dropped, copied. */
interface DueRow {
  key: Buffer;
  value: Buffer;
}

/**
 * The first reports of the log that are past their time.
 * @param rows values begin with the head of a report
 * @param keepMs how long they are kept; -Infinity = not at all
 * @param limit most of them
 */
export function dueReports(
  rows: Iterable<{ key: Buffer; value: Buffer }>,
  keepMs: number,
  { earliestMs, latestMs }: TimeNow,
  limit: number,
): DueRow[] {
  const pastMs = earliestMs - keepMs;
  const futureMs = latestMs + CLOCK_ERROR_MS;
  const first: DueRow[] = [];
  let due = 0;
  for (const { key, value } of rows) {
    const receivedMs = receivedOf(value);
    if (first.length < limit) first.push({ key: Buffer.from(key), value: Buffer.from(value) });
    if (receivedMs <= pastMs) due = first.length;
    else if (receivedMs < futureMs) break;
    if (due === limit) break;
  }
  return first.slice(0, due);
}

/** True if a report certainly came longer ago than it is kept. @param head of its value */
export function isPast(head: Buffer, keepMs: number, { earliestMs }: TimeNow): boolean {
  return receivedOf(head) <= earliestMs - keepMs;
}

/** Time of arrival; a damaged row came as early as can be. */
function receivedOf(head: Buffer): number {
  return head.length < HEAD_BYTES ? 0 : head.readDoubleLE(RECEIVED);
}
