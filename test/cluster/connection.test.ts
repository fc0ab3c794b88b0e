import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JetStreamApiError } from '@nats-io/jetstream';
import { describe, expect, test } from 'vitest';
import { asUnreachable, connectToCluster, requireVersion, Unreachable } from '../../src/cluster/connection.ts';
import { openStores, openStream } from '../../src/cluster/stores.ts';
import { NATS_PROGRAM, NatsServer } from '../kits/nats.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

test('servers that lose updates of the key-value store are refused with a sentence', () => {
  for (const version of ['2.10.27', '2.10.28-RC.1', '2.11.0', '3.0.0']) requireVersion(version, 'a:4222');
  for (const version of ['2.9.10', '2.10.26', '2.9.99', '1.99.99', '', 'nightly'])
    expect(() => requireVersion(version, 'a:4222')).toThrow(
      `The servers of NATS at a:4222 have version ${version}; a cluster needs 2.10.27 or newer, because older ones ` +
        'lose updates of the key-value store.',
    );
});

test('a cluster that cannot be reached is named without its password', async () => {
  await expect(connectToCluster({ servers: ['nats://user:secret@127.0.0.1:1'], name: 'a' })).rejects.toThrow(
    /^The cluster cannot be reached: no server of 127\.0\.0\.1:1 lets this node in \((?!.*secret).*\)\.$/,
  );
});

test('what is the fault of a server may be over soon, what is ours is not', () => {
  const answered = (code: number, description: string) =>
    asUnreachable(new JetStreamApiError({ code, err_code: 10_012, description }));
  expect(answered(500, 'error creating store for consumer')).toBeInstanceOf(Unreachable);
  expect(answered(499, 'not so')).not.toBeInstanceOf(Unreachable);
});

describe.skipIf(NATS_PROGRAM === undefined)('with a server', () => {
  test('servers of which too few have started are no reason to end', { timeout: 30_000 }, async () => {
    const servers = await NatsServer.startCluster(2);
    const address = { servers: [...servers.map(({ url }) => url), 'nats://127.0.0.1:1'], name: 'a' };
    const start = async (): Promise<void> => {
      const connection = await connectToCluster(address);
      await openStores(connection)
        .catch(error => Promise.reject(asUnreachable(error)))
        .finally(() => connection.nats.close());
    };
    try {
      // First they elect.
      for (let why: unknown; !String(why).includes('no suitable peers'); ) {
        why = await start().catch(error => error);
        expect(why).toBeInstanceOf(Unreachable);
      }
    } finally {
      await Promise.all(servers.map(server => server.remove()));
    }
  });

  test('a node connects with the password of its account, and not with another one', async () => {
    const server = await NatsServer.start('--user', 'sextant', '--pass', 'p@ss');
    try {
      const address = server.url.replace('//', '//sextant:p%40ss@');
      const connection = await connectToCluster({ servers: [address], name: 'a' });
      expect((await connection.manager.getAccountInfo()).streams).toBe(0);
      expect(connection.replicas).toBe(1);
      await connection.nats.close();
      const wrong = server.url.replace('//', '//sextant:other@');
      await expect(connectToCluster({ servers: [wrong], name: 'a' })).rejects.toThrow(/lets this node in/);
    } finally {
      await server.remove();
    }
  });
});

test.skipIf(NATS_PROGRAM === undefined)(
  'servers without room for what is reserved are told of in a sentence',
  async () => {
    const path = join(temporaryFolder(), 'nats.conf');
    writeFileSync(path, 'jetstream { max_file_store: 64MB }');
    const nats = await NatsServer.start('--config', path);
    const connection = await connectToCluster({ servers: [nats.url], name: 'test' });
    try {
      await openStores(connection);
      await expect(
        openStream(connection.manager, { name: 'large', subjects: ['large'], max_bytes: 134_217_728 }),
      ).rejects.toThrow('The servers of NATS have no room for large, which reserves 128 MB: raise "max_file_store".');
    } finally {
      await connection.nats.close();
      await nats.remove();
    }
  },
);
