// Commands on the folder of a node that does not run, and at the servers of its cluster without one.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { connectToCluster } from '../../src/cluster/connection.ts';
import { openStores } from '../../src/cluster/stores.ts';
import { readSecrets } from '../../src/folder/secret.ts';
import type { RemoteJob } from '../../src/jobs/job.ts';
import { runRemoteJob } from '../../src/writer/remote_job.ts';
import { NATS_PROGRAM, NatsServer } from '../kits/nats.ts';
import { SMALL_NODE } from '../kits/served_service.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const POLL = { timeout: 60_000, interval: 100 };
const CELLS = join(import.meta.dirname, '../../docs/examples/cells.csv');
const SCAN = { considerIp: false, wifiAccessPoints: [1, 2].map(n => ({ macAddress: `02:00:5e:10:00:0${n}` })) };

describe.skipIf(NATS_PROGRAM === undefined)('the folder of a node that does not run', { timeout: 180_000 }, () => {
  const base = folderOfFile();
  const stopped = join(base, 'stopped');
  let nats: NatsServer;
  let node: ServiceProcess;
  let key = '';
  let id = 0;

  const start = (name: string) => ServiceProcess.start(join(base, name), '--cluster', nats.url, ...SMALL_NODE);
  const isReady = async (service: ServiceProcess) =>
    (await service.request({ method: 'GET', path: '/ready' })).status === 200;
  const remotely = (job: RemoteJob) =>
    runRemoteJob({ servers: [nats.url], name: 'test' }, job, { onProgress: () => {} });
  const here = (...words: string[]) => runSextant(...words, '--data', stopped);
  const there = (...words: string[]) => runSextant(...words, '--cluster', nats.url, '--data', join(base, 'none'));

  test('a node of two stops', async () => {
    nats = await NatsServer.start();
    const first = await start('stopped');
    await expect.poll(() => isReady(first), POLL).toBe(true);
    ({ key, id } = await first.key({ name: 'fleet', credits: 1_000 }));
    node = await start('runs');
    await expect.poll(() => isReady(node), POLL).toBe(true);
    expect((await first.stop()).code).toBe(0);
  });

  afterAll(async () => {
    await node?.stop('SIGKILL');
    await nats?.remove();
  });

  test('is not written to by any command, and is read', async () => {
    const before = (await here('keys', 'list')).stdout;
    const writing = [
      ['keys', 'revoke', String(id)],
      ['keys', 'create', '--name', 'lost'],
      ['tenants', 'create', 'acme'],
      ['secret', 'rotate'],
      ['forget', 'contributor', String(id)],
      ['import', 'cells', CELLS],
      ['sources', 'remove', 'cells'],
      ['buildings', 'remove', 'office'],
      ['aggregate'],
      ['demo', 'remove'],
    ];
    for (const words of writing) {
      const { code, stdout, stderr } = await here(...words);
      expect([words, code, stdout]).toEqual([words, 1, '']);
      expect(stderr).toContain(`The data folder ${stopped} is that of a node of a cluster, which does not run`);
      expect(stderr).toContain('Start the node and try again.');
    }
    expect(before).toContain('fleet');
    expect((await here('keys', 'list')).stdout).toBe(before);
    for (const words of [['keys', 'show', String(id)], ['tenants', 'list'], ['status'], ['sources', 'list']])
      expect([words, (await here(...words)).code]).toEqual([words, 0]);
  });

  test('is not needed for keys, which all nodes take over', async () => {
    const made = JSON.parse((await there('keys', 'create', '--name', 'remote', '--credits', '500')).stdout);
    await expect.poll(async () => (await node.post(made.key, SCAN)).status, POLL).toBe(404);
    await remotely({ verb: 'keys', action: 'credit', id: made.id, credits: 7 });
    expect(await remotely({ verb: 'keys', action: 'show', id: made.id })).toMatchObject({ name: 'remote' });
    const shown = () => node.job({ verb: 'keys', action: 'show', id: made.id });
    await expect.poll(async () => ((await shown()) as { credits: number }).credits, POLL).toBeGreaterThan(500);
    const { code, stdout } = await there('keys', 'revoke', String(id));
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ id, revoked: true })]);
    await expect.poll(async () => (await node.post(key, SCAN)).status, POLL).toBe(400);
    const list = JSON.parse((await there('keys', 'list')).stdout).keys as { id: number; revoked: boolean }[];
    expect(list.find(one => one.id === id)?.revoked).toBe(true);
    expect(await remotely({ verb: 'keys', action: 'show', id: made.id })).not.toHaveProperty('usage');
    const missing = await there('keys', 'show', '9999');
    expect([missing.code, missing.stderr]).toEqual([1, 'There is no key with id 9999.\n']);
    // What is revoked stays so where the node is back.
    const back = await start('stopped');
    await expect.poll(async () => (await back.post(key, SCAN)).status, POLL).toBe(400);
    await back.stop();
  });

  test('is not needed for tenants and the secret', async () => {
    const { token } = JSON.parse((await there('tenants', 'create', 'acme', '--keys', '3')).stdout);
    expect(token).toMatch(/^\S{40,}$/);
    const list = () => node.job({ verb: 'tenants', action: 'list' });
    await expect.poll(list, POLL).toEqual({ tenants: ['acme'], caps: { acme: { keys: 3 } } });
    await remotely({ verb: 'tenants', action: 'remove', tag: 'acme' });
    await expect.poll(list, POLL).toEqual({ tenants: [] });
    const { secret } = readSecrets(node.folder)!;
    const rotated = await there('secret', 'rotate', '--overlap', '1h');
    expect([rotated.code, rotated.stdout]).toEqual([0, expect.stringContaining('The old one opens tokens until 2')]);
    await expect.poll(() => readSecrets(node.folder)!.earlier?.secret, POLL).toEqual(secret);
    const again = await there('secret', 'rotate');
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('--force ends it now')]);
  });

  test('is not needed to forget, which the learner does', async () => {
    const { key: reporting, id: contributor } = await node.key({ name: 'reports', trusted: true });
    const { logId } = (await node.post(reporting, { homeMobileCountryCode: 262 })).json;
    const items = [
      {
        timestamp: 1_772_359_200_000,
        position: { latitude: 49.87, longitude: 8.65, accuracy: 5 },
        wifiAccessPoints: [{ macAddress: '02:00:5e:10:00:01', signalStrength: -60 }],
      },
    ];
    const sent = await node.request({ path: `/v2/geosubmit?key=${reporting}`, body: { items } });
    expect(sent.status).toBe(200);
    await expect.poll(() => node.logged(logId), POLL).toMatchObject({ logId });
    expect(await remotely({ verb: 'log', id: logId })).toMatchObject({ logId });
    expect((await there('forget', 'report', String(logId))).stdout).toContain('1 logged request.');
    await expect(node.logged(logId)).resolves.toBeNull();
    const forgot = await there('forget', 'contributor', String(contributor));
    expect([forgot.code, forgot.stdout]).toEqual([0, expect.stringMatching(/^Forgot 1 report /)]);
  });

  test('a variable or a file names the cluster for a node that runs, which does it itself', async () => {
    const file = join(base, 'config.json');
    writeFileSync(file, JSON.stringify({ cluster: nats.url }));
    const at = (folder: string) => runSextant('keys', 'show', String(id), '--data', folder, '--config', file);
    expect(JSON.parse((await at(node.folder)).stdout)).toHaveProperty('usage');
    expect(JSON.parse((await at(stopped)).stdout)).not.toHaveProperty('usage');
  });

  test('nothing is changed at servers that lack what a node has', async () => {
    const connection = await connectToCluster({ servers: [nats.url], name: 'test' });
    const { lease } = await openStores(connection);
    await lease.put('ahead', JSON.stringify({ node: 'another', epoch: 99 }));
    const create = remotely({ verb: 'keys', action: 'create', settings: { name: 'lost' } });
    await expect(create).rejects.toThrow('The servers of the cluster lack what node another has.');
    await lease.delete('ahead');
    await connection.nats.close();
  });

  test('a folder that goes on alone is written to again', async () => {
    const alone = await ServiceProcess.start(stopped, ...SMALL_NODE);
    await alone.stop();
    expect((await here('keys', 'create', '--name', 'alone')).code).toBe(0);
  });
});
