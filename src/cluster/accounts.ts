// The accounts of a cluster. They are in the key-value store, and each node has a copy in its own account table, where
// every request finds them. A change is a compare-and-set of the account's entry, and then of the copy; entries that
// other nodes write come by a watch. So a block of credits that a node takes is taken once, whoever else takes one, and
// what a node holds in its memory when it dies is all that is lost, as on one machine (src/accounts/account_writer.ts).
//
//   account.ID        a random number of 8 bytes, how often the balance was set as a u32, and the record; in headers
//                     which node has written it, and whether it gives credits back (ledger.ts)
//   next              the next id
//   tenant.TAG        SHA-256 of the token of a tenant, and its caps; the tag as hexadecimal digits
//
// and of the devices of a month, in a store that forgets what is older than two months:
//
//   ID.MONTH          how many there are
//   ID.MONTH.DEVICE   nothing (the device was seen)
//
// An answer may be lost on its way, and nobody knows then whether the change was made. The random number tells: the
// store keeps the last values of each entry, and the change was made if one of them has it. If that cannot be read
// either, the change counts as not made: a block is forfeited then, and never counted twice.

import { randomBytes } from 'node:crypto';
import { JetStreamApiError, type JetStreamClient } from '@nats-io/jetstream';
import { type KV, type KvEntry, Kvm, type KvWatchEntry } from '@nats-io/kv';
import { headers, type QueuedIterator } from '@nats-io/transport-node';
import { ACCOUNT_ID_MAX, type Account, decodeAccount, encodeAccount } from '../tables/accounts/account_record.ts';
import type { AccountTable, NewAccount, SharedAccounts } from '../tables/accounts/accounts.ts';
import { type DeviceOutcome, readCaps, type Tenant, withCaps } from '../tables/accounts/rows.ts';
import { NotWritten } from '../tables/environment/commit.ts';
import type { ClusterConnection } from './connection.ts';

const WHAT = 'The accounts of the cluster';
/** The store of accounts. */
export const BUCKET = 'sextant_accounts';
const DEVICES_BUCKET = 'sextant_devices';
const DEVICES_MILLISECONDS = 62 * 86_400_000;
/** Values of an entry that are kept: the most that the store can. */
const HISTORY = 64;
/** Subject of the accounts in the store; then comes the id. */
export const ACCOUNTS_SUBJECT = `$KV.${BUCKET}.account.`;
const ACCOUNT = 'account.';
/** Headers of an entry: the node that has written it, and that credits are given back. */
export const NODE_HEADER = 'Sextant-Node';
export const RETURN_HEADER = 'Sextant-Return';
const NEXT = 'next';
const TENANT = 'tenant.';
const NONCE_BYTES = 8;
const HEAD_BYTES = NONCE_BYTES + 4;
/** Changes of one entry by others between reading and writing it, in a row, before a change is given up. */
const ATTEMPTS_MAX = 50;
const WRONG_LAST = [10_071, 10_164];
const ANSWER_MILLISECONDS = 5_000;
/** After a question without an answer, none is asked for so long. */
const AWAY_MILLISECONDS = 1_000;

/** An account as it is in the store. */
export interface Stored {
  nonce: Buffer;
  /** How often the whole balance was set: what nodes hold of an earlier one is void. */
  settings: number;
  account: Account;
}

/** What the accounts of a node have to do with. */
export interface AccountParts {
  /** Name of this node. */
  node: string;
  /** The copy of this node. */
  table: AccountTable;
  /**
   * Called when another node has changed an account.
   * @param isSet its whole balance was set: what this node holds of the one before is void
   */
  onChanged(account: Account, before: Account | undefined, isSet: boolean): void;
  /** Called now and then with the number of nodes, which share the rates of keys. */
  onNodes(nodes: number): void;
  /** Why nothing may be changed now; undefined where it may. */
  refusal(): string | undefined;
  /** Called when the copy could not be written. */
  onError(error: Error): void;
}

/** What is open while the servers answered once. */
interface Attached {
  jetstream: JetStreamClient;
  entries: KV;
  devices: KV;
  endWatch: () => void;
}

