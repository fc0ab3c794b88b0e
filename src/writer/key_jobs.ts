// Jobs on accounts: create, list, change, revoke and credit keys.

import type { AccountWriter } from '../accounts/account_writer.ts';
import { hashKey, newKey } from '../accounts/key.ts';
import { describeAccount } from '../accounts/settings.ts';
import type { KeysJob } from '../jobs/job.ts';
import type { AccountChanges } from '../tables/accounts/accounts.ts';

/**
 * Executes a job on accounts.
 * @returns the account in a form for JSON, a new one with its key; for `list` a list of accounts
 * @throws Error whose message is for the operator
 */
export async function runKeysJob(accountWriter: AccountWriter, job: KeysJob): Promise<unknown> {
  switch (job.action) {
    case 'create':
      return createKey(accountWriter, job.settings);
    case 'list':
      return accountWriter.list(0, Number.POSITIVE_INFINITY).map(describeAccount);
    case 'show': {
      const account = accountWriter.get(job.id);
      if (account === undefined) throw new Error(`There is no key with id ${job.id}.`);
      return describeAccount(account);
    }
    case 'update':
      return describeAccount(await accountWriter.update(job.id, job.settings));
    case 'revoke':
      return describeAccount(await accountWriter.revoke(job.id));
    case 'credit':
      return describeAccount(await accountWriter.credit(job.id, job.credits));
  }
}

/** Makes an account and its key. @returns the account in a form for JSON, with the key, which is shown once and stored as a hash */
export async function createKey(accountWriter: AccountWriter, settings: AccountChanges): Promise<{ key: string }> {
  const key = newKey();
  const set = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
  const account = await accountWriter.create({ ...set, keyHash: hashKey(key), createdMs: Date.now() });
  return { ...describeAccount(account), key };
}
