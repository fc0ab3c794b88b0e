// GET /usage: what keys have used by day and route, which the owner of the data folder gives out piece by piece.

import type { UsageJob, UsageRows } from '../../jobs/job.ts';
import { askOwner } from '../../jobs/submit_job.ts';

/** The rows of `usage export`, under its names. @param tag of a tenant: only of its keys */
export async function readUsage(
  folder: string,
  { from, to, key }: { from: string; to: string; key?: string },
  tag: string | null,
): Promise<{ rows: object[] }> {
  const rows: object[] = [];
  let after: UsageJob['after'];
  do {
    const piece: UsageJob = {
      verb: 'usage',
      from,
      to,
      ...(key !== undefined && { account: Number(key) }),
      ...(tag !== null && { tag }),
      ...(after !== undefined && { after }),
    };
    const read = (await askOwner(folder, piece, () => {})) as UsageRows;
    for (const { account, lastMs, ...row } of read.rows)
      rows.push({ ...row, key: account, last_request: new Date(lastMs).toISOString() });
    after = read.next;
  } while (after !== undefined);
  return { rows };
}
