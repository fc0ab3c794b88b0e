// How much of a balance is out of the table, and when it is asked for: loads drawn on a clock of their own, with a
// writer that takes its time.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { AccountWriter } from '../../src/accounts/account_writer.ts';
import { Billing } from '../../src/accounts/billing.ts';
import { AccountCounters, allocateCounters } from '../../src/accounts/counters.ts';
import { AccountTable } from '../../src/tables/accounts/accounts.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

let table: AccountTable;
let counters: AccountCounters;
let accountWriter: AccountWriter;
let billing: Billing;
/** Milliseconds on the clock of the test. */
let now: number;
/** Hints on their way to the writer. */
let hints: { account: number; dueMs: number }[];
/** How long a hint takes to the writer and what it brings takes back. */
let writerMs: number;

beforeEach(() => {
  table = new AccountTable(temporaryFolder());
  counters = new AccountCounters(allocateCounters());
  now = 5_000;
  accountWriter = new AccountWriter(table, counters, new Int32Array(new SharedArrayBuffer(4)), 0, () => now);
  hints = [];
  writerMs = 50;
  billing = new Billing(
    counters,
    (account, credits) => accountWriter.topUp(account, credits),
    account => hints.push({ account, dueMs: now + writerMs }),
    () => {},
  );
});
afterEach(async () => {
  await table.close();
});

async function create(credits: number): Promise<number> {
  const keyHash = String(credits).padStart(64, '0');
  return (await accountWriter.create({ keyHash, createdMs: 0, credits })).id;
}

/**
 * Lets accounts charge at a steady rate, millisecond by millisecond.
 * @param perSecond charges a second of each account
 * @returns charges that had to wait for the writer
 */
async function load(seconds: number, perSecond: Map<number, number>, onMillisecond = () => {}): Promise<number> {
  let waits = 0;
  const begun = now;
  while (now < begun + seconds * 1_000) {
    now++;
    for (const { account } of hints.filter(({ dueMs }) => dueMs <= now)) await accountWriter.topUp(account, 1);
    hints = hints.filter(({ dueMs }) => dueMs > now);
    for (const [account, rate] of perSecond) {
      const due = Math.floor(((now - begun) * rate) / 1_000) - Math.floor(((now - 1 - begun) * rate) / 1_000);
      for (let i = 0; i < due; i++) {
        const charged = billing.charge(account, 1);
        if (charged !== true) waits++;
        expect(await charged).toBe(true);
      }
    }
    onMillisecond();
  }
  return waits;
}

test.each([2_000, 16_000, 50_000])(
  'at %i charges a second none waits for the writer, once the rate is known',
  async rate => {
    const id = await create(2_000_000_000);
    await load(1, new Map([[id, rate]]));
    expect(await load(3, new Map([[id, rate]]))).toBe(0);
  },
);

test('at 1,000 charges a second from nothing on, only the first one waits', async () => {
  writerMs = 40;
  const id = await create(1_000_000);
  expect(await load(3, new Map([[id, 1_000]]))).toBe(1);
});

test('the rate may double from one second to the next', async () => {
  const id = await create(2_000_000_000);
  await load(1, new Map([[id, 500]]));
  let waits = 0;
  for (const rate of [1_000, 2_000, 4_000, 8_000, 16_000]) waits += await load(1, new Map([[id, rate]]));
  expect(waits).toBe(0);
});

test.each([
  [40, 100],
  [700, 700],
  [5_000, 5_000],
])(
  'of a key with %i charges a second at most %i credits are out: what it spends in a second, at least 100',
  async (rate, most) => {
    const id = await create(100_000_000);
    let largest = 0;
    let spent = 0;
    await load(4, new Map([[id, rate]]), () => {
      const out = counters.spendable(id);
      largest = Math.max(largest, out);
      spent = 100_000_000 - counters.total(id);
      // What comes at once is no rate: a block is never more than what was spent before.
      expect(out).toBeLessThanOrEqual(Math.max(100, spent));
    });
    expect(spent).toBe(4 * rate);
    expect(largest).toBeLessThanOrEqual(most);
    expect(largest).toBeGreaterThan(0.9 * most);
  },
);

test('at most one percent of the balance is out, whatever the rate', async () => {
  const id = await create(20_000);
  await load(3, new Map([[id, 2_000]]), () => expect(counters.spendable(id)).toBeLessThanOrEqual(200));
  expect(counters.total(id)).toBe(14_000);
});

test('a block that a high rate has left is spent, and the next ones are small again', async () => {
  const id = await create(100_000_000);
  await load(3, new Map([[id, 5_000]]));
  const left = counters.spendable(id);
  expect(left).toBeGreaterThan(2_000);
  let before = left;
  let refills = 0;
  await load((left + 500) / 20, new Map([[id, 20]]), () => {
    const out = counters.spendable(id);
    if (out > before) {
      refills++;
      expect(out).toBeLessThanOrEqual(100);
    }
    before = out;
  });
  expect(refills).toBeGreaterThan(5);
});

test('a crash forfeits what is out, a clean stop nothing', async () => {
  const id = await create(100_000_000);
  await load(3, new Map([[id, 5_000]]));
  const out = counters.spendable(id);
  expect(out).toBeLessThanOrEqual(5_000);
  expect(table.get(id)?.credits).toBe(100_000_000 - 15_000 - out);
  await accountWriter.returnAll();
  expect(table.get(id)?.credits).toBe(100_000_000 - 15_000);
});

test('a busy account and a quiet one have blocks of their own', async () => {
  const [busy, quiet] = [await create(100_000_000), await create(50_000_000)];
  const rates = new Map([
    [busy, 5_000],
    [quiet, 50],
  ]);
  await load(3, rates, () => expect(counters.spendable(quiet)).toBeLessThanOrEqual(100));
  expect(counters.spendable(busy)).toBeGreaterThan(2_000);
  expect([counters.total(busy), counters.total(quiet)]).toEqual([100_000_000 - 15_000, 50_000_000 - 150]);
});

test.each([1, 2, 99, 100, 101, 250])('a balance of %i is spent to the last credit and no further', async credits => {
  const id = await create(credits);
  let paid = 0;
  let out = 0;
  for (let charge = 0; charge < credits + 5; charge++) {
    if (await billing.charge(id, 1)) paid++;
    out = Math.max(out, counters.spendable(id));
    for (const { account } of hints.splice(0)) await accountWriter.topUp(account, 1);
  }
  expect([paid, counters.total(id), table.get(id)?.credits]).toEqual([credits, 0, 0]);
  expect(out).toBeLessThanOrEqual(Math.max(1, Math.floor(credits / 100)));
});

test('credits that were brought back or replaced do not count as spent', async () => {
  const id = await create(100_000_000);
  await accountWriter.topUp(id, 3_000);
  await accountWriter.returnAll();
  expect(await accountWriter.topUp(id, 1)).toBe(100);
  await accountWriter.topUp(id, 3_000);
  await accountWriter.update(id, { credits: 1_000_000 });
  expect(await accountWriter.topUp(id, 1)).toBe(100);
});
