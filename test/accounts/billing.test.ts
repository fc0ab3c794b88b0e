import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { AccountWriter } from '../../src/accounts/account_writer.ts';
import { Billing, watchWaitedCharges } from '../../src/accounts/billing.ts';
import { AccountCounters, allocateCounters, blockOf } from '../../src/accounts/counters.ts';
import { AccountTable } from '../../src/tables/accounts/accounts.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

let folder: string;
let table: AccountTable;
let memory: SharedArrayBuffer;
let counters: AccountCounters;
let accountWriter: AccountWriter;
let requests: number;
let counted: number;
let billing: Billing;

beforeEach(() => {
  folder = temporaryFolder();
  table = new AccountTable(folder);
  memory = allocateCounters();
  counters = new AccountCounters(memory);
  accountWriter = new AccountWriter(table, counters, new Int32Array(new SharedArrayBuffer(4)), 0);
  requests = 0;
  counted = 0;
  billing = new Billing(
    counters,
    (id, credits) => {
      requests++;
      return accountWriter.topUp(id, credits);
    },
    id => {
      requests++;
      void accountWriter.topUp(id, 1);
    },
    credits => {
      counted += credits;
    },
  );
});

afterEach(async () => {
  await table.close();
});

function create(credits?: number) {
  return accountWriter.create({
    keyHash: 'ab'.repeat(32),
    createdMs: 0,
    ...(credits === undefined ? {} : { credits }),
  });
}

/**
 * Races threads that charge account 1 until they are refused or have charged `most` times. @returns the credits that
 * each has spent
 */
async function race(
  threads: number,
  prices: number[],
  most: number,
  onTopUp: (request: number) => void,
): Promise<number[]> {
  let request = 0;
  return Promise.all(
    Array.from({ length: threads }, async () => {
      const worker = new Worker(new URL('./billing_thread.ts', import.meta.url), {
        workerData: { memory, prices, most, output: -1 },
      });
      return new Promise<number>((resolve, reject) => {
        worker.once('error', reject);
        worker.on('message', message => {
          if (message.spent !== undefined) return resolve(message.spent);
          onTopUp(++request);
          accountWriter.topUp(1, message.credits).then(granted => message.hint || worker.postMessage(granted), reject);
        });
      });
    }),
  );
}

test('credits count when they are taken from a prepaid key, and only then', async () => {
  await create(1_000);
  expect(await billing.charge(1, 2)).toBe(true);
  expect(billing.charge(1, 1)).toBe(true);
  expect(billing.charge(1, 1_000)).toBe(false);
  expect(counted).toBe(3);
  await accountWriter.create({ keyHash: 'cd'.repeat(32), createdMs: 0 });
  expect(await billing.charge(2, 5)).toBe(true);
  expect(counted).toBe(3);
});

test('a key that is not prepaid pays nothing and asks nobody', async () => {
  await create();
  expect(billing.charge(1, 3)).toBe(true);
  expect([billing.covers(1, 3), billing.balance(1), requests]).toEqual([true, undefined, 0]);
});

test('the first charge waits for a block, the next ones do not', async () => {
  await create(10_000);
  expect(await billing.charge(1, 1)).toBe(true);
  for (let i = 0; i < 49; i++) expect(billing.charge(1, 1)).toBe(true);
  expect([billing.balance(1), requests]).toEqual([9950, 1]);
});

test('charges that wait are counted over all threads, the others are not', async () => {
  await create(10_000);
  const other = new AccountCounters(memory);
  expect(other.waitedCharges()).toBe(0);
  await Promise.all([billing.charge(1, 1), billing.charge(1, 1)]);
  expect(other.waitedCharges()).toBe(2);
  for (let i = 0; i < 49; i++) void billing.charge(1, 1);
  expect(await billing.charge(1, 20_000)).toBe(false);
  expect(other.waitedCharges()).toBe(2);
});

test('the block is refilled early, once, before it is used up', async () => {
  await create(20_000);
  for (let i = 0; i < 49; i++) await billing.charge(1, 1);
  expect(requests).toBe(1);
  for (let i = 0; i < 30; i++) expect(billing.charge(1, 1)).toBe(true);
  expect(requests).toBe(2);
  await accountWriter.topUp(1, 1);
  expect(counters.spendable(1)).toBe(100);
});

