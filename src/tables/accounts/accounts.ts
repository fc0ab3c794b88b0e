// The account table: who may send requests, under which settings, and how much is prepaid. It is an LMDB environment at
// <folder>/accounts, written only by the writer thread and read by every HTTP thread, with four tables:
//
//   byId     id u32                           -> account record (account_record.ts)
//   byHash   SHA-256 of the key, and of the key before a rotation -> id u32
//   devices  devices of each account and month (rows.ts)
//   meta     "format", "next"                 -> u32; "rewards" -> what contributors earn, two u32
//            "tenant:", SHA-256 of a token    -> the tag of the tenant, and its caps
//
// Each call checks everything before it writes, because LMDB commits several calls in one transaction: a call that
// throws has written nothing.

import { join } from 'node:path';
import type { RootDatabase } from 'lmdb';
import { closeEnvironment, commitAtOnce } from '../environment/commit.ts';
import { BINARY, existing } from '../environment/environment_file.ts';
import { copyEnvironment, type EnvironmentCopy, openOrRefuse, requireFormat } from '../environment/open_environment.ts';
import { numberKey, Row, u32Key } from '../environment/row.ts';
import { ACCOUNT, ACCOUNT_ID_MAX, type Account, type Earned } from './account_record.ts';
import { type AccountSettings, CREDITS_MAX } from './key_settings.ts';
import {
  countDevice,
  type DeviceOutcome,
  type Rows,
  readNumber,
  readTenantTag,
  type Tenant,
  tenantRows,
  writeTenant,
} from './rows.ts';

const TABLE = 'account table';
const FORMAT = 1;
const FORMAT_KEY = Buffer.from('format');
const NEXT_KEY = Buffer.from('next');
const REWARDS_KEY = Buffer.from('rewards');
const REWARDS = new Row({ credits: u32Key, mostADay: u32Key });

/** When a write counts as done: after its commit, or after its flush to the disk. */
type Durability = 'commit' | 'flush';

/** Contents of a new account. */
export type NewAccount = Omit<Account, 'id' | 'revoked' | 'previous' | 'earned'>;

/** Settings to change: a value sets, `null` clears, an absent member stays. */
export type AccountChanges = {
  [K in keyof AccountSettings | 'loopbackOnly']?: Exclude<Account[K], undefined> | null;
};

/** An account as it shall be. */
type Make = (account: Account) => Account;
/** True for a change by which what was taken of a balance is void. */
type SetsBalance = (before: Account, after: Account) => boolean;

/**
 * Accounts that several machines have: they are changed there, and each machine has its table as a copy. Results and
 * errors are those of the table's methods; NotWritten when they cannot be reached.
 */
export interface SharedAccounts {
  /** Time of the servers, milliseconds since 1970. */
  readonly nowMs: number;
  create(account: NewAccount): Promise<Account>;
  /**
   * @param make is asked again when another machine was faster; what it was given is no change
   * @param isReturn credits that were taken are given back
   */
  change(id: number, make: Make, setsBalance: SetsBalance, isReturn: boolean): Promise<Account>;
  setTenant(tag: string, tenant: Tenant | undefined): Promise<void>;
  registerDevice(id: number, month: number, device: string, limit: number): Promise<DeviceOutcome>;
}

/** The table as one thread sees it. Open it for writing in one thread only. */
export class AccountTable {
  private readonly env: RootDatabase<Buffer, Buffer>;
  private readonly byId: Rows;
  private readonly byHash: Rows;
  private readonly deviceRows: Rows;
  private readonly meta: Rows;
  private readonly durability: Durability;
  /** Of a node of a cluster: changes are made there, and come back as copies. */
  shared: SharedAccounts | undefined;

