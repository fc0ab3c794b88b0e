// The copy that a node has of the accounts of its cluster, in its own account table, where every request finds them.
// What the store has is taken over in the order of its revisions, and only what differs is written: a node that starts
// again has most of it. Entries that come together are written in one commit.

import { isDeepStrictEqual } from 'node:util';
import type { KvEntry, KvWatchEntry } from '@nats-io/kv';
import { type Account, ACCOUNT as RECORD } from '../tables/accounts/account_record.ts';
import type { AccountTable } from '../tables/accounts/accounts.ts';
import { readCaps } from '../tables/accounts/rows.ts';

/** Keys of accounts and of tenants in the store; then comes the id, or the tag as hexadecimal digits. */
export const ACCOUNT = 'account.';
export const TENANT = 'tenant.';
export const NONCE_BYTES = 8;
export const HEAD_BYTES = NONCE_BYTES + 4;
/** Accounts in one commit: some milliseconds, since charges wait for the same thread. */
const COMMIT_ACCOUNTS = 500;

/** An account as it is in the store. */
export interface Stored {
  nonce: Buffer;
  /** How often the whole balance was set: what nodes hold of an earlier one is void. */
  settings: number;
  account: Account;
}

/** The copy, and who hears of its changes. */
export interface CopyParts {
  table: AccountTable;
  /**
   * Called when another node has changed an account.
   * @param isSet its whole balance was set: what this node holds of the one before is void
   */
  onChanged(account: Account, before: Account | undefined, isSet: boolean): void;
}

type Entry = Pick<KvEntry, 'key' | 'value' | 'operation' | 'revision'>;

/** An account that differs from the copy. */
interface Change {
  account: Account;
  before: Account | undefined;
  isSet: boolean;
  revision: number;
}

/** See above. */
export class AccountCopy {
  private readonly parts: CopyParts;
  /** Revision of each account that the copy has. */
  private readonly revisions = new Map<number, number>();
  private readonly settings = new Map<number, number>();
  /** The last copy of each account that is being written. */
  private readonly copying = new Map<number, Promise<void>>();
  /** Changes that this node is making, by their random numbers, with what the watch told before the answer. */
  private readonly own = new Map<string, Change | undefined>();
  private last = 0;

  constructor(parts: CopyParts) {
    this.parts = parts;
  }

  /** Number of the last change of an account that this node has seen; 0 where it has seen none. */
  get lastChange(): number {
    return this.last;
  }

  /** Revision of an account that the copy has; 0 where it has none. */
  revisionOf(id: number): number {
    return this.revisions.get(id) ?? 0;
  }

  /** What the store had is no measure for what it has from here on. */
  forgetStore(): void {
    this.revisions.clear();
    this.settings.clear();
    this.last = 0;
  }

  /** Takes over an entry, unless the copy has that or a later one. */
  async take(entry: Entry): Promise<void> {
    if (entry.key.startsWith(TENANT)) return this.takeTenant(entry);
    if (!entry.key.startsWith(ACCOUNT) || entry.operation !== 'PUT') return;
    const changes = new Map<number, Change>();
    const { account, nonce } = this.note(entry, changes);
    const [change] = changes.values();
    const name = nonce.toString('hex');
    if (change === undefined) await this.copying.get(account.id);
    else if (this.own.has(name)) {
      this.own.set(name, change);
      await this.commit([change]);
    } else await this.write([change]);
  }

  /**
   * Takes over all that the store has, up to the entry that says that no other one is there now.
   * @returns takes the next one; true after the last
   * @throws Error when this folder has an account that the store does not have; then nothing is written
   */
  begin(): (entry: Entry & Pick<KvWatchEntry, 'delta'>) => Promise<boolean> {
    // Others are written only once all of this folder were found.
    const missing = new Map(this.parts.table.list().map(({ id, createdMs }) => [id, createdMs]));
    const changes = new Map<number, Change>();
    const tenants: Entry[] = [];
    const flush = async (): Promise<void> => {
      const all = [...changes.values()];
      changes.clear();
      for (let at = 0; at < all.length; at += COMMIT_ACCOUNTS) await this.write(all.slice(at, at + COMMIT_ACCOUNTS));
    };
    return async entry => {
      if (entry.key.startsWith(TENANT)) tenants.push(entry);
      else if (entry.key.startsWith(ACCOUNT) && entry.operation === 'PUT') {
        const { id, createdMs } = this.note(entry, changes).account;
        if ((missing.get(id) ?? createdMs) !== createdMs) throw new ForeignKey(id);
        missing.delete(id);
        if (missing.size === 0 && changes.size >= COMMIT_ACCOUNTS) await flush();
      }
      if (entry.delta !== 0) return false;
      for (const id of missing.keys()) throw new ForeignKey(id);
      await flush();
      for (const tenant of tenants) await this.takeTenant(tenant);
      return true;
    };
  }

