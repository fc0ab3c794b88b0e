import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ACCOUNT, type Account } from '../../../src/tables/accounts/account_record.ts';
import { expectCutsRefused, expectFlipsSound, firstFault } from '../damaged_record.ts';

const flag = fc.boolean();
const day = fc
  .integer({ min: 10_957, max: 2_932_896 })
  .map(days => new Date(days * 86_400_000).toISOString().slice(0, 10));
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
    storageMegabytes: fc.integer({ min: 0, max: 1_048_576 }),
    contributor: flag,
    trusted: flag,
    loopbackOnly: flag,
    trail: flag,
    tracking: flag,
    explain: flag,
    upstream: flag,
    cells: flag,
    earned: fc.record(
      { day: fc.nat(2 ** 32 - 1), credits: fc.nat(2 ** 32 - 1), rewrites: fc.maxSafeNat(), sequence: fc.maxSafeNat() },
      { noNullPrototype: true },
    ),
  },
  { requiredKeys: ['id', 'keyHash', 'createdMs', 'revoked'], noNullPrototype: true },
);

test('an account comes back as it was, absent settings absent', () => {
  fc.assert(
    fc.property(account, original => {
      expect(ACCOUNT.decode(ACCOUNT.encode(original))).toStrictEqual(original);
    }),
  );
});

test('a setting of zero or false is not an absent one', () => {
  const bare: Account = { id: 7, keyHash: 'ab'.repeat(32), createdMs: 0, revoked: false };
  expect(ACCOUNT.decode(ACCOUNT.encode({ ...bare, credits: 0, indoor: false }))).toStrictEqual({
    ...bare,
    credits: 0,
    indoor: false,
  });
  expect(ACCOUNT.decode(ACCOUNT.encode(bare))).toStrictEqual(bare);
});

test('a decoded account does not depend on the bytes it came from', () => {
  const bytes = ACCOUNT.encode({ id: 7, keyHash: 'ab'.repeat(32), createdMs: 5, revoked: false, name: 'fleet' });
  const decoded = ACCOUNT.decode(bytes);
  bytes.fill(0);
  expect(decoded).toStrictEqual({ id: 7, keyHash: 'ab'.repeat(32), createdMs: 5, revoked: false, name: 'fleet' });
});

test('bytes that are no account are refused with a sentence', () => {
  expect(() => ACCOUNT.decode(new Uint8Array(3))).toThrow(
    'The record of an account is damaged: it ends after 3 bytes.',
  );
  expect(() => ACCOUNT.decode(new Uint8Array(100))).toThrow(
    'The record of an account is damaged: its list of fields is none.',
  );
  const lacking = ACCOUNT.encode({ id: 7, keyHash: 'ab'.repeat(31), createdMs: 5, revoked: false });
  expect(() => ACCOUNT.decode(lacking)).toThrow(
    'The record of an account is damaged: its keyHash of 31 bytes is none.',
  );
  const beyond = ACCOUNT.encode({ id: 1_048_576, keyHash: 'ab'.repeat(32), createdMs: 5, revoked: false });
  expect(() => ACCOUNT.decode(beyond)).toThrow(
    'The record of an account is damaged: its id is 1048576, which is not from 1 to 1048575.',
  );
});

const bare: Account = { id: 7, keyHash: 'ab'.repeat(32), createdMs: 1_600_000_000_000, revoked: false };
const full: Account = {
  ...bare,
  name: 'fleet of the north',
  indoor: true,
  address: false,
  speedFilter: true,
  speedLimit: 40,
  credits: 100_000,
  expires: '2030-01-31',
  ratePerSecond: 50,
  devices: 1_000,
  storageMegabytes: 300,
  contributor: true,
  trusted: false,
  loopbackOnly: false,
  trail: false,
  tracking: false,
  explain: false,
  earned: { day: 20_500, credits: 900, rewrites: 2, sequence: 5_000_000_000 },
};

test.each([
  ['without settings', bare],
  ['with all settings', full],
])('every cut of a record is refused: %s', (_, each) => {
  expectCutsRefused(ACCOUNT.encode(each), ACCOUNT.decode);
});

test.each([
  ['without settings', bare],
  ['with all settings', full],
])('a flipped bit is refused or leaves values in their ranges: %s', (_, each) => {
  expectFlipsSound(ACCOUNT.encode(each), ACCOUNT.decode, found =>
    firstFault({
      id: found.id >= 1 && found.id <= 1_048_575,
      keyHash: /^[0-9a-f]{64}$/.test(found.keyHash),
      createdMs: found.createdMs >= 0 && !Number.isNaN(new Date(found.createdMs).getTime()),
      credits: (found.credits ?? 0) <= 2_147_483_647,
      expires: found.expires === undefined || /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(found.expires),
      speedLimit: found.speedLimit === undefined || (found.speedLimit > 0 && Number.isFinite(found.speedLimit)),
      ratePerSecond:
        found.ratePerSecond === undefined || (found.ratePerSecond >= 0.01 && found.ratePerSecond <= 1_000_000),
      devices: found.devices === undefined || (found.devices >= 1 && found.devices <= 1_000_000_000),
      storageMegabytes: (found.storageMegabytes ?? 0) <= 1_048_576,
      earned: Number.isSafeInteger(found.earned?.sequence ?? 0) && Number.isSafeInteger(found.earned?.rewrites ?? 0),
    }),
  );
});
