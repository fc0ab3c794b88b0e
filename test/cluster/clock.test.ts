// A node whose clock is a month wrong, beside one whose clock is right.

import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { NATS_PROGRAM, NatsServer } from '../kits/nats.ts';
import { SMALL_NODE } from '../kits/served_service.ts';
import { ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const POLL = { timeout: 60_000, interval: 100 };
const QUOTA = 60;
const DEVICES = 3;
/** Runs before the program in each of its threads. */
const AHEAD = `const now = Date.now; Date.now = () => now() + ${33 * 86_400_000};`;

describe.skipIf(NATS_PROGRAM === undefined)('a node whose clock is a month ahead', { timeout: 180_000 }, () => {
  const base = folderOfFile();
  let nats: NatsServer;
  let nodes: ServiceProcess[] = [];
  let trusted = '';

  /** @param options of Node */
  const start = async (name: string, options: string): Promise<ServiceProcess> => {
    const before = process.env.NODE_OPTIONS ?? '';
    process.env.NODE_OPTIONS = `${before} ${options}`;
    const started = ServiceProcess.start(`${base}/${name}`, '--cluster', nats.url, ...SMALL_NODE);
    process.env.NODE_OPTIONS = before;
    const node = await started;
    const ready = async () => (await node.request({ method: 'GET', path: '/ready' })).status;
    await expect.poll(ready, POLL).toBe(200);
    return node;
  };

  /** Asks for the position of two known access points. */
  const ask = async (node: ServiceProcess, key: string, device?: string): Promise<number> => {
    const wifiAccessPoints = [1, 2].map(n => ({ macAddress: `02:00:5e:10:00:0${n}` }));
    const query = device === undefined ? '' : `&id=${device}`;
    return (await node.post(key, { considerIp: false, wifiAccessPoints }, query)).status;
  };

  afterAll(async () => {
    await Promise.all(nodes.map(node => node.stop('SIGKILL')));
    await nats?.remove();
  });

  test('joins', async () => {
    nats = await NatsServer.start();
    const right = await start('right', '');
    nodes = [right, await start('wrong', `--import "data:text/javascript,${encodeURIComponent(AHEAD)}"`)];
    trusted = (await right.key({ name: 'trusted', trusted: true })).key;
    const items = [0, 1].map(day => ({
      timestamp: 1_772_359_200_000 + day * 86_400_000,
      position: { latitude: 49.8728, longitude: 8.6512, accuracy: 5 },
      wifiAccessPoints: [1, 2].map(n => ({ macAddress: `02:00:5e:10:00:0${n}`, signalStrength: -60 })),
    }));
    const sent = await right.request({ path: `/v2/geosubmit?key=${trusted}`, body: { items } });
    expect(sent.status).toBe(200);
    for (const node of nodes) await expect.poll(() => ask(node, trusted), POLL).toBe(200);
  });

  test('fills no quota up a second time', async () => {
    const keys = [];
    for (const node of nodes) keys.push((await node.key({ name: 'monthly', monthlyCredits: QUOTA })).key);
    for (const key of keys) {
      for (const node of nodes) await expect.poll(() => ask(node, key), POLL).toBe(200);
      let paid = nodes.length;
      // Longer than it takes until a node looks whether a month has begun.
      for (let round = 0; round < 3; round++) {
        for (const node of nodes) while ((await ask(node, key)) === 200) paid++;
        await delay(1_500);
      }
      expect(paid).toBe(QUOTA);
    }
  });

  test('counts a device in the month in which the others do', async () => {
    const { key } = await nodes[0].key({ name: 'plan', devices: DEVICES });
    for (const node of nodes) await expect.poll(() => ask(node, key, 'd0'), POLL).toBe(200);
    const statuses: number[] = [];
    for (let i = 1; i < 6; i++) statuses.push(await ask(nodes[i % 2], key, `d${i}`));
    expect(statuses.filter(status => status === 200)).toHaveLength(DEVICES - 1);
  });
});
