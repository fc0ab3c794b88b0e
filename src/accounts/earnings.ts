// What a contributor earns. Each report that confirms something for an account earns it credits once, up to so many a
// day. What was paid for is remembered by the number of the report, with the balance and in the same commit. So a
// report that is learned once more, after a kill or from a backup whose tables are older than its accounts, is not
// paid for again.

import type { Earned } from '../tables/accounts/account_record.ts';

/** What the operator pays. */
export interface RewardTerms {
  /** Credits for a report, 0..1000. */
  credits: number;
  /** Credits that an account earns in a day (UTC), at most. */
  mostADay: number;
}

/** A report by which an account earns: its own, or another's that confirms what it has reported. */
export interface EarningReport {
  account: number;
  /** Number in the log. */
  sequence: number;
  /** Day of its arrival, since 1970-01-01. */
  day: number;
}

/**
 * What an account earns by reports in the order of the log.
 * @param before what it has earned so far
 * @param rewrites how often the log had been rewritten, since that numbers its reports anew
 * @param room credits that the balance can take
 * @returns credits to add, and what is earned then; undefined when everything was paid for before
 */
export function earn(
  before: Earned | undefined,
  reports: readonly EarningReport[],
  rewrites: number,
  terms: RewardTerms,
  room: number,
): { credits: number; earned: Earned } | undefined {
  let { day, credits: ofDay } = before ?? { day: 0, credits: 0 };
  const isPaid = ({ sequence }: EarningReport): boolean =>
    before !== undefined &&
    (rewrites < before.rewrites || (rewrites === before.rewrites && sequence <= before.sequence));
  const due = reports.filter(report => !isPaid(report));
  if (due.length === 0) return undefined;
  let sum = 0;
  for (const report of due) {
    if (report.day !== day) {
      day = report.day;
      ofDay = 0;
    }
    const paid = Math.max(0, Math.min(terms.credits, terms.mostADay - ofDay, room - sum));
    sum += paid;
    ofDay += paid;
  }
  return { credits: sum, earned: { day, credits: ofDay, rewrites, sequence: due[due.length - 1].sequence } };
}