test('charges at once share one question', async () => {
  await create(20_000);
  expect(await Promise.all(Array.from({ length: 50 }, () => billing.charge(1, 1)))).toEqual(Array(50).fill(true));
  expect(requests).toBe(1);
});

test('the last credits are spent exactly', async () => {
  await create(5);
  const outcomes: boolean[] = [];
  for (let i = 0; i < 7; i++) outcomes.push(await billing.charge(1, 1));
  expect(outcomes).toEqual([true, true, true, true, true, false, false]);
  expect([billing.balance(1), table.get(1)?.credits]).toEqual([0, 0]);
});

test('a price above the balance is refused whole and leaves the balance', async () => {
  await create(5);
  expect(await billing.charge(1, 3)).toBe(true);
  expect(await billing.charge(1, 3)).toBe(false);
  expect([billing.balance(1), billing.covers(1, 2), billing.covers(1, 3)]).toEqual([2, true, false]);
  expect(await billing.charge(1, 2)).toBe(true);
  expect(await billing.charge(1, 1)).toBe(false);
});

test('a charge that waits while its key stops being prepaid is free', async () => {
  await create(5);
  const update = accountWriter.update(1, { credits: null });
  const charge = billing.charge(1, 1);
  expect(charge).toBeInstanceOf(Promise);
  expect(await charge).toBe(true);
  expect(await update).not.toHaveProperty('credits');
});

test('a writer that fails fails the charge, not the balance, and the next charge asks again', async () => {
  await create(20_000);
  let fails = true;
  const shaky = new Billing(
    counters,
    (id, credits) => (fails ? Promise.reject(new Error('The writer is gone.')) : accountWriter.topUp(id, credits)),
    id => {
      if (!fails) void accountWriter.topUp(id, 1);
    },
    () => {},
  );
  await expect(shaky.charge(1, 1)).rejects.toThrow('The writer is gone.');
  expect(shaky.balance(1)).toBe(20_000);
  fails = false;
  for (let i = 0; i < 49; i++) expect(await shaky.charge(1, 1)).toBe(true);
  // The hint of an early top-up is lost unseen, and what is spendable is still spent.
  fails = true;
  expect(shaky.charge(1, 1)).toBe(true);
  await new Promise(setImmediate);
  expect(shaky.balance(1)).toBe(19_950);
});

test('four threads race for 1,000 credits: exactly 1,000 successes', async () => {
  await create(1000);
  const spent = await race(4, [1], Number.POSITIVE_INFINITY, () => {});
  expect(spent.reduce((sum, credits) => sum + credits)).toBe(1000);
  expect([counters.total(1), table.get(1)?.credits]).toEqual([0, 0]);
});

test('threads with prices of 1 to 3 spend what is there and nothing more', async () => {
  await create(1500);
  const spent = (await race(4, [1, 2, 3, 1], Number.POSITIVE_INFINITY, () => {})).reduce(
    (sum, credits) => sum + credits,
  );
  expect(spent + counters.total(1)).toBe(1500);
  expect(counters.total(1)).toBeLessThan(3);
});

test('credits added during a race are spent, too', async () => {
  await create(1000);
  const added: Promise<unknown>[] = [];
  const spent = await race(4, [1], Number.POSITIVE_INFINITY, request => {
    if (request <= 5) added.push(accountWriter.credit(1, 100));
  });
  await Promise.all(added);
  expect(spent.reduce((sum, credits) => sum + credits)).toBe(1500);
  expect(counters.total(1)).toBe(0);
});

test('threads that race over the beginning of a month spend both quotas exactly', async () => {
  await accountWriter.create({ keyHash: 'ab'.repeat(32), createdMs: Date.parse('2026-01-31'), monthlyCredits: 1000 });
  await accountWriter.fillQuotas(Date.parse('2026-01-31T23:59:59Z'));
  const before: number[] = [];
  const filling: Promise<void>[] = [];
  const spent = await race(4, [1], Number.POSITIVE_INFINITY, request => {
    if (request !== 5) return;
    before.push(counters.total(1));
    filling.push(accountWriter.fillQuotas(Date.parse('2026-02-01')));
  });
  await Promise.all(filling);
  const sum = spent.reduce((total, credits) => total + credits);
  // What was left of January does not add to February.
  expect(sum).toBeGreaterThanOrEqual(2000 - before[0]);
  expect(sum).toBeLessThan(2000);
  expect([counters.total(1), table.get(1)?.credits]).toEqual([0, 0]);
});

