// Which reports earn their senders credits. What one account says of a station may be invented, so it earns nothing
// yet: the account has a claim on the place where it has seen the station first. The claim is settled when another
// account, which must be a witness (life_cycle.ts), sees the station there, and then all who have seen it there earn;
// or when the same account sees it there on another day. Both days must be others, that of the arrival, which nobody
// but the service sets, and that of the report. Once the claim is settled, each further account earns by its first
// report of the station, as long as the place has a slot for it.
//
// A report earns an account once, however many stations it confirms. An account that has reported the station
// elsewhere too earns nothing: otherwise its balance would tell which of many guesses was right. Nor does anybody by a
// station that has moved, or contradicts what is known, before it is settled.

import type { EarningReport } from '../accounts/account_writer.ts';
import { type Candidate, SLOTS } from '../tables/stations/learned_record.ts';
import { hasTrusted, type Sighting } from './candidate.ts';

const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400;
const NOBODY: readonly number[] = [];

/**
 * True if a sighting is the first of its contributor there; a trusted one counts as all of them, and one for whom
 * there is no slot as seen.
 */
export function isFirstOf(candidate: Candidate, { isTrusted, contributor }: Sighting): boolean {
  if (isTrusted) return !hasTrusted(candidate);
  return candidate.contributors.length < SLOTS && !candidate.contributors.includes(contributor);
}

/**
 * Settles the claim on a candidate, where a sighting of it does so.
 * @param candidates of the station
 * @param candidate the one with the sighting; another account that sees it there is a witness
 * @param isFirst the contributor has not been seen there before
 * @returns the accounts that earn
 */
export function settleClaim(
  candidates: readonly Candidate[],
  candidate: Candidate,
  { contributor, claimDay }: Sighting,
  isFirst: boolean,
): readonly number[] {
  const { claimant } = candidate;
  const mayEarn = (account: number): boolean =>
    account !== 0 && !candidates.some(other => other !== candidate && other.contributors.includes(account));
  if (claimant === 0) return isFirst && mayEarn(contributor) ? [contributor] : NOBODY;
  const isOther = contributor !== claimant;
  if (contributor !== 0 && !mayEarn(contributor)) return NOBODY;
  if (!isOther && (claimDay === candidate.claimDay || !spansDays(candidate.firstSeconds, candidate.lastSeconds)))
    return NOBODY;
  candidate.claimant = 0;
  candidate.claimDay = 0;
  return isOther ? [...new Set([claimant, ...candidate.contributors, contributor])].filter(mayEarn) : [claimant];
}

/** True if two times, in seconds since 1970, are of different days in UTC. */
export function spansDays(firstSeconds: number, lastSeconds: number): boolean {
  return Math.floor(firstSeconds / DAY_SECONDS) !== Math.floor(lastSeconds / DAY_SECONDS);
}

/** Gathers the accounts that earn, report by report. */
export class Earners {
  /** In the order of the log. */
  readonly reports: EarningReport[] = [];
  private readonly accounts = new Set<number>();

  /** Takes those of one station in the report. */
  add(accounts: readonly number[]): void {
    for (const account of accounts) this.accounts.add(account);
  }

  /** Ends a report. @param receivedMs time of its arrival, milliseconds since 1970 */
  endReport(sequence: number, receivedMs: number): void {
    if (this.accounts.size === 0) return;
    const day = Math.floor(receivedMs / DAY_MS);
    for (const account of this.accounts) this.reports.push({ account, sequence, day });
    this.accounts.clear();
  }
}