/** The accounts of a cluster, as a node changes them. */
export class ClusterAccounts implements SharedAccounts {
  private readonly parts: AccountParts;
  private attached: Attached | undefined;
  /** Revision of each account that the copy has. */
  private readonly revisions = new Map<number, number>();
  private readonly settings = new Map<number, number>();
  private last = 0;
  /** The last copy of each account that is being written. */
  private readonly copying = new Map<number, Promise<void>>();
  private awayUntilMs = Number.NEGATIVE_INFINITY;

  constructor(parts: AccountParts) {
    this.parts = parts;
  }

  /**
   * Opens the store and brings the copy up to date. The accounts of the first node become those of the cluster.
   * @throws Error when the copy has accounts that the cluster does not have; error of NATS
   */
  async attach({ jetstream, replicas }: ClusterConnection): Promise<void> {
    const buckets = new Kvm(jetstream);
    // A copy of the server may be behind, and a change over it would be made in vain.
    const options = { replicas, allow_direct: false };
    const entries = await buckets.create(BUCKET, { ...options, history: HISTORY });
    const devices = await buckets.create(DEVICES_BUCKET, { ...options, ttl: DEVICES_MILLISECONDS });
    this.revisions.clear();
    this.settings.clear();
    this.last = 0;
    const changes = await entries.watch();
    this.attached = { jetstream, entries, devices, endWatch: () => changes.stop() };
    try {
      await this.join(entries);
      await this.follow(changes);
    } catch (error) {
      this.detach();
      throw error;
    }
  }

  /** Attaches again if the watch has ended. @param nodes how many there are, which share rates */
  async refresh(connection: ClusterConnection, nodes: number): Promise<void> {
    if (!this.isAttached) await this.attach(connection);
    this.parts.onNodes(nodes);
  }

  /** True while changes of other nodes are copied. */
  get isAttached(): boolean {
    return this.attached !== undefined;
  }

  /** Number of the last change of an account that this node has seen; 0 where it has seen none. */
  get lastChange(): number {
    return this.last;
  }

  /** What the store had is no measure for what it has from here on. */
  forgetStore(): void {
    this.last = 0;
  }

  /** Ends the watch. */
  detach(): void {
    this.attached?.endWatch();
    this.attached = undefined;
  }

  async create(account: NewAccount): Promise<Account> {
    this.parts.table.requireNew(account.keyHash);
    const created: Account = { ...account, id: await this.nextId(), revoked: false };
    if (!(await this.putEntry(created, 0, 0))) throw new Error(`There is an account ${created.id} already.`);
    return created;
  }

