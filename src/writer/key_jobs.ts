// Jobs on accounts and tenants: create, list, change, revoke, rotate and credit keys.

import { hash, randomBytes } from 'node:crypto';
import type { AccountWriter } from '../accounts/account_writer.ts';
import { hashKey, newKey } from '../accounts/key.ts';
import { describeAccount } from '../accounts/settings.ts';
import type { KeysJob, TenantsJob, UsageJob, UsageRows } from '../jobs/job.ts';
import type { Account } from '../tables/accounts/account_record.ts';
import type { AccountChanges, AccountTable } from '../tables/accounts/accounts.ts';
import type { TenantCaps } from '../tables/accounts/rows.ts';
import type { ObservationLog } from '../tables/observations/observation_log.ts';
import type { Usage, UsageTable } from '../tables/requests/usage.ts';
import { ActingTenant } from './acting_tenant.ts';

/** Of the token of a tenant. */
const TOKEN_BYTES = 32;

/**
 * Executes a job on accounts.
 * @param usage undefined, as the log is, where there is no data folder: then nobody acts for a tenant
 * @returns the account in a form for JSON, a new one with its key; for `list` a list of accounts
 * @throws Error whose message is for the operator
 */
export async function runKeysJob(
  accountWriter: AccountWriter,
  usage: UsageTable | undefined,
  observations: ObservationLog | undefined,
  job: KeysJob,
): Promise<unknown> {
  const tenant =
    job.tag === undefined || job.action === 'list'
      ? undefined
      : new ActingTenant(job.tag, accountWriter, usage!, observations!);
  switch (job.action) {
    case 'create':
      return createKey(accountWriter, tenant === undefined ? job.settings : tenant.newKey(job.settings));
    case 'list': {
      const isShown = ({ tags }: Account) => job.tag === undefined || tags?.includes(job.tag) === true;
      return accountWriter.list(0, Number.POSITIVE_INFINITY).filter(isShown).map(describeAccount);
    }
    case 'show':
      return showKey(accountOf(accountWriter, job), usage, observations?.storedBytes(job.id));
    case 'update': {
      const account = accountOf(accountWriter, job);
      refuseRevoked(account, job.force);
      const changes = tenant === undefined ? job.settings : tenant.changes(account, job.settings);
      return describeAccount(await accountWriter.update(job.id, changes));
    }
    case 'revoke':
      accountOf(accountWriter, job);
      return describeAccount(await accountWriter.revoke(job.id));
    case 'rotate':
      return rotateKey(accountWriter, accountOf(accountWriter, job), job.overlapSeconds, job.force);
    case 'credit': {
      const account = accountOf(accountWriter, job);
      refuseRevoked(account, job.force);
      if (account.credits === undefined && !job.force)
        throw new Error(
          `Key ${job.id} has no limit of credits, and this would make it prepaid; add --force if you mean that.`,
        );
      tenant?.changes(account, { credits: (account.credits ?? 0) + job.credits });
      return describeAccount(await accountWriter.credit(job.id, job.credits));
    }
  }
}

/** @param usage where it was counted @param storedBytes what its reports take of the disk */
function showKey(account: Account, usage: UsageTable | undefined, storedBytes = 0): unknown {
  const shown = { ...describeAccount(account), ...(storedBytes > 0 && { storedBytes }) };
  if (usage === undefined) return shown;
  return { ...shown, usage: summariseUsage(usage.of(account.id, Date.now()), Date.now()) };
}

/** @throws Error when there is no such account, or it is not one of the tenant who asks */
function accountOf(accountWriter: AccountWriter, { id, tag }: { id: number; tag?: string }): Account {
  const account = accountWriter.get(id);
  if (account === undefined || (tag !== undefined && !account.tags?.includes(tag)))
    throw new Error(`There is no key with id ${id}.`);
  return account;
}