  /** Makes a change of this node, which knows of it unless that fails. @param nonce of its entry */
  async during<T>(nonce: Buffer, make: () => Promise<T>): Promise<T> {
    const name = nonce.toString('hex');
    this.own.set(name, undefined);
    try {
      return await make();
    } catch (error) {
      // It was made all the same.
      const change = this.own.get(name);
      if (change !== undefined) this.parts.onChanged(change.account, change.before, change.isSet);
      throw error;
    } finally {
      this.own.delete(name);
    }
  }

  /** Writes what this node itself has put into the store, unless the watch was faster. */
  async put(account: Account, settings: number, revision: number): Promise<void> {
    const changes = new Map<number, Change>();
    this.add({ account, settings }, revision, changes);
    const { id } = account;
    await (changes.size > 0 ? this.commit([...changes.values()]) : this.copying.get(id));
  }

  private note({ value, revision }: Entry, changes: Map<number, Change>): Stored {
    const stored = decode(value);
    this.add(stored, revision, changes);
    return stored;
  }

  /** Notes an account of the store; as a change if the copy differs. */
  private add(
    { account, settings }: Pick<Stored, 'account' | 'settings'>,
    revision: number,
    changes: Map<number, Change>,
  ): void {
    const { id } = account;
    if (this.revisionOf(id) >= revision) return;
    const waiting = changes.get(id);
    const before = waiting?.before ?? this.parts.table.get(id);
    const isSet = waiting?.isSet === true || (this.settings.get(id) ?? settings) !== settings;
    this.revisions.set(id, revision);
    this.settings.set(id, settings);
    this.last = Math.max(this.last, revision);
    if (isSet || !isDeepStrictEqual(before, account)) changes.set(id, { account, before, isSet, revision });
    else changes.delete(id);
  }

  /** Writes changes of other nodes. */
  private async write(changes: readonly Change[]): Promise<void> {
    // While they waited, a later one may have come.
    const latest = changes.filter(({ account, revision }) => this.revisionOf(account.id) === revision);
    if (latest.length === 0) return;
    await this.commit(latest);
    for (const { account, before, isSet } of latest) this.parts.onChanged(account, before, isSet);
  }

  private async commit(changes: readonly Change[]): Promise<void> {
    const accounts = changes.map(({ account }) => account);
    const written = this.parts.table.copy(accounts);
    for (const { id } of accounts) this.copying.set(id, written);
    try {
      await written;
    } catch (error) {
      // What was not written is not there.
      for (const { account, revision } of changes)
        if (this.revisionOf(account.id) === revision) this.revisions.delete(account.id);
      throw error;
    } finally {
      for (const { id } of accounts) if (this.copying.get(id) === written) this.copying.delete(id);
    }
  }

  private async takeTenant({ key, value, operation }: Entry): Promise<void> {
    const { table } = this.parts;
    const tag = Buffer.from(key.slice(TENANT.length), 'hex').toString();
    const { word: tokenHash, caps } = readCaps(Buffer.from(value).toString());
    const before = table.tenants().find(tenant => tenant.tag === tag);
    const after = operation === 'PUT' ? { tag, caps, tokenHash } : undefined;
    if (!isDeepStrictEqual(before, after)) await table.copyTenant(tag, after);
  }
}

/** A key of this folder that the store does not have, or has another one of its number. */
export class ForeignKey extends Error {
  readonly id: number;

  constructor(id: number) {
    super(`Key ${id} of this data folder is not one of the cluster. Join with a new folder, named by --data.`);
    this.id = id;
  }
}

/** The value of an entry. */
export function encode({ nonce, settings, account }: Stored): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.set(nonce);
  head.writeUInt32BE(settings, NONCE_BYTES);
  return Buffer.concat([head, RECORD.encode(account)]);
}

/** Reads the value of an entry. @throws Error when it holds no account */
export function decode(value: Uint8Array): Stored {
  const bytes = Buffer.from(value);
  return {
    nonce: bytes.subarray(0, NONCE_BYTES),
    settings: bytes.readUInt32BE(NONCE_BYTES),
    account: RECORD.decode(bytes.subarray(HEAD_BYTES)),
  };
}
