// The request logs of three nodes over a real server of NATS.

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kvm } from '@nats-io/kv';
import { expect, test } from 'vitest';
import { connectToCluster } from '../../src/cluster/connection.ts';
import { ClusterRequestLog } from '../../src/cluster/request_log.ts';
import type { LoggedRequest } from '../../src/tables/requests/record.ts';
import { RequestLog } from '../../src/tables/requests/request_log.ts';
import { nodeOfLogId } from '../../src/tables/requests/ring.ts';
import { NATS_PROGRAM, NatsServer } from '../kits/nats.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const DEPLOYED = join(import.meta.dirname, '../../deploy/nats.conf');

test.skipIf(NATS_PROGRAM === undefined)(
  'folders have numbers, and a node is asked for what it has answered',
  async () => {
    // With the account of the documents.
    const config = join(temporaryFolder(), 'nats.conf');
    const [, permissions] = /(permissions \{[^}]+\})/.exec(readFileSync(DEPLOYED, 'utf8'))!;
    writeFileSync(config, `authorization { users: [{ user: sextant, password: secret, ${permissions} }] }`);
    const nats = await NatsServer.start('--config', config);
    const url = nats.url.replace('//', '//sextant:secret@');
    const connection = await connectToCluster({ servers: [url], name: 'test' });
    const keys = await new Kvm(connection.jetstream).create('sextant');
    const fail = (error: Error): never => {
      throw error;
    };
    /** The worst that a log may hold. */
    const request = '\u0001"'.repeat(32_768);
    const open = async (folder: string, node: string) => {
      const log = RequestLog.open(folder, 1, fail);
      const find = async (logId: number) => (logId % 2 === 0 ? ({ logId, request } as LoggedRequest) : undefined);
      const shared = new ClusterRequestLog({ ids: log.blocks, find }, folder, node, fail);
      await shared.attach(connection, keys);
      const first = await log.allocateBlock();
      const close = () => {
        shared.detach();
        return log.close();
      };
      return { folder, shared, first, number: nodeOfLogId(first), close };
    };
    const a = await open(temporaryFolder(), 'a:1');
    const b = await open(temporaryFolder(), 'b:1');
    expect([a.number, b.number]).toEqual([1, 2]);
    expect(await a.shared.find(b.first)).toEqual({ logId: b.first, request });
    expect(await a.shared.find(b.first + 1)).toBeUndefined();
    // What nobody or it itself has answered, it does not ask for.
    for (const id of [1, a.first, 1_000 * b.first]) expect(await a.shared.find(id)).toBeUndefined();

    await b.close();
    await expect(a.shared.find(b.first)).rejects.toThrow(
      `Node b:1, which has answered request ${b.first}, does not answer now.`,
    );
    const again = await open(b.folder, 'b:2');
    expect([again.number, again.first > b.first]).toEqual([2, true]);
    const copy = temporaryFolder();
    cpSync(join(b.folder, 'requests'), join(copy, 'requests'), { recursive: true });
    const c = await open(copy, 'c:1');
    expect(c.number).toBe(3);
    expect(await c.shared.find(again.first)).toMatchObject({ logId: again.first });

    for (const node of [a, again, c]) await node.close();
    await connection.nats.close();
    await nats.remove();
  },
);
