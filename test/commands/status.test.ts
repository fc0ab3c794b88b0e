// `sextant status` on real folders, with a service and without one.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from '../kits/served_service.ts';
import { runSextant } from '../kits/service_process.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

test('the status of a service and of what it left behind', async () => {
  const service = await serve();
  const { id } = await service.key({ name: 'one' });
  await service.job({ verb: 'keys', action: 'revoke', id });
  const running = await runSextant('status', '--data', service.folder, '--json');
  const status = JSON.parse(running.stdout);
  expect(status.service).toMatchObject({ version: status.version, pid: service.pid });
  expect(status.service.uptimeSeconds).toBeGreaterThanOrEqual(0);
  expect(status.service.residentBytes).toBeGreaterThan(50_000_000);
  expect(status).toMatchObject({
    folder: service.folder,
    keys: { valid: 1, expired: 0, revoked: 1 },
    reports: { kept: 0, stored: 0 },
    problems: [],
  });
  const kinds = Object.values<number>(status.stations.byKind);
  expect(kinds.reduce((sum, count) => sum + count, 0)).toBe(status.stations.total);
  expect(status.stations.total).toBeGreaterThan(100);
  const text = (await runSextant('status', '--data', service.folder)).stdout;
  expect(text).toContain(`process ${service.pid}, up for `);
  expect(text).toContain('keys         1 valid, 0 expired, 1 revoked\n');
  expect(text.endsWith('\nNothing is wrong.\n')).toBe(true);

  await service.stop();
  const stopped = JSON.parse((await runSextant('status', '--data', service.folder, '--json')).stdout);
  expect(stopped).toEqual({ ...status, service: null, bytes: expect.anything(), freeBytes: expect.any(Number) });
});

test('an empty folder and one that is missing are refused, and nothing is made in them', async () => {
  const folder = join(temporaryFolder(), 'none');
  const missing = await runSextant('status', '--data', folder);
  expect([missing.code, missing.stderr]).toEqual([
    1,
    `There is no data folder ${folder}; name another with --data, or make one with npm start.\n`,
  ]);
  mkdirSync(folder);
  expect((await runSextant('status', '--data', folder)).code).toBe(1);
});
