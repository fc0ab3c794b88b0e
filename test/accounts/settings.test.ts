import { expect, test } from 'vitest';
import { describeAccount } from '../../src/accounts/settings.ts';
import type { Account } from '../../src/tables/accounts/account_record.ts';

const bare: Account = { id: 3, keyHash: 'ab'.repeat(32), createdMs: 1_700_000_000_000, revoked: false };

test('an account is shown with what is set, under the names of the flags, without its hash', () => {
  const account: Account = {
    ...bare,
    name: 'fleet',
    credits: 0,
    ratePerSecond: 5,
    speedFilter: true,
    loopbackOnly: true,
  };
  expect(JSON.stringify(describeAccount(account))).toBe(
    '{"id":3,"created":"2023-11-14T22:13:20.000Z","revoked":false,"name":"fleet","credits":0,"speedFilter":true,"rate":5,"loopbackOnly":true}',
  );
  expect(describeAccount(bare)).toStrictEqual({ id: 3, created: '2023-11-14T22:13:20.000Z', revoked: false });
});
