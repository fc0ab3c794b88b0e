import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AccountWriter, type EarningReport, earn } from '../../src/accounts/account_writer.ts';
import { AccountCounters, allocateCounters } from '../../src/accounts/counters.ts';
import type { Earned } from '../../src/tables/accounts/account_record.ts';
import { AccountTable, type NewAccount } from '../../src/tables/accounts/accounts.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

let folder: string;
let table: AccountTable;
let counters: AccountCounters;
let control: Int32Array;
let accountWriter: AccountWriter;

beforeEach(() => {
  folder = temporaryFolder();
  table = new AccountTable(folder);
  start();
});

afterEach(async () => {
  await table.close();
});

function start(): void {
  counters = new AccountCounters(allocateCounters());
  control = new Int32Array(new SharedArrayBuffer(4));
  accountWriter = new AccountWriter(table, counters, control, 0);
}

function account(digit: string, settings: Partial<NewAccount> = {}): NewAccount {
  return { keyHash: digit.repeat(64), createdMs: 0, ...settings };
}

/** Table, reserve and spendable part of account 1. */
function parts(): (number | undefined)[] {
  return [table.get(1)?.credits, counters.reserve(1), counters.spendable(1)];
}

test('a block is taken out of the table before it can be spent', async () => {
  await accountWriter.create(account('a', { credits: 5000 }));
  const topUp = accountWriter.topUp(1, 1);
  expect(counters.spendable(1)).toBe(0);
  expect(await topUp).toBe(50);
  expect(parts()).toEqual([4950, 4950, 50]);
});

test('a full block is not filled again, a used one up to the size for its balance', async () => {
  await accountWriter.create(account('a', { credits: 20_000 }));
  expect(await Promise.all([accountWriter.topUp(1, 1), accountWriter.topUp(1, 1), accountWriter.topUp(1, 1)])).toEqual([
    100, 100, 100,
  ]);
  expect(parts()).toEqual([19_900, 19_900, 100]);
  counters.spend(1, 60);
  expect(counters.beginTopUp(1)).toBe(true);
  expect(await accountWriter.topUp(1, 1)).toBe(100);
  expect(counters.beginTopUp(1)).toBe(true);
  expect(parts()).toEqual([19_840, 19_840, 100]);
});

test('a price above the block is granted, unless the balance does not cover it', async () => {
  await accountWriter.create(account('a', { credits: 4 }));
  expect(await accountWriter.topUp(1, 5)).toBe(1);
  expect(await accountWriter.topUp(1, 3)).toBe(3);
  expect(parts()).toEqual([1, 1, 3]);
  counters.spend(1, 3);
  expect(await accountWriter.topUp(1, 3)).toBe(1);
  expect(await accountWriter.topUp(1, 1)).toBe(1);
  expect(parts()).toEqual([0, 0, 1]);
});

test('an account that is not prepaid is granted nothing', async () => {
  await accountWriter.create(account('a'));
  expect(await accountWriter.topUp(1, 1)).toBe(0);
  expect(table.get(1)).not.toHaveProperty('credits');
});

test('a start fills the reserves from the table', async () => {
  for (const [digit, credits] of [
    ['a', 7],
    ['b', 0],
  ] as const)
    await table.create(account(digit, { credits }));
  await table.create(account('c'));
  start();
  expect([1, 2, 3].map(id => [counters.isPrepaid(id), counters.total(id), counters.spendable(id)])).toEqual([
    [true, 7, 0],
    [true, 0, 0],
    [false, 0, 0],
  ]);
});

test('a start reads accounts beyond the first page', async () => {
  await Promise.all(
    Array.from({ length: 2001 }, (_, i) =>
      table.create({ ...account('a', { credits: i + 1 }), keyHash: `${i}`.padStart(64, '0') }),
    ),
  );
  start();
  expect([1, 1000, 1001, 2000, 2001].map(id => counters.total(id))).toEqual([1, 1000, 1001, 2000, 2001]);
});

