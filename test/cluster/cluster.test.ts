// A cluster of whole services over a real server of NATS, as in docs/cluster.md.

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BalanceChange } from '../../src/cluster/ledger.ts';
import { readClusterStatus, rollBack } from '../../src/cluster/status.ts';
import { readSecrets } from '../../src/folder/secret.ts';
import { listBuildings } from '../../src/indoor/jobs/change_buildings.ts';
import { openFingerprints } from '../../src/indoor/tables/fingerprints/fingerprint_tables.ts';
import type { Job } from '../../src/jobs/job.ts';
import { piecesOf } from '../../src/tables/environment/table_pieces.ts';
import { exportObservations } from '../../src/transfer/export_observations.ts';
import { exportStations } from '../../src/transfer/export_stations.ts';
import { NATS_PROGRAM, NatsServer } from '../kits/nats.ts';
import { SMALL_NODE } from '../kits/served_service.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const PLACE = { latitude: 49.8728, longitude: 8.6512, accuracy: 5 };
const DAY = 1_772_359_200_000;
const EXAMPLES = join(import.meta.dirname, '../../docs/examples');
const FILE = join(EXAMPLES, 'cells.csv');
/** A cell in it. */
const CELL = '1280257';
/** Of the town of the examples, by the table of the examples. */
const IMPORTANCE = '0.335';
/** What is heard in the lobby of the office. */
const HEARD = [-54, -86, -79].map((signalStrength, i) => ({
  macAddress: `02:00:5e:1c:e0:0${i + 1}`,
  signalStrength,
}));

