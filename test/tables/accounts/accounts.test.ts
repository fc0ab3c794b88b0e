import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { open } from 'lmdb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AccountTable, type NewAccount } from '../../../src/tables/accounts/accounts.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

let folder: string;
let table: AccountTable;

beforeEach(() => {
  folder = temporaryFolder();
  table = new AccountTable(folder);
});

afterEach(async () => {
  await table.close();
});

function account(digit: string, settings: Partial<NewAccount> = {}): NewAccount {
  return { keyHash: digit.repeat(64), createdMs: 1_700_000_000_000, ...settings };
}

/** Rows of the devices table, whose counts are not counted. */
async function withRawTable<T>(use: (env: ReturnType<typeof open>) => T): Promise<T> {
  const env = open({
    path: join(folder, 'accounts'),
    encoding: 'binary',
    keyEncoding: 'binary',
    noSubdir: false,
    maxDbs: 8,
  });
  const result = await use(env);
  await env.close();
  return result;
}

/** Devices that the table has counted in a month. */
function devicesCounted(id: number, month: number): Promise<number> {
  const row = Buffer.alloc(6);
  row.writeUInt32BE(id, 0);
  row.writeUInt16BE(month, 4);
  return withRawTable(env => {
    const devices = env.openDB<Buffer, Buffer>({ name: 'devices', encoding: 'binary', keyEncoding: 'binary' });
    return devices.get(row)?.readUInt32BE(0) ?? 0;
  });
}

test('accounts get the ids 1, 2, 3, also over a restart', async () => {
  expect((await table.create(account('a'))).id).toBe(1);
  expect((await table.create(account('b'))).id).toBe(2);
  await table.close();
  table = new AccountTable(folder);
  expect((await table.create(account('c'))).id).toBe(3);
});

test('an account is found by its id and by the hash of its key', async () => {
  const created = await table.create(
    account('a', { name: 'fleet', credits: 5, expires: '2030-02-28', loopbackOnly: true }),
  );
  expect(created).toStrictEqual({
    id: 1,
    keyHash: 'a'.repeat(64),
    createdMs: 1_700_000_000_000,
    revoked: false,
    name: 'fleet',
    credits: 5,
    expires: '2030-02-28',
    loopbackOnly: true,
  });
  expect(table.get(1)).toStrictEqual(created);
  expect(table.findByHash('a'.repeat(64))).toStrictEqual(created);
  expect(table.get(2)).toBeUndefined();
  expect(table.findByHash('b'.repeat(64))).toBeUndefined();
});

test('a key hash is used once and has 64 digits', async () => {
  await table.create(account('a'));
  await expect(table.create(account('a'))).rejects.toThrow('An account with this key exists already.');
  await expect(table.create({ keyHash: 'abc', createdMs: 0 })).rejects.toThrow(
    'The key hash abc is not 64 hexadecimal digits.',
  );
  expect(table.list()).toHaveLength(1);
});

