// Logs and objects that are not what the manifest says.

import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectToCluster } from '../../src/cluster/connection.ts';
import { openStores } from '../../src/cluster/stores.ts';
import { packReports } from '../../src/tables/observations/report.ts';
import { NodeInProcess } from '../kits/cluster_nodes.ts';
import { NATS_PROGRAM, NatsServer } from '../kits/nats.ts';
import { numberedReport } from '../kits/radio/reports.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const POLL = { timeout: 60_000, interval: 100 };

describe.skipIf(NATS_PROGRAM === undefined)('nodes', { timeout: 150_000 }, () => {
  let nats: NatsServer;
  let base: string;
  let nodes: NodeInProcess[];
  let next = 1;

  const start = async (name: string) => {
    const node = await NodeInProcess.start(base, name, nats.url);
    nodes.push(node);
    return node;
  };
  const isReady = ({ node }: NodeInProcess) => expect.poll(() => node.health.problem, POLL).toBe(undefined);
  const learner = () => nodes.find(({ node }) => node.isLearner);

  /** Sends a report of a station that was never sent. */
  const contribute = async ({ owner }: NodeInProcess) => {
    const ask = { account: 0, reports: packReports([numberedReport(next++)]) };
    expect(await owner.answer({ n: 1, name: 'contribute', ask })).toMatchObject({ accepted: 1 });
  };

  /** All logs and all tables are the same, and nobody has anything to say. */
  const agree = async (reports: number) => {
    const ofAll = (of: (node: NodeInProcess) => string[]) => new Set(nodes.map(node => of(node).join('\n'))).size;
    for (const node of nodes) {
      await expect.poll(() => node.reports.length, POLL).toBe(reports);
      await expect.poll(() => node.node.health.note, POLL).toBe(undefined);
    }
    await expect.poll(() => ofAll(node => node.reports), POLL).toBe(1);
    await expect.poll(() => ofAll(node => node.stations), POLL).toBe(1);
  };

  beforeEach(async () => {
    nats = await NatsServer.start();
    base = temporaryFolder();
    nodes = [];
    const a = await start('a');
    await expect.poll(() => a.node.isLearner, POLL).toBe(true);
    await isReady(await start('b'));
    for (const node of nodes) await contribute(node);
    await agree(2);
  });

  afterEach(async () => {
    await Promise.all(nodes.map(({ owner }) => owner.close()));
    await nats.remove();
  });

  /** A report that came in no other way than by a fault of this node. */
  const spoil = ({ node }: NodeInProcess) =>
    node.parts.observations.append(packReports([numberedReport(1_000)]), Date.now());

  test('a node that follows with another log says so, and takes it over', async () => {
    const [a, b] = nodes;
    await spoil(b);
    await contribute(a);
    const sentence = /^The log of this node is another one than that of a at batch \d+: this node takes over/;
    await expect.poll(() => b.errors.some(error => sentence.test(error)), POLL).toBe(true);
    await agree(3);
  });

  test('a learner with another log than the manifest leads to hears so, and takes it over', async () => {
    const [a] = nodes;
    await spoil(a);
    await contribute(a);
    await expect
      .poll(() => a.errors.some(error => /^The log of b is another one .*: this node takes over/.test(error)), POLL)
      .toBe(true);
    await expect.poll(() => a.reports, POLL).toEqual(nodes[1].reports);
    expect(a.reports.length).toBe(3);
    await expect.poll(() => learner() !== undefined, POLL).toBe(true);
  });

  test('tables that know more reports than the log has are taken over with the log', async () => {
    const [a, b] = nodes;
    const { stations } = b.node.parts;
    const said = async () => {
      // A delta that comes in between says what is so.
      await stations.note(({ generation }) => generation.meta.putSync('progress', 1_000));
      return b.errors.join();
    };
    await expect.poll(said, POLL).toMatch(/were learned from 1000 reports, and its log has 2: this node takes over/);
    await contribute(a);
    await agree(3);
  });

  test('objects that are gone are published again, lists of files too', async () => {
    const connection = await connectToCluster({ servers: [nats.url], name: 'test' });
    const { objects } = await openStores(connection);
    for (const { name } of await objects.list()) await objects.remove(name);
    await connection.nats.close();
    await isReady(await start('c'));
    await contribute(nodes[2]);
    await agree(3);
  });

  test('a learner whose whole tables were not published loses nothing of what it had learned', async () => {
    const { node, owner, errors } = learner()!;
    const { publisher, stores } = node.joined!;
    const { store } = stores.objects;
    const { put } = store;
    const ask = { account: 0, reports: packReports([numberedReport(next++)]) };
    await owner.answer({ n: 1, name: 'contribute', ask });
    await node.alone(async () => {
      while (publisher.changes.size === 0) await delay(10);
      // As where more rows have changed than a delta takes, and the servers have no room.
      Object.defineProperty(publisher.changes, 'size', { value: 1_000_000, configurable: true });
      store.put = async () => Promise.reject(new Error('insufficient storage resources available'));
    });
    await expect.poll(() => errors.join(), POLL).toContain('insufficient storage resources available');
    store.put = put;
    Reflect.deleteProperty(publisher.changes, 'size');
    await agree(3);
  });
});
