// A server keeps so many consumers for each stream, and nodes need few of them.

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type ClusterConnection, connectToCluster } from '../../src/cluster/connection.ts';
import { NodeInProcess } from '../kits/cluster_nodes.ts';
import { NATS_PROGRAM, NatsServer } from '../kits/nats.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const EXAMPLES = join(import.meta.dirname, '../../docs/examples');
const NODES = 50;
/** A node says how it is and learns how many there are about seven times. */
const IDLE_MILLISECONDS = 10_000;
const IMPORTS = 30;
const POLL = { timeout: 120_000, interval: 100 };

/** Consumers of each stream. */
async function consumersOf({ manager }: ClusterConnection): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for await (const { config, state } of manager.streams.list()) counts[config.name] = state.consumer_count;
  return counts;
}

async function withNodes(
  names: readonly string[],
  work: (nodes: NodeInProcess[], connection: ClusterConnection) => Promise<void>,
): Promise<void> {
  const nats = await NatsServer.start();
  const connection = await connectToCluster({ servers: [nats.url], name: 'test' });
  const nodes: NodeInProcess[] = [];
  const base = temporaryFolder();
  try {
    const start = async (name: string, role: 'all' | 'serve') =>
      nodes.push(await NodeInProcess.start(base, name, nats.url, role));
    await start(names[0], 'all');
    await expect.poll(() => nodes[0].node.isLearner, POLL).toBe(true);
    await Promise.all(names.slice(1).map(name => start(name, 'serve')));
    for (const { node } of nodes) await expect.poll(() => node.health.problem, POLL).toBe(undefined);
    await work(nodes, connection);
  } finally {
    await Promise.all(nodes.map(({ owner }) => owner.close()));
    await connection.nats.close();
    await nats.remove();
  }
}

test.skipIf(NATS_PROGRAM === undefined)(
  'fifty idle nodes leave a constant number of consumers',
  {
    timeout: 180_000,
  },
  async () => {
    const names = Array.from({ length: NODES }, (_, i) => `node${i}`);
    await withNodes(names, async (_nodes, connection) => {
      // Two beats, so that all know each other.
      await delay(IDLE_MILLISECONDS / 3);
      const before = await consumersOf(connection);
      await delay(IDLE_MILLISECONDS);
      expect(await consumersOf(connection)).toEqual(before);
      for (const [name, count] of Object.entries(before)) expect([name, count <= 2 * NODES]).toEqual([name, true]);
    });
  },
);

test.skipIf(NATS_PROGRAM === undefined)(
  'imports leave no consumers at the learner and the nodes that follow',
  {
    timeout: 180_000,
  },
  async () => {
    await withNodes(['a', 'b', 'c'], async ([a, ...others], connection) => {
      const importCells = (i: number) =>
        a.run({
          verb: 'import',
          kind: 'cells',
          files: [join(EXAMPLES, 'cells.csv')],
          format: 'opencellid',
          source: `s${i % 3}`,
        } as never);
      const bases = () => others.map(({ node }) => node.status.base);
      const followed = async () => await expect.poll(bases, POLL).toEqual(others.map(() => a.node.status.base));
      await importCells(0);
      // A node that fetches a base reads the object store meanwhile.
      await followed();
      await expect.poll(async () => (await consumersOf(connection)).OBJ_sextant_tables, POLL).toBe(0);
      const before = await consumersOf(connection);
      for (let i = 1; i <= IMPORTS; i++) await importCells(i);
      await followed();
      await expect.poll(() => consumersOf(connection), { timeout: 5_000, interval: 100 }).toEqual(before);
    });
  },
);
