// The accounts of a cluster. They are in the key-value store, and each node has a copy (account_copy.ts). A change is a
// compare-and-set of the account's entry, and then of the copy; entries that other nodes write come by a watch. So a
// block of credits that a node takes is taken once, whoever else takes one, and what a node holds in its memory when it
// dies is all that is lost, as on one machine (src/accounts/account_writer.ts).
//
//   account.ID        a random number of 8 bytes, how often the balance was set as a u32, and the record; in headers
//                     which node has written it, and whether it gives credits back (ledger.ts)
//   next              the next id; there once the accounts of the first node are
//   founder           which node that is
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
import { type KV, Kvm, type KvWatchEntry } from '@nats-io/kv';
import { headers, type QueuedIterator } from '@nats-io/transport-node';
import { ACCOUNT_ID_MAX, type Account } from '../tables/accounts/account_record.ts';
import type { NewAccount, SharedAccounts } from '../tables/accounts/accounts.ts';
import { type DeviceOutcome, type Tenant, withCaps } from '../tables/accounts/rows.ts';
import { NotWritten } from '../tables/environment/commit.ts';
import {
  ACCOUNT,
  AccountCopy,
  type CopyParts,
  decode,
  encode,
  ForeignKey,
  HEAD_BYTES,
  NONCE_BYTES,
  type Stored,
  TENANT,
} from './account_copy.ts';
import { type ClusterConnection, Unreachable } from './connection.ts';
import type { ServerClock } from './server_clock.ts';

const WHAT = 'The accounts of the cluster';
/** The store of accounts. */
export const BUCKET = 'sextant_accounts';
const DEVICES_BUCKET = 'sextant_devices';
const DEVICES_MILLISECONDS = 62 * 86_400_000;
/** Values of an entry that are kept: the most that the store can. */
const HISTORY = 64;
/** Subject of the accounts in the store; then comes the id. */
export const ACCOUNTS_SUBJECT = `$KV.${BUCKET}.account.`;
/** Headers of an entry: the node that has written it, and that credits are given back. */
export const NODE_HEADER = 'Sextant-Node';
export const RETURN_HEADER = 'Sextant-Return';
const NEXT = 'next';
/** Which data folder has made its accounts those of the cluster, and the name of its node. */
const FOUNDER = 'founder';
/** Changes of one entry by others between reading and writing it, in a row, before a change is given up. */
const ATTEMPTS_MAX = 50;
const WRONG_LAST = [10_071, 10_164];
const ANSWER_MILLISECONDS = 5_000;
/** After a question without an answer, none is asked for so long. */
const AWAY_MILLISECONDS = 1_000;

/** What the accounts of a node have to do with. */
export interface AccountParts extends CopyParts {
  /** Name of this node. */
  node: string;
  /** By what its data folder is known (request_log.ts); undefined for a command, which founds no cluster. */
  folder: string | undefined;
  /** Of the servers. */
  clock: Pick<ServerClock, 'nowMs'>;
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
  changes: QueuedIterator<KvWatchEntry> | undefined;
}

/** Who makes its accounts those of the cluster. */
interface Founder {
  folder: string;
  node: string;
}

/** The accounts of a cluster, as a node changes them. */
export class ClusterAccounts implements SharedAccounts {
  private readonly parts: AccountParts;
  private attached: Attached | undefined;
  private readonly copy: AccountCopy;
  private awayUntilMs = Number.NEGATIVE_INFINITY;

  constructor(parts: AccountParts) {
    this.parts = parts;
    this.copy = new AccountCopy(parts);
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
    this.copy.forgetStore();
    const attached: Attached = { jetstream, entries, devices, changes: undefined };
    this.attached = attached;
    try {
      if ((await entries.get(NEXT)) === null) await this.found(entries);
      attached.changes = await entries.watch();
      // It was detached meanwhile.
      if (this.attached !== attached) attached.changes.stop();
      await this.follow(attached.changes);
    } catch (error) {
      this.detach();
      if (error instanceof ForeignKey && (await this.isOfCluster(entries, error.id)))
        throw new Unreachable('A server of NATS is behind the others, and does not have all keys of the cluster yet.');
      throw error;
    }
  }

  /** True for a key of this folder that the leader of the store has. @throws Error of NATS */
  private async isOfCluster(entries: KV, id: number): Promise<boolean> {
    const entry = await entries.get(ACCOUNT + id);
    const own = this.parts.table.get(id);
    return entry !== null && own !== undefined && decode(entry.value).account.createdMs === own.createdMs;
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
    return this.copy.lastChange;
  }

