// The accounts of two nodes over a real server of NATS.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { jetstream } from '@nats-io/jetstream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { AccountWriter } from '../../src/accounts/account_writer.ts';
import { AccountCounters, allocateCounters } from '../../src/accounts/counters.ts';
import { monthOf } from '../../src/accounts/devices.ts';
import type { AccountCopy } from '../../src/cluster/account_copy.ts';
import { ClusterAccounts } from '../../src/cluster/accounts.ts';
import { type ClusterConnection, connectToCluster, Unreachable } from '../../src/cluster/connection.ts';
import { openLedger, readLedger } from '../../src/cluster/ledger.ts';
import { ClusterRates } from '../../src/cluster/rates.ts';
import { nodeKey } from '../../src/cluster/stores.ts';
import type { Account } from '../../src/tables/accounts/account_record.ts';
import { AccountTable, type NewAccount } from '../../src/tables/accounts/accounts.ts';
import { NotWritten } from '../../src/tables/environment/commit.ts';
import { NATS_PROGRAM, NatsServer } from '../kits/nats.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const MONTH = 700;
/** Time of the servers, in 2031, which no clock of these nodes has. */
const SERVERS_MS = Date.UTC(2031, 4, 20);
/** Enough for a server on this machine, and soon over without one. */
const ANSWER_MILLISECONDS = 1_000;

/** A node without anything but accounts. */
class Node {
  readonly table = new AccountTable(temporaryFolder());
  readonly counters = new AccountCounters(allocateCounters());
  readonly errors: Error[] = [];
  /** Of the servers. */
  readonly clock = { nowMs: SERVERS_MS };
  /** Its only word counts what the caches of other threads must drop. */
  readonly control = new Int32Array(new SharedArrayBuffer(4));
  writer = this.start();
  readonly shared: ClusterAccounts;
  private readonly looks = new Set<() => void>();
  private connection: ClusterConnection | undefined;

  constructor(name = 'c') {
    this.shared = new ClusterAccounts({
      node: name,
      folder: randomUUID(),
      clock: this.clock,
      table: this.table,
      onChanged: (account, before, isSet) => {
        void this.writer.adopt(account, before, isSet).then(() => {
          for (const look of this.looks) look();
        });
      },
      refusal: () => undefined,
      onNodes: () => {},
      onError: error => this.errors.push(error),
    });
  }

  private start(): AccountWriter {
    return new AccountWriter(this.table, this.counters, this.control, 0);
  }

  async join(url: string): Promise<void> {
    this.table.shared = this.shared;
    const connection = await connectToCluster({ servers: [url], name: 'test' });
    this.connection = { ...connection, jetstream: jetstream(connection.nats, { timeout: ANSWER_MILLISECONDS }) };
    await this.rejoin();
  }

  /** Tries again what has failed. */
  rejoin(): Promise<void> {
    return this.shared.attach(this.connection!);
  }

  /** Resolves once another node's changes have made something true here. */
  sees(isTrue: () => boolean): Promise<void> {
    return new Promise(resolve => {
      const look = (): void => {
        if (!isTrue()) return;
        this.looks.delete(look);
        resolve();
      };
      this.looks.add(look);
      look();
    });
  }

  async leave(): Promise<void> {
    this.shared.detach();
    await this.connection?.nats.close();
    await this.table.close();
  }
}

function account(digit: string, settings: Partial<NewAccount> = {}): NewAccount {
  return { keyHash: digit.repeat(64), createdMs: 1, ...settings };
}