  /**
   * Opens the table, and creates it unless `readOnly`.
   * @param folder data folder
   * @throws Error when the files are damaged, foreign or of another format
   */
  constructor(folder: string, options: { readOnly?: boolean; sync?: Durability } = {}) {
    const path = join(folder, 'accounts');
    const readOnly = options.readOnly === true;
    this.durability = options.sync ?? 'commit';
    const remedy = 'Restore it from a backup.';
    const environment = { path, name: `The ${TABLE} ${path}`, remedy, create: !readOnly, maxDbs: 8, readOnly };
    const { root, tables } = openOrRefuse(environment, root => {
      const tables = !readOnly && root.getKeysCount({ limit: 1 }) === 0 ? createTables(root) : openTables(root, false);
      requireFormat(readNumber(tables.meta, FORMAT_KEY), [FORMAT], TABLE);
      return { root, tables };
    });
    this.env = root;
    this.meta = tables.meta;
    this.byId = tables.byId;
    this.byHash = tables.byHash;
    this.deviceRows = tables.devices;
  }

  /** The account with this id. */
  get(id: number): Account | undefined {
    return this.read(() => this.record(id));
  }

  /** The account whose key, or whose previous key, has this SHA-256 (64 hexadecimal digits). */
  findByHash(keyHash: string): Account | undefined {
    return this.read(() => {
      const id = readNumber(this.byHash, Buffer.from(keyHash, 'hex'));
      return id === undefined ? undefined : this.existing(id);
    });
  }

  /** Accounts in order of their ids, at most `limit` of them, with ids above `afterId`. */
  list(afterId = 0, limit = Number.POSITIVE_INFINITY): Account[] {
    return this.read(() => {
      const accounts: Account[] = [];
      for (const { value } of this.byId.getRange({ start: numberKey(afterId + 1) })) {
        if (accounts.length >= limit) break;
        accounts.push(ACCOUNT.decode(value));
      }
      return accounts;
    });
  }

  /** Accounts that were ever made. */
  get count(): number {
    return this.read(() => (this.byId.getStats() as { entryCount: number }).entryCount);
  }

  /** Adds an account under the next id. @throws Error when ids are used up or the key exists already */
  create(account: NewAccount): Promise<Account> {
    if (this.shared !== undefined) return this.shared.create(account);
    return this.write(() => {
      const id = readNumber(this.meta, NEXT_KEY)!;
      if (id > ACCOUNT_ID_MAX)
        throw new Error(`There are ${ACCOUNT_ID_MAX} accounts, which is the most that one data folder holds.`);
      this.requireNew(account.keyHash);
      void this.meta.put(NEXT_KEY, numberKey(id + 1));
      return this.store({ ...account, id, revoked: false });
    });
  }

  /**
   * Changes an account, as every change of one does. @param make the account as it shall be
   * @throws Error when there is no such account, or what `make` throws: then nothing is written
   */
  private change(id: number, make: Make, setsBalance: SetsBalance = () => false, isReturn = false) {
    if (this.shared !== undefined) return this.shared.change(id, make, setsBalance, isReturn);
    return this.write(() => this.store(make(this.existing(id))));
  }

  /** Writes accounts as other machines have them, in one commit. */
  copy(accounts: readonly Account[]): Promise<void> {
    return this.write(() => {
      const next = accounts.reduce((most, { id }) => Math.max(most, id + 1), readNumber(this.meta, NEXT_KEY)!);
      void this.meta.put(NEXT_KEY, numberKey(next));
      for (const account of accounts) this.store(account);
    });
  }

  /** Changes settings. A new monthly quota counts as not filled up yet. @throws Error when there is no such account */
  update(id: number, changes: AccountChanges): Promise<Account> {
    return this.change(
      id,
      account => changed(account, changes),
      () => changes.credits !== undefined,
    );
  }

  /**
   * Gives an account another key.
   * @param keyHash SHA-256 of the new key, 64 hexadecimal digits
   * @param untilMs when the old key ends, milliseconds since 1970; undefined = now. A key before the old one ends now.
   * @throws Error when there is no such account or the key exists already
   */
  rotate(id: number, keyHash: string, untilMs: number | undefined): Promise<Account> {
    return this.change(id, ({ previous: _ended, ...account }) => {
      this.requireNew(keyHash);
      return {
        ...account,
        keyHash,
        ...(untilMs !== undefined && { previous: { keyHash: account.keyHash, untilMs } }),
      };
    });
  }