  /** What the store had is no measure for what it has from here on. */
  forgetStore(): void {
    this.copy.forgetStore();
  }

  /** Ends the watch. */
  detach(): void {
    this.attached?.changes?.stop();
    this.attached = undefined;
  }

  get nowMs(): number {
    const { nowMs } = this.parts.clock;
    if (nowMs === undefined) throw new NotWritten(WHAT, 'this node has not reached its cluster');
    return nowMs;
  }

  async create(account: NewAccount): Promise<Account> {
    this.parts.table.requireNew(account.keyHash);
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const created: Account = { ...account, id: await this.nextId(), revoked: false };
      if (await this.putEntry(created, 0, 0)) return created;
    }
    throw new NotWritten(WHAT, 'the next numbers are those of other accounts');
  }

  async change(
    id: number,
    make: (account: Account) => Account,
    setsBalance: (before: Account, after: Account) => boolean,
    isReturn: boolean,
  ): Promise<Account> {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const known = this.copy.revisionOf(id);
      const entry = await this.asked(this.stores.entries.get(ACCOUNT + id));
      if (entry === null) throw new Error(`There is no account ${id}.`);
      if (entry.revision < known) throw new NotWritten(WHAT, `the cluster has an earlier account ${id} than this node`);
      // The watch may be behind, and would not see a change of another node under one of this node.
      await this.copy.take(entry);
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
    return this.copy.during(nonce, () => this.putStored({ nonce, settings, account }, over, isReturn));
  }

  private async putStored(stored: Stored, over: number, isReturn: boolean): Promise<boolean> {
    const { nonce, settings, account } = stored;
    let revision: number | undefined;
    try {
      const about = headers();
      about.set(NODE_HEADER, this.parts.node);
      if (isReturn) about.set(RETURN_HEADER, 'true');
      // As the store itself puts an entry, but with headers.
      const options = { headers: about, expect: { lastSubjectSequence: over } };
      const subject = ACCOUNTS_SUBJECT + account.id;
      revision = (await this.stores.jetstream.publish(subject, encode(stored), options)).seq;
    } catch (error) {
      if (isConflict(error)) return false;
      revision = await this.revisionOf(ACCOUNT + account.id, nonce).catch(() => undefined);
      if (revision === undefined) throw this.unanswered(error);
    }
    await this.copy.put(account, settings, revision);
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
   * Makes the accounts of this folder those of an empty cluster. Whoever comes first does, and goes on after a kill.
   * @throws NotWritten while another node does
   */
  private async found(entries: KV): Promise<void> {
    const { folder, node, table } = this.parts;
    if (folder === undefined) throw new Error('The cluster has no accounts yet: start a node.');
    if (!(await this.isMade(entries.create(FOUNDER, JSON.stringify({ folder, node } satisfies Founder))))) {
      const founder = (await entries.get(FOUNDER))?.json<Founder>();
      if (founder?.folder !== folder)
        throw new NotWritten(WHAT, `node ${founder?.node} brings its own, and must run until it has done so`);
    }
    const own = table.list();
    // What is there already was put before a kill.
    for (const account of own) await this.putEntry(account, 0, 0);
    for (const { tag, ...tenant } of table.tenants()) await this.setTenant(tag, tenant);
    await this.isMade(entries.create(NEXT, String((own.at(-1)?.id ?? 0) + 1)));
  }

  /** Copies all entries, then resolves, and copies those that come. Where that ends, the node attaches again. */
  private follow(changes: QueuedIterator<KvWatchEntry>): Promise<void> {
    const { promise: begun, resolve, reject } = Promise.withResolvers<void>();
    const end = (error: Error): void => {
      reject(error);
      if (this.attached?.changes === changes) this.detach();
    };
    const read = async (): Promise<void> => {
      const takeFirst = this.copy.begin();
      let hasBegun = false;
      for await (const entry of changes) {
        if (hasBegun) await this.copy.take(entry);
        else if (await takeFirst(entry)) {
          hasBegun = true;
          resolve();
        }
      }
    };
    read().then(
      () => end(new NotWritten(WHAT, 'the connection ended while they were copied')),
      (error: Error) => {
        end(error);
        this.parts.onError(error);
      },
    );
    return begun;
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
}

function isConflict(error: unknown): boolean {
  return error instanceof JetStreamApiError && WRONG_LAST.includes(error.code);
}