/** Executes a job on tenants. @returns for JSON: their tags, or the tag with its token, which is shown once */
export async function runTenantsJob(accounts: AccountTable, job: TenantsJob): Promise<unknown> {
  switch (job.action) {
    case 'list':
      return describeTenants(accounts);
    case 'create': {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const before = accounts.tenants().find(({ tag }) => tag === job.tag)?.caps;
      const set = Object.entries({ ...before, ...job.caps }).filter(([, most]) => most !== null);
      const caps: TenantCaps = Object.fromEntries(set);
      await accounts.setTenant(job.tag, { tokenHash: hash('sha256', token), caps });
      return { tag: job.tag, token, ...(set.length > 0 && { caps }) };
    }
    case 'remove':
      if (!accounts.tenants().some(({ tag }) => tag === job.tag)) throw new Error(`There is no tenant ${job.tag}.`);
      await accounts.setTenant(job.tag, undefined);
      return { tag: job.tag, removed: true };
  }
}

/** Tags of all tenants, and the caps of those that have some. */
function describeTenants(accounts: AccountTable): object {
  const tenants = accounts.tenants();
  const capped = tenants.filter(({ caps }) => Object.keys(caps).length > 0).map(({ tag, caps }) => [tag, caps]);
  return { tenants: tenants.map(({ tag }) => tag), ...(capped.length > 0 && { caps: Object.fromEntries(capped) }) };
}

/**
 * Makes another key for an account. @throws Error when the account is revoked, or has an earlier key that still works
 * and may not be ended
 */
async function rotateKey(
  accountWriter: AccountWriter,
  { id, revoked, previous }: Account,
  overlapSeconds: number,
  force: true | undefined,
): Promise<unknown> {
  const nowMs = Date.now();
  if (revoked)
    throw new Error(`Key ${id} is revoked for good, so it cannot get another; make a new one with keys create.`);
  if (previous !== undefined && previous.untilMs > nowMs && !force) {
    const until = new Date(previous.untilMs).toISOString();
    throw new Error(
      `Key ${id} was rotated before, and its old key works until ${until}; add --force to end that one now.`,
    );
  }
  const key = newKey();
  const untilMs = overlapSeconds === 0 ? undefined : nowMs + overlapSeconds * 1000;
  return { ...describeAccount(await accountWriter.rotate(id, hashKey(key), untilMs)), key };
}

/** @throws Error when an account is revoked and the change is not forced */
function refuseRevoked({ id, revoked }: Account, force: true | undefined): void {
  if (revoked && !force)
    throw new Error(`Key ${id} is revoked, so this would have no effect; add --force to change it all the same.`);
}

/**
 * Makes an account and its key. @returns the account in a form for JSON, with the key, which is shown once and stored
 * as a hash
 */
export async function createKey(accountWriter: AccountWriter, settings: AccountChanges): Promise<{ key: string }> {
  const key = newKey();
  const set = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
  const account = await accountWriter.create({ ...set, keyHash: hashKey(key), createdMs: Date.now() });
  return { ...describeAccount(account), key };
}

// Jobs on what keys have used.

/** Rows of one piece: some five megabytes as JSON. */
const ROWS_AT_ONCE = 20_000;
const DAY_MS = 86_400_000;
const RECENT_DAYS = 30;

/** Reads a piece of the usage of all keys, or that of one, with their names as they are now. */
export function readUsage(
  accountWriter: AccountWriter,
  usage: UsageTable,
  { from, to, account, tag, after }: UsageJob,
): UsageRows {
  // A key has a few thousand rows at most: one piece.
  const found =
    account === undefined
      ? usage.between(from, to, after, ROWS_AT_ONCE)
      : usage.of(account, Date.now()).filter(({ day }) => day >= from && day <= to);
  const accounts = new Map<number, Account | undefined>();
  const accountOf = (id: number): Account | undefined => {
    if (!accounts.has(id)) accounts.set(id, accountWriter.get(id));
    return accounts.get(id);
  };
  const shown = tag === undefined ? found : found.filter(row => accountOf(row.account)?.tags?.includes(tag));
  const rows = shown.map(row => {
    const name = accountOf(row.account)?.name;
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
function summariseUsage(rows: readonly Usage[], nowMs: number): { lastUse?: string; today: Sums; last30Days: Sums } {
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