test('accounts are listed in order, in pages', async () => {
  for (const digit of ['a', 'b', 'c', 'd']) await table.create(account(digit));
  expect(table.list().map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  expect(table.list(1, 2).map(({ id }) => id)).toEqual([2, 3]);
  expect(table.list(4)).toEqual([]);
});

test('an update sets what has a value, clears what is null and leaves the rest', async () => {
  await table.create(account('a', { name: 'fleet', indoor: true, credits: 5 }));
  const updated = await table.update(1, { indoor: null, devices: 3 });
  expect(updated).toStrictEqual({
    id: 1,
    keyHash: 'a'.repeat(64),
    createdMs: 1_700_000_000_000,
    revoked: false,
    name: 'fleet',
    credits: 5,
    devices: 3,
  });
  expect(table.get(1)).toStrictEqual(updated);
});

test('a revoked account stays, marked', async () => {
  await table.create(account('a', { name: 'fleet' }));
  await table.revoke(1);
  expect(table.findByHash('a'.repeat(64))).toMatchObject({ id: 1, name: 'fleet', revoked: true });
});

test('changes of an account that does not exist are refused', async () => {
  for (const change of [
    table.update(9, {}),
    table.revoke(9),
    table.credit(9, 1),
    table.debit(9, 1),
    table.giveBack(9, 1),
  ]) {
    await expect(change).rejects.toThrow('There is no account 9.');
  }
});

test('crediting makes a key prepaid and stops at the largest balance', async () => {
  await table.create(account('a'));
  expect((await table.credit(1, 10)).credits).toBe(10);
  expect((await table.credit(1, 2_147_483_637)).credits).toBe(2_147_483_647);
  await expect(table.credit(1, 1)).rejects.toThrow(
    'Account 1 cannot hold 2147483648 credits: at most 2147483647 are possible.',
  );
  for (const credits of [0, -1, 1.5, Number.NaN])
    await expect(table.credit(1, credits)).rejects.toThrow('a whole number above 0 is needed');
  expect(table.get(1)?.credits).toBe(2_147_483_647);
});

test('debits never pass zero, and what was debited can be given back', async () => {
  await table.create(account('a', { credits: 5 }));
  await table.create(account('b'));
  expect(await table.debit(1, 4)).toBe(4);
  expect(await table.debit(1, 2)).toBe(1);
  expect(await table.debit(1, 2)).toBe(0);
  await expect(table.debit(2, 1)).rejects.toThrow(
    '1 credits cannot be taken from account 2, which holds none: it is not prepaid.',
  );
  await expect(table.giveBack(2, 1)).rejects.toThrow('which holds none: it is not prepaid');
  expect((await table.giveBack(1, 4)).credits).toBe(4);
});

test('a hundred debits at once take what a hundred debits in a row take', async () => {
  await table.create(account('a', { credits: 60 }));
  const taken = await Promise.all(Array.from({ length: 100 }, () => table.debit(1, 1)));
  expect(taken.filter(credits => credits === 1)).toHaveLength(60);
  expect(table.get(1)?.credits).toBe(0);
});

test('a plan of two devices refuses the third of a month and knows the first two', async () => {
  const register = (device: string, month = 650, id = 1) => table.registerDevice(id, month, device.repeat(16), 2);
  expect(await register('a')).toBe('added');
  expect(await register('b')).toBe('added');
  expect(await register('c')).toBe('refused');
  expect(await register('a')).toBe('known');
  expect(await devicesCounted(1, 650)).toBe(2);
  expect(await register('c', 650, 2)).toBe('added');
  expect(await register('c', 651)).toBe('added');
});

test('devices that register at once are counted once each', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, i) => table.registerDevice(1, 650, `${i % 20}`.padStart(16, '0'), 5)),
  );
  expect(outcomes.filter(outcome => outcome === 'added')).toHaveLength(5);
  expect(outcomes.filter(outcome => outcome === 'known')).toHaveLength(5);
  expect(await devicesCounted(1, 650)).toBe(5);
});

test('devices of past months are forgotten as new ones come, those of other accounts stay', async () => {
  for (let i = 0; i < 6; i++) await table.registerDevice(1, 650, `${i}`.padStart(16, '0'), 10);
  await table.registerDevice(2, 650, 'f'.repeat(16), 10);
  for (let i = 0; i < 3; i++) await table.registerDevice(1, 651, `${i}`.padStart(16, '0'), 10);
  expect([await devicesCounted(1, 650), await devicesCounted(1, 651), await devicesCounted(2, 650)]).toEqual([0, 3, 1]);
  const rows = await withRawTable(env => {
    const devices = env.openDB<Buffer, Buffer>({ name: 'devices', encoding: 'binary', keyEncoding: 'binary' });
    return [...devices.getKeys()].map(key => `${key.readUInt32BE(0)} ${key.readUInt16BE(4)}`);
  });
  expect(rows).toEqual(['1 651', '1 651', '1 651', '1 651', '2 650', '2 650']);
});

