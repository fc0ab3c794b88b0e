// Jobs that concern all nodes of a cluster, over a real server of NATS: forgetting, also at nodes that are down.

import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Job } from '../../src/jobs/job.ts';
import { NATS_PROGRAM, NatsServer } from '../kits/nats.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const FILE = resolve('docs/examples/cells.csv');
const SMALL = ['--http-threads', '1', '--workers', '1', '--cache-mb', '4', '--admin', 'off'];
/** Of whatever comes in its time. */
const LIMIT = { timeout: 30_000, interval: 50 };

describe.skipIf(NATS_PROGRAM === undefined)('a cluster', () => {
  const base = folderOfFile();
  const nodes = new Map<string, ServiceProcess>();
  let nats: NatsServer;
  let key = '';

  const start = async (name: string, ...flags: string[]): Promise<ServiceProcess> => {
    const node = await ServiceProcess.start(join(base, name), ...flags, '--cluster', nats.url, ...SMALL);
    nodes.set(name, node);
    await vi.waitUntil(async () => (await node.request({ method: 'GET', path: '/ready' })).status === 200, LIMIT);
    return node;
  };

  /** Asks a node for a position. @returns the id of the request */
  const ask = async (name: string, device: string): Promise<number> =>
    (await nodes.get(name)!.post(key, { homeMobileCountryCode: 262 }, `&id=${device}`)).json.logId;

  /** What a node has logged itself. */
  const logged = (name: string, id: number) => nodes.get(name)!.job({ verb: 'log', id });

  beforeAll(async () => {
    nats = await NatsServer.start();
    const a = await start('a');
    key = (await a.key({ name: 'test', trusted: true })).key;
    await a.job({ verb: 'import', kind: 'cells', files: [FILE], format: 'opencellid' } as never as Job);
    await Promise.all([start('b', '--role', 'serve'), start('c', '--role', 'serve')]);
  }, 60_000);

  afterAll(async () => {
    await Promise.all([...nodes.values()].map(node => node.stop('SIGKILL')));
    await nats?.remove();
  });

  test('what is forgotten goes at every node, and at one that is down when it is back', {
    timeout: 60_000,
  }, async () => {
    for (const node of nodes.values())
      await expect.poll(() => node.job({ verb: 'keys', action: 'list' })).toHaveLength(2);
    const mine = [await ask('a', 'mine'), await ask('b', 'mine'), await ask('b', 'mine'), await ask('c', 'mine')];
    const others = [await ask('b', 'other'), await ask('c', 'other')];
    const c = nodes.get('c')!;
    await c.stop();
    const checkpoint = await runSextant('aggregate', '--checkpoint', '--data', c.folder);
    expect([checkpoint.stderr, existsSync(join(c.folder, 'checkpoint'))]).toEqual(['', true]);

    const forget = (...what: string[]) => runSextant('forget', ...what, '--data', nodes.get('a')!.folder);
    const { code, stdout } = await forget('device', 'mine');
    expect(code).toBe(0);
    expect(stdout).toContain('and 3 logged requests.');
    expect(stdout).toMatch(/^These nodes do not answer now, and remove .* when they are back: \S+:\d+\.$/m);
    expect(await Promise.all(mine.slice(0, 3).map(id => logged('b', id)))).toEqual([null, null, null]);
    expect(await logged('b', others[0])).toMatchObject({ logId: others[0] });

    await start('c', '--role', 'serve');
    await expect.poll(() => logged('c', mine[3]), LIMIT).toBeNull();
    expect(await logged('c', others[1])).toMatchObject({ logId: others[1] });
    expect(existsSync(join(c.folder, 'checkpoint'))).toBe(false);
    // It has forgotten once: what comes later stays.
    const later = await ask('c', 'mine');
    await nodes.get('c')!.stop();
    await start('c', '--role', 'serve');
    expect((await forget('device', 'other')).stdout).toMatch(/ 2 logged requests\..*\nAll nodes of the cluster have/);
    expect(await logged('c', later)).toMatchObject({ logId: later });

    // The files of sources lie beside the tables.
    expect((await forget('station', 'lte-295-5-2101-1280257')).stdout).toContain(' 1 imported station ');
    const sourcesOf = (name: string) => readdirSync(join(base, name, 'sources'));
    for (const name of ['b', 'c']) await expect.poll(() => sourcesOf(name), LIMIT).toEqual(sourcesOf('a'));
  });
});
