// Nodes whose servers do not answer for a while.

import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { NATS_PROGRAM, NatsServer } from '../kits/nats.ts';
import { SMALL_NODE } from '../kits/served_service.ts';
import { ServiceProcess, send } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const POLL = { timeout: 40_000, interval: 100 };
const OFFICE = resolve('docs/examples/office.geojson');
const BODY = { considerIp: false, wifiAccessPoints: [1, 2].map(n => ({ macAddress: `00:00:5e:60:03:0${n}` })) };

describe.skipIf(NATS_PROGRAM === undefined)('servers that do not answer', { timeout: 120_000 }, () => {
  const base = folderOfFile();
  let nats: NatsServer;
  let a: ServiceProcess;
  let b: ServiceProcess | undefined;

  const start = (name: string, ...flags: string[]) =>
    ServiceProcess.start(join(base, name), '--cluster', nats.url, ...SMALL_NODE, ...flags);
  const readyOf = async (node: ServiceProcess) => (await node.request({ method: 'GET', path: '/ready' })).status;

  afterAll(async () => {
    nats.signal('SIGCONT');
    await Promise.all([a, b].map(node => node?.stop('SIGKILL')));
    await nats.remove();
  });

  test('a job of a learner that has lost its lease is done when it learns again', async () => {
    nats = await NatsServer.start();
    a = await start('a', '--metrics', '127.0.0.1:0');
    const metrics = /^Metrics are at (http:\/\/\S+)\/metrics$/m.exec(a.printed)![1];
    const figures = async () => (await send(metrics, { method: 'GET', path: '/metrics' })).text;
    await expect.poll(() => readyOf(a), POLL).toBe(200);
    await expect.poll(figures, POLL).toMatch(/^sextant_cluster_learner 1$/m);
    nats.signal('SIGSTOP');
    // Until then a job begins, and is told in the end that nothing of it is in force.
    await expect.poll(figures, POLL).toMatch(/^sextant_cluster_learner 0$/m);
    nats.signal('SIGCONT');
    const imported = (await a.job({ verb: 'import', kind: 'buildings', files: [OFFICE] })) as { buildings: number };
    expect(imported.buildings).toBe(1);
  });

  test('a key that a node cannot know yet is not refused for good', async () => {
    await expect.poll(() => readyOf(a), POLL).toBe(200);
    await expect.poll(async () => (await a.post('nobody', BODY)).status, POLL).toBe(400);
    // Refused while the node looks whether its servers, which were away, still have what they had.
    const { key } = await vi.waitFor(() => a.key(), POLL);
    nats.signal('SIGSTOP');
    b = await start('b');
    expect((await b.post(key, BODY)).status).toBe(503);
    await expect.poll(async () => (await a.post('nobody', BODY)).status, POLL).toBe(503);
    expect((await a.post(key, BODY)).status).toBe(404);
    nats.signal('SIGCONT');
    for (const node of [a, b]) {
      await expect.poll(async () => (await node.post(key, BODY)).status, POLL).toBe(404);
      await expect.poll(async () => (await node.post('nobody', BODY)).status, POLL).toBe(400);
    }
  });
});
