// The secrets of two nodes over a real server of NATS.

import { type KV, Kvm } from '@nats-io/kv';
import { expect, test } from 'vitest';
import { connectToCluster } from '../../src/cluster/connection.ts';
import { ClusterSecrets, changeSecrets } from '../../src/cluster/secrets.ts';
import { readSecrets } from '../../src/folder/secret.ts';
import { createSecretMemory, SecretsView } from '../../src/tracking/secrets.ts';
import { LiveSecrets } from '../../src/writer/live_parts.ts';
import { NATS_PROGRAM, NatsServer } from '../kits/nats.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

test.skipIf(NATS_PROGRAM === undefined)('a secret that one node rotates seals and opens tokens at all', async () => {
  const nats = await NatsServer.start();
  const connection = await connectToCluster({ servers: [nats.url], name: 'test' });
  const keys = await new Kvm(connection.jetstream).create('sextant');
  const errors: Error[] = [];
  const [a, b] = ['a', 'b'].map(() => {
    const folder = temporaryFolder();
    const memory = createSecretMemory();
    const live = new LiveSecrets(folder, memory);
    return { folder, live, view: new SecretsView(memory), shared: new ClusterSecrets(live, e => errors.push(e)) };
  });
  await expect(a.live.rotate({ overlapSeconds: 60 } as never, Date.now())).rejects.toThrow(
    'has not reached its cluster',
  );
  await a.shared.attach(keys);
  await b.shared.attach(keys);
  const { secret } = a.view.read();
  expect(b.view.read().secret).toEqual(secret);
  await b.live.rotate({ overlapSeconds: 60 } as never, Date.now());
  await expect.poll(() => a.view.read().secret, { timeout: 10_000 }).toEqual(b.view.read().secret);
  expect(a.view.read().earlier?.secret).toEqual(secret);
  expect(readSecrets(a.folder)).toEqual(readSecrets(b.folder));
  // Another one comes between reading and writing.
  const late = {
    get: (key: string) => keys.get(key),
    put: async (...[key, value, options]: Parameters<KV['put']>) => {
      await keys.put(key, value);
      return keys.put(key, value, options);
    },
  } as KV;
  await expect(changeSecrets(late, before => before)).rejects.toThrow('The secret was changed at the same moment.');
  // A watch that ends is made again, and what came meanwhile is taken over.
  (a.shared as unknown as { attached: { changes: { stop(): void } } }).attached.changes.stop();
  await b.live.rotate({ overlapSeconds: 60, force: true } as never, Date.now());
  await expect
    .poll(
      async () => {
        await a.shared.refresh(keys);
        return a.view.read().secret;
      },
      { timeout: 10_000 },
    )
    .toEqual(b.view.read().secret);
  a.shared.detach();
  b.shared.detach();
  await connection.nats.close();
  await nats.remove();
  expect(errors).toEqual([]);
});