test('a clean stop after a race loses nothing', async () => {
  await create(10_000);
  const spent = (await race(4, [1], 777, () => {})).reduce((sum, credits) => sum + credits);
  await accountWriter.returnAll();
  expect(spent).toBe(4 * 777);
  expect(table.get(1)?.credits).toBe(10_000 - spent);
});

test.each([10_000, 1_000_000])(
  'a kill at a random moment of a race on %i credits loses at most one block and serves nothing unpaid',
  async credits => {
    let balance = credits;
    await create(balance);
    await table.close();
    for (let kill = 0; kill < 5 && balance > 0; kill++) {
      const moment = Math.ceil((Math.random() * Math.min(balance, 3000)) / 2);
      const child = spawn(process.execPath, [fileURLToPath(new URL('./billing_process.ts', import.meta.url)), folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const closed = once(child, 'close');
      let tried = 0;
      let paid = 0;
      for await (const bytes of child.stdout) {
        for (const byte of bytes)
          if (byte === 116) tried++;
          else paid++;
        if (paid >= moment) child.kill('SIGKILL');
      }
      expect((await closed)[1]).toBe('SIGKILL');
      table = new AccountTable(folder);
      const left = table.get(1)!.credits!;
      await table.close();
      const sentence =
        `of ${balance} credits, ${left} were left after ${paid} paid and ${tried} tried charges, killed at ` +
        `${moment}`;
      expect(left + paid, sentence).toBeLessThanOrEqual(balance);
      // What was tried and not told may have been paid, too. A block is never more than what was spent since the start,
      // or 100.
      expect(left + tried, sentence).toBeGreaterThanOrEqual(balance - blockOf(balance, tried));
      balance = left;
    }
    table = new AccountTable(folder);
  },
);

test('kills in three months spend no quota twice, and lose a block each', async () => {
  const QUOTA = 400;
  await table.create({ keyHash: 'ab'.repeat(32), createdMs: 0, credits: 0, monthlyCredits: QUOTA });
  await table.close();
  for (const day of ['2026-01-31', '2026-02-01', '2026-03-31']) {
    let paid = 0;
    let kills = 0;
    for (let left = QUOTA; left > QUOTA / 10; ) {
      const moment = paid + Math.ceil(left * (0.2 + 0.7 * Math.random()));
      const file = fileURLToPath(new URL('./billing_process.ts', import.meta.url));
      const child = spawn(process.execPath, [file, folder, `${Date.parse(day)}`], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const closed = once(child, 'close');
      for await (const bytes of child.stdout) {
        for (const byte of bytes) if (byte === 112) paid++;
        if (paid >= moment) child.kill('SIGKILL');
      }
      expect((await closed)[1]).toBe('SIGKILL');
      kills++;
      table = new AccountTable(folder);
      left = table.get(1)!.credits!;
      await table.close();
      expect(paid + left, `${day}, ${kills} kills`).toBeLessThanOrEqual(QUOTA);
      // The three charges under way may have been paid, too.
      expect(paid + left, `${day}, ${kills} kills`).toBeGreaterThanOrEqual(QUOTA - kills * (blockOf(QUOTA, QUOTA) + 3));
    }
  }
  table = new AccountTable(folder);
});

test('the count is told after a second in which it rose, and at the end', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const counters = new AccountCounters(allocateCounters());
  const told: string[] = [];
  const end = watchWaitedCharges(counters, message => told.push(message));
  vi.advanceTimersByTime(5000);
  expect(told).toEqual([]);
  for (let i = 0; i < 3; i++) counters.countWaitedCharge();
  vi.advanceTimersByTime(5000);
  expect(told).toEqual(['Charges that waited for the writer since the start: 3.']);
  counters.countWaitedCharge();
  end();
  expect(told.slice(1)).toEqual(['Charges that waited for the writer since the start: 4.']);
  counters.countWaitedCharge();
  vi.advanceTimersByTime(5000);
  expect(told).toHaveLength(2);
});
