// Nodes of a cluster under measurement: real servers of NATS and services, each a process of its own on the loopback
// interface. The first node has the tables of a seeded world and two keys, which become those of the cluster; the
// others begin with empty folders.

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectToCluster } from '../../src/cluster/connection.ts';
import { deltasAfter, type Manifest, type ReadManifest, readManifest } from '../../src/cluster/manifest.ts';
import { readClusterStatus } from '../../src/cluster/status.ts';
import { openStores } from '../../src/cluster/stores.ts';
import { NATS_PROGRAM, NatsServer } from '../../test/kits/nats.ts';
import { send } from '../../test/kits/service_process.ts';
import { cacheMegabytes } from '../comparison.ts';
import { createKey, prepareWorld } from '../data_folders.ts';
import { freePorts, processNanoseconds, type Server, startSextant, stopServers } from '../server.ts';
import type { World } from '../world.ts';

/** Everything that is waited for comes within this time. */
const LIMIT_MILLISECONDS = 300_000;
const LOOK_MILLISECONDS = 20;

/** A machine alone with the same tables, servers of NATS, and nodes that are started one by one. */
export class Cluster {
  readonly world: World;
  /** A prepaid key for lookups, and a trusted one for reports: those of all nodes and of the machine alone. */
  readonly key: string;
  readonly reportKey: string;
  readonly nats: readonly NatsServer[];
  readonly nodes: Server[] = [];
  readonly agent = new Agent({ keepAlive: true });
  alone!: Server;
  private readonly folder: string;
  private readonly ports: number[];

  /** Starts servers of NATS and a machine alone, and makes the folder of the first node. @param servers of NATS */
  static async start(world: World, servers: 1 | 3): Promise<Cluster> {
    if (NATS_PROGRAM === undefined) throw new Error('This benchmark needs the program nats-server.');
    const data = await prepareWorld(world);
    const folder = mkdtempSync(join(tmpdir(), 'sextant-bench-cluster-'));
    try {
      cpSync(data.folder, join(folder, '0'), { recursive: true });
      const reportKey = createKey(join(folder, '0'), '--trusted');
      cpSync(join(folder, '0'), join(folder, 'alone'), { recursive: true });
      const nats = servers === 1 ? [await NatsServer.start()] : await NatsServer.startCluster(servers);
      const cluster = new Cluster(world, folder, nats, { key: data.key, reportKey, ports: await freePorts(4) });
      cluster.alone = cluster.startService('alone', cluster.ports[3], {});
      await cluster.isReady(cluster.alone);
      return cluster;
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  private constructor(
    world: World,
    folder: string,
    nats: readonly NatsServer[],
    { key, reportKey, ports }: { key: string; reportKey: string; ports: number[] },
  ) {
    this.world = world;
    this.folder = folder;
    this.nats = nats;
    this.key = key;
    this.reportKey = reportKey;
    this.ports = ports;
    process.once('exit', this.kill);
  }

  /** Of a run that is ended early. */
  private readonly kill = (): void => {
    for (const server of [...this.nodes, this.alone]) server?.process.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  };

  /** Addresses of the servers of NATS. */
  get servers(): string[] {
    return this.nats.map(({ url }) => url);
  }

  /** Starts a node, or starts it again. @returns once it is ready */
  async startNode(number = this.nodes.length): Promise<Server> {
    const node = this.startService(String(number), this.ports[number], { SEXTANT_CLUSTER: this.servers.join(',') });
    this.nodes[number] = node;
    await this.isReady(node);
    return node;
  }

  private startService(name: string, port: number, environment: Record<string, string>): Server {
    return startSextant(name, port, {
      ...environment,
      SEXTANT_DATA: join(this.folder, name),
      SEXTANT_HTTP_THREADS: '1',
      SEXTANT_WORKERS: '1',
      SEXTANT_CACHE_MB: String(cacheMegabytes(this.world)),
      SEXTANT_ADMIN: 'off',
    });
  }

  private async isReady(node: Server): Promise<void> {
    let complaint = '';
    node.process.stderr!.setEncoding('utf8').on('data', text => {
      complaint = (complaint + text).slice(-2_000);
    });
    await until(async () => {
      if (node.process.exitCode !== null) throw new Error(`Node ${node.name} ended: ${complaint}`);
      return (await this.ask(node, '/ready', undefined).catch(() => 0)) === 200;
    }, `node ${node.name} is ready`);
  }

  /** Sends a request over a kept connection. @param body JSON; without one it is a GET @returns the status */
  async ask({ port }: Server, path: string, body: unknown): Promise<number> {
    const method = body === undefined ? 'GET' : 'POST';
    return (await send(`http://127.0.0.1:${port}`, { agent: this.agent, method, path, body })).status;
  }

  /** Sends reports in one request. @throws Error when they are not acknowledged */
  async report(node: Server, items: readonly unknown[]): Promise<void> {
    const status = await this.ask(node, `/v2/geosubmit?key=${this.reportKey}`, { items });
    if (status !== 200) throw new Error(`Reports to node ${node.name} were answered ${status}.`);
  }

  /** The manifest that is in force, once there is one: the first node is ready before all have its tables. */
  async manifest(): Promise<Manifest> {
    const connection = await connectToCluster({ servers: this.servers, name: 'bench' });
    try {
      const stores = await openStores(connection);
      let read: ReadManifest | undefined;
      await until(async () => {
        read = await readManifest(stores);
        return read !== undefined;
      }, 'there is a manifest');
      return read!.manifest;
    } finally {
      await connection.nats.close();
    }
  }

  /** Resolves when every node has answered with a position by these access points. */
  async isAnsweredByAll(wifiAccessPoints: readonly object[]): Promise<void> {
    const body = { wifiAccessPoints, considerIp: false };
    const path = `/?key=${this.key}`;
    await Promise.all(
      this.nodes.map(node => until(async () => (await this.ask(node, path, body)) === 200, 'a report is answered')),
    );
  }

  /** Processor time of nodes and of all servers of NATS so far, nanoseconds. */
  processorNanoseconds(): number {
    const pids = [...this.nodes.map(({ process }) => process.pid!), ...this.nats.map(({ pid }) => pid)];
    return pids.reduce((sum, pid) => sum + processNanoseconds(pid), 0);
  }

  /** Number of the node that learns. */
  async learner(): Promise<number> {
    const { learner } = await readClusterStatus({ servers: this.servers, name: 'bench' });
    return this.nodes.findIndex(({ port }) => learner?.endsWith(`:${port}`));
  }

  async end(): Promise<void> {
    this.agent.destroy();
    await stopServers([...this.nodes, this.alone]);
    await Promise.all(this.nats.map(server => server.remove()));
    process.off('exit', this.kill);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Bytes of the deltas of a manifest after a number. */
export function deltaBytes(manifest: Manifest, after: number): number {
  return deltasAfter(manifest, after).reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Asks again until something holds. @throws Error when it does not in time */
export async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  for (const end = performance.now() + LIMIT_MILLISECONDS; performance.now() < end; await delay(LOOK_MILLISECONDS))
    if (await holds()) return;
  throw new Error(`It was not so within ${LIMIT_MILLISECONDS / 1000} s: ${what}.`);
}
