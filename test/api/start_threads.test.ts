import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { startThreads } from '../../src/api/start_threads.ts';
import { readConfig, withServiceOptions } from '../../src/config.ts';
import { takeFolder } from '../../src/folder/data_folder.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const log = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {}, access: () => {} };

test('a start that fails when the tables are open stops what runs, so the folder can be served at once', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => taken.once('listening', resolve));
  const { port } = taken.address() as AddressInfo;
  const folder = takeFolder(temporaryFolder(), true)!;
  const flags = ['--http-threads', '1', '--compute', 'inline'];
  const config = readConfig(withServiceOptions(new Command()).parse(flags, { from: 'user' }));
  await expect(startThreads({ ...config, port }, folder, {}, log)).rejects.toThrow('EADDRINUSE');
  // The writer listens here as long as it runs.
  expect(existsSync(join(folder.path, 'owner.sock'))).toBe(false);
  taken.close();
  const threads = await startThreads({ ...config, port }, { ...folder, isNew: false }, {}, log);
  expect((await fetch(`${threads.url}/health`)).status).toBe(200);
  // Metrics and the admin interface may listen elsewhere, which others begin.
  const before = await fetch(`${threads.url}/ready`);
  expect([before.status, await before.json()]).toEqual([
    503,
    { status: 'notReady', problems: ['The service is starting: not all of its addresses listen yet.'] },
  ]);
  threads.allListen();
  expect((await fetch(`${threads.url}/ready`)).status).toBe(200);
  await threads.stop();
  folder.release();
});
