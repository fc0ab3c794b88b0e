// A warm standby by backups, and a move to another machine: what is there afterwards, and what is lost.

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FEW_THREADS } from '../kits/served_service.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const DEMO_POINTS = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };

async function start(folder: string): Promise<ServiceProcess> {
  const service = await ServiceProcess.start(folder, ...FEW_THREADS);
  onTestFinished(async () => void (await service.stop()));
  return service;
}

/** Contributes a measurement of its own. */
async function contribute(service: ServiceProcess, key: string, n: number): Promise<void> {
  const items = [
    {
      timestamp: Date.parse('2026-05-01T00:00:00Z') + 60_000 * n,
      position: { latitude: 48 + n / 1000, longitude: 9, accuracy: 5 },
      wifiAccessPoints: [1, 2].map(i => ({ macAddress: `02:00:5e:77:0${n}:0${i}`, signalStrength: -50 })),
    },
  ];
  expect((await service.request({ path: `/v2/geosubmit?key=${key}`, body: { items } })).status).toBe(200);
}

async function succeeds(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runSextant(...words);
  expect(code, stderr).toBe(0);
  return stdout;
}

const reportsOf = async (folder: string): Promise<number> =>
  (await succeeds('export', 'observations', '--data', folder)).trimEnd().split('\n').filter(Boolean).length;

test('a standby has what the last backup has, and loses what came after it', async () => {
  const base = temporaryFolder();
  const [first, copy, second] = ['first', 'copy', 'second'].map(name => join(base, name));
  const service = await start(first);
  const { id, key } = await service.key({ credits: 100, contributor: true });
  for (let n = 0; n < 3; n++) expect((await service.post(key, DEMO_POINTS)).status).toBe(200);
  for (let n = 0; n < 4; n++) await contribute(service, key, n);
  await succeeds('backup', copy, '--data', first);
  // The other machine has a copy of it, as rsync makes one.
  cpSync(copy, `${copy}.there`, { recursive: true, preserveTimestamps: true });
  expect((await service.post(key, DEMO_POINTS)).status).toBe(200);
  await contribute(service, key, 9);
  await service.stop('SIGKILL');

  expect(await succeeds('restore', `${copy}.there`, '--data', second)).toContain('Restored');
  const standby = await start(second);
  expect((await standby.post(key, DEMO_POINTS)).status).toBe(200);
  const shown = await standby.job<{ credits: number }>({ verb: 'keys', action: 'show', id });
  // The three before the backup and this one are paid; that after it was free.
  expect(shown.credits).toBe(96);
  await contribute(standby, key, 9);
  expect(await reportsOf(second)).toBe(5);
  // It makes backups of its own, for the machine that comes back.
  await succeeds('backup', join(base, 'back'), '--data', second);
});

test('a move loses nothing: the service is stopped before the last backup', async () => {
  const base = temporaryFolder();
  const [first, copy, second] = ['first', 'copy', 'second'].map(name => join(base, name));
  const service = await start(first);
  const { id, key } = await service.key({ credits: 100, contributor: true });
  await contribute(service, key, 1);
  // A first backup while it serves, so that the last one copies little.
  await succeeds('backup', copy, '--data', first);
  for (let n = 0; n < 5; n++) expect((await service.post(key, DEMO_POINTS)).status).toBe(200);
  await contribute(service, key, 2);
  await service.stop();
  const last = await succeeds('backup', copy, '--data', first);
  expect(last).toContain('were taken over from the backup before');

  await succeeds('restore', copy, '--data', second);
  const moved = await start(second);
  expect(await moved.job({ verb: 'keys', action: 'show', id })).toMatchObject({ credits: 95 });
  expect((await moved.post(key, DEMO_POINTS)).status).toBe(200);
  expect(await reportsOf(second)).toBe(2);
});