describe.skipIf(NATS_PROGRAM === undefined)('a cluster of three nodes', () => {
  const base = folderOfFile();
  let nats: NatsServer;
  const nodes = new Map<string, ServiceProcess>();
  let key = '';
  /** Of a request that node a has answered. */
  let idOfA = 0;

  const start = async (name: string, ...flags: string[]): Promise<ServiceProcess> => {
    const node = await ServiceProcess.start(join(base, name), ...flags, '--cluster', nats.url, ...SMALL_NODE);
    nodes.set(name, node);
    if (key === '') key = (await node.key({ name: 'test', trusted: true })).key;
    return node;
  };

  beforeAll(async () => {
    nats = await NatsServer.start();
    const a = await start('a');
    await becomes(() => isReady(a), true);
    await start('b', '--role', 'serve');
    await start('c', '--cluster-alone', '1');
    for (const node of nodes.values()) await becomes(() => isReady(node), true);
  }, 120_000);

  afterAll(async () => {
    nats?.signal('SIGCONT');
    await Promise.all([...nodes.values()].map(node => node.stop('SIGKILL')));
    await nats?.remove();
  });

  /** Sends reports of access points to a node; each is heard twice at the same place. */
  const contribute = async (name: string, ...stations: number[]): Promise<number> => {
    const items = stations.flatMap(station =>
      [0, 1].map(times => ({
        timestamp: DAY + times * 86_400_000,
        position: PLACE,
        wifiAccessPoints: [{ macAddress: mac(station), signalStrength: -60 }],
      })),
    );
    const body = { items };
    return (await nodes.get(name)!.request({ path: `/v2/geosubmit?key=${key}`, body })).status;
  };

  /** Asks a node for a position by two access points. @returns the status */
  const ask = async (name: string, paying: string, one: number, other: number): Promise<number> => {
    const body = { wifiAccessPoints: [one, other].map(station => ({ macAddress: mac(station) })), considerIp: false };
    return (await nodes.get(name)!.post(paying, body)).status;
  };

  /** Whether a node finds two access points. */
  const finds = async (name: string, one: number, other: number): Promise<boolean> =>
    (await ask(name, key, one, other)) === 200;

  const address = () => ({ servers: [nats.url], name: 'test', credentialsFile: undefined, caFile: undefined });

  const learnerOf = async (): Promise<ServiceProcess> => {
    const { learner } = await readClusterStatus(address());
    return [...nodes.values()].find(node => learner!.endsWith(`:${node.port}`))!;
  };

  const importOf = (kind: string, file: string): Job =>
    ({ verb: 'import', kind, files: [join(EXAMPLES, file)] }) as unknown as Job;

  /** The room of a scan in the office of the examples. */
  const roomAt = async (node: ServiceProcess): Promise<unknown> =>
    (await node.post(key, { indoor: 1, wifiAccessPoints: HEARD })).json.indoor?.room;

  /** Whether a node has the village of the examples. */
  const isStreetKnown = async (node: ServiceProcess): Promise<boolean> => {
    const path = `/search?key=${key}&q=Harbour+Street+5,+Demo+Town`;
    return (await node.request({ method: 'GET', path })).text.includes('Harbour Street');
  };

  /** Importance of its town, to three digits. */
  const importanceAt = async (node: ServiceProcess): Promise<string | undefined> => {
    const found = await node.request({ method: 'GET', path: `/search?key=${key}&q=Demo+Town&limit=1` });
    return JSON.parse(found.text)[0]?.importance.toFixed(3);
  };

  /** As the command exports it, without a process for each look. */
  const exported = async (name: string, what: 'stations' | 'observations'): Promise<string> => {
    const folder = join(base, name);
    const cells = { kind: 'cells', blurMetres: 0, minSamples: 0 } as const;
    let text = '';
    for await (const lines of what === 'stations' ? exportStations(folder, cells) : exportObservations(folder, 0))
      text += lines.text;
    return text;
  };

  test('a report on one node is answered by all', { timeout: 60_000 }, async () => {
    expect(await finds('b', 1, 2)).toBe(false);
    expect(await contribute('b', 1, 2)).toBe(200);
    for (const name of ['a', 'b', 'c']) await becomes(() => finds(name, 1, 2), true);
  });

  test('a key of one node works at all, and its credits are spent once', { timeout: 60_000 }, async () => {
    const { key: prepaid, id } = await nodes.get('b')!.key({ name: 'paid', credits: 40 });
    let paid = 0;
    for (const name of ['a', 'c'])
      await becomes(async () => (await ask(name, prepaid, 1, 2)) === 200 && ++paid > 0, true);
    let statuses: number[];
    do {
      statuses = await Promise.all(['a', 'b', 'c', 'a', 'b', 'c'].map(name => ask(name, prepaid, 1, 2)));
      paid += statuses.filter(status => status === 200).length;
    } while (statuses.includes(200));
    expect(paid).toBe(40);
    expect(new Set(statuses)).toEqual(new Set([403]));
    const ledger = await runSextant('cluster', 'ledger', String(id), '--cluster', nats.url, '--json');
    expect([ledger.code, ledger.stderr]).toEqual([0, '']);
    const changes: BalanceChange[] = ledger.stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(changes[0]).toMatchObject({ after: 40, reason: 'oldest' });
    for (const [i, { before, reason }] of changes.slice(1).entries())
      expect([before, reason]).toEqual([changes[i].after, 'taken']);
    expect(changes.at(-1)!.after).toBe(0);
  });

  test('a request of one node is found in its log by all', { timeout: 60_000 }, async () => {
    const ask = async (name: string): Promise<number> => {
      const { json } = await nodes.get(name)!.post(key, { homeMobileCountryCode: 262 });
      return json.logId;
    };
    idOfA = await ask('a');
    const ids = [idOfA, await ask('b'), await ask('c')];
    expect(new Set(ids).size).toBe(3);
    for (const name of ['a', 'b', 'c'])
      for (const id of ids) expect(await nodes.get(name)!.logged(id)).toMatchObject({ logId: id, route: 'position' });
    const log = await runSextant('log', String(ids[1]), '--data', join(base, 'a'));
    expect(JSON.parse(log.stdout).request).toEqual({ homeMobileCountryCode: 262 });
    await expect(nodes.get('a')!.job({ verb: 'log', id: ids[2] + 1_000 })).resolves.toBeNull();
  });

  test('a backup of any node begins a new cluster', { timeout: 60_000 }, async () => {
    const b = nodes.get('b')!;
    const { key: prepaid, id } = await b.key({ name: 'paid', credits: 1_000 });
    const { logId } = (await b.post(prepaid, {})).json;
    expect(await ask('b', prepaid, 1, 2)).toBe(200);
    await b.job({ verb: 'backup', path: join(base, 'backup') });
    const folder = join(base, 'restored');
    const { code, stdout: restored } = await runSextant('restore', join(base, 'backup'), '--data', folder);
    expect([code, restored]).toEqual([0, expect.stringMatching(/^Restored/)]);
    const others = await NatsServer.start();
    const node = await ServiceProcess.start(folder, '--cluster', others.url, ...SMALL_NODE);
    try {
      await becomes(() => isReady(node), true);
      expect(await node.job({ verb: 'keys', action: 'show', id })).toMatchObject({ credits: 999 });
      const body = { wifiAccessPoints: [1, 2].map(station => ({ macAddress: mac(station) })), considerIp: false };
      expect((await node.post(prepaid, body)).status).toBe(200);
      expect(await node.logged(logId)).toMatchObject({ logId, route: 'position' });
      expect(readSecrets(folder)).toEqual(readSecrets(join(base, 'b')));
      const { stdout } = await runSextant('export', 'stations', '--data', folder);
      expect(stdout).toBe(await exported('b', 'stations'));
    } finally {
      await node.stop('SIGKILL');
      await others.remove();
    }
  });

  test('a report that is sent to two nodes counts once', { timeout: 60_000 }, async () => {
    for (const name of ['b', 'c', 'a', 'b']) expect(await contribute(name, 3, 4)).toBe(200);
    for (const name of ['a', 'b', 'c']) await becomes(() => finds(name, 3, 4), true);
    for (const name of ['a', 'b', 'c'])
      expect((await exported(name, 'observations')).trim().split('\n')).toHaveLength(8);
  });

  test('places, buildings and fingerprints are imported at any node, and all nodes have them', {
    timeout: 60_000,
  }, async () => {
    const [a, b, c] = ['a', 'b', 'c'].map(name => nodes.get(name)!);
    await c.job(importOf('buildings', 'office.geojson'));
    await a.job(importOf('fingerprints', 'office_survey.csv'));
    for (const node of [a, b, c]) await becomes(() => roomAt(node), 'Lobby');
    // A report with its floor becomes a fingerprint at the learner alone.
    const before = await fingerprintsIn(a);
    const position = { latitude: 1.250445, longitude: -2.500255, accuracy: 1, floor: 0 };
    const body = { items: [{ timestamp: DAY, position, wifiAccessPoints: HEARD }] };
    expect((await b.request({ path: `/v2/geosubmit?key=${key}`, body })).status).toBe(200);
    await becomes(async () => (await fingerprintsIn(a)) === before, false);
    await a.job(importOf('importance', 'importance.tsv'));
    await b.job(importOf('osm', 'village.osm.pbf'));
    for (const node of [b, c]) {
      await becomes(() => isStreetKnown(node), true);
      await becomes(() => importanceAt(node), IMPORTANCE);
      await becomes(async () => (await fingerprintsIn(node)) === (await fingerprintsIn(a)), true);
    }
  });

  test('an import takes effect on all', { timeout: 60_000 }, async () => {
    const job = { verb: 'import', kind: 'cells', files: [FILE], format: 'opencellid' } as never;
    await nodes.get('c')!.job(job);
    expect(await exported('a', 'stations')).toContain(CELL);
    for (const name of ['b', 'c'])
      await becomes(async () => (await exported(name, 'stations')) === (await exported('a', 'stations')), true);
  });

  test('when the learner is killed, another goes on: nothing is lost and nothing counts twice', {
    timeout: 120_000,
  }, async () => {
    expect(await contribute('a', 5, 6)).toBe(200);
    const { key: prepaid, id } = await nodes.get('a')!.key({ name: 'paid', credits: 20_000 });
    for (let i = 0; i < 5; i++) expect(await ask('a', prepaid, 1, 2)).toBe(200);
    await nodes.get('a')!.stop('SIGKILL');
    // What it has lost of places and buildings meanwhile comes again.
    for (const lost of ['places', 'extracts', 'buildings']) rmSync(join(base, 'a', lost), { recursive: true });
    // It had taken a block of a hundred credits, and has spent five of them.
    await expect(nodes.get('b')!.logged(idOfA)).rejects.toThrow(/^Node \S+, which has answered request \d+, does not/);
    const show = { verb: 'keys', action: 'show', id } as const;
    expect(await nodes.get('b')!.job(show)).toMatchObject({ credits: 19_900 });
    expect(await contribute('b', 7, 8)).toBe(200);
    for (const name of ['b', 'c']) {
      await becomes(() => finds(name, 5, 6), true);
      await becomes(() => finds(name, 7, 8), true);
    }
    const a = await start('a');
    await becomes(() => isReady(a), true);
    expect(await nodes.get('b')!.logged(idOfA)).toMatchObject({ logId: idOfA });
    await becomes(() => finds('a', 7, 8), true);
    await becomes(() => isStreetKnown(a), true);
    expect(readdirSync(join(base, 'a', 'extracts')).filter(name => name.endsWith('.importance'))).toHaveLength(1);
    await becomes(() => roomAt(a), 'Lobby');
    await becomes(
      async () => new Set(await Promise.all(['a', 'b', 'c'].map(name => exported(name, 'stations')))).size,
      1,
    );
    for (const name of ['a', 'b', 'c'])
      expect((await exported(name, 'observations')).trim().split('\n')).toHaveLength(17);
  });

  test('the tables before an import come back, and what was learned since is learned again', {
    timeout: 60_000,
  }, async () => {
    const printed = new Map([...nodes.values()].map(node => [node, node.printed.length]));
    const { code, stdout, stderr } = await runSextant('cluster', 'rollback', '--cluster', nats.url);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^The tables before these are in force; reports after number \d+ of the stream/);
    for (const name of ['a', 'b', 'c']) {
      await becomes(async () => (await exported(name, 'stations')).includes(CELL), false);
      await becomes(() => finds(name, 7, 8), true);
    }
    const status = await runSextant('cluster', 'status', '--cluster', nats.url, '--json');
    const { learner, nodes: said, hasPrevious } = JSON.parse(status.stdout);
    expect(hasPrevious).toBe(true);
    expect(said.filter(({ isLearner }: { isLearner: boolean }) => isLearner)).toMatchObject([{ node: learner }]);
    for (const [node, length] of printed) expect(node.printed.slice(length)).not.toContain('"level":50');
  });

  test('a folder with tables of its own is refused with a sentence', { timeout: 60_000 }, async () => {
    await runSextant('import', 'cells', FILE, '--data', join(base, 'd'));
    const joined = ServiceProcess.start(join(base, 'd'), '--admin', 'off', '--cluster', nats.url);
    await expect(joined).rejects.toThrow(/holds tables of its own, which the tables of this cluster would replace/);
  });

  test('imported buildings are gone at all nodes after a rollback', { timeout: 60_000 }, async () => {
    const learner = await learnerOf();
    await learner.job({ ...importOf('buildings', 'office.geojson'), source: 'again' } as Job);
    for (const node of nodes.values()) await becomes(() => buildingsIn(node), 'again,office');
    await rollBack(address());
    for (const node of nodes.values()) {
      await becomes(() => buildingsIn(node), 'office');
      expect(await roomAt(node)).toBe('Lobby');
    }
  });

  test('nodes that are cut off go on answering and say so', { timeout: 120_000 }, async () => {
    const { key: prepaid } = await nodes.get('b')!.key({ name: 'paid', credits: 2_000 });
    expect(await ask('b', prepaid, 1, 2)).toBe(200);
    const learner = await learnerOf();
    nats.signal('SIGSTOP');
    const lost = { ...importOf('buildings', 'office.geojson'), source: 'lost' } as Job;
    const failed = expect(learner.job(lost)).rejects.toThrow(/Nothing of it is in force/);
    for (const name of ['a', 'b', 'c']) expect(await finds(name, 1, 2)).toBe(true);
    // What a node has taken of a balance is spent, and nothing beyond.
    let paid = 1;
    let status = await ask('b', prepaid, 1, 2);
    for (; status === 200; paid++) status = await ask('b', prepaid, 1, 2);
    expect([status, paid]).toEqual([503, 20]);
    expect(await contribute('b', 9, 10)).toBe(503);
    await failed;
    await becomes(
      async () => (await nodes.get('b')!.request({ method: 'GET', path: '/ready' })).json.note ?? '',
      /cut off from its cluster/,
    );
    expect(await isReady(nodes.get('b')!)).toBe(true);
    await becomes(() => isReady(nodes.get('c')!), false);
    nats.signal('SIGCONT');
    await becomes(() => contribute('b', 9, 10), 200);
    for (const name of ['a', 'b', 'c']) await becomes(() => finds(name, 9, 10), true);
    for (const node of nodes.values()) await becomes(() => buildingsIn(node), 'office');
  });

  test('a node leaves with all that the cluster has, and a new folder joins', { timeout: 120_000 }, async () => {
    const b = nodes.get('b')!;
    const { key: prepaid, id } = await b.key({ name: 'paid', credits: 2_000 });
    await becomes(() => ask('b', prepaid, 1, 2), 200);
    expect(await contribute('a', 11, 12)).toBe(200);
    const left = await runSextant('cluster', 'leave', '--data', b.folder);
    expect([left.code, left.stderr]).toEqual([0, '']);
    // A node that has another port since it was killed counts as two for half a minute.
    expect(left.stdout).toMatch(/^This node has left its cluster.*\n[23] nodes go on/);
    // What it had taken and not spent is back.
    expect(await nodes.get('a')!.job({ verb: 'keys', action: 'show', id })).toMatchObject({ credits: 1_999 });
    expect([await ask('b', prepaid, 1, 2), await contribute('b', 13, 14), await isReady(b)]).toEqual([503, 503, false]);
    expect(await finds('b', 1, 2)).toBe(true);
    await b.stop();
    const refused = await runSextant('cluster', 'join', '--cluster', nats.url, '--data', b.folder);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/holds tables of its own/)]);
    const alone = await ServiceProcess.start(b.folder, ...SMALL_NODE);
    nodes.set('b', alone);
    await becomes(() => finds('b', 11, 12), true);
    expect([await contribute('b', 13, 14), await ask('b', prepaid, 1, 2)]).toEqual([200, 200]);

    // What is learned after it has joined does not come to a folder that nobody serves.
    await becomes(() => finds('a', 11, 12), true);
    const joined = await runSextant('cluster', 'join', '--cluster', nats.url, '--data', join(base, 'e'));
    expect([joined.code, joined.stdout]).toEqual([0, expect.stringMatching(/has the tables of the cluster/)]);
    await becomes(async () => (await exported('a', 'stations')) === (await exported('e', 'stations')), true);
  });
});

/** Hashes of the fingerprints of a node, row by row. */
async function fingerprintsIn({ folder }: ServiceProcess): Promise<string> {
  const tables = openFingerprints(folder)!;
  try {
    return Array.from(piecesOf(tables), ({ hash }) => hash).join();
  } finally {
    await tables.root.close();
  }
}

/** Names of the imported buildings of a node. */
async function buildingsIn({ folder }: ServiceProcess): Promise<string> {
  return (await listBuildings(folder)).map(({ name }) => name).join();
}

function mac(station: number): string {
  return `00:00:5e:60:01:${station.toString(16).padStart(2, '0')}`;
}

async function isReady(node: ServiceProcess): Promise<boolean> {
  return (await node.request({ method: 'GET', path: '/ready' })).status === 200;
}

/** Asks again until the answer is as expected. @throws Error before the limits of the tests end them without a word */
async function becomes<T>(ask: () => Promise<T>, expected: T | RegExp): Promise<void> {
  const end = performance.now() + 50_000;
  for (;;) {
    const answer = await ask();
    if (expected instanceof RegExp ? expected.test(String(answer)) : answer === expected) return;
    if (performance.now() > end) throw new Error(`It is still ${answer}, and not ${expected}.`);
    await delay(100);
  }
}
