// What `cluster status` says of nodes, over a real server of NATS.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClusterConnection, connectToCluster } from '../../src/cluster/connection.ts';
import { type Manifest, writeManifest } from '../../src/cluster/manifest.ts';
import { type NodeStatus, readClusterStatus, rollBack } from '../../src/cluster/status.ts';
import { type ClusterStores, nodeKey, openStores } from '../../src/cluster/stores.ts';
import { NATS_PROGRAM, NatsServer } from '../kits/nats.ts';
import { runSextant } from '../kits/service_process.ts';

const MANIFEST = {
  cluster: 'c',
  term: 3,
  learner: 'a:8080',
  writtenMs: 1_772_359_200_000,
  base: 'of now',
  files: {},
  position: 0,
  log: { hash: '', bytes: 0, epoch: 0, position: 0 },
  deltas: [],
} as unknown as Manifest;
const STATUS: NodeStatus = {
  node: '',
  version: '1.0.0',
  role: 'all',
  isLearner: false,
  position: 0,
  base: 'of now',
  applied: 0,
  problem: undefined,
  note: undefined,
  isAhead: false,
  saidMs: 0,
};

describe.skipIf(NATS_PROGRAM === undefined)('the status of a cluster', { timeout: 60_000 }, () => {
  let nats: NatsServer;
  let connection: ClusterConnection;
  let stores: ClusterStores;
  const address = () => ({ servers: [nats.url], name: 'test' });
  const say = (node: string, changes: Partial<NodeStatus> = {}) =>
    stores.nodes.put(nodeKey(node), JSON.stringify({ ...STATUS, node, ...changes }));
  const shown = async () => (await runSextant('cluster', 'status', '--cluster', nats.url)).stdout;

  beforeAll(async () => {
    nats = await NatsServer.start();
    connection = await connectToCluster(address());
    stores = await openStores(connection);
    await writeManifest(stores, MANIFEST, 0);
  });
  afterAll(async () => {
    await connection?.nats.close();
    await nats?.remove();
  });

  test('a node that says nothing any more is not ready, whatever its clock says', async () => {
    await say('killed:8080');
    const keepSaying = setInterval(() => void say('lives:8080', { saidMs: 1 }), 500);
    const problems = async () => {
      const { nodes } = await readClusterStatus(address());
      return Object.fromEntries(nodes.map(({ node, problem, ageSeconds }) => [node, [problem, ageSeconds < 6]]));
    };
    expect(await problems()).toMatchObject({ 'killed:8080': [undefined, true] });
    await expect.poll(problems, { timeout: 20_000 }).toEqual({
      'killed:8080': [expect.stringMatching(/^This node has said nothing for \d+ s: it has ended, hangs, or/), false],
      'lives:8080': [undefined, true],
    });
    const lines = (await shown()).split('\n');
    clearInterval(keepSaying);
    expect(lines.find(line => line.includes('killed'))).toMatch(/\(all\): This node has said nothing for \d+ s/);
    expect(lines.find(line => line.includes('lives'))).toMatch(
      /\(all\): ready, 0 batches and 0 deltas behind, \d s ago$/,
    );
  });

  test('a node whose tables are of another base fetches those in force', async () => {
    await say('other:8080', { base: 'of before', position: undefined });
    await say('behind:8080', { base: 'of before' });
    const text = await shown();
    expect(text).toMatch(
      /other:8080 1\.0\.0 \(all\): ready, no reports yet, and it fetches the tables in force whole, \d/,
    );
    expect(text).toMatch(/behind:8080 .*: ready, 0 batches behind, and it fetches the tables in force whole, \d/);
    expect(text).not.toContain('all ');
  });

  test('a rollback at the moment at which the learner publishes says so', async () => {
    const { keys } = stores;
    const written = async () => (await keys.get('manifest'))!;
    const { revision } = await written();
    await writeManifest(stores, { ...MANIFEST, previous: { ...MANIFEST, base: 'of before' } }, revision);
    const manifest = (await written()).value;
    expect(await rollBack(address())).toEqual({ position: 0 });
    expect((await written()).json<Manifest>()).toMatchObject({ base: 'of before', learner: '', term: 4 });
    let failure: Error | undefined;
    for (let i = 0; i < 50 && failure === undefined; i++) {
      let isOver = false;
      const publish = async (): Promise<void> => {
        while (!isOver) await keys.put('manifest', manifest);
      };
      const publishing = publish();
      await rollBack(address()).catch(error => {
        failure = error;
      });
      isOver = true;
      await publishing;
    }
    expect(failure?.message).toBe('The learner published at the same moment; nothing was changed. Start this again.');
  });

  test('without servers, and without a cluster, there is one sentence', async () => {
    const empty = await NatsServer.start();
    const none = await runSextant('cluster', 'status', '--cluster', empty.url);
    await empty.remove();
    expect([none.code, none.stderr]).toEqual([
      1,
      'There is no cluster at these servers yet: start a node with --cluster.\n',
    ]);
    for (const words of [
      ['cluster', 'status'],
      ['cluster', 'ledger', '1'],
      ['keys', 'list'],
    ]) {
      const { code, stdout, stderr } = await runSextant(...words, '--cluster', empty.url);
      expect([code, stdout, stderr]).toEqual([
        1,
        '',
        `The cluster cannot be reached: no server of ${new URL(empty.url).host} lets this node in (connection refused).\n`,
      ]);
    }
  });
});
