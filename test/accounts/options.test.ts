import { expect, test } from 'vitest';
import { isWanted, keepsState, optionsOf } from '../../src/accounts/options.ts';
import type { AccountSettings } from '../../src/tables/accounts/key_settings.ts';

const account = (settings: AccountSettings) => ({
  id: 1,
  keyHash: '0'.repeat(64),
  createdMs: 0,
  revoked: false,
  ...settings,
});
const limitOf = (speedLimit: number | undefined, settings: AccountSettings) =>
  optionsOf({ speedLimit }, account(settings)).speedLimit;

test('an address or a building is wanted as the request says, else as the key says, else not', () => {
  const cases: [requested: boolean | undefined, key: boolean | undefined, holds: boolean][] = [
    [undefined, undefined, false],
    [undefined, false, false],
    [undefined, true, true],
    [true, undefined, true],
    [true, false, true],
    [false, true, false],
  ];
  for (const [requested, own, holds] of cases) {
    expect(isWanted(requested, own)).toBe(holds);
  }
});

test('the speed limit is that of the request, else that of a key whose filter is on', () => {
  expect(limitOf(undefined, {})).toBe(Number.POSITIVE_INFINITY);
  expect(limitOf(undefined, { speedLimit: 30 })).toBe(Number.POSITIVE_INFINITY);
  expect(limitOf(undefined, { speedLimit: 30, speedFilter: true })).toBe(30);
  expect(limitOf(undefined, { speedFilter: true })).toBe(100);
  expect(limitOf(50, { speedLimit: 30, speedFilter: true })).toBe(50);
  expect(limitOf(50, {})).toBe(50);
  expect(limitOf(0, { speedLimit: 30, speedFilter: true })).toBe(Number.POSITIVE_INFINITY);
});

test('a state is kept for keys with indoor positioning or a speed filter', () => {
  expect(
    [{}, { address: true, speedLimit: 30 }, { indoor: false }].map(settings => keepsState(account(settings))),
  ).toEqual([false, false, false]);
  expect([{ indoor: true }, { speedFilter: true }].map(settings => keepsState(account(settings)))).toEqual([
    true,
    true,
  ]);
});
