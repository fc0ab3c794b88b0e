import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EarningReport } from '../../src/accounts/account_writer.ts';
import { AccountWriter } from '../../src/accounts/account_writer.ts';
import { AccountCounters, allocateCounters } from '../../src/accounts/counters.ts';
import { Rewards } from '../../src/accounts/rewards.ts';
import { AccountTable, type NewAccount } from '../../src/tables/accounts/accounts.ts';
import { CREDITS_MAX } from '../../src/tables/accounts/key_settings.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

let folder: string;
let accounts: AccountTable;
let counters: AccountCounters;
let writer: AccountWriter;
let errors: string[];
let passed: number;

function open(): void {
  accounts = new AccountTable(folder);
  counters = new AccountCounters(allocateCounters());
  writer = new AccountWriter(accounts, counters, new Int32Array(new SharedArrayBuffer(4)), 0);
}

beforeEach(() => {
  folder = temporaryFolder();
  errors = [];
  passed = 0;
  open();
});
afterEach(() => accounts.close());

async function key(settings: Partial<NewAccount>): Promise<number> {
  const keyHash = String(accounts.list().length).padStart(64, '0');
  return (await writer.create({ keyHash, createdMs: 0, ...settings })).id;
}

const pass = <T>(work: () => Promise<T>): Promise<T> => {
  passed++;
  return work();
};
const rewards = (terms?: { credits: number; mostADay: number }) =>
  new Rewards({ accounts, writer, rewards: terms, pass, onError: error => errors.push(error.message) });
const earning = (account: number, ...sequences: number[]): EarningReport[] =>
  sequences.map(sequence => ({ account, sequence, day: 20_000 }));

test('contributors are paid for their reports, each account for its own, beside what they spend', async () => {
  const [id, other] = [await key({ contributor: true, credits: 1_000 }), await key({ contributor: true, credits: 0 })];
  await writer.topUp(id, 1);
  counters.spend(id, 4);
  await rewards({ credits: 3, mostADay: 100 }).pay([...earning(id, 1, 2), ...earning(other, 2)], 0);
  expect([counters.total(id), counters.total(other)]).toEqual([1_002, 3]);
  await writer.returnAll();
  expect([accounts.get(id)!.credits, accounts.get(other)!.credits]).toEqual([1_002, 3]);
  expect(passed).toBe(1);
});

test('what was paid for stays known after a restart', async () => {
  const id = await key({ contributor: true, credits: 10 });
  await rewards({ credits: 3, mostADay: 100 }).pay(earning(id, 1, 2), 0);
  await accounts.close();
  open();
  await rewards({ credits: 3, mostADay: 100 }).pay(earning(id, 1, 2, 3), 0);
  expect(accounts.get(id)).toMatchObject({
    credits: 19,
    earned: { day: 20_000, credits: 9, rewrites: 0, sequence: 3 },
  });
  expect(await writer.update(id, { name: 'fleet', credits: 50 })).toMatchObject({
    credits: 50,
    earned: { credits: 9 },
  });
  await rewards({ credits: 3, mostADay: 10 }).pay(earning(id, 4), 0);
  expect(accounts.get(id)).toMatchObject({ credits: 51, name: 'fleet' });
});

test('what was learned while nothing was promised may be paid later', async () => {
  const id = await key({ contributor: true, credits: 10 });
  await rewards({ credits: 0, mostADay: 100 }).pay(earning(id, 1), 0);
  expect(accounts.get(id)!.earned).toBeUndefined();
  await rewards({ credits: 3, mostADay: 100 }).pay(earning(id, 1), 0);
  expect(accounts.get(id)!.credits).toBe(13);
});

describe('nothing is earned by', () => {
  test.each<[string, Partial<NewAccount>]>([
    ['a key that is no contributor', { credits: 10 }],
    ['a contributor that does not pay in advance', { contributor: true }],
    ['a contributor whose balance is full', { contributor: true, credits: CREDITS_MAX }],
  ])('%s', async (_, settings) => {
    const id = await key(settings);
    await rewards({ credits: 3, mostADay: 100 }).pay(earning(id, 1), 0);
    expect(accounts.get(id)!.credits).toBe(settings.credits);
    expect(errors).toEqual([]);
  });

  test('a revoked key and an account that does not exist', async () => {
    const id = await key({ contributor: true, credits: 10 });
    await writer.revoke(id);
    await rewards({ credits: 3, mostADay: 100 }).pay([...earning(id, 1), ...earning(99, 1)], 0);
    expect(accounts.get(id)!.credits).toBe(10);
    expect(errors).toEqual([]);
  });
});

test('commands that learn while no service runs pay what the last service has paid', async () => {
  const id = await key({ contributor: true, credits: 0 });
  await rewards().pay(earning(id, 1), 0);
  expect(accounts.get(id)).toMatchObject({ credits: 0 });
  rewards({ credits: 3, mostADay: 100 }).setTerms({ credits: 5, mostADay: 12 });
  await accounts.close();
  open();
  await rewards().pay(earning(id, 2, 3, 4), 0);
  expect(accounts.get(id)).toMatchObject({ credits: 12 });
});

test('a failure is told, and nothing else', async () => {
  const id = await key({ contributor: true, credits: 10 });
  const paying = rewards({ credits: 3, mostADay: 100 });
  await accounts.close();
  await paying.pay(earning(id, 1), 0);
  expect(errors).toHaveLength(1);
  accounts = new AccountTable(temporaryFolder());
});
