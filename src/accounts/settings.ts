// Shows an account to the operator.

import type { Account } from '../tables/accounts/account_record.ts';
import { SETTING_ROWS } from '../tables/accounts/key_settings.ts';

/** A setting as it is shown. */
type Shown = string | number | boolean | readonly string[];

/** The settings of an account, in the order of the flags; never the key or its hash. */
export function describeAccount(account: Account): Record<string, Shown> {
  const shown: Record<string, Shown> = {
    id: account.id,
    created: new Date(account.createdMs).toISOString(),
    revoked: account.revoked,
  };
  for (const [member, { shownAs = member }] of SETTING_ROWS) {
    const value = account[member];
    if (value !== undefined && value !== false) shown[shownAs] = value;
  }
  if (account.loopbackOnly === true) shown.loopbackOnly = true;
  if (account.previous !== undefined) shown.previousKeyUntil = new Date(account.previous.untilMs).toISOString();
  return shown;
}
