import { expect, test } from 'vitest';
import { describeAccount, optionsOf, readCredits, readSettings } from '../../src/accounts/settings.ts';
import type { Account } from '../../src/tables/account_record.ts';

const bare: Account = { id: 3, keyHash: 'ab'.repeat(32), createdMs: 1_700_000_000_000, revoked: false };

const accepted: [option: string, text: string | true, member: string, value: unknown][] = [
  ['name', 'fleet', 'name', 'fleet'],
  ['name', ' Zürich 🚚 ', 'name', 'Zürich 🚚'],
  ['name', 'x'.repeat(100), 'name', 'x'.repeat(100)],
  ['credits', '0', 'credits', 0],
  ['credits', '2147483647', 'credits', 2_147_483_647],
  ['expires', '2030-12-31', 'expires', '2030-12-31'],
  ['expires', '2028-02-29', 'expires', '2028-02-29'],
  ['expires', '2000-01-01', 'expires', '2000-01-01'],
  ['indoor', true, 'indoor', true],
  ['address', true, 'address', true],
  ['speedFilter', true, 'speedFilter', true],
  ['speedLimit', '0.1', 'speedLimit', 0.1],
  ['speedLimit', '33.3', 'speedLimit', 33.3],
  ['speedLimit', '10000', 'speedLimit', 10_000],
  ['rate', '0.01', 'ratePerSecond', 0.01],
  ['rate', '1000000', 'ratePerSecond', 1_000_000],
  ['devices', '1', 'devices', 1],
  ['devices', '1000000000', 'devices', 1_000_000_000],
  ['contributor', true, 'contributor', true],
  ['trusted', true, 'trusted', true],
];

test.each(accepted)('the setting %s %s is read', (option, text, member, value) => {
  expect(readSettings({ [option]: text })).toStrictEqual({ [member]: value });
});

const refused: [option: string, text: string | true, message: string][] = [
  ['name', '', '--name must have 1 to 100 characters'],
  ['name', '  ', '--name must have 1 to 100 characters'],
  ['name', 'x'.repeat(101), '--name must have 1 to 100 characters'],
  ['name', 'a\u001b[31m', 'no control characters'],
  ['credits', '-1', '--credits must be a whole number from 0 to 2147483647, not "-1".'],
  ['credits', '2147483648', '--credits must be a whole number from 0 to 2147483647'],
  ['credits', '1.5', '--credits must be a whole number'],
  ['credits', '', '--credits must be a whole number'],
  ['credits', 'ten', 'not "ten".'],
  ['credits', true, '--credits needs a value.'],
  ['expires', '2030-02-29', '--expires must be a day as YYYY-MM-DD from 2000-01-01 on, not "2030-02-29".'],
  ['expires', '2030-13-01', '--expires must be a day'],
  ['expires', '31.12.2030', '--expires must be a day'],
  ['expires', '2030-1-1', '--expires must be a day'],
  ['expires', '1999-12-31', '--expires must be a day'],
  ['speedLimit', '0', '--speed-limit must be a number from 0.1 to 10000'],
  ['speedLimit', '10000.1', '--speed-limit must be a number'],
  ['speedLimit', '1e3', '--speed-limit must be a number'],
  ['rate', '0', '--rate must be a number from 0.01 to 1000000'],
  ['rate', '0.009', '--rate must be a number'],
  ['rate', '1000001', '--rate must be a number'],
  ['rate', 'Infinity', '--rate must be a number'],
  ['devices', '0', '--devices must be a whole number from 1 to 1000000000'],
  ['devices', '1000000001', '--devices must be a whole number'],
];

test.each(refused)('the setting %s "%s" is refused with a sentence', (option, text, message) => {
  expect(() => readSettings({ [option]: text })).toThrow(message);
});

test('--no- clears each setting', () => {
  const options = [
    'name',
    'credits',
    'expires',
    'indoor',
    'address',
    'speedFilter',
    'speedLimit',
    'rate',
    'devices',
    'contributor',
    'trusted',
  ];
  expect(readSettings(Object.fromEntries(options.map(option => [option, false])))).toStrictEqual({
    name: null,
    credits: null,
    expires: null,
    indoor: null,
    address: null,
    speedFilter: null,
    speedLimit: null,
    ratePerSecond: null,
    devices: null,
    contributor: null,
    trusted: null,
  });
});

test('options that are no settings, and settings that were not given, change nothing', () => {
  expect(readSettings({ data: 'var', loopbackOnly: true, indoor: undefined })).toStrictEqual({});
});

test('credits to add are a whole number from 1', () => {
  expect(readCredits('1')).toBe(1);
  expect(readCredits('2147483647')).toBe(2_147_483_647);
  for (const text of ['0', '-5', '1.0', 'x', '2147483648']) {
    expect(() => readCredits(text)).toThrow(`The number of credits must be a whole number from 1 to 2147483647, not "${text}".`);
  }
});

test('an account is shown with what is set, under the names of the flags, without its hash', () => {
  const account: Account = { ...bare, name: 'fleet', credits: 0, ratePerSecond: 5, speedFilter: true, loopbackOnly: true };
  expect(JSON.stringify(describeAccount(account))).toBe(
    '{"id":3,"created":"2023-11-14T22:13:20.000Z","revoked":false,"name":"fleet","credits":0,"speedFilter":true,"rate":5,"loopbackOnly":true}',
  );
  expect(describeAccount(bare)).toStrictEqual({ id: 3, created: '2023-11-14T22:13:20.000Z', revoked: false });
});

test('a silent request takes the settings of its key', () => {
  expect(optionsOf({}, bare)).toStrictEqual({ address: false, indoor: false, speedLimit: 0, state: false });
  expect(optionsOf({}, { ...bare, address: true, indoor: true, speedFilter: true, speedLimit: 40 })).toStrictEqual({
    address: true,
    indoor: true,
    speedLimit: 40,
    state: true,
  });
});

test('what a request says wins over its key', () => {
  const key: Account = { ...bare, address: true, indoor: true, speedFilter: true, speedLimit: 40 };
  expect(optionsOf({ address: false, indoor: false, speedLimit: 70 }, key)).toStrictEqual({
    address: false,
    indoor: false,
    speedLimit: 70,
    state: true,
  });
  expect(optionsOf({ address: true, indoor: true, speedLimit: 70 }, bare)).toStrictEqual({
    address: true,
    indoor: true,
    speedLimit: 70,
    state: false,
  });
});

test('a speed limit of the key counts only with its speed filter, and the filter alone has a limit', () => {
  expect(optionsOf({}, { ...bare, speedLimit: 40 }).speedLimit).toBe(0);
  expect(optionsOf({}, { ...bare, speedFilter: true }).speedLimit).toBe(100);
});

test('a state is given by keys with indoor positioning or a speed filter', () => {
  expect(optionsOf({}, { ...bare, indoor: true }).state).toBe(true);
  expect(optionsOf({}, { ...bare, speedFilter: true }).state).toBe(true);
  expect(optionsOf({ indoor: true, speedLimit: 5 }, bare).state).toBe(false);
});
