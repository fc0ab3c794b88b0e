import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ObjectInfo } from '@nats-io/obj';
import { expect, test } from 'vitest';
import { connectToCluster } from '../../src/cluster/connection.ts';
import { type Manifest, writeManifest } from '../../src/cluster/manifest.ts';
import type { NodeParts } from '../../src/cluster/node_parts.ts';
import { fetchBytes, fetchFile, removeOthers, storeBytes, storeFile, storePiece } from '../../src/cluster/objects.ts';
import { Publisher } from '../../src/cluster/publisher.ts';
import { openStores } from '../../src/cluster/stores.ts';
import { RowChanges } from '../../src/tables/stations/row_changes.ts';
import { NATS_PROGRAM, NatsServer } from '../kits/nats.ts';
import { TcpLink } from '../kits/tcp_link.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

test.skipIf(NATS_PROGRAM === undefined)(
  'bytes and files that were removed can be stored again',
  { timeout: 30_000 },
  async () => {
    const server = await NatsServer.start();
    const connection = await connectToCluster({ servers: [server.url], name: 'a' });
    try {
      const { objects } = await openStores(connection);
      const file = join(temporaryFolder(), 'file');
      writeFileSync(file, '');
      const piece = Buffer.from('piece');
      const pieceHash = hash('sha256', piece);
      const storeAll = async () => {
        await storePiece(objects, pieceHash, piece);
        return storeFile(objects, file);
      };
      const stored = await storeAll();
      expect(await removeOthers(objects, await objects.list(), new Set([pieceHash]))).toBe(1);
      const old = new Date(Date.now() - 601_000).toISOString();
      const listed = (await objects.list()).map(({ name }) => ({ name, mtime: old }) as ObjectInfo);
      expect(await removeOthers(objects, listed, new Set())).toBe(0);
      expect(await objects.list()).toEqual([]);
      expect(await storeAll()).toEqual(stored);
      await fetchFile(objects, stored, `${file}.fetched`, () => {});
      expect((await objects.store.getBlob(pieceHash))?.length).toBe(piece.length);
    } finally {
      await connection.nats.close();
      await server.remove();
    }
  },
);

test.skipIf(NATS_PROGRAM === undefined)(
  'an object whose next part does not come is given up, and fetched again',
  {
    timeout: 30_000,
  },
  async () => {
    const server = await NatsServer.start();
    const link = await TcpLink.lay(server.port);
    const connection = await connectToCluster({ servers: [`nats://127.0.0.1:${link.port}`], name: 'a' });
    try {
      const { objects } = await openStores(connection);
      // The leader of the servers answers what is in force, and no other one.
      expect((await connection.manager.streams.info('KV_sextant')).config.allow_direct).toBe(false);
      const stored = await storeBytes(objects, Buffer.from('rows'));
      // The bytes are lost with a connection, and over the next one nobody sends them again.
      link.set({ direction: 'down', text: 'MSG $O.sextant_tables.C.', passes: 0, springs: async () => {} });
      await expect(fetchBytes(objects, stored)).rejects.toThrow(
        `The object ${stored.hash} of the cluster does not come on.`,
      );
      expect(String(await fetchBytes(objects, stored))).toBe('rows');
    } finally {
      await connection.nats.close();
      await link.remove();
      await server.remove();
    }
  },
);

test.skipIf(NATS_PROGRAM === undefined)(
  'a learner that wakes when another one has published removes nothing',
  { timeout: 30_000 },
  async () => {
    const server = await NatsServer.start();
    const connection = await connectToCluster({ servers: [server.url], name: 'a' });
    try {
      const stores = await openStores(connection);
      const named = await storeBytes(stores.objects, Buffer.from('of the next learner'));
      const log = { ...named, epoch: 0, position: 0 };
      const files = { stations: named };
      const mine = { term: 1, deltas: [], files, log } as unknown as Manifest;
      const revision = await writeManifest(stores, mine, 0);
      const other = await storeBytes(stores.objects, Buffer.from('of a learner before'));
      const real = stores.objects.list.bind(stores.objects);
      let published = 0;
      const old = new Date(Date.now() - 601_000).toISOString();
      // All are old, and the next learner publishes when they have been listed.
      const list = async () => {
        const listed = (await real()).map(({ name }) => ({ name, mtime: old }) as ObjectInfo);
        if (published === 0) published = await writeManifest(stores, { ...mine, term: 2 }, revision);
        return listed;
      };
      const objects = Object.assign(stores.objects, { list });
      const errors: Error[] = [];
      const parts = { onError: (error: Error) => errors.push(error) } as unknown as NodeParts;
      const publisher = new Publisher(parts, connection, { ...stores, objects }, 'a', new RowChanges());
      await publisher.clear({ manifest: mine, revision });
      const names = (await real()).map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining([named.hash, other.hash]));
      await publisher.clear({ manifest: { ...mine, term: 2 }, revision: published });
      expect((await real()).map(({ name }) => name)).toEqual(names.filter(name => name !== other.hash));
      expect(errors).toEqual([]);
    } finally {
      await connection.nats.close();
      await server.remove();
    }
  },
);