  /** Deletes an account; its key is refused from then on. @throws Error when there is no such account */
  revoke(id: number): Promise<Account> {
    return this.change(id, account => ({ ...account, revoked: true }));
  }

  /** Adds prepaid credits; a key that had none becomes prepaid. @throws Error above 2,147,483,647 */
  credit(id: number, credits: number): Promise<Account> {
    return this.change(id, account => {
      const balance = (account.credits ?? 0) + credits;
      if (!Number.isInteger(credits) || credits < 1)
        throw new Error(`${credits} credits cannot be added: a whole number above 0 is needed.`);
      if (balance > CREDITS_MAX)
        throw new Error(`Account ${id} cannot hold ${balance} credits: at most ${CREDITS_MAX} are possible.`);
      return { ...account, credits: balance };
    });
  }

  /**
   * Adds credits that a prepaid account has earned, 0 or more, and what it has earned by then. @throws Error when there
   * is no such account
   */
  reward(id: number, credits: number, earned: Earned): Promise<Account> {
    return this.change(id, account => ({ ...account, credits: (account.credits ?? 0) + credits, earned }));
  }

  /** What the last service paid contributors, for a report and at most in a day; undefined if none has said so. */
  get rewardTerms(): { credits: number; mostADay: number } | undefined {
    return REWARDS.readWhole(this.read(() => this.meta.getBinary(REWARDS_KEY)));
  }

  /** Says what contributors earn from here on. */
  setRewardTerms(terms: { credits: number; mostADay: number }): Promise<void> {
    return this.write(() => void this.meta.put(REWARDS_KEY, REWARDS.encode(terms)));
  }

  /**
   * Fills the balance up for a month, unless it was for that or holds more; a key that was not prepaid becomes so. What
   * other machines have taken of the balance before is void. @throws Error when there is no such account
   */
  fill(id: number, upTo: number, filledMonth: number): Promise<Account> {
    const make = (account: Account): Account =>
      account.filledMonth === filledMonth
        ? account
        : { ...account, credits: Math.max(account.credits ?? 0, upTo), filledMonth };
    return this.change(id, make, (before, after) => before.credits !== after.credits);
  }

  /** The tag of the tenant with this token (SHA-256, 64 hexadecimal digits); undefined if there is none. */
  tenantOf(tokenHash: string): string | undefined {
    return this.read(() => readTenantTag(this.meta, tokenHash));
  }

  /** All tenants, in the order of their tags. */
  tenants(): (Tenant & { tag: string })[] {
    return this.read(() => tenantRows(this.meta)).sort((a, b) => (a.tag < b.tag ? -1 : 1));
  }

  /** Makes or changes a tenant, whose token before ends; undefined makes it one no more. */
  setTenant(tag: string, tenant: Tenant | undefined): Promise<void> {
    return this.shared?.setTenant(tag, tenant) ?? this.copyTenant(tag, tenant);
  }

  /** Writes a tenant as another machine has it. */
  copyTenant(tag: string, tenant: Tenant | undefined): Promise<void> {
    return this.write(() => writeTenant(this.meta, tag, tenant));
  }

  /**
   * Takes credits out of the balance, or what it holds if that is less.
   * @returns the credits taken @throws Error when the account is not prepaid
   */
  async debit(id: number, credits: number): Promise<number> {
    let taken = 0;
    await this.change(id, account => {
      if (account.credits === undefined)
        throw new Error(`${credits} credits cannot be taken from account ${id}, which holds none: it is not prepaid.`);
      taken = Math.min(credits, account.credits);
      return { ...account, credits: account.credits - taken };
    });
    return taken;
  }

  /** Puts credits back that were taken and not spent. @throws Error when it is not prepaid, or above 2,147,483,647 */
  giveBack(id: number, credits: number): Promise<Account> {
    const make = (account: Account): Account => {
      if (account.credits === undefined || account.credits + credits > CREDITS_MAX)
        throw new Error(
          `${credits} credits cannot be given back to account ${id}, which holds ` +
            `${account.credits ?? 'none: it is not prepaid'}.`,
        );
      return { ...account, credits: account.credits + credits };
    };
    return this.change(id, make, () => false, true);
  }