describe.skipIf(NATS_PROGRAM === undefined)('two nodes', () => {
  let nats: NatsServer;
  let a: Node;
  let b: Node;

  beforeAll(async () => {
    nats = await NatsServer.start();
  });
  afterAll(async () => {
    await nats?.remove();
  });
  beforeEach(async () => {
    a = new Node('a');
    b = new Node('b');
    await a.join(nats.url);
    await b.join(nats.url);
  });
  afterEach(async () => {
    const { connection } = a as unknown as { connection: ClusterConnection };
    for (const name of ['KV_sextant_accounts', 'KV_sextant_devices']) await connection.manager.streams.delete(name);
    await a.leave();
    await b.leave();
    expect([...a.errors, ...b.errors]).toEqual([]);
  });

  test('a key that one makes, changes, rotates and revokes is that of the other', async () => {
    const { id } = await a.writer.create(account('a', { name: 'one' }));
    await b.sees(() => b.table.findByHash('a'.repeat(64))?.name === 'one');
    await b.writer.update(id, { name: 'two' });
    await a.sees(() => a.table.get(id)?.name === 'two');
    await a.writer.rotate(id, 'b'.repeat(64), undefined);
    await b.sees(() => b.table.findByHash('b'.repeat(64)) !== undefined);
    expect(b.table.findByHash('a'.repeat(64))).toBeUndefined();
    await b.writer.revoke(id);
    await a.sees(() => a.table.get(id)?.revoked === true);
  });

  test('keys that both make at once have different numbers, and are at both', async () => {
    const digits = [...'0123456789abcdef'];
    const make = async (digit: string, i: number): Promise<Account> => {
      const { table, writer } = i % 2 === 0 ? a : b;
      const created = await writer.create(account(digit));
      // Who has made a key may use it at once where it was made.
      expect(table.findByHash(digit.repeat(64))).toEqual(created);
      return created;
    };
    const made = await Promise.all(digits.map(make));
    const ids = made.map(({ id }) => id).sort((one, other) => one - other);
    expect(ids).toEqual(digits.map((_, i) => i + 1));
    for (const node of [a, b]) await node.sees(() => node.table.list().length === digits.length);
    expect(a.table.list()).toEqual(b.table.list());
  });

  test('credits are spent once, however both take them', async () => {
    const { id } = await a.writer.create(account('a', { credits: 200 }));
    await b.sees(() => b.counters.total(id) === 200);
    let spent = 0;
    const spend = async ({ writer, counters }: Node): Promise<void> => {
      while ((await writer.topUp(id, 1)) > 0) if (counters.spend(id, 1)) spent++;
    };
    await Promise.all([spend(a), spend(b), spend(a), spend(b)]);
    expect(spent).toBe(200);
    for (const node of [a, b]) await node.sees(() => node.table.get(id)?.credits === 0);
    expect([a.counters.total(id), b.counters.total(id)]).toEqual([0, 0]);
  });

  test('credits that one adds and gives back can be spent at the other', async () => {
    const { id } = await a.writer.create(account('a', { credits: 50 }));
    await a.writer.topUp(id, 40);
    await b.sees(() => b.counters.total(id) === 10);
    await b.writer.credit(id, 5);
    await a.sees(() => a.counters.reserve(id) === 15);
    await a.writer.returnAll();
    await b.sees(() => b.counters.total(id) === 55);
    expect(await b.writer.topUp(id, 55)).toBe(55);
  });

  test('what a node that dies has taken is lost, and no more', async () => {
    const { id } = await a.writer.create(account('a', { credits: 30_000 }));
    const block = await a.writer.topUp(id, 1);
    const c = new Node();
    await c.join(nats.url);
    expect(block).toBe(100);
    expect(c.counters.total(id)).toBe(30_000 - block);
    await c.leave();
  });

  test('a balance that one sets is the balance: what the other holds of the one before is void', async () => {
    const { id } = await a.writer.create(account('a', { credits: 20_000 }));
    await b.sees(() => b.counters.total(id) === 20_000);
    await b.writer.topUp(id, 1);
    await a.writer.update(id, { credits: 7 });
    await b.sees(() => b.counters.total(id) === 7);
    expect(b.counters.spendable(id)).toBe(0);
  });

  test('a monthly quota is filled up once', async () => {
    const { id } = await a.writer.create(account('a', { monthlyCredits: 500 }));
    await b.sees(() => b.counters.total(id) === 500);
    await a.writer.topUp(id, 100);
    const inNextMonth = SERVERS_MS + 32 * 86_400_000;
    const month = monthOf(inNextMonth);
    for (const { clock } of [a, b]) clock.nowMs = inNextMonth;
    await Promise.all([a.writer.fillQuotas(Date.now()), b.writer.fillQuotas(Date.now())]);
    for (const node of [a, b]) await node.sees(() => node.table.get(id)?.filledMonth === month);
    // What a has taken belongs to the balance where a fills it up, and is void where b does.
    await a.sees(() => a.counters.total(id) === 500);
    await b.sees(() => b.counters.total(id) === 500 - a.counters.spendable(id));
  });

  test('the month of a quota is that of the servers, whatever the clocks of nodes say', async () => {
    const month = monthOf(SERVERS_MS);
    const { id } = await a.writer.create(account('a', { monthlyCredits: 60 }));
    expect(a.table.get(id)?.filledMonth).toBe(month);
    await a.writer.topUp(id, 60);
    expect(a.counters.spend(id, 60)).toBe(true);
    for (const nowMs of [SERVERS_MS + 40 * 86_400_000, Date.now()]) await a.writer.fillQuotas(nowMs);
    expect(a.counters.total(id)).toBe(0);
    // A new quota is filled up at once.
    expect((await a.writer.update(id, { monthlyCredits: 80 })).filledMonth).toBe(month);
  });

  test('what a node has taken is not void by a change of its own, of which the watch hears first', async () => {
    const { id } = await a.writer.create(account('a', { monthlyCredits: 60 }));
    await a.writer.topUp(id, 60);
    const { attached } = a.shared as unknown as { attached: { jetstream: ClusterConnection['jetstream'] } };
    const { jetstream } = attached;
    const publish: ClusterConnection['jetstream']['publish'] = async (...message) => {
      const answer = await jetstream.publish(...message);
      await expect.poll(() => a.shared.lastChange).toBe(answer.seq);
      return answer;
    };
    attached.jetstream = { publish } as ClusterConnection['jetstream'];
    await a.writer.update(id, { monthlyCredits: 80 });
    // What was heard of is adopted by then.
    await a.writer.rotate(id, 'b'.repeat(64), undefined);
    attached.jetstream = jetstream;
    expect([a.counters.spendable(id), a.counters.total(id)]).toEqual([60, 80]);
  });

  test('what another node has taken of a month before is void once a quota is filled up', async () => {
    const { id } = await a.writer.create(account('a', { monthlyCredits: 500 }));
    await b.sees(() => b.counters.total(id) === 500);
    await a.writer.topUp(id, 100);
    b.clock.nowMs += 32 * 86_400_000;
    await b.writer.fillQuotas(Date.now());
    await a.sees(() => a.counters.reserve(id) === 500);
    expect([a.counters.spendable(id), b.counters.total(id)]).toEqual([0, 500]);
  });

  test('a change of another node is not missed under one of its own', async () => {
    const { id } = await a.writer.create(account('a', { credits: 500 }));
    await b.sees(() => b.counters.total(id) === 500);
    // From here on b hears of nothing.
    const { attached } = b.shared as unknown as { attached: { changes: { [Symbol.asyncIterator](): unknown } } };
    Object.assign(attached.changes, { push: () => {} });
    await a.writer.revoke(id);
    const before = b.control[0];
    await b.writer.topUp(id, 1);
    expect([b.table.get(id)?.revoked, b.control[0]]).toEqual([true, before + 1]);
  });

  test('a plan holds so many devices, whoever counts them', async () => {
    const { id } = await a.writer.create(account('a', { devices: 7 }));
    await b.sees(() => b.table.get(id) !== undefined);
    const devices = Array.from({ length: 12 }, (_, i) => i.toString(16).padStart(16, '0'));
    const outcomes = await Promise.all(
      devices.flatMap(device => [a, b].map(node => node.table.registerDevice(id, MONTH, device, 7))),
    );
    // Two that count one device at once may take a place for a moment that nobody has.
    expect(outcomes.filter(outcome => outcome === 'added').length).toBeLessThanOrEqual(7);
    let added = 0;
    for (const device of devices) if ((await a.table.registerDevice(id, MONTH, device, 7)) !== 'refused') added++;
    expect(added).toBe(7);
    expect(await b.table.registerDevice(id, MONTH + 1, devices[0], 7)).toBe('added');
  });

  test('the ledger has each change of a balance, and what it was, in order', async () => {
    const { connection } = a as unknown as { connection: ClusterConnection };
    const { id } = await a.writer.create(account('a', { credits: 500, contributor: true }));
    await b.sees(() => b.counters.total(id) === 500);
    await a.writer.topUp(id, 40);
    // It is made later than the accounts.
    await openLedger(connection);
    await b.sees(() => b.counters.total(id) === 460);
    await b.writer.credit(id, 1_000);
    await b.writer.update(id, { name: 'not a change of the balance' });
    await a.sees(() => a.counters.reserve(id) === 1_460);
    const report = { account: id, sequence: 1, day: 20_000 };
    await a.writer.reward(id, [report], 0, { credits: 3, mostADay: 100 });
    await a.writer.returnAll();
    await a.writer.update(id, { credits: 7 });
    await a.writer.update(id, { monthlyCredits: 90 });
    await a.writer.update(id, { credits: null });
    const other = await b.writer.create(account('b', { credits: 1 }));
    const changes = await readLedger(connection, id);
    expect(changes.map(({ before, after, reason, node }) => [before, after, reason, node])).toEqual([
      [undefined, 500, 'oldest', undefined],
      [500, 460, 'taken', 'a'],
      [460, 1_460, 'added', 'b'],
      [1_460, 1_463, 'earned', 'a'],
      [1_463, 1_503, 'returned', 'a'],
      [1_503, 7, 'set', 'a'],
      [7, 90, 'filledUp', 'a'],
      [90, null, 'set', 'a'],
    ]);
    // The times are those of the changes, also of those before the ledger.
    const stored = await connection.manager.streams.getMessage('KV_sextant_accounts', { seq: changes[1].revision });
    expect(changes[1].time).toBe(stored!.time.toISOString());
    expect((await readLedger(connection, other.id)).map(({ after }) => after)).toEqual([1]);
    const { time } = changes[6];
    expect(await readLedger(connection, id, Date.parse(time))).toEqual(changes.filter(change => change.time >= time));
    expect(await readLedger(connection, id, Date.now() + 60_000)).toEqual([]);
    await expect(readLedger(connection, 9)).rejects.toThrow('There is no key 9 in this cluster.');
    await connection.manager.streams.delete('sextant_ledger');
  });

  test('a node borrows of another what that does not use of a rate', async () => {
    const { id } = await a.writer.create(account('a', { ratePerSecond: 0.02 }));
    await b.sees(() => b.table.get(id) !== undefined);
    const [ofA, ofB] = [a, b].map((node, i) => {
      const rates = new ClusterRates(node.writer, `node ${i}`);
      rates.attach((node as unknown as { connection: ClusterConnection }).connection);
      rates.notice(['node 0', 'node 1'].map(nodeKey));
      node.counters.divideAmong(2);
      return rates;
    });
    await (b as unknown as { connection: ClusterConnection }).connection.nats.flush();
    const admits = ({ counters }: Node) => counters.admit(id, 0.02, Date.now()) === 0;
    // Each admits one in a hundred seconds.
    expect([admits(a), admits(a)]).toEqual([true, false]);
    await ofA.borrow(id);
    expect([admits(a), admits(a), admits(b)]).toEqual([true, false, false]);
    // The other one has none to lend, and none was lost.
    await ofB.borrow(id);
    expect([admits(b), a.writer.borrowable(id), b.writer.borrowable(id)]).toEqual([false, 1, 1]);
    ofB.detach();
    await ofA.borrow(id);
    expect(admits(a)).toBe(false);
  });

  test('a tenant of one is a tenant of the other', async () => {
    await a.table.setTenant('shop', { tokenHash: 'c'.repeat(64), caps: { keys: 2 } });
    await a.writer.create(account('a'));
    await b.sees(() => b.table.findByHash('a'.repeat(64)) !== undefined);
    expect(b.table.tenantOf('c'.repeat(64))).toBe('shop');
    expect(b.table.tenants()).toMatchObject([{ tag: 'shop', caps: { keys: 2 } }]);
    await b.table.setTenant('shop', undefined);
    await b.writer.create(account('b'));
    await a.sees(() => a.table.findByHash('b'.repeat(64)) !== undefined);
    expect(a.table.tenants()).toEqual([]);
  });

  test('a node that starts again writes only what differs', async () => {
    for (let i = 0; i < 6; i++) await a.writer.create(account(String(i), { credits: 100 }));
    await a.table.setTenant('shop', { tokenHash: 'c'.repeat(64), caps: { keys: 2 } });
    await b.sees(() => b.table.count === 6);
    await expect.poll(() => b.table.tenants().length).toBe(1);
    const { connection } = b as unknown as { connection: ClusterConnection };
    b.shared.detach();
    await a.writer.update(3, { name: 'changed' });
    await a.table.setTenant('other', { tokenHash: 'd'.repeat(64), caps: {} });
    const written: unknown[] = [];
    const { table } = b;
    const [copy, copyTenant] = [table.copy.bind(table), table.copyTenant.bind(table)];
    table.copy = accounts => {
      written.push(accounts.map(({ id }) => id));
      return copy(accounts);
    };
    table.copyTenant = (tag, tenant) => {
      written.push(tag);
      return copyTenant(tag, tenant);
    };
    await b.shared.attach(connection);
    expect(written).toEqual([[3], 'other']);
    expect(table.list()).toEqual(a.table.list());
    expect(table.tenants()).toEqual(a.table.tenants());
    // What comes later is heard of.
    await a.writer.revoke(1);
    await b.sees(() => table.get(1)?.revoked === true);
  });

  test('a new node writes many accounts in few commits', async () => {
    for (let i = 0; i < 40; i++) await a.writer.create({ keyHash: String(i).padStart(64, '0'), createdMs: 1 });
    const c = new Node('c');
    let commits = 0;
    const copy = c.table.copy.bind(c.table);
    c.table.copy = accounts => {
      commits++;
      return copy(accounts);
    };
    await c.join(nats.url);
    expect([c.table.list().length, commits]).toEqual([40, 1]);
    await c.leave();
  });

  test('a folder with a key that the cluster does not have is refused as it was', async () => {
    await a.writer.create(account('a'));
    await a.writer.create(account('b'));
    const c = new Node();
    await c.table.create(account('a'));
    await c.table.create(account('c', { createdMs: 2 }));
    await c.table.create(account('d'));
    const before = c.table.list();
    await a.writer.update(1, { name: 'changed' });
    await expect(c.join(nats.url)).rejects.toThrow(/^Key [23] of this data folder is not one of the cluster/);
    expect(c.table.list()).toEqual(before);
    await c.leave();
  });

  test('a copy that ends while it is made is begun again, and does not hang', async () => {
    for (let i = 0; i < 6; i++) await a.writer.create(account(String(i)));
    const c = new Node('c');
    const connection = await connectToCluster({ servers: [nats.url], name: 'test' });
    // Its connection ends with the first entries.
    const list = c.table.list.bind(c.table);
    c.table.list = (...page) => {
      void connection.nats.close();
      return list(...page);
    };
    await expect(c.shared.attach(connection)).rejects.toThrow('the connection ended while they were copied');
    expect(c.shared.isAttached).toBe(false);
    c.table.list = list;
    await c.join(nats.url);
    expect(c.table.count).toBe(6);
    await c.leave();
  });

  test('a server that is behind, and lacks a key of the folder, is no reason to refuse the folder', async () => {
    await a.writer.create(account('a'));
    await a.writer.create(account('b'));
    const c = new Node();
    await c.join(nats.url);
    c.shared.detach();
    const { copy } = c.shared as unknown as { copy: AccountCopy };
    const begin = copy.begin.bind(copy);
    vi.spyOn(copy, 'begin').mockImplementationOnce(() => {
      const take = begin();
      return entry => take(entry.key === 'account.2' ? Object.create(entry, { key: { value: 'later' } }) : entry);
    });
    await expect(c.rejoin()).rejects.toThrow(Unreachable);
    await c.rejoin();
    expect(c.shared.isAttached).toBe(true);
    await c.leave();
  });

  test('a watch that ends is made again', async () => {
    const { connection } = a as unknown as { connection: ClusterConnection };
    (a.shared as unknown as { attached: { changes: { stop(): void } } }).attached.changes.stop();
    await expect.poll(() => a.shared.isAttached).toBe(false);
    await b.writer.create(account('a'));
    await a.shared.refresh(connection, 2);
    expect(a.table.count).toBe(1);
  });

  test('the accounts of the first node are those of the cluster, and no other folder brings any', async () => {
    await a.writer.create(account('a'));
    const c = new Node();
    await c.table.create(account('c', { createdMs: 2 }));
    await expect(c.join(nats.url)).rejects.toThrow('Key 1 of this data folder is not one of the cluster.');
    await c.leave();
  });
});

