import { afterEach, beforeEach, expect, test } from 'vitest';
import { DevicePlans, monthOf } from '../../src/accounts/devices.ts';
import type { Account } from '../../src/tables/accounts/account_record.ts';
import { AccountTable } from '../../src/tables/accounts/accounts.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const MARCH_MS = Date.parse('2026-03-31T23:59:59.999Z');
const APRIL_MS = Date.parse('2026-04-01T00:00:00.000Z');

let folder: string;
let table: AccountTable;
let plans: DevicePlans;
let asked: number;
let account: Account;

function openPlans(): DevicePlans {
  return new DevicePlans((...question) => {
    asked++;
    return table.registerDevice(...question);
  });
}

beforeEach(async () => {
  folder = temporaryFolder();
  table = new AccountTable(folder);
  asked = 0;
  plans = openPlans();
  account = await table.create({ keyHash: 'ab'.repeat(32), createdMs: 0, devices: 2 });
});

afterEach(async () => {
  await table.close();
});

test('months are calendar months in UTC', () => {
  expect([0, MARCH_MS, APRIL_MS].map(monthOf)).toEqual([0, 56 * 12 + 2, 56 * 12 + 3]);
});

test('a clock that is ahead begins no month', async () => {
  const aheadMs = 40 * 86_400_000;
  const months: number[] = [];
  const wrong = new DevicePlans(
    async (_account, month) => {
      months.push(month);
      return 'added';
    },
    () => aheadMs,
  );
  for (const timeMs of [MARCH_MS, APRIL_MS]) await wrong.admits(account, 'one', timeMs + aheadMs);
  expect(months).toEqual([MARCH_MS, APRIL_MS].map(monthOf));
});

test('the third device of a plan of two is refused, the first two go on', async () => {
  expect(await plans.admits(account, 'one', MARCH_MS)).toBe(true);
  expect(await plans.admits(account, 'two', MARCH_MS)).toBe(true);
  expect(await plans.admits(account, 'three', MARCH_MS)).toBe(false);
  expect(plans.admits(account, 'one', MARCH_MS)).toBe(true);
  expect(plans.admits(account, 'two', MARCH_MS)).toBe(true);
});

test('a counted device is not asked for again, also by other threads of the month', async () => {
  for (let i = 0; i < 3; i++) await plans.admits(account, 'one', MARCH_MS);
  expect(asked).toBe(1);
  const other = openPlans();
  expect(await other.admits(account, 'one', MARCH_MS)).toBe(true);
  expect(asked).toBe(2);
  expect(await table.registerDevice(account.id, monthOf(MARCH_MS), 'f'.repeat(16), 1)).toBe('refused');
  expect(await table.registerDevice(account.id, monthOf(MARCH_MS), 'f'.repeat(16), 2)).toBe('added');
});

test('the plan begins anew each month', async () => {
  for (const device of ['one', 'two']) await plans.admits(account, device, MARCH_MS);
  expect(await plans.admits(account, 'three', MARCH_MS)).toBe(false);
  for (const device of ['three', 'four']) expect(await plans.admits(account, device, APRIL_MS)).toBe(true);
  expect(await plans.admits(account, 'one', APRIL_MS)).toBe(false);
});

test('requests without an id are one device', async () => {
  expect(await plans.admits(account, undefined, MARCH_MS)).toBe(true);
  expect(plans.admits(account, '', MARCH_MS)).toBe(true);
  expect(await plans.admits(account, 'one', MARCH_MS)).toBe(true);
  expect(await plans.admits(account, 'two', MARCH_MS)).toBe(false);
  expect(await table.registerDevice(account.id, monthOf(MARCH_MS), 'f'.repeat(16), 3)).toBe('added');
});

test('a raised plan admits what it refused', async () => {
  for (const device of ['one', 'two', 'three']) await plans.admits(account, device, MARCH_MS);
  expect(await plans.admits({ ...account, devices: 3 }, 'three', MARCH_MS)).toBe(true);
});

test('devices of two keys are counted apart, and a key without a plan is not counted', async () => {
  const other = { ...account, id: 2 };
  for (const key of [account, other])
    for (const device of ['one', 'two']) expect(await plans.admits(key, device, MARCH_MS)).toBe(true);
  const { devices: _, ...unlimited } = account;
  expect(plans.admits({ ...unlimited, id: 3 }, 'one', MARCH_MS)).toBe(true);
  expect(await table.registerDevice(3, monthOf(MARCH_MS), 'f'.repeat(16), 1)).toBe('added');
});

test('twenty devices at once fill a plan of two with two', async () => {
  const admitted = await Promise.all(
    Array.from({ length: 20 }, (_, i) => plans.admits(account, `device ${i}`, MARCH_MS)),
  );
  expect(admitted.filter(Boolean)).toHaveLength(2);
});
