import { expect, test } from 'vitest';
import { type ClusterConnection, connectToCluster } from '../../src/cluster/connection.ts';
import { ClusterForgotten } from '../../src/cluster/forgotten.ts';
import { ClusterRequestLog } from '../../src/cluster/request_log.ts';
import { openStores } from '../../src/cluster/stores.ts';
import { NATS_PROGRAM, NatsServer } from '../kits/nats.ts';
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
    expect(errors).toEqual([]);
  } finally {
    await connection.nats.close();
    await server.remove();
  }
});