  /**
   * Counts a device towards its account's plan, once a month.
   * @param month whole months since 1970-01 (UTC)
   * @param device 16 hexadecimal digits, the hash of the device id
   * @param limit devices a month that the plan holds
   * @param keptFrom first month whose devices are kept; before `month` only where the clock may be ahead
   */
  registerDevice(id: number, month: number, device: string, limit: number, keptFrom = month): Promise<DeviceOutcome> {
    if (this.shared !== undefined) return this.shared.registerDevice(id, month, device, limit);
    return this.write(() => countDevice(this.deviceRows, id, month, device, limit, keptFrom));
  }

  /** Begins a copy of the table. */
  copyTo(folder: string): EnvironmentCopy {
    return copyEnvironment(this.env, folder);
  }

  close(): Promise<void> {
    return closeEnvironment(this.env);
  }

  private record(id: number): Account | undefined {
    const bytes = this.byId.getBinary(numberKey(id));
    return bytes === undefined ? undefined : ACCOUNT.decode(bytes);
  }

  /** @throws Error when a key is none or has an account already */
  requireNew(keyHash: string): void {
    const hash = Buffer.from(keyHash, 'hex');
    if (hash.length !== 32) throw new Error(`The key hash ${keyHash} is not 64 hexadecimal digits.`);
    if (this.byHash.doesExist(hash)) throw new Error('An account with this key exists already.');
  }

  private existing(id: number): Account {
    const account = this.record(id);
    if (account === undefined) throw new Error(`There is no account ${id}.`);
    return account;
  }

  /** Writes an account and the rows of its keys. */
  private store(account: Account): Account {
    const before = hashesOf(this.record(account.id));
    const after = hashesOf(account);
    for (const hash of before) if (!after.includes(hash)) void this.byHash.remove(Buffer.from(hash, 'hex'));
    for (const hash of after)
      if (!before.includes(hash)) void this.byHash.put(Buffer.from(hash, 'hex'), numberKey(account.id));
    void this.byId.put(numberKey(account.id), Buffer.from(ACCOUNT.encode(account)));
    return account;
  }

  /** Reads the latest commit, and holds no snapshot afterwards. */
  private read<T>(action: () => T): T {
    this.env.resetReadTxn();
    try {
      return action();
    } finally {
      this.env.resetReadTxn();
    }
  }

  private write<T>(action: () => T): Promise<T> {
    return commitAtOnce(this.env, 'The account table', action, this.durability === 'flush');
  }
}

function changed(before: Account, changes: AccountChanges): Account {
  const account: Record<string, unknown> = { ...before };
  if (changes.monthlyCredits !== undefined) delete account.filledMonth;
  for (const [member, value] of Object.entries(changes)) {
    if (value === null) delete account[member];
    else if (value !== undefined) account[member] = value;
  }
  return account as unknown as Account;
}

/** Hashes of the keys that lead to an account. */
function hashesOf(account: Account | undefined): string[] {
  if (account === undefined) return [];
  return account.previous === undefined ? [account.keyHash] : [account.keyHash, account.previous.keyHash];
}

/** The tables of the environment. */
type Tables = Record<'meta' | 'byId' | 'byHash' | 'devices', Rows>;

/** @param create makes those that are missing; otherwise nothing is written, and a missing one is an error */
function openTables(env: RootDatabase<Buffer, Buffer>, create: boolean): Tables {
  const openRows = (name: string): Rows =>
    existing(env.openDB<Buffer, Buffer>(name, { ...BINARY, ...{ create } }), TABLE);
  return { meta: openRows('meta'), byId: openRows('byId'), byHash: openRows('byHash'), devices: openRows('devices') };
}

/** Makes the tables of an empty environment, all or none. */
function createTables(env: RootDatabase<Buffer, Buffer>): Tables {
  return env.transactionSync(() => {
    const tables = openTables(env, true);
    tables.meta.putSync(FORMAT_KEY, numberKey(FORMAT));
    tables.meta.putSync(NEXT_KEY, numberKey(1));
    return tables;
  });
}
