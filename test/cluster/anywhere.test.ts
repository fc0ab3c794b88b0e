// Jobs that concern all nodes of a cluster, over a real server of NATS: asked for at any node, and done at all of them.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Objm } from '@nats-io/obj';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectToCluster } from '../../src/cluster/connection.ts';
import type { Job, Progress } from '../../src/jobs/job.ts';
import { listSources } from '../../src/jobs/sources.ts';
import { askOwner } from '../../src/jobs/submit_job.ts';
import { ReplacementRefused } from '../../src/tables/sources/source_name.ts';
import { NATS_PROGRAM, NatsServer } from '../kits/nats.ts';
import { SMALL_NODE } from '../kits/served_service.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const FILE = resolve('docs/examples/cells.csv');
/** Of whatever comes in its time. */
const LIMIT = { timeout: 30_000, interval: 50 };

describe.skipIf(NATS_PROGRAM === undefined)('a cluster', () => {
  const base = folderOfFile();
  const nodes = new Map<string, ServiceProcess>();
  let nats: NatsServer;
  let key = '';

  const start = async (name: string, ...flags: string[]): Promise<ServiceProcess> => {
    const node = await ServiceProcess.start(join(base, name), ...flags, '--cluster', nats.url, ...SMALL_NODE);
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
  });

  afterAll(async () => {
    await Promise.all([...nodes.values()].map(node => node.stop('SIGKILL')));
    await nats?.remove();
  });

  test('what is forgotten goes at every node, and at one that is down when it is back', async () => {
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
    expect((await forget('device', 'other')).stdout).toMatch(/ 2 logged requests\..*\nAll nodes of the cluster have/);
    expect(await logged('c', later)).toMatchObject({ logId: later });

    // The files of sources lie beside the tables.
    expect((await forget('station', 'lte-295-5-2101-1280257')).stdout).toContain(' 1 imported station ');
    const sourcesOf = (name: string) => readdirSync(join(base, name, 'sources'));
    for (const name of ['b', 'c']) await expect.poll(() => sourcesOf(name), LIMIT).toEqual(sourcesOf('a'));
  });

  test('an import at any node is in force at all, and an error names its file and line', async () => {
    const at = (name: string, ...words: string[]) => runSextant(...words, '--data', join(base, name));
    const survey = resolve('docs/examples/office_survey.csv');
    const imported = await at('b', 'import', 'fingerprints', survey, '--source', 'survey');
    expect([imported.code, imported.stdout]).toEqual([0, expect.stringContaining('fingerprints')]);
    expect(imported.stderr).toContain('copying 100 %');
    for (const name of ['a', 'b', 'c']) await expect.poll(() => sourcesAt(name), LIMIT).toEqual(['cells', 'survey']);

    const broken = join(base, 'other', 'broken.csv');
    mkdirSync(join(base, 'other'));
    writeFileSync(broken, readFileSync(survey, 'utf8').replace(/\n(?=p2)/, '\nx,y,z\n'));
    const errors: string[] = [];
    for (const name of ['a', 'c']) errors.push((await at(name, 'import', 'fingerprints', broken)).stderr);
    expect(errors[1].split('\n').at(-2)).toBe(errors[0].split('\n').at(-2));
    expect(errors[1]).toMatch(/broken\.csv.* line 5/);
    const missing = await at('c', 'import', 'cells', join(base, 'none.csv'));
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining(join(base, 'none.csv'))]);

    const small = join(base, 'small.csv');
    writeFileSync(small, readFileSync(FILE, 'utf8').split('\n').slice(0, 2).join('\n'));
    const refused = nodes.get('b')!.job({ verb: 'import', kind: 'cells', files: [small], source: 'cells' });
    await expect(refused).rejects.toBeInstanceOf(ReplacementRefused);
    expect((await at('b', 'sources', 'remove', 'survey')).code).toBe(0);
    expect((await at('c', 'forget', 'contributor', '1')).stdout).toContain('All nodes of the cluster have removed');
    for (const name of ['a', 'b', 'c']) await expect.poll(() => sourcesAt(name), LIMIT).toEqual(['cells']);
    expect(await leftFiles()).toEqual([]);
  });

  test('an import that is cancelled, or whose learner is killed meanwhile, leaves nothing', async () => {
    const large = join(base, 'large.csv');
    const row = (n: number) => `LTE,295,5,2101,${2_000_000 + n},1,9.5,47.1,900,42,1,1735689600,1764547200,-95\n`;
    const [head] = readFileSync(FILE, 'utf8').split('\n');
    writeFileSync(large, `${head}\n${Array.from({ length: 200_000 }, (_, n) => row(n)).join('')}`);
    const job: Job = { verb: 'import', kind: 'cells', files: [large], source: 'large' };
    for (const isWaiting of [false, true]) {
      const cancel = new AbortController();
      const onProgress = ({ phase }: Progress) => (isWaiting && phase === 'copying') || cancel.abort();
      const cancelled = askOwner(join(base, 'b'), job, onProgress, cancel.signal);
      await expect(cancelled).rejects.toThrow('The import was cancelled');
      expect(await leftFiles()).toEqual([]);
    }
    let killed: Promise<unknown> | undefined;
    const importing = nodes.get('b')!.job(job, ({ phase }) => {
      if (phase !== 'copying') killed ??= nodes.get('a')!.stop('SIGKILL');
    });
    await expect(importing).rejects.toThrow(/^The learner of the cluster \(\S+\) was lost while it did this\. What/);
    await killed;
    expect(await leftFiles()).toEqual([]);
    await start('a');
    expect(readdirSync(join(base, 'a')).filter(name => name.startsWith('import-'))).toEqual([]);
    for (const name of ['a', 'b', 'c']) expect(await sourcesAt(name)).toEqual(['cells']);
    // The next learner does it.
    await nodes.get('b')!.job({ verb: 'import', kind: 'cells', files: [FILE], source: 'again' });
    await expect.poll(() => sourcesAt('c'), LIMIT).toEqual(['again', 'cells']);
  });

  const sourcesAt = async (name: string): Promise<string[]> =>
    (await listSources(join(base, name))).map(source => source.name).toSorted();

  /** Names of the objects that imports have left. */
  const leftFiles = async (): Promise<string[]> => {
    const { nats: client, jetstream } = await connectToCluster({ servers: [nats.url], name: 'test' });
    const store = await new Objm(jetstream).open('sextant_imports');
    const names = (await store.list()).map(({ name }) => name);
    await client.close();
    return names;
  };
});
