// The secret of state tokens is rotated while a service runs, and nothing that devices hold is lost before its time.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FEW_THREADS, serve } from '../kits/served_service.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';

const START = 1_700_000_000;

/** Asks with a fix, some kilometres north of the first. */
async function ask(
  service: ServiceProcess,
  key: string,
  km: number,
  state?: string,
): Promise<{ state: string; calculatedSpeed?: number }> {
  const body = { gps: { latitude: 48 + km / 111.195, longitude: 11, accuracy: 1 }, timestamp: START + 100 * km, state };
  const { status, json } = await service.request({ path: `/?key=${key}&id=device`, body });
  expect(status).toBe(200);
  return json;
}

test('a rotation takes effect at once, the old secret opens until it ends, and keys stay as they are', async () => {
  let service = await serve();
  const { folder } = service;
  const { key } = await service.key({ speedFilter: true });
  const rotate = (...flags: string[]) => runSextant('secret', 'rotate', '--data', folder, ...flags);
  const first = await ask(service, key, 0);
  const old = readFileSync(join(folder, 'secret'));

  expect((await rotate('--overlap', '2h')).stdout).toMatch(
    /^A new secret seals state tokens from now on\. The old one opens tokens until \d{4}-.*Z\.\n$/,
  );
  const second = await ask(service, key, 1, first.state);
  expect(second.calculatedSpeed).toBeDefined();
  expect(readFileSync(join(folder, 'secret')).subarray(32, 64)).toEqual(old);

  const again = await rotate();
  expect([again.code, again.stderr]).toEqual([
    1,
    expect.stringMatching(
      /^The secret before this one still opens state tokens, until \d{4}-.*Z; --force ends it now\.\n$/,
    ),
  ]);

  // The same after a restart, and in what a backup restores.
  expect((await runSextant('backup', join(folder, '../backup'), '--data', folder)).code).toBe(0);
  await service.stop();
  const restored = join(folder, '../restored');
  expect((await runSextant('restore', join(folder, '../backup'), '--data', restored)).code).toBe(0);
  for (const each of [folder, restored]) {
    service = await ServiceProcess.start(each, ...FEW_THREADS);
    expect((await ask(service, key, 1, first.state)).calculatedSpeed).toBeDefined();
    expect((await ask(service, key, 2, second.state)).calculatedSpeed).toBeDefined();
    if (each === folder) await service.stop();
  }

  // As after a theft. What the restored service holds is not touched.
  expect((await rotate('--overlap', '0', '--force')).stdout).toContain('The old one opens none.');
  expect(readFileSync(join(folder, 'secret'))).toHaveLength(32);
  await service.stop();
  service = await ServiceProcess.start(folder, ...FEW_THREADS);
  for (const { state } of [first, second]) expect((await ask(service, key, 3, state)).calculatedSpeed).toBeUndefined();
  await service.stop();

  writeFileSync(join(folder, 'secret'), 'too short');
  const check = await runSextant('check', '--json', '--data', folder);
  expect([check.code, JSON.parse(check.stdout).findings]).toEqual([
    1,
    [
      {
        kind: 'file',
        table: 'secret',
        key: expect.any(String),
        what: 'it has 9 bytes instead of 32 or 72',
        remedy: expect.stringContaining('or delete the file: then state tokens handed out so far are void'),
      },
    ],
  ]);
});
