// Does harm to a cluster, round after round: three nodes on real servers of NATS, under reports and lookups. HELP below
// says what it does and what must hold afterwards.

import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { RunProgress } from '../../bench/capacity/progress.ts';
import { exitOnSignals, readArguments, readNumber } from '../../bench/command_line.ts';
import { openLiveGeneration } from '../../src/tables/stations/generation.ts';
import { KnowledgeTables } from '../../src/tables/stations/knowledge.ts';
import { exportObservations } from '../../src/transfer/export_observations.ts';
import { NATS_PROGRAM, NatsServer } from '../kits/nats.ts';
import { uniform } from '../kits/random.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';

const HELP = `npm run torture -- cluster [options]

Three nodes of a cluster on servers of NATS. In each round clients send reports to nodes that are drawn, and ask for positions, trying the next node where one
does not answer, while harm is done. Then the harm ends, and within two minutes every acknowledged report must be in the log of each node once, the exported
stations of all nodes must be the same, and no lookup may have failed. Exits with 1 when something is not so. Needs the program nats-server.

  --rounds N    rounds, 1..10000 (10)
  --seed N      seed of what is drawn, 0..1000000 (1)
  --servers N   servers of NATS, 1 or 3 (1)

Harm: none, learner (kill -9), follower (kill -9), all (kill -9; then nobody asks), pause (a node is stopped for up to 10 s), nats (one server is killed and starts again),
cut (all servers are stopped for up to 10 s), empty (a node starts again without its folder).`;

type Harm = 'none' | 'learner' | 'follower' | 'all' | 'pause' | 'nats' | 'cut' | 'empty';
const HARMS: readonly Harm[] = ['none', 'learner', 'follower', 'all', 'pause', 'nats', 'cut', 'empty'];
const NAMES = ['a', 'b', 'c'] as const;
type Name = (typeof NAMES)[number];

const FLAGS = ['--http-threads', '1', '--workers', '1', '--cache-mb', '4', '--admin', 'off'];
/** Within this time after the harm everything must be as it should. */
const SETTLE_MILLISECONDS = 120_000;
const LOAD_MILLISECONDS = 4_000;
const DAY_MS = 86_400_000;
/** Time of the first report. */
const EPOCH_MS = 1_772_359_200_000;

/** A cluster under torture. */
class Tortured {
  readonly findings: string[] = [];
  readonly lags: number[] = [];
  acknowledged = 0;
  lookups = 0;
  failedLookups = 0;
  private readonly base = mkdtempSync(join(tmpdir(), 'torture-cluster-'));
  private readonly nodes = new Map<Name, ServiceProcess>();
  private readonly keys = new Map<Name, string>();
  /** Addresses of access points by which a report is known in an export. */
  private readonly sent = new Set<string>();
  private readonly random: () => number;
  private servers: NatsServer[] = [];
  private next = 1;

  constructor(seed: number) {
    this.random = uniform(seed);
  }

  async start(servers: number): Promise<void> {
    this.servers = servers === 1 ? [await NatsServer.start()] : await NatsServer.startCluster(servers);
    for (const name of NAMES) {
      await this.startNode(name);
      await this.until(() => this.isReady(name), `${name} is not ready`);
    }
    await this.contribute('a');
    await this.settle('none');
  }

  async end(): Promise<void> {
    for (const server of this.servers) server.signal('SIGCONT');
    await Promise.all([...this.nodes.values()].map(node => node.stop('SIGKILL')));
    await Promise.all(this.servers.map(server => server.remove()));
    rmSync(this.base, { recursive: true, force: true });
  }

  async round(harm: Harm): Promise<void> {
    let isOver = false;
    const load = (async () => {
      while (!isOver)
        await Promise.all([this.contribute(this.draw(NAMES), harm === 'none'), harm !== 'all' && this.look()]);
    })();
    await delay(LOAD_MILLISECONDS * this.random());
    await this.harm(harm);
    await delay(LOAD_MILLISECONDS);
    isOver = true;
    await load;
    await this.settle(harm);
  }

  private draw<T>(values: readonly T[]): T {
    return values[Math.floor(this.random() * values.length)];
  }