test('devices of a month that is kept stay while a clock is ahead: the plan holds when it is set right', async () => {
  for (let i = 0; i < 2; i++) await table.registerDevice(1, 650, `${i}`.padStart(16, '0'), 2, 650);
  await table.registerDevice(1, 664, 'a'.repeat(16), 2, 650);
  expect(await table.registerDevice(1, 650, 'b'.repeat(16), 2, 650)).toBe('refused');
});

test('a thread that reads sees each commit of the thread that writes', async () => {
  await table.create(account('a', { credits: 1 }));
  const reader = new Worker(new URL('./accounts_reader.ts', import.meta.url), { workerData: { folder } });
  const ask = () =>
    new Promise((resolve, reject) => {
      reader.once('message', resolve).once('error', reject);
      reader.postMessage(1);
    });
  expect(await ask()).toBe(1);
  await table.credit(1, 41);
  expect(await ask()).toBe(42);
  await table.debit(1, 2);
  expect(await ask()).toBe(40);
  reader.postMessage(0);
  await new Promise(resolve => reader.once('exit', resolve));
});

test('writes that wait for the disk are committed as well', async () => {
  await table.close();
  table = new AccountTable(folder, { sync: 'flush' });
  await table.create(account('a', { credits: 1 }));
  await table.credit(1, 1);
  expect(table.get(1)?.credits).toBe(2);
});

test('ids end at 1,048,575', async () => {
  await withRawTable(env =>
    env
      .openDB({ name: 'meta', encoding: 'binary', keyEncoding: 'binary' })
      .put(Buffer.from('next'), Buffer.from([0, 0x0f, 0xff, 0xff])),
  );
  expect((await table.create(account('a'))).id).toBe(1_048_575);
  await expect(table.create(account('b'))).rejects.toThrow(
    'There are 1048575 accounts, which is the most that one data folder holds.',
  );
});

test('a table of another format is refused, for reading and for writing', async () => {
  await withRawTable(env =>
    env
      .openDB({ name: 'meta', encoding: 'binary', keyEncoding: 'binary' })
      .put(Buffer.from('format'), Buffer.from([0, 0, 0, 2])),
  );
  await table.close();
  const sentence =
    'it has format 2, and this version reads format 1. Run the version that wrote it, or export with that version ' +
    'and import with this one.';
  expect(() => new AccountTable(folder)).toThrow(sentence);
  expect(() => new AccountTable(folder, { readOnly: true })).toThrow(sentence);
});

test(
  'a file that is no table, one that lost its end and a table that is not there to be read are refused with a ' +
    'sentence',
  async () => {
    const foreign = join(folder, 'foreign');
    mkdirSync(join(foreign, 'accounts'), { recursive: true });
    writeFileSync(join(foreign, 'accounts', 'data.mdb'), 'x'.repeat(65_536));
    expect(() => new AccountTable(foreign)).toThrow(
      /The account table .* cannot be used: its data file is no LMDB database, or is damaged\. .* backup/,
    );
    expect(() => new AccountTable(join(folder, 'nowhere'), { readOnly: true })).toThrow(
      /The account table .* cannot be used: it has no data file\./,
    );

    await Promise.all(
      Array.from({ length: 20_000 }, (_, i) => table.registerDevice(1, 650, `${i}`.padStart(16, '0'), 20_000)),
    );
    await table.close();
    truncateSync(join(folder, 'accounts', 'data.mdb'), 8192);
    expect(() => new AccountTable(folder)).toThrow('its data file has lost its end');
  },
);

test('a start that was killed before its first commit is repeated', async () => {
  const young = join(folder, 'young');
  mkdirSync(join(young, 'accounts'), { recursive: true });
  writeFileSync(join(young, 'accounts', 'data.mdb'), '');
  const opened = new AccountTable(young);
  expect((await opened.create(account('a'))).id).toBe(1);
  await opened.close();
});
