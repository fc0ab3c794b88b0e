// Jobs on what keys have used.

import type { AccountWriter } from '../accounts/account_writer.ts';
import type { UsageJob, UsageRows } from '../jobs/job.ts';
import type { Usage, UsageTable } from '../tables/requests/usage.ts';

/** Rows of one piece: some five megabytes as JSON. */
const ROWS_AT_ONCE = 20_000;
const DAY_MS = 86_400_000;
const RECENT_DAYS = 30;

/** Reads a piece of the usage of all keys, with their names as they are now. */
export function readUsage(accountWriter: AccountWriter, usage: UsageTable, { from, to, after }: UsageJob): UsageRows {
  const found = usage.between(from, to, after, ROWS_AT_ONCE);
  const names = new Map<number, string | undefined>();
  const rows = found.map(row => {
    if (!names.has(row.account)) names.set(row.account, accountWriter.get(row.account)?.name);
    const name = names.get(row.account);
    return { ...row, ...(name !== undefined && { name }) };
  });
  return { rows, ...(found.length === ROWS_AT_ONCE && { next: found.at(-1)! }) };
}

/** Numbers of some days. */
type Sums = Pick<Usage, 'requests' | 'answered' | 'credits'>;

/**
 * What the operator reads of the usage of one key: the last request, and the sums of today and of thirty days, UTC.
 * Devices are distinct by day and route, so they are not summed.
 */
export function summariseUsage(
  rows: readonly Usage[],
  nowMs: number,
): { lastUse?: string; today: Sums; last30Days: Sums } {
  const firstDay = (days: number) => new Date(nowMs - (days - 1) * DAY_MS).toISOString().slice(0, 10);
  const sumSince = (day: string): Sums => {
    const sums = { requests: 0, answered: 0, credits: 0 };
    for (const { requests, answered, credits } of rows.filter(row => row.day >= day)) {
      sums.requests += requests;
      sums.answered += answered;
      sums.credits += credits;
    }
    return sums;
  };
  const lastMs = rows.reduce((last, row) => Math.max(last, row.lastMs), 0);
  return {
    ...(lastMs > 0 && { lastUse: new Date(lastMs).toISOString() }),
    today: sumSince(firstDay(1)),
    last30Days: sumSince(firstDay(RECENT_DAYS)),
  };
}
