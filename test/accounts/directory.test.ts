import { afterEach, beforeEach, expect, test } from 'vitest';
import { AccountDirectory } from '../../src/accounts/directory.ts';
import { hashKey } from '../../src/accounts/key.ts';
import { AccountTable, type NewAccount } from '../../src/tables/accounts/accounts.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const NOW_MS = Date.parse('2026-03-01T12:00:00Z');
const VERSION = 2;

let folder: string;
let table: AccountTable;
let control: Int32Array;
let directory: AccountDirectory;

beforeEach(() => {
  folder = temporaryFolder();
  table = new AccountTable(folder);
  control = new Int32Array(new SharedArrayBuffer(16));
  directory = new AccountDirectory(table, control, VERSION);
});

afterEach(async () => {
  await table.close();
});

function create(key: string, settings: Partial<NewAccount> = {}) {
  return table.create({ keyHash: hashKey(key), createdMs: NOW_MS, ...settings });
}

test('a key finds its account', async () => {
  const account = await create('sx_one', { name: 'fleet' });
  expect(directory.find('sx_one', false, NOW_MS)).toStrictEqual(account);
  expect(directory.find('sx_one', false, NOW_MS)).toStrictEqual(account);
});

test('no key, an empty one and the text null are missing', () => {
  expect([undefined, '', 'null'].map(key => directory.find(key, true, NOW_MS))).toEqual([
    'missing',
    'missing',
    'missing',
  ]);
});

test('other keys are unknown, however long', async () => {
  await create('x'.repeat(200));
  await create('y'.repeat(201));
  expect(directory.find('sx_other', true, NOW_MS)).toBe('unknown');
  expect(directory.find('x'.repeat(200), true, NOW_MS)).toMatchObject({ id: 1 });
  expect(directory.find('y'.repeat(201), true, NOW_MS)).toBe('unknown');
});

test('the hash of a key is no key', async () => {
  await create('sx_one');
  expect(directory.find(hashKey('sx_one'), true, NOW_MS)).toBe('unknown');
});

test('a revoked key is refused', async () => {
  await create('sx_one');
  await table.revoke(1);
  expect(directory.find('sx_one', true, NOW_MS)).toBe('revoked');
});

test('a key is valid through the last millisecond of its day in UTC', async () => {
  await create('sx_one', { expires: '2026-03-01' });
  expect(directory.find('sx_one', true, Date.parse('2026-03-01T23:59:59.999Z'))).toMatchObject({ id: 1 });
  expect(directory.find('sx_one', true, Date.parse('2026-03-02T00:00:00.000Z'))).toBe('expired');
});

test('a loopback key is refused from other machines', async () => {
  await create('sx_demo', { loopbackOnly: true });
  expect(directory.find('sx_demo', false, NOW_MS)).toBe('loopbackOnly');
  expect(directory.find('sx_demo', true, NOW_MS)).toMatchObject({ id: 1 });
});

test('a change counts from its announcement on', async () => {
  await create('sx_one');
  directory.find('sx_one', true, NOW_MS);
  await table.update(1, { indoor: true });
  expect(directory.find('sx_one', true, NOW_MS)).not.toHaveProperty('indoor');
  Atomics.add(control, VERSION, 1);
  expect(directory.find('sx_one', true, NOW_MS)).toHaveProperty('indoor', true);
  await table.revoke(1);
  Atomics.add(control, VERSION, 1);
  expect(directory.find('sx_one', true, NOW_MS)).toBe('revoked');
});

test('an unknown key is not remembered: it works as soon as it exists', async () => {
  expect(directory.find('sx_new', true, NOW_MS)).toBe('unknown');
  await create('sx_new');
  expect(directory.find('sx_new', true, NOW_MS)).toMatchObject({ id: 1 });
});