test('a clean stop brings every spendable credit back, a crash forfeits it', async () => {
  await accountWriter.create(account('a', { credits: 5000 }));
  await accountWriter.create(account('b', { credits: 300 }));
  for (const id of [1, 2]) await accountWriter.topUp(id, 1);
  counters.spend(1, 20);
  await accountWriter.returnAll();
  expect(table.list().map(({ credits }) => credits)).toEqual([4980, 300]);
  expect(parts()).toEqual([4980, 4980, 0]);

  await accountWriter.topUp(1, 1);
  start();
  expect(counters.total(1)).toBe(4980 - 49);
});

describe('a monthly quota', () => {
  const [JANUARY, FEBRUARY, MARCH] = ['2026-01-15', '2026-02-01', '2026-03-01'].map(day => Date.parse(day));

  /** Spends credits as an HTTP thread does. */
  async function spend(credits: number): Promise<void> {
    await accountWriter.topUp(1, credits);
    expect(counters.spend(1, credits)).toBe(true);
  }

  test('is the balance of a new key, and again at the beginning of each month', async () => {
    const created = await accountWriter.create(account('a', { createdMs: JANUARY, monthlyCredits: 1000 }));
    expect(created).toMatchObject({ credits: 1000, monthlyCredits: 1000 });
    await spend(300);
    await accountWriter.fillQuotas(JANUARY);
    expect(counters.total(1)).toBe(700);
    await accountWriter.fillQuotas(FEBRUARY - 1);
    expect(counters.total(1)).toBe(700);
    await accountWriter.fillQuotas(FEBRUARY);
    expect(counters.total(1)).toBe(1000);
    await spend(1000);
    await accountWriter.fillQuotas(FEBRUARY + 1);
    expect(accountWriter.get(1)?.credits).toBe(0);
  });

  test('fills a balance up: what was not used is lost, and what was bought beyond the quota stays', async () => {
    await accountWriter.create(account('a', { createdMs: JANUARY, monthlyCredits: 1000 }));
    await accountWriter.credit(1, 500);
    await accountWriter.fillQuotas(FEBRUARY);
    expect(accountWriter.get(1)?.credits).toBe(1500);
    await spend(900);
    expect(await accountWriter.topUp(1, 5)).toBeGreaterThan(0);
    await accountWriter.fillQuotas(MARCH);
    expect(accountWriter.get(1)?.credits).toBe(1000);
  });

  test('is filled up once, whenever the service starts in a month', async () => {
    await accountWriter.create(account('a', { createdMs: JANUARY, monthlyCredits: 1000 }));
    start();
    await accountWriter.fillQuotas(FEBRUARY);
    await spend(400);
    await accountWriter.returnAll();
    start();
    await accountWriter.fillQuotas(FEBRUARY + 1);
    expect(counters.total(1)).toBe(600);
  });

  test('fills the balance at once when it is set, and leaves it when it is taken away', async () => {
    await accountWriter.create(account('a'));
    expect(counters.isPrepaid(1)).toBe(false);
    expect(await accountWriter.update(1, { monthlyCredits: 50 })).toMatchObject({ credits: 50 });
    await spend(20);
    expect((await accountWriter.update(1, { name: 'fleet' })).credits).toBe(30);
    expect((await accountWriter.update(1, { monthlyCredits: 60 })).credits).toBe(60);
    expect(await accountWriter.update(1, { monthlyCredits: null })).toMatchObject({ credits: 60 });
    await accountWriter.fillQuotas(Date.now() + 40 * 86_400_000);
    expect(accountWriter.get(1)?.credits).toBe(60);
  });

  test('is not given twice when the clock goes back over midnight, nor withheld after one that was years ahead', async () => {
    await accountWriter.create(account('a', { createdMs: JANUARY, monthlyCredits: 1000 }));
    await accountWriter.fillQuotas(FEBRUARY);
    await spend(10);
    await accountWriter.fillQuotas(FEBRUARY - 1);
    await accountWriter.fillQuotas(FEBRUARY);
    expect(counters.total(1)).toBe(990);
    await accountWriter.fillQuotas(Date.parse('2036-01-01'));
    await spend(10);
    await accountWriter.fillQuotas(MARCH);
    expect(counters.total(1)).toBe(1000);
  });
});

test('crediting while a block is out adds to the balance', async () => {
  await accountWriter.create(account('a', { credits: 100 }));
  await accountWriter.topUp(1, 1);
  expect((await accountWriter.credit(1, 900)).credits).toBe(1000);
  expect(parts()).toEqual([999, 999, 1]);
  expect(counters.total(1)).toBe(1000);
});