  private async harm(harm: Harm): Promise<void> {
    const learner = await this.learner();
    const seconds = 1 + 9 * this.random();
    switch (harm) {
      case 'none':
        return;
      case 'learner':
        return this.killAndStart([learner]);
      case 'follower':
        return this.killAndStart([this.draw(NAMES.filter(name => name !== learner))]);
      case 'all':
        return this.killAndStart(NAMES);
      case 'empty':
        return this.killAndStart([this.draw(NAMES)], true);
      case 'pause': {
        const { pid } = this.nodes.get(this.draw(NAMES))!;
        process.kill(pid, 'SIGSTOP');
        await delay(seconds * 1000);
        process.kill(pid, 'SIGCONT');
        return;
      }
      case 'nats': {
        const server = this.draw(this.servers);
        await server.kill();
        await delay(seconds * 100);
        await server.start();
        return;
      }
      case 'cut':
        for (const server of this.servers) server.signal('SIGSTOP');
        await delay(seconds * 1000);
        for (const server of this.servers) server.signal('SIGCONT');
    }
  }

  private async killAndStart(names: readonly Name[], isEmpty = false): Promise<void> {
    await Promise.all(names.map(name => this.nodes.get(name)!.stop('SIGKILL')));
    for (const name of names) {
      if (isEmpty) {
        rmSync(join(this.base, name), { recursive: true });
        this.keys.delete(name);
      }
      await this.startNode(name);
    }
  }

  private async startNode(name: Name): Promise<void> {
    const servers = this.servers.map(({ url }) => url).join(',');
    const node = await ServiceProcess.start(join(this.base, name), '--cluster', servers, ...FLAGS);
    if (!this.keys.has(name)) this.keys.set(name, (await node.key({ trusted: true })).key);
    this.nodes.set(name, node);
  }

  /** Sends a report to a node, again until it is acknowledged or the node is gone. */
  private async contribute(name: Name, measuresLag = false): Promise<void> {
    const n = 2 * this.next++;
    const address = `00:00:5e:${[(n >> 16) & 255, (n >> 8) & 255, n & 255].map(hex).join(':')}`;
    const item = {
      timestamp: EPOCH_MS + n * 60_000,
      position: { latitude: 49 + (n % 1000) / 1000, longitude: 8 + (n % 777) / 777, accuracy: 5 },
      wifiAccessPoints: [0, 1].map(more => ({ macAddress: beside(address, more), signalStrength: -60 })),
    };
    const again = { ...item, timestamp: item.timestamp + DAY_MS };
    const request = { path: `/v2/geosubmit?key=${this.keys.get(name)}`, body: { items: [item, again] } };
    const status = await this.ask(name, request);
    if (status !== 200) return;
    const sinceMs = performance.now();
    // Half of the clients do not hear the answer, and send it to another node.
    if (this.random() < 0.5) await this.ask(this.draw(NAMES), { ...request, path: this.pathOf(this.draw(NAMES)) });
    this.sent.add(address);
    this.acknowledged += 2;
    if (measuresLag) await this.measureLag(item.wifiAccessPoints, sinceMs);
  }

  private pathOf(name: Name): string {
    return `/v2/geosubmit?key=${this.keys.get(name)}`;
  }

  private async measureLag(wifiAccessPoints: object[], sinceMs: number): Promise<void> {
    for (const name of NAMES) {
      const body = { wifiAccessPoints, considerIp: false };
      while ((await this.ask(name, { path: `/?key=${this.keys.get(name)}`, body })) !== 200) {
        if (performance.now() - sinceMs > SETTLE_MILLISECONDS) return;
        await delay(5);
      }
    }
    this.lags.push(performance.now() - sinceMs);
  }

  /** Asks for the position of the first report: one node must know it. */
  private async look(): Promise<void> {
    this.lookups++;
    const [address = '00'] = this.sent;
    const wifiAccessPoints = [0, 1].map(more => ({ macAddress: beside(address, more) }));
    for (const name of NAMES) {
      const body = { wifiAccessPoints, considerIp: false };
      if (this.sent.size === 0 || (await this.ask(name, { path: `/?key=${this.keys.get(name)}`, body })) === 200)
        return;
    }
    this.failedLookups++;
    this.find('A lookup failed on all nodes.');
  }

  private async ask(name: Name, request: Parameters<ServiceProcess['request']>[0]): Promise<number> {
    const node = this.nodes.get(name)!;
    const answered = node.request(request).then(
      ({ status }) => status,
      () => 0,
    );
    return Promise.race([answered, delay(8_000, 0, { ref: false })]);
  }

  private async isReady(name: Name): Promise<boolean> {
    return (await this.ask(name, { method: 'GET', path: '/ready' })) === 200;
  }

  private async learner(): Promise<Name> {
    const { stdout } = await runSextant('cluster', 'status', '--json', '--cluster', this.servers[0].url);
    const port = /:(\d+)$/.exec(JSON.parse(stdout || '{}').learner ?? '')?.[1];
    return NAMES.find(name => String(this.nodes.get(name)!.port) === port) ?? 'a';
  }

