// Servers of NATS that come back with less than they had acknowledged, and nodes that notice.

import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { connectToCluster } from '../../src/cluster/connection.ts';
import { REPORTS_STREAM, REPORTS_SUBJECT } from '../../src/cluster/stores.ts';
import { exportObservations } from '../../src/transfer/export_observations.ts';
import { NATS_PROGRAM, NatsServer } from '../kits/nats.ts';
import { SMALL_NODE } from '../kits/served_service.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const PLACE = { latitude: 49.8728, longitude: 8.6512, accuracy: 5 };
const DAY = 1_772_359_200_000;
const POLL = { timeout: 30_000, interval: 100 };
const CREDITS = 300;

describe.skipIf(NATS_PROGRAM === undefined)('servers with an earlier copy of their disk', { timeout: 180_000 }, () => {
  const base = folderOfFile();
  let nats: NatsServer;
  let nodes: ServiceProcess[] = [];
  let key = '';
  let prepaid = '';
  let paid = 0;
  /** Stations of reports that were acknowledged. */
  const acknowledged = new Set<number>();
  /** Other acknowledged reports, to tell what came when. */
  let next = 1;

  const start = (name: string) => ServiceProcess.start(join(base, name), '--cluster', nats.url, ...SMALL_NODE);
  const isReady = async (node: ServiceProcess) => (await ready(node)).status === 200;
  const ready = (node: ServiceProcess) => node.request({ method: 'GET', path: '/ready' });
  const note = async (node: ServiceProcess): Promise<string> => (await ready(node)).json.note ?? '';

  /** Sends a report of a new station, heard twice. @returns the status */
  const contribute = async (node: ServiceProcess): Promise<number> => {
    const station = next++;
    const items = [0, 1].map(times => ({
      timestamp: DAY + times * 86_400_000,
      position: PLACE,
      wifiAccessPoints: [{ macAddress: mac(station), signalStrength: -60 }],
    }));
    const { status } = await node.request({ path: `/v2/geosubmit?key=${key}`, body: { items } });
    if (status === 200) acknowledged.add(station);
    return status;
  };

  const finds = async (node: ServiceProcess): Promise<number> =>
    (await node.post(key, { considerIp: false, wifiAccessPoints: [1, 2].map(n => ({ macAddress: mac(n) })) })).status;

  const pay = async (node: ServiceProcess): Promise<number> => {
    const body = { considerIp: false, wifiAccessPoints: [1, 2].map(n => ({ macAddress: mac(n) })) };
    const { status } = await node.post(prepaid, body);
    if (status === 200) paid++;
    return status;
  };

  /** Acknowledged stations that a log does not have, after a pause of the learner. */
  const lostBy = async ({ folder }: ServiceProcess): Promise<number[]> => {
    let text = '';
    for await (const lines of exportObservations(folder, 0)) text += lines.text;
    return [...acknowledged].filter(station => !text.includes(mac(station)));
  };

  test('an earlier copy of the disk comes back', async () => {
    nats = await NatsServer.start();
    const a = await start('a');
    await expect.poll(() => isReady(a), POLL).toBe(true);
    nodes = [a, await start('b')];
    key = (await a.key({ name: 'trusted', trusted: true })).key;
    prepaid = (await a.key({ name: 'prepaid', credits: CREDITS })).key;
    for (const node of nodes) await expect.poll(() => isReady(node), POLL).toBe(true);
    for (let i = 0; i < 3; i++) expect(await contribute(nodes[i % 2])).toBe(200);
    for (const node of nodes) await expect.poll(() => finds(node), POLL).toBe(200);
    // The copy.
    await nats.kill();
    cpSync(nats.folder, join(base, 'copy'), { recursive: true });
    await nats.start();
    for (const node of nodes) await expect.poll(() => contribute(node), POLL).toBe(200);
    for (let i = 0; i < 8; i++) expect(await contribute(nodes[i % 2])).toBe(200);
    for (const node of nodes) await expect.poll(() => pay(node), POLL).toBe(200);
    for (const node of nodes) await expect.poll(() => lostBy(node), POLL).toEqual([]);
    await nats.kill();
    rmSync(nats.folder, { recursive: true });
    cpSync(join(base, 'copy'), nats.folder, { recursive: true });
    await nats.start();
  });

  afterAll(async () => {
    await Promise.all(nodes.map(node => node.stop('SIGKILL')));
    await nats?.remove();
  });

  test('reports and credits wait, and /ready says why', async () => {
    for (const node of nodes) {
      let statuses = await Promise.all([contribute(node), pay(node)]);
      for (let i = 0; i < 2 * CREDITS && statuses[1] === 200; i++) statuses = [await contribute(node), await pay(node)];
      expect(statuses).toEqual([503, 503]);
      await expect
        .poll(() => note(node), POLL)
        .toMatch(/^The stream of the cluster ends at batch \d+, and this node has/);
      expect([await contribute(node), await pay(node), await finds(node)]).toEqual([503, 503, 200]);
    }
    expect(paid).toBeLessThanOrEqual(CREDITS);
    const status = await runSextant('cluster', 'status', '--cluster', nats.url);
    expect(status.stdout).toMatch(/ ago\. The stream of the cluster ends at batch/);
  });

  test('a node that is new waits with the others', async () => {
    const c = await start('c');
    nodes.push(c);
    await expect.poll(async () => (await ready(c)).text, POLL).toMatch(/The servers of the cluster lack what node/);
    expect(await isReady(c)).toBe(false);
  });

  test('a tail that was replaced by as many batches is noticed', async () => {
    const connection = await connectToCluster({ servers: [nats.url], name: 'test' });
    const { streams } = connection.manager;
    const first = (await streams.getMessage(REPORTS_STREAM, { seq: 1 }))!;
    // By its id, JetStream would know it again.
    first.header.delete('Nats-Msg-Id');
    for (let i = 0; i < 40; i++)
      await connection.jetstream.publish(REPORTS_SUBJECT, first.data, { headers: first.header });
    await connection.nats.close();
    for (const node of nodes.slice(0, 2)) {
      await expect
        .poll(() => note(node), POLL)
        .toMatch(/^The stream of the cluster has another batch \d+ than this node/);
      expect([await contribute(node), await pay(node), await finds(node)]).toEqual([503, 503, 200]);
    }
  });

  test('a node that starts again answers, and says so too', async () => {
    await nodes[0].stop('SIGKILL');
    nodes[0] = await start('a');
    await expect.poll(() => note(nodes[0]), POLL).toMatch(/^The stream of the cluster has another batch/);
    expect([await contribute(nodes[0]), await finds(nodes[0])]).toEqual([503, 200]);
  });

  test('the cluster goes on from the node with the most, and nothing is lost', async () => {
    const adopted = await runSextant('cluster', 'adopt', '--data', nodes[1].folder);
    expect([adopted.stderr, adopted.code]).toEqual(['', 0]);
    expect(adopted.stdout).toMatch(/^The cluster goes on from this node/);
    for (const node of nodes) await expect.poll(() => contribute(node), POLL).toBe(200);
    for (const node of nodes) {
      await expect.poll(() => note(node), POLL).toBe('');
      await expect.poll(() => lostBy(node), POLL).toEqual([]);
    }
    let statuses: number[] = [];
    for (let i = 0; i < CREDITS && !statuses.includes(403); i++)
      statuses = await Promise.all(nodes.map(node => pay(node)));
    expect(statuses).toContain(403);
    expect(paid).toBeLessThanOrEqual(CREDITS);
    const again = await runSextant('cluster', 'adopt', '--data', nodes[1].folder);
    expect(again.stderr).toContain('The servers of the cluster have all that this node has. Nothing was changed.');
  });
});

function mac(station: number): string {
  return `00:00:5e:60:${(station >> 8).toString(16).padStart(2, '0')}:${(station & 255).toString(16).padStart(2, '0')}`;
}
