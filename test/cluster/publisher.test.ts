// What a learner has done to its tables and its log, and cannot publish.

import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { ForgetJob } from '../../src/jobs/job.ts';
import { exportObservations } from '../../src/transfer/export_observations.ts';
import { NATS_PROGRAM, NatsServer } from '../kits/nats.ts';
import { SMALL_NODE } from '../kits/served_service.ts';
import { ServiceProcess } from '../kits/service_process.ts';
import { TcpLink } from '../kits/tcp_link.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const PLACE = { latitude: 49.8728, longitude: 8.6512, accuracy: 5 };
const DAY = 1_772_359_200_000;
const POLL = { timeout: 40_000, interval: 100 };
const MANIFEST = 'PUB $KV.sextant.manifest ';

describe.skipIf(NATS_PROGRAM === undefined)('a forget that is not published', { timeout: 120_000 }, () => {
  const base = folderOfFile();
  let nats: NatsServer;
  let link: TcpLink;
  /** The learner, and a node that never learns. */
  let a: ServiceProcess;
  let b: ServiceProcess;
  let key = '';
  let job: ForgetJob;

  const startA = () =>
    ServiceProcess.start(join(base, 'a'), '--cluster', `nats://127.0.0.1:${link.port}`, ...SMALL_NODE);
  const isReady = async (node: ServiceProcess) =>
    (await node.request({ method: 'GET', path: '/ready' })).status === 200;

  const contribute = async (node: ServiceProcess, ...stations: number[]): Promise<number> => {
    const items = stations.flatMap(station =>
      [0, 1].map(times => ({
        timestamp: DAY + times * 86_400_000,
        position: PLACE,
        wifiAccessPoints: [{ macAddress: mac(station), signalStrength: -60 }],
      })),
    );
    return (await node.request({ path: `/v2/geosubmit?key=${key}`, body: { items } })).status;
  };

  const finds = async (node: ServiceProcess, ...stations: number[]): Promise<boolean> => {
    const wifiAccessPoints = stations.map(station => ({ macAddress: mac(station) }));
    return (await node.post(key, { considerIp: false, wifiAccessPoints })).status === 200;
  };

  const logOf = async ({ folder }: ServiceProcess): Promise<string> => {
    let text = '';
    for await (const lines of exportObservations(folder, 0)) text += lines.text;
    return text;
  };

  /** What is acknowledged afterwards is in both logs, after all that was there before, and learned. */
  const goesOn = async (one: number, other: number, before: string) => {
    for (const node of [a, b]) await expect.poll(() => contribute(node, one, other), POLL).toBe(200);
    for (const node of [a, b]) await expect.poll(() => finds(node, one, other), POLL).toBe(true);
    for (const node of [a, b]) expect((await logOf(node)).startsWith(before)).toBe(true);
    expect(await logOf(a)).toBe(await logOf(b));
  };

  afterAll(async () => {
    await Promise.all([a, b].map(node => node?.stop('SIGKILL')));
    await link?.remove();
    await nats?.remove();
  });

  test('is undone at the learner, which learns on', async () => {
    nats = await NatsServer.start();
    link = await TcpLink.lay(nats.port);
    a = await startA();
    await expect.poll(() => isReady(a), POLL).toBe(true);
    b = await ServiceProcess.start(join(base, 'b'), '--cluster', nats.url, '--role', 'serve', ...SMALL_NODE);
    await expect.poll(() => isReady(b), POLL).toBe(true);
    const made = await a.key({ name: 'test', trusted: true });
    key = made.key;
    job = { verb: 'forget', what: 'contributor', id: made.id };
    expect(await contribute(a, 1, 2)).toBe(200);
    for (const node of [a, b]) await expect.poll(() => finds(node, 1, 2), POLL).toBe(true);
    const before = await logOf(b);
    // The manifest is lost on its way.
    link.set({ direction: 'up', text: MANIFEST, passes: 0, springs: async () => {} });
    await expect(a.job(job)).rejects.toThrow(/^Nothing of it is in force, because it was not published/);
    await goesOn(3, 4, before);
  });

  test('is undone when the learner is killed in between', async () => {
    const before = await logOf(b);
    link.set({ direction: 'up', text: MANIFEST, passes: 0, springs: async () => void (await a.stop('SIGKILL')) });
    await expect(a.job(job)).rejects.toThrow();
    await a.ended;
    a = await startA();
    await expect.poll(() => isReady(a), POLL).toBe(true);
    await goesOn(5, 6, before);
  });

  test('that is published is in force at both', async () => {
    await a.job(job);
    for (const node of [a, b]) {
      await expect.poll(() => logOf(node), POLL).toBe('');
      await expect.poll(() => finds(node, 1, 2), POLL).toBe(false);
    }
    await goesOn(7, 8, '');
  });
});

function mac(station: number): string {
  return `00:00:5e:60:03:0${station}`;
}