test('crediting makes a key prepaid', async () => {
  await accountWriter.create(account('a'));
  expect((await accountWriter.credit(1, 5)).credits).toBe(5);
  expect([counters.isPrepaid(1), counters.total(1)]).toEqual([true, 5]);
});

test('crediting stops at the largest balance, counting the block that is out', async () => {
  await accountWriter.create(account('a', { credits: 2_147_483_600 }));
  await accountWriter.topUp(1, 1);
  await expect(accountWriter.credit(1, 48)).rejects.toThrow(
    'Account 1 cannot hold 2147483648 credits: at most 2147483647 are possible.',
  );
  await accountWriter.credit(1, 47);
  await accountWriter.returnAll();
  expect(parts()).toEqual([2_147_483_647, 2_147_483_647, 0]);
});

test('an update of the credits sets the whole balance, also to none', async () => {
  await accountWriter.create(account('a', { credits: 5000 }));
  await accountWriter.topUp(1, 1);
  expect((await accountWriter.update(1, { credits: 40 })).credits).toBe(40);
  expect(parts()).toEqual([40, 40, 0]);
  await accountWriter.topUp(1, 1);
  expect(await accountWriter.update(1, { credits: null })).not.toHaveProperty('credits');
  expect([counters.isPrepaid(1), counters.total(1)]).toEqual([false, 0]);
  await accountWriter.returnAll();
  expect(table.get(1)).not.toHaveProperty('credits');
});

test('an update of other settings leaves the balance alone', async () => {
  await accountWriter.create(account('a', { credits: 5000 }));
  await accountWriter.topUp(1, 1);
  expect(await accountWriter.update(1, { indoor: true })).toMatchObject({ indoor: true, credits: 5000 });
  expect(parts()).toEqual([4950, 4950, 50]);
});

test('changes of one account at once end as they were asked for', async () => {
  await accountWriter.create(account('a', { credits: 1000 }));
  await Promise.all([
    accountWriter.topUp(1, 1),
    accountWriter.credit(1, 500),
    accountWriter.topUp(1, 1),
    accountWriter.update(1, { credits: 300 }),
    accountWriter.topUp(1, 1),
    accountWriter.credit(1, 7),
  ]);
  expect(parts()).toEqual([304, 304, 3]);
});

test('a change that fails does not hold up the next', async () => {
  await accountWriter.create(account('a', { credits: 10 }));
  const [failed, credited] = await Promise.allSettled([accountWriter.credit(1, -1), accountWriter.credit(1, 1)]);
  expect(failed.status).toBe('rejected');
  expect(credited).toMatchObject({ status: 'fulfilled', value: { credits: 11 } });
  await expect(accountWriter.update(9, {})).rejects.toThrow('There is no account 9.');
  await expect(accountWriter.revoke(9)).rejects.toThrow('There is no account 9.');
});

test('every change is announced, a top-up is not', async () => {
  const versions: number[] = [];
  const changes = [
    () => accountWriter.create(account('a', { credits: 100 })),
    () => accountWriter.update(1, { indoor: true }),
    () => accountWriter.credit(1, 1),
    () => accountWriter.topUp(1, 1),
    () => accountWriter.revoke(1),
  ];
  for (const change of changes) {
    await change();
    versions.push(control[0]);
  }
  expect(versions).toEqual([1, 2, 3, 3, 4]);
});

test('accounts are shown with the balance that is left', async () => {
  await accountWriter.create(account('a', { credits: 5000 }));
  await accountWriter.create(account('b'));
  await accountWriter.topUp(1, 1);
  counters.spend(1, 3);
  expect(accountWriter.get(1)?.credits).toBe(4997);
  expect(accountWriter.list(0, 10).map(({ credits }) => credits)).toEqual([4997, undefined]);
  expect(accountWriter.list(1, 10).map(({ id }) => id)).toEqual([2]);
  expect(accountWriter.get(3)).toBeUndefined();
});

