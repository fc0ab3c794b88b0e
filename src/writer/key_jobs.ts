// Jobs on accounts: keys are made, listed, changed, revoked and credited.

import type { Granter } from '../accounts/granter.ts';
import { hashKey, newKey } from '../accounts/key.ts';
import { describeAccount } from '../accounts/settings.ts';
import type { KeysJob } from '../jobs/job.ts';
import type { AccountChanges } from '../tables/accounts/accounts.ts';

/**
 * Executes a job on accounts.
 * @returns the account as JSON carries it, a new one with its key; a list of accounts for `list`
 * @throws Error with one sentence for the operator
 */
export async function runKeysJob(granter: Granter, job: KeysJob): Promise<unknown> {
  switch (job.action) {
    case 'create':
      return createKey(granter, job.settings);
    case 'list':
      return granter.list(0, Number.POSITIVE_INFINITY).map(describeAccount);
    case 'show': {
      const account = granter.get(job.id);
      if (account === undefined) throw new Error(`There is no key with id ${job.id}.`);
      return describeAccount(account);
    }
    case 'update':
      return describeAccount(await granter.update(job.id, job.settings));
    case 'revoke':
      return describeAccount(await granter.revoke(job.id));
    case 'credit':
      return describeAccount(await granter.credit(job.id, job.credits));
  }
}

/** Makes an account and its key. @returns the account as JSON carries it, with the key, which is shown once and stored as a hash */
export async function createKey(granter: Granter, settings: AccountChanges): Promise<{ key: string }> {
  const key = newKey();
  const set = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
  const account = await granter.create({ ...set, keyHash: hashKey(key), createdMs: Date.now() });
  return { ...describeAccount(account), key };
}
