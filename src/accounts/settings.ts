// Shows an account to the operator.

import type { Account } from '../tables/accounts/account_record.ts';

/** Settings in the order of the flags: the name shown, and the member of the account. */
const SHOWN: readonly [name: string, member: Exclude<keyof Account, 'previous' | 'earned' | 'filledMonth'>][] = [
  ['name', 'name'],
  ['credits', 'credits'],
  ['monthlyCredits', 'monthlyCredits'],
  ['expires', 'expires'],
  ['indoor', 'indoor'],
  ['address', 'address'],
  ['confidence', 'confidence'],
  ['fallbacks', 'fallbacks'],
  ['routes', 'routes'],
  ['origins', 'origins'],
  ['networks', 'networks'],
  ['tags', 'tags'],
  ['speedFilter', 'speedFilter'],
  ['speedLimit', 'speedLimit'],
  ['tracking', 'tracking'],
  ['rate', 'ratePerSecond'],
  ['devices', 'devices'],
  ['storageMb', 'storageMegabytes'],
  ['contributor', 'contributor'],
  ['trusted', 'trusted'],
  ['trail', 'trail'],
  ['explain', 'explain'],
  ['upstream', 'upstream'],
  ['cells', 'cells'],
  ['loopbackOnly', 'loopbackOnly'],
];

/** A setting as it is shown. */
type Shown = string | number | boolean | readonly string[];

/** The settings of an account, in the order of the flags; never the key or its hash. */
export function describeAccount(account: Account): Record<string, Shown> {
  const shown: Record<string, Shown> = {
    id: account.id,
    created: new Date(account.createdMs).toISOString(),
    revoked: account.revoked,
  };
  for (const [name, member] of SHOWN) {
    const value = account[member];
    if (value !== undefined && value !== false) shown[name] = value;
  }
  if (account.previous !== undefined) shown.previousKeyUntil = new Date(account.previous.untilMs).toISOString();
  return shown;
}