const TERMS = { credits: 3, mostADay: 10 };
const ROOM = 2_147_483_647;
/** Reports of day 20,000 and later: `[sequence, day]`. */
const reports = (...texts: [sequence: number, day: number][]): EarningReport[] =>
  texts.map(([sequence, day]) => ({ account: 7, sequence, day: 20_000 + day }));

test('each report earns its credits, and the last one is remembered', () => {
  expect(earn(undefined, reports([5, 0], [6, 0]), 0, TERMS, ROOM)).toEqual({
    credits: 6,
    earned: { day: 20_000, credits: 6, rewrites: 0, sequence: 6 },
  });
});

describe('the most of a day', () => {
  test('is paid to the credit, and not passed by what follows', () => {
    const first = earn(undefined, reports([1, 0], [2, 0], [3, 0], [4, 0], [5, 0]), 0, TERMS, ROOM)!;
    expect(first).toMatchObject({ credits: 10, earned: { credits: 10, sequence: 5 } });
    expect(earn(first.earned, reports([6, 0]), 0, TERMS, ROOM)).toMatchObject({ credits: 0, earned: { sequence: 6 } });
    expect(earn(first.earned, reports([6, 0], [7, 1], [8, 1]), 0, TERMS, ROOM)).toMatchObject({
      credits: 6,
      earned: { credits: 6 },
    });
  });

  test('that was lowered takes nothing back', () => {
    const before: Earned = { day: 20_000, credits: 50, rewrites: 0, sequence: 5 };
    expect(earn(before, reports([6, 0], [7, 1]), 0, TERMS, ROOM)).toMatchObject({
      credits: 3,
      earned: { day: 20_001, credits: 3 },
    });
  });

  test('begins anew after a clock was wrong', () => {
    const before: Earned = { day: 29_000, credits: 10, rewrites: 0, sequence: 5 };
    expect(earn(before, reports([6, 0]), 0, TERMS, ROOM)).toMatchObject({
      credits: 3,
      earned: { day: 20_000, credits: 3 },
    });
  });
});

describe('what was paid for', () => {
  const before: Earned = { day: 20_000, credits: 3, rewrites: 2, sequence: 9 };

  test('is not paid for again, whole or in part', () => {
    expect(earn(before, reports([8, 0], [9, 0]), 2, TERMS, ROOM)).toBeUndefined();
    expect(earn(before, reports([8, 0], [9, 0], [10, 0]), 2, TERMS, ROOM)).toMatchObject({
      credits: 3,
      earned: { sequence: 10 },
    });
    expect(earn(before, reports([11, 0]), 1, TERMS, ROOM)).toBeUndefined();
  });

  test('says nothing of a log that was rewritten since, and so has other numbers', () => {
    expect(earn(before, reports([4, 0]), 3, TERMS, ROOM)).toMatchObject({
      credits: 3,
      earned: { rewrites: 3, sequence: 4 },
    });
  });
});

test('a balance that is nearly full is filled', () => {
  expect(earn(undefined, reports([1, 0], [2, 0]), 0, TERMS, 4)).toMatchObject({ credits: 4, earned: { credits: 4 } });
  expect(earn(undefined, reports([1, 0]), 0, TERMS, 0)).toMatchObject({ credits: 0 });
});

test('whatever pieces it comes in, and whatever comes again, the sum is the same', () => {
  const drawn = fc.array(fc.nat(3), { maxLength: 40 }).map(steps => {
    let day = 0;
    return reports(
      ...steps.map((step, i): [number, number] => {
        day += step === 3 ? 1 : 0;
        return [i + 1, day];
      }),
    );
  });
  fc.assert(
    fc.property(drawn, fc.array(fc.tuple(fc.nat(40), fc.nat(40))), (all, pieces) => {
      const whole = earn(undefined, all, 0, TERMS, ROOM)?.credits ?? 0;
      let earned: Earned | undefined;
      let sum = 0;
      let end = 0;
      for (const [again, more] of [...pieces, [0, all.length]]) {
        const piece = all.slice(Math.max(0, end - again), end + more);
        end = Math.min(all.length, end + more);
        const due = earn(earned, piece, 0, TERMS, ROOM);
        sum += due?.credits ?? 0;
        earned = due?.earned ?? earned;
      }
      expect(sum).toBe(whole);
    }),
  );
});
