import { expect, test } from 'vitest';
import { isRestricted, refusalOf, type Use } from '../../src/accounts/restrictions.ts';
import type { Account } from '../../src/tables/accounts/account_record.ts';

const bare: Account = { id: 3, keyHash: 'ab'.repeat(32), createdMs: 0, revoked: false };
const use: Use = { route: 'position', origin: 'https://shop.example', address: '192.0.2.7' };
const refusal = (settings: Partial<Account>, changed: Partial<Use> = {}) =>
  refusalOf({ ...bare, ...settings }, { ...use, ...changed });

test('a key without any of the settings may everything from everywhere', () => {
  expect(isRestricted(bare)).toBe(false);
  expect(refusal({}, { route: 'search', origin: undefined, address: undefined })).toBeUndefined();
  for (const settings of [{ routes: ['search'] }, { origins: ['https://a.example'] }, { networks: ['::1'] }])
    expect(isRestricted({ ...bare, ...settings })).toBe(true);
});

test('a route that is not named is refused', () => {
  expect(refusal({ routes: ['position', 'compact'] })).toBeUndefined();
  expect(refusal({ routes: ['search'] })).toBe('route');
});

test('a page of another origin is refused, and so is who names none', () => {
  const origins = ['https://shop.example', 'http://localhost:3000'];
  expect(refusal({ origins })).toBeUndefined();
  for (const origin of ['https://other.example', 'http://shop.example', 'https://shop.example:8443', 'null', undefined])
    expect(refusal({ origins }, { origin }), origin).toBe('place');
});

test.each([
  ['192.0.2.0/24', '192.0.2.255', '192.0.3.0'],
  ['192.0.2.7', '192.0.2.7', '192.0.2.8'],
  ['192.0.2.0/24', '::ffff:192.0.2.9', '::ffff:192.0.3.9'],
  ['2001:db8::/32', '2001:db8:ffff::1', '2001:db9::1'],
  ['2001:db8::1', '2001:db8:0:0:0:0:0:1', '2001:db8::2'],
  ['10.0.0.0/8', '10.255.255.255', '11.0.0.0'],
  ['0.0.0.0/0', '203.0.113.1', '2001:db8::1'],
])('%s has %s and not %s', (network, inside, outside) => {
  expect(refusal({ networks: [network] }, { address: inside })).toBeUndefined();
  expect(refusal({ networks: [network] }, { address: outside })).toBe('place');
  expect(refusal({ networks: ['198.51.100.0/24', network] }, { address: inside })).toBeUndefined();
});

test('a client without an address, or with something else in its place, is in no network', () => {
  for (const address of [undefined, '', 'unknown', '192.0.2', '_hidden'])
    expect(refusal({ networks: ['0.0.0.0/0', '::/0'] }, { address }), address).toBe('place');
});

test('all settings must hold', () => {
  const settings = { routes: ['position'], origins: ['https://shop.example'], networks: ['192.0.2.0/24'] };
  expect(refusal(settings)).toBeUndefined();
  expect(refusal(settings, { route: 'search' })).toBe('route');
  expect(refusal(settings, { origin: undefined })).toBe('place');
  expect(refusal(settings, { address: '192.0.3.1' })).toBe('place');
});