  async change(
    id: number,
    make: (account: Account) => Account,
    setsBalance: (before: Account, after: Account) => boolean,
    isReturn: boolean,
  ): Promise<Account> {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const known = this.revisions.get(id) ?? 0;
      const entry = await this.asked(this.stores.entries.get(ACCOUNT + id));
      if (entry === null) throw new Error(`There is no account ${id}.`);
      if (entry.revision < known) throw new NotWritten(WHAT, `the cluster has an earlier account ${id} than this node`);
      // The watch may be behind, and would not see a change of another node under one of this node.
      await this.takeAccount(entry);
      const { account, settings } = decode(entry.value);
      const changed = make(account);
      if (changed === account) return account;
      const isSet = setsBalance(account, changed);
      if (await this.putEntry(changed, isSet ? settings + 1 : settings, entry.revision, isReturn)) return changed;
    }
    throw new NotWritten(`Account ${id}`, 'other nodes change it all the time');
  }

  async setTenant(tag: string, tenant: Tenant | undefined): Promise<void> {
    const key = TENANT + Buffer.from(tag).toString('hex');
    const { entries } = this.stores;
    if (tenant === undefined) await this.asked(entries.delete(key));
    else await this.asked(entries.put(key, withCaps(tenant.tokenHash, tenant.caps)));
    await this.parts.table.copyTenant(tag, tenant);
  }

  /** Counts first: a kill in between makes a plan smaller by one for a month, and never larger. */
  async registerDevice(id: number, month: number, device: string, limit: number): Promise<DeviceOutcome> {
    const counter = `${id}.${month}`;
    const row = `${counter}.${device}`;
    if ((await this.asked(this.stores.devices.get(row))) !== null) return 'known';
    if (!(await this.addTo(counter, 1, limit))) return 'refused';
    if (await this.isCreated(row)) return 'added';
    await this.addTo(counter, -1, limit);
    return 'known';
  }

  /** Adds to the number of an entry, unless it would pass a limit. */
  private async addTo(key: string, more: number, limit: number): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const entry = await this.asked(this.stores.devices.get(key));
      const count = (entry === null ? 0 : Number(entry.string())) + more;
      if (count > limit) return false;
      const written = this.stores.devices.put(key, String(count), { previousSeq: entry?.revision ?? 0 });
      if (await this.isMade(written)) return true;
    }
    throw new NotWritten(`The device plan ${key}`, 'other nodes change it all the time');
  }

  private isCreated(key: string): Promise<boolean> {
    return this.isMade(this.stores.devices.put(key, '', { previousSeq: 0 }));
  }

  private async nextId(): Promise<number> {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const entry = await this.asked(this.stores.entries.get(NEXT));
      const id = entry === null ? 1 : Number(entry.string());
      if (id > ACCOUNT_ID_MAX)
        throw new Error(`There are ${ACCOUNT_ID_MAX} accounts, which is the most that a cluster holds.`);
      if (await this.isMade(this.stores.entries.put(NEXT, String(id + 1), { previousSeq: entry?.revision ?? 0 })))
        return id;
    }
    throw new NotWritten('The number of accounts', 'other nodes change it all the time');
  }

  /** Writes an entry over the one of a revision, and then the copy. @returns false when another node was faster */
  private async putEntry(account: Account, settings: number, over: number, isReturn = false): Promise<boolean> {
    const nonce = randomBytes(NONCE_BYTES);
    const key = ACCOUNT + account.id;
    let revision: number | undefined;
    try {
      const about = headers();
      about.set(NODE_HEADER, this.parts.node);
      if (isReturn) about.set(RETURN_HEADER, 'true');
      // As the store itself puts an entry, but with headers.
      const options = { headers: about, expect: { lastSubjectSequence: over } };
      const entry = encode({ nonce, settings, account });
      revision = (await this.stores.jetstream.publish(ACCOUNTS_SUBJECT + account.id, entry, options)).seq;
    } catch (error) {
      if (isConflict(error)) return false;
      revision = await this.revisionOf(key, nonce).catch(() => undefined);
      if (revision === undefined) throw this.unanswered(error);
    }
    await this.copy(account, settings, revision);
    return true;
  }

  /** The revision of the value with a random number; undefined if none of those that are kept has it. */
  private async revisionOf(key: string, nonce: Buffer): Promise<number | undefined> {
    const values = await this.stores.entries.history({ key });
    const timer = setTimeout(() => values.stop(), ANSWER_MILLISECONDS);
    try {
      for await (const { value, revision } of values)
        if (value.length > HEAD_BYTES && decode(value).nonce.equals(nonce)) return revision;
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Writes the copy of an entry, unless it has that or a later one by then: the watch may be faster than the answer to
   * whoever has written the entry. @returns whether it did
   */
  private async copy(account: Account, settings: number, revision: number): Promise<boolean> {
    const { id } = account;
    const isOld = (this.revisions.get(id) ?? 0) >= revision;
    if (!isOld) {
      this.revisions.set(id, revision);
      this.last = Math.max(this.last, revision);
      this.settings.set(id, settings);
      const copied = this.parts.table.copy(account).finally(() => {
        if (this.copying.get(id) === copied) this.copying.delete(id);
      });
      this.copying.set(id, copied);
    }
    await this.copying.get(id);
    return !isOld;
  }

  /** Makes the accounts of an empty cluster those of this node; otherwise refuses to lose some of this node. */
  private async join(entries: KV): Promise<void> {
    const { table } = this.parts;
    const isEmpty = (await entries.get(NEXT)) === null;
    const own = table.list();
    for (const account of own) {
      const entry = await entries.get(ACCOUNT + account.id);
      if (entry === null && isEmpty) await this.putEntry(account, 0, 0);
      else if (entry === null || decode(entry.value).account.createdMs !== account.createdMs)
        throw new Error(
          `Key ${account.id} of this data folder is not one of the cluster. Join with a new folder, named by --data.`,
        );
    }
    if (!isEmpty) return;
    for (const { tag, ...tenant } of table.tenants()) await this.setTenant(tag, tenant);
    await entries.create(NEXT, String((own.at(-1)?.id ?? 0) + 1));
  }

  /** Copies all entries, then resolves, and copies those that come. Where that fails, the node attaches again. */
  private follow(changes: QueuedIterator<KvWatchEntry>): Promise<void> {
    return new Promise((resolve, reject) => {
      const read = async (): Promise<void> => {
        for await (const entry of changes) {
          await this.take(entry);
          if (entry.delta === 0) resolve();
        }
      };
      read().catch(error => {
        reject(error);
        this.detach();
        this.parts.onError(error);
      });
    });
  }

  /** @throws NotWritten when the servers have not answered yet */
  private get stores(): Attached {
    if (this.attached === undefined) throw new NotWritten(WHAT, 'this node has not reached its cluster');
    const refusal = this.parts.refusal();
    if (refusal !== undefined) throw new NotWritten(WHAT, refusal);
    if (performance.now() < this.awayUntilMs) throw new NotWritten(WHAT, 'the cluster does not answer');
    return this.attached;
  }

  /** Waits for an answer of the store. @throws NotWritten when there is none */
  private async asked<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      throw this.unanswered(error);
    }
  }

  /** Waits for a write that must find its entry as it was. @returns false when another node was faster */
  private async isMade(written: Promise<number>): Promise<boolean> {
    try {
      await written;
      return true;
    } catch (error) {
      if (isConflict(error)) return false;
      throw this.unanswered(error);
    }
  }

  /** Whoever asks in the next second need not wait as long. */
  private unanswered(error: unknown): NotWritten {
    this.awayUntilMs = performance.now() + AWAY_MILLISECONDS;
    return new NotWritten(WHAT, (error as Error).message, { cause: error });
  }

  private async take(entry: KvWatchEntry): Promise<void> {
    const { key, value, operation } = entry;
    if (key.startsWith(TENANT)) {
      const tag = Buffer.from(key.slice(TENANT.length), 'hex').toString();
      const { word: tokenHash, caps } = readCaps(Buffer.from(value).toString());
      await this.parts.table.copyTenant(tag, operation === 'PUT' ? { tokenHash, caps } : undefined);
    } else if (key.startsWith(ACCOUNT) && operation === 'PUT') await this.takeAccount(entry);
  }

  private async takeAccount({ value, revision }: Pick<KvEntry, 'value' | 'revision'>): Promise<void> {
    const { account, settings } = decode(value);
    const isSet = (this.settings.get(account.id) ?? settings) !== settings;
    const before = this.parts.table.get(account.id);
    if (await this.copy(account, settings, revision)) this.parts.onChanged(account, before, isSet);
  }
}

function encode({ nonce, settings, account }: Stored): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.set(nonce);
  head.writeUInt32BE(settings, NONCE_BYTES);
  return Buffer.concat([head, encodeAccount(account)]);
}

/** Reads the value of an entry. @throws Error when it holds no account */
export function decode(value: Uint8Array): Stored {
  const bytes = Buffer.from(value);
  return {
    nonce: bytes.subarray(0, NONCE_BYTES),
    settings: bytes.readUInt32BE(NONCE_BYTES),
    account: decodeAccount(bytes.subarray(HEAD_BYTES)),
  };
}

function isConflict(error: unknown): boolean {
  return error instanceof JetStreamApiError && WRONG_LAST.includes(error.code);
}
