// What the keys of a tenant may take together, where the operator has said so when the tenant was made. A cap holds for
// all keys with the tag of the tenant, whoever made them, and is looked at whenever the tenant makes or changes one: a
// change that would take more than is left is refused, and one that takes no more than before is not. The operator
// may go beyond it.
//
//   keys        keys that are not revoked
//   credits     what may be spent in a calendar month: what was spent in it and what is left of each balance, or the
//               monthly quota where that is more. So a tenant does not fill up again what its keys have spent
//   storageMb   disk: what the reports of each key may take, and what those of revoked keys take still

import type { Account } from '../tables/accounts/account_record.ts';
import type { AccountChanges } from '../tables/accounts/accounts.ts';
import { TENANT_CAPS, type TenantCaps } from '../tables/accounts/rows.ts';
import { storageBytesOf } from './directory.ts';

const MEGABYTE = 1_048_576;

/** A key of a tenant, with what it has taken already. */
export interface TakenBy {
  account: Account;
  /** Credits that were spent in this calendar month (UTC). */
  spent: number;
  /** What its reports take of the disk. */
  storedBytes: number;
}

type Taken = Required<TenantCaps>;

/**
 * Holds a change of a key against the caps of its tenant.
 * @param keys all keys with the tag as they are, without a new one
 * @param after the key as it shall be
 * @throws Error when it would take more than is left
 */
export function requireWithinCaps(tag: string, caps: TenantCaps, keys: readonly TakenBy[], after: TakenBy): void {
  const before = keys.find(({ account }) => account.id === after.account.id);
  const others = keys.filter(key => key !== before);
  const own = takenBy(after);
  for (const cap of Object.keys(TENANT_CAPS) as (keyof TenantCaps)[]) {
    const most = caps[cap];
    if (most === undefined || (before !== undefined && own[cap] <= takenBy(before)[cap])) continue;
    const left = others.reduce((rest, key) => rest - takenBy(key)[cap], most);
    if (own[cap] > left) throw new Error(REFUSALS[cap](tag, most, Math.max(0, left)));
  }
}

/** A key as a change makes it; a new quota fills its balance up at once. */
export function changedAccount(account: Account, changes: AccountChanges): Account {
  const kept = Object.entries({ ...account, ...changes }).filter(([, value]) => value !== null);
  const changed = Object.fromEntries(kept) as unknown as Account;
  const quota = changes.monthlyCredits;
  return typeof quota === 'number' ? { ...changed, credits: Math.max(changed.credits ?? 0, quota) } : changed;
}

function takenBy({ account, spent, storedBytes }: TakenBy): Taken {
  const stored = storedBytes / MEGABYTE;
  if (account.revoked) return { keys: 0, credits: spent, storageMb: stored };
  const { credits = Number.POSITIVE_INFINITY, monthlyCredits } = account;
  const storageMb = (storageBytesOf(account) ?? Number.POSITIVE_INFINITY) / MEGABYTE;
  return {
    keys: 1,
    credits: Math.max(spent + credits, monthlyCredits ?? 0),
    storageMb: Math.max(storageMb, stored),
  };
}

const REFUSALS: Readonly<Record<keyof TenantCaps, (tag: string, most: number, left: number) => string>> = {
  keys: (tag, most) => `Tenant ${tag} may have ${most} keys, and has them; revoke one, or ask the operator for more.`,
  credits: (tag, most, left) =>
    `The keys of tenant ${tag} may take ${most} credits in a calendar month together, of which ${left} are left; ` +
    `give this key credits or monthlyCredits up to that, or ask the operator for more.`,
  storageMb: (tag, most, left) =>
    `The reports of tenant ${tag} may take ${most} MB together, of which ${Math.floor(left)} are left; give this key ` +
    `storageMegabytes up to that, or ask the operator for more.`,
};
