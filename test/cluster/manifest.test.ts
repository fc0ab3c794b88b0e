import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connectToCluster } from '../../src/cluster/connection.ts';
import {
  hashesOf,
  MANIFEST_KEY,
  type Manifest,
  otherFormat,
  readManifest,
  tablesOf,
  writeManifest,
} from '../../src/cluster/manifest.ts';
import { type ClusterStores, openStores } from '../../src/cluster/stores.ts';
import { NATS_PROGRAM, NatsServer } from '../kits/nats.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const STORED = { hash: hash('sha256', 'bytes'), bytes: 5 };
/** More names than a message of NATS holds: 100 bytes each. */
const FILES = 20_000;

function manifestOf(files: number): Manifest {
  const list = (name: string) =>
    Object.fromEntries(Array.from({ length: files }, (_, i) => [`${name}${i}`, { ...STORED, bytes: i }]));
  const log = { ...STORED, epoch: 0, position: 1 };
  const buildings = { files: list('piece'), position: 1 };
  const tables = { base: 'base', files: list('sources/'), position: 1, log, deltas: [], shared: { buildings } };
  const about = { version: '1', tablesFormat: 1, cluster: 'c', term: 1, learner: 'a', writtenMs: 1 };
  return { ...about, ...tables, previous: tablesOf({ ...tables, files: list('before') }) };
}

/** Runs work over a server. @param config of it */
async function withStores(config: string, work: (stores: ClusterStores) => Promise<void>): Promise<void> {
  const path = join(temporaryFolder(), 'nats.conf');
  writeFileSync(path, config);
  const nats = await NatsServer.start('--config', path);
  const connection = await connectToCluster({ servers: [nats.url], name: 'test' });
  try {
    await work(await openStores(connection));
  } finally {
    await connection.nats.close();
    await nats.remove();
  }
}

test('what another version has written says what to do', () => {
  expect(otherFormat('It', 3, 2).message).toBe('It has format 3, and this version reads format 2; upgrade this node.');
  expect(otherFormat('It', '1', 2).message).toBe(
    'It has format 1, and this version reads format 2; export with the version that wrote it, and import with this ' +
      'one into a new cluster.',
  );
});

describe.skipIf(NATS_PROGRAM === undefined)('a manifest', { timeout: 30_000 }, () => {
  test('names more files than a message holds, and needs its lists', async () => {
    await withStores('', async stores => {
      const manifest = manifestOf(FILES);
      const revision = await writeManifest(stores, manifest, 0);
      expect((await stores.keys.get(MANIFEST_KEY))!.length).toBeLessThan(2_000);
      const known = await readManifest(stores);
      expect(known).toEqual({ manifest, revision });
      // As another node reads it, which has no list yet.
      stores.objects.lists.clear();
      expect(await readManifest(stores)).toEqual(known);
      const needed = hashesOf(manifest);
      for (const { name } of await stores.objects.list()) expect(needed.has(name)).toBe(true);
      expect([(await stores.objects.list()).length, needed.size]).toEqual([3, 4]);
    });
  });

  test('that the servers would not take is refused with a sentence', async () => {
    await withStores('max_payload: 6144', async stores => {
      const delta = { ...STORED, from: 0, to: 1, position: 1 };
      const manifest = { ...manifestOf(1), deltas: Array.from({ length: 64 }, () => delta) };
      await expect(writeManifest(stores, manifest, 0)).rejects.toThrow(
        /^The manifest of the cluster would have \d{4} bytes, and its servers take messages of 2048: raise "max_payload"/,
      );
      expect(await readManifest(stores)).toBe(undefined);
    });
  });

  test('of another format is not read', async () => {
    await withStores('', async stores => {
      const put = (format: number) =>
        stores.keys.put(MANIFEST_KEY, JSON.stringify({ ...manifestOf(2), format, version: '9' }));
      const refused = 'The manifest of the cluster, of version 9, has format';
      await put(1);
      await expect(readManifest(stores)).rejects.toThrow(
        `${refused} 1, and this version reads format 2; export with the version that wrote it, and import with this ` +
          'one into a new cluster.',
      );
      await put(3);
      await expect(readManifest(stores)).rejects.toThrow(
        `${refused} 3, and this version reads format 2; upgrade this node.`,
      );
    });
  });
});
