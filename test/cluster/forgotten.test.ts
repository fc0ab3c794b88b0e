import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ClusterConnection, connectToCluster } from '../../src/cluster/connection.ts';
import { ClusterForgotten } from '../../src/cluster/forgotten.ts';
import { ClusterRequestLog } from '../../src/cluster/request_log.ts';
import { openStores } from '../../src/cluster/stores.ts';
import { NATS_PROGRAM, NatsServer } from '../kits/nats.ts';
import { SMALL_NODE } from '../kits/served_service.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

test.skipIf(NATS_PROGRAM === undefined)('what a node forgets before it is asked counts as well', async () => {
  const server = await NatsServer.start();
  const connection = await connectToCluster({ servers: [server.url], name: 'a' });
  try {
    const { keys } = await openStores(connection);
    const errors: Error[] = [];
    const fail = (error: Error) => void errors.push(error);
    const forgotten: number[] = [];
    let done = (_number: number) => {};
    const nodes: ClusterForgotten[] = [];
    for (const requests of [2, 3]) {
      const folder = temporaryFolder();
      const ids = { nodeNumber: 0, needsNumber: true, useNumber: () => {} };
      const log = new ClusterRequestLog({ ids, find: async () => undefined }, folder, `${requests}`, fail);
      await log.attach(connection, keys);
      const forget = async () => {
        forgotten.push(requests);
        done(requests);
        return requests;
      };
      nodes.push(new ClusterForgotten({ forget }, folder, fail));
    }
    // The other node looks at the stream after the job is in it, and before it is asked.
    const publish: ClusterConnection['jetstream']['publish'] = async (...message) => {
      const published = await connection.jetstream.publish(...message);
      const other = new Promise<number>(resolve => {
        done = resolve;
      });
      const looks = setInterval(() => nodes[1].look(), 10);
      expect(await other).toBe(3);
      clearInterval(looks);
      return published;
    };
    const slow = { ...connection, jetstream: { publish } } as unknown as ClusterConnection;
    await nodes[0].attach(slow, keys);
    await nodes[1].attach(connection, keys);
    const job = { verb: 'forget', what: 'device', device: 'mine' } as const;
    expect(await nodes[0].forget(job)).toEqual({ requests: 5, awaited: [] });
    expect(forgotten.toSorted()).toEqual([2, 3]);
    // A folder that was restored from a backup has done nothing yet.
    const jobs: (readonly unknown[])[] = [];
    const restored = new ClusterForgotten({ forget: async asked => jobs.push(asked) }, temporaryFolder(), fail);
    await restored.attach(connection, keys);
    await expect.poll(() => jobs).toEqual([[job]]);
    expect(errors).toEqual([]);
  } finally {
    await connection.nats.close();
    await server.remove();
  }
});

test.skipIf(NATS_PROGRAM === undefined)(
  'a backup from before a forget does not bring a request back into its cluster',
  { timeout: 90_000 },
  async () => {
    const nats = await NatsServer.start();
    const base = temporaryFolder();
    const nodes: ServiceProcess[] = [];
    const start = async (name: string) => {
      const node = await ServiceProcess.start(join(base, name), '--cluster', nats.url, ...SMALL_NODE);
      nodes.push(node);
      await expect.poll(async () => (await node.request({ method: 'GET', path: '/ready' })).status).toBe(200);
      return node;
    };
    try {
      const a = await start('a');
      const { key, id } = await a.key();
      const b = await start('b');
      await expect.poll(async () => (await b.post(key, {})).json.logId).toBeDefined();
      const { logId } = (await b.post(key, {})).json;
      expect(await b.logged(logId)).toMatchObject({ logId });
      await b.job({ verb: 'backup', path: join(base, 'backup') });
      await a.job({ verb: 'forget', what: 'contributor', id });
      await b.stop();
      const { code } = await runSextant('restore', join(base, 'backup'), '--data', join(base, 'restored'));
      expect(code).toBe(0);
      const restored = await start('restored');
      const log = { verb: 'log', id: logId } as const;
      // It has it no more, and asks the node that had.
      await expect.poll(() => restored.job(log).catch(({ message }) => message)).toMatch(/does not answer now/);
    } finally {
      await Promise.all(nodes.map(node => node.stop('SIGKILL')));
      await nats.remove();
    }
  },
);
