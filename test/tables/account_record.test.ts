import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Account, decodeAccount, encodeAccount } from '../../src/tables/account_record.ts';

const flag = fc.boolean();
const day = fc.integer({ min: 10_957, max: 2_932_896 }).map(days => new Date(days * 86_400_000).toISOString().slice(0, 10));
const account: fc.Arbitrary<Account> = fc.record(
  {
    id: fc.integer({ min: 1, max: 1_048_575 }),
    keyHash: fc.uint8Array({ minLength: 32, maxLength: 32 }).map(bytes => Buffer.from(bytes).toString('hex')),
    createdMs: fc.integer({ min: 0, max: 8_640_000_000_000 }),
    revoked: flag,
    name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }),
    indoor: flag,
    address: flag,
    speedFilter: flag,
    speedLimit: fc.double({ min: 0.1, max: 10_000, noNaN: true }),
    credits: fc.integer({ min: 0, max: 2_147_483_647 }),
    expires: day,
    ratePerSecond: fc.double({ min: 0.01, max: 1_000_000, noNaN: true }),
    devices: fc.integer({ min: 1, max: 1_000_000_000 }),
    contributor: flag,
    trusted: flag,
    loopbackOnly: flag,
  },
  { requiredKeys: ['id', 'keyHash', 'createdMs', 'revoked'], noNullPrototype: true },
);

test('an account comes back as it was, absent settings absent', () => {
  fc.assert(
    fc.property(account, original => {
      expect(decodeAccount(encodeAccount(original))).toStrictEqual(original);
    }),
  );
});

test('a setting of zero or false is not an absent one', () => {
  const bare: Account = { id: 7, keyHash: 'ab'.repeat(32), createdMs: 0, revoked: false };
  expect(decodeAccount(encodeAccount({ ...bare, credits: 0, indoor: false }))).toStrictEqual({ ...bare, credits: 0, indoor: false });
  expect(decodeAccount(encodeAccount(bare))).toStrictEqual(bare);
});

test('a decoded account does not depend on the bytes it came from', () => {
  const bytes = encodeAccount({ id: 7, keyHash: 'ab'.repeat(32), createdMs: 5, revoked: false, name: 'fleet' });
  const decoded = decodeAccount(bytes);
  bytes.fill(0);
  expect(decoded).toStrictEqual({ id: 7, keyHash: 'ab'.repeat(32), createdMs: 5, revoked: false, name: 'fleet' });
});

test('bytes that are no account are refused with a sentence', () => {
  expect(() => decodeAccount(new Uint8Array(10))).toThrow('An account record has 10 bytes: the table is damaged');
  expect(() => decodeAccount(new Uint8Array(100))).toThrow('lacks its id, key hash or date: the table is damaged');
});