describe.skipIf(NATS_PROGRAM === undefined)('two nodes that found a cluster at one moment', () => {
  let nats: NatsServer;
  beforeEach(async () => {
    nats = await NatsServer.start();
  });
  afterEach(async () => {
    await nats.remove();
  });

  const nodeWith = async (name: string, digits: string, createdMs: number): Promise<Node> => {
    const node = new Node(name);
    for (const digit of digits) await node.table.create(account(digit, { createdMs }));
    return node;
  };

  test('of two with keys one founds it, and the other is refused with its keys', { timeout: 30_000 }, async () => {
    const nodes = await Promise.all([nodeWith('a', '0123456789', 1), nodeWith('b', 'abcdef', 2)]);
    const before = nodes.map(({ table }) => table.list());
    const outcomes = await Promise.allSettled(nodes.map(node => node.join(nats.url)));
    const first = outcomes.findIndex(({ status }) => status === 'fulfilled');
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const other = 1 - first;
    // It tries again, as it does after any failure.
    await expect(nodes[other].rejoin()).rejects.toThrow('is not one of the cluster');
    expect(nodes.map(({ table }) => table.list())).toEqual(before);
    // All of the first, and nothing of the other.
    const c = new Node('c');
    await c.join(nats.url);
    expect(c.table.list()).toEqual(before[first]);
    const { id } = await c.writer.create({ keyHash: '7f'.repeat(32), createdMs: 3 });
    expect(id).toBe(before[first].length + 1);
    for (const node of [...nodes, c]) await node.leave();
  });

  test('a new node beside one with keys takes no number of them', { timeout: 30_000 }, async () => {
    for (const order of [0, 1]) {
      const nodes = await Promise.all([nodeWith('a', '0123456789', 1), nodeWith('b', '', 1)]);
      const joined = order === 0 ? nodes : nodes.toReversed();
      const outcomes = await Promise.allSettled(joined.map(node => node.join(nats.url)));
      for (const [i, { status }] of outcomes.entries())
        if (status === 'rejected') await joined[i].rejoin().catch(() => undefined);
      const [a, b] = nodes;
      const whole = a.shared.isAttached ? a.table.list() : [];
      expect(b.shared.isAttached).toBe(true);
      expect(b.table.list()).toEqual(whole);
      expect((await b.writer.create({ keyHash: 'ee'.repeat(32), createdMs: 3 })).id).toBe(whole.length + 1);
      const connection = await connectToCluster({ servers: [nats.url], name: 'test' });
      for (const node of nodes) await node.leave();
      await connection.manager.streams.delete('KV_sextant_accounts');
      await connection.nats.close();
    }
  });

  test('a founder that was killed goes on, and another waits for it', { timeout: 30_000 }, async () => {
    const a = await nodeWith('a', '0123', 1);
    const { table } = a;
    const tenants = table.tenants.bind(table);
    // It ends after the keys.
    table.tenants = () => {
      throw new Error('killed');
    };
    await expect(a.join(nats.url)).rejects.toThrow('killed');
    const b = new Node('b');
    await expect(b.join(nats.url)).rejects.toThrow('node a brings its own, and must run until it has done so');
    expect(b.table.count).toBe(0);
    table.tenants = tenants;
    await a.rejoin();
    await b.rejoin();
    expect(b.table.list()).toEqual(table.list());
    expect((await b.writer.create(account('9'))).id).toBe(5);
    for (const node of [a, b]) await node.leave();
  });
});