  /** Waits until all nodes agree with what was acknowledged; what does not is a finding. */
  private async settle(harm: Harm): Promise<void> {
    for (const name of NAMES) await this.until(() => this.isReady(name), `${name} is not ready after ${harm}`);
    await this.until(
      async () => (await this.complaint()) === undefined,
      `after ${harm}`,
      () => this.complaint(),
    );
  }

  /** What a node has otherwise than it should, read from its folder while it serves. */
  private async complaint(): Promise<string | undefined> {
    const hashes = new Set<string>();
    for (const name of NAMES) {
      const folder = join(this.base, name);
      const counts = new Map<string, number>();
      let reports = 0;
      for await (const { text } of exportObservations(folder, 0))
        for (const [address] of text.matchAll(/00:00:5e(?::[0-9a-f]{2}){2}:[0-9a-f][02468ace]/g)) {
          reports++;
          counts.set(address, (counts.get(address) ?? 0) + 1);
        }
      for (const address of this.sent)
        if (counts.get(address) !== 2)
          return `${name} has ${counts.get(address) ?? 0} reports of ${address} instead of 2`;
      const { progress, hash } = await readTables(folder);
      if (progress !== reports) return `${name} has learned ${progress} of ${reports} reports`;
      hashes.add(hash);
    }
    return hashes.size === 1 ? undefined : 'the tables of the nodes differ';
  }

  private find(what: string): void {
    this.findings.push(what);
    console.error(what);
  }

  private async until(
    holds: () => Promise<boolean>,
    what: string,
    why: () => Promise<string | undefined> = async () => '',
  ): Promise<void> {
    for (const endMs = performance.now() + SETTLE_MILLISECONDS; performance.now() < endMs; await delay(200))
      if (await holds()) return;
    this.find(`${what}: ${(await why()) ?? ''}`);
  }
}

/** The last report that took effect in the live tables, and the hash of every row of what it teaches. */
async function readTables(folder: string): Promise<{ progress: number; hash: string }> {
  const generation = openLiveGeneration(folder)!;
  const digest = createHash('sha256');
  for (const name of ['stations', 'areas', 'learned', 'codes', 'tracks', 'calibration'] as const)
    for (const { key, value } of generation[name].getRange()) digest.update(name).update(key).update(value);
  const { progress } = new KnowledgeTables(generation);
  await generation.root.close();
  return { progress, hash: digest.digest('hex') };
}

/** The address whose last octet is so much larger. */
function beside(address: string, more: number): string {
  return address.replace(/..$/, last => hex(Number.parseInt(last, 16) + more));
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

/** Runs the program. @param words after its name */
export async function tortureCluster(words: readonly string[]): Promise<void> {
  const options = { rounds: text('10'), seed: text('1'), servers: text('1') };
  const { values } = readArguments(HELP, { args: [...words], options });
  const rounds = readNumber('rounds', values.rounds, 1, 10_000);
  const seed = readNumber('seed', values.seed, 0, 1_000_000);
  if (NATS_PROGRAM === undefined) return;
  exitOnSignals();
  const progress = new RunProgress(process.stderr, rounds);
  const tortured = new Tortured(seed);
  const counts = new Map<Harm, number>();
  try {
    await tortured.start(readNumber('servers', values.servers, 1, 3));
    for (let round = 0; round < rounds; round++) {
      const harm = HARMS[(round + seed) % HARMS.length];
      progress.begin(harm);
      await tortured.round(harm);
      counts.set(harm, (counts.get(harm) ?? 0) + 1);
      progress.step();
    }
  } finally {
    progress.end();
    await tortured.end();
  }
  const { findings, acknowledged, lookups, failedLookups, lags } = tortured;
  console.log(`${rounds} rounds from seed ${seed}, ${findings.length} findings.`);
  for (const [harm, count] of counts) console.log(`  ${harm}: ${count}`);
  console.log(`Acknowledged: ${acknowledged} reports. Lookups: ${lookups}, failed on all nodes: ${failedLookups}.`);
  const sorted = lags.toSorted((a, b) => a - b);
  const quantile = (share: number) => Math.round(sorted[Math.floor(share * sorted.length)] ?? Number.NaN);
  if (lags.length > 0)
    console.log(
      `Until all nodes answered with a report: p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms (${lags.length} reports).`,
    );
  for (const finding of findings) console.log(finding);
  if (findings.length > 0) process.exitCode = 1;
}

function text(byDefault: string): { type: 'string'; default: string } {
  return { type: 'string', default: byDefault };
}
