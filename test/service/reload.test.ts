// What a running service takes over from its configuration file, on SIGHUP.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from '../kits/served_service.ts';
import type { ServiceProcess } from '../kits/service_process.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const TWO_MEGABYTES = { comment: 'x'.repeat(2 * 1_048_576) };

/** A service with a configuration file, and a way to change that. */
async function configured(
  settings: object,
): Promise<{ service: ServiceProcess; reload: (settings: object, printed: string) => Promise<void> }> {
  const file = join(temporaryFolder(), 'sextant.json');
  writeFileSync(file, JSON.stringify(settings));
  const service = await serve('--compute', 'auto', '--config', file);
  const reload = async (changed: object, printed: string) => {
    writeFileSync(file, JSON.stringify(changed));
    process.kill(service.pid, 'SIGHUP');
    await service.hasPrinted(printed);
  };
  return { service, reload };
}

test('limits, the anonymous key and what contributions earn change at once, and what needs a restart is named', async () => {
  const { service, reload } = await configured({ 'max-body-mb': 8, 'contribution-credits': 0 });
  const { key } = await service.key();
  const contributor = await service.key({ credits: 100, contributor: true });
  expect((await service.post(key, TWO_MEGABYTES)).status).toBe(404);
  expect((await service.request({ path: '/', body: {} })).status).toBe(400);

  const changed = {
    'max-body-mb': 1,
    'anonymous-key': key,
    'contribution-credits': 7,
    'max-contribution-credits': 20,
    'log-mb': 5,
    'http-threads': 2,
  };
  // What --http-threads says wins, so the file changes nothing there.
  await reload(
    { ...changed, 'cache-mb': 32 },
    'The configuration was read again: --log-mb, --contribution-credits, --max-contribution-credits, ' +
      '--max-body-mb, --anonymous-key changed; --cache-mb needs a restart.',
  );
  expect((await service.post(key, TWO_MEGABYTES)).status).toBe(413);
  expect((await service.request({ path: '/', body: {} })).status).toBe(404);
  const items = [1, 2, 3, 4].map(n => ({
    timestamp: Date.now(),
    position: { latitude: 50.8, longitude: 4.4, accuracy: 5 },
    wifiAccessPoints: [{ macAddress: `88:f7:c7:00:0${n}:01` }, { macAddress: `88:f7:c7:00:0${n}:02` }],
  }));
  // What one reports, the other confirms, in four reports: three earn in full or in part what is the most of a day.
  for (const each of [contributor.key, key])
    expect((await service.request({ path: `/v2/geosubmit?key=${each}`, body: { items } })).status).toBe(200);
  await service.job({ verb: 'aggregate', action: 'all' });
  expect(await service.job({ verb: 'keys', action: 'show', id: contributor.id })).toMatchObject({ credits: 120 });
  expect(service.printed).not.toContain(key);
});

test('nothing has changed only where nothing waits for a restart either', async () => {
  const { service, reload } = await configured({ 'max-body-mb': 8 });
  await reload({ 'max-body-mb': 8 }, 'The configuration was read again: nothing has changed.');
  await reload({ 'max-body-mb': 8, 'cache-mb': 32 }, 'The configuration was read again: --cache-mb needs a restart.');
  expect(service.printed.match(/nothing has changed/g)).toHaveLength(1);
});

test('a configuration that cannot be used changes nothing', async () => {
  const { service, reload } = await configured({ 'max-body-mb': 1 });
  await reload({ 'max-body-mb': 8, prot: 1 }, 'it has a member \\"prot\\", which is no setting. Did you mean port?');
  await reload({ 'max-body-mb': 8, 'anonymous-key': 'nobody' }, 'The key of --anonymous-key is unknown;');
  expect((await service.post(service.demoKey, TWO_MEGABYTES)).status).toBe(413);
  expect(service.printed.match(/nothing was changed/g)).toHaveLength(2);
  await reload({ 'max-body-mb': 8, 'log-level': 'error' }, '--max-body-mb, --log-level changed');
});

test('no request is lost while everything is read again', async () => {
  const { service, reload } = await configured({ 'log-level': 'info' });
  let isOver = false;
  const statuses = new Set<number>();
  const asking = (async () => {
    while (!isOver) statuses.add((await service.post(service.demoKey, {})).status);
  })();
  await reload({ 'max-body-mb': 1 }, ': --max-body-mb changed.');
  await reload({ 'max-body-mb': 1, 'log-mb': 5 }, ': --log-mb changed.');
  await reload({ 'max-body-mb': 1, 'log-mb': 5, 'contribution-credits': 2 }, ': --contribution-credits changed.');
  isOver = true;
  await asking;
  expect([...statuses]).toEqual([404]);
});