/** Stands before a server. Once it is told to, it loses the next answer to a write of accounts. */
class LossyProxy {
  losesNext = false;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();

  static async start(url: string): Promise<LossyProxy> {
    const proxy = new LossyProxy(url);
    await once(proxy.server, 'listening');
    return proxy;
  }

  private constructor(url: string) {
    const port = Number(new URL(url).port);
    this.server = createServer(client => {
      const upstream = connect(port, '127.0.0.1');
      for (const socket of [client, upstream]) {
        this.sockets.add(socket);
        socket.on('error', () => {}).on('close', () => [client, upstream].forEach(each => void each.destroy()));
      }
      client.pipe(upstream);
      upstream.on('data', answer => {
        if (this.losesNext && answer.includes('"stream":"KV_sextant_accounts"')) this.losesNext = false;
        else client.write(answer);
      });
    }).listen(0, '127.0.0.1');
  }

  get url(): string {
    return `nats://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }
}

describe.skipIf(NATS_PROGRAM === undefined)('a node whose store is away', () => {
  test('finds out whether a change was made whose answer is lost', async () => {
    const nats = await NatsServer.start();
    const proxy = await LossyProxy.start(nats.url);
    const node = new Node();
    await node.join(proxy.url);
    const { id } = await node.writer.create(account('a', { credits: 1_000 }));
    proxy.losesNext = true;
    expect(await node.writer.topUp(id, 10)).toBe(10);
    expect(proxy.losesNext).toBe(false);
    expect([node.table.get(id)?.credits, node.counters.total(id)]).toEqual([990, 1_000]);
    await node.leave();
    proxy.close();
    await nats.remove();
    expect(node.errors).toEqual([]);
  });

  test('spends what it has taken, takes no more, and loses nothing', async () => {
    const nats = await NatsServer.start();
    const node = new Node();
    await node.join(nats.url);
    const { id } = await node.writer.create(account('a', { credits: 1_000 }));
    await node.writer.topUp(id, 10);
    await nats.kill();
    expect(node.counters.spend(id, 10)).toBe(true);
    await expect(node.writer.topUp(id, 10)).rejects.toThrow(NotWritten);
    // Nobody waits for a server that does not answer.
    await expect(node.writer.create(account('b'))).rejects.toThrow('the cluster does not answer');
    await nats.start();
    await expect.poll(() => node.writer.topUp(id, 10).catch(() => 0), { timeout: 30_000 }).toBe(10);
    expect(node.table.get(id)?.credits).toBe(980);
    await node.leave();
    await nats.remove();
  });
});
