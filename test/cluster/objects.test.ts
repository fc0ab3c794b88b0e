import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectToCluster } from '../../src/cluster/connection.ts';
import { fetchBytes, fetchFile, removeOthers, storeBytes, storeFile, storePiece } from '../../src/cluster/objects.ts';
import { openStores } from '../../src/cluster/stores.ts';
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
      await removeOthers(objects, new Set());
      expect(await storeAll()).toEqual(stored);
      await fetchFile(objects, stored, `${file}.fetched`, () => {});
      expect((await objects.getBlob(pieceHash))?.length).toBe(piece.length);
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
