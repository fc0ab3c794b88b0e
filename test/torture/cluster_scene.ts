// The machines of a cluster under torture: three nodes and three servers of NATS as processes, and the cables between
// them. Node c and the last server have small disks of their own, where disks can be mounted.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ClusterAddress, connectToCluster } from '../../src/cluster/connection.ts';
import { readClusterStatus } from '../../src/cluster/status.ts';
import { openStores } from '../../src/cluster/stores.ts';
import { NatsServer } from '../kits/nats.ts';
import { PROGRAM, ServiceProcess } from '../kits/service_process.ts';
import { CAN_MOUNT, mountDisk } from '../kits/small_disk.ts';
import { TcpLink } from '../kits/tcp_link.ts';

/** The nodes. */
export const NAMES = ['a', 'b', 'c'] as const;
/** One of them. */
export type Name = (typeof NAMES)[number];

/** A node keeps 256 MB free when it takes over tables. */
const DISK_KILOBYTES = 360_448;
/** What a server stores at most: a session needs less, and it is filled in seconds. */
const STORE_BYTES = 224 * 1_048_576;
const FILLER = 'filler';
const FILLER_BYTES = 900_000;
/** So often in a row it must be full. */
const REFUSED_MAX = 3;
const FLAGS = '--http-threads 1 --workers 1 --cache-mb 4 --log-mb 16 --admin off'.split(' ');
const LEARNER_MILLISECONDS = 20_000;
const LOOK_MILLISECONDS = 100;

/** A harm that needs a learner finds none, because of another one. */
export class NobodyLearns extends Error {
  override message = 'Nobody learns.';
}

/** See above. */
export class ClusterScene {
  readonly random: () => number;
  /** The program of an earlier version. */
  readonly older: string | undefined;
  /** Of each node to each server. */
  readonly links = new Map<Name, TcpLink[]>();
  /** Of each server to each other. */
  routes: TcpLink[][] = [];
  servers: NatsServer[] = [];
  /** The disks of node c and of the last server; undefined where none can be mounted. */
  readonly disks: { node: string; server: string } | undefined;
  /** How often a node may have forfeited a block of credits: it was killed, or heard no answer of the servers. */
  forfeits = 0;
  private readonly base = mkdtempSync(join(tmpdir(), 'torture-cluster-'));
  private readonly library: string;
  private readonly size: number;
  private readonly nodes = new Map<Name, ServiceProcess>();
  private readonly unmount: (() => void)[] = [];

  /** @param library the compiled faults.c @param older a checkout of an earlier version @param size how many servers */
  constructor(library: string, random: () => number, older: string | undefined, size: number) {
    this.size = size;
    this.library = library;
    this.random = random;
    this.older = older === undefined ? undefined : join(older, 'src/sextant.js');
    // Several scenes, and what each of them starts, clear up at the end.
    process.setMaxListeners(0);
    process.once('exit', this.remove);
    if (!CAN_MOUNT) return;
    const [node, server] = [mountDisk(DISK_KILOBYTES), mountDisk(DISK_KILOBYTES)];
    this.unmount.push(node.unmount, server.unmount);
    this.disks = { node: node.disk, server: server.disk };
  }

  private readonly remove = (): void => {
    rmSync(this.base, { recursive: true, force: true, maxRetries: 5 });
  };

  /** Starts everything, one node after the other; a founds the cluster. */
  async start(): Promise<void> {
    const folders = Array.from({ length: this.size }, (_, i) => {
      const isOnDisk = i === this.size - 1 && this.disks !== undefined;
      const folder = join(isOnDisk ? this.disks!.server : this.base, `nats${i}`);
      mkdirSync(folder);
      return folder;
    });
    const config = join(this.base, 'nats.conf');
    writeFileSync(config, `jetstream { max_file_store: ${STORE_BYTES} }`);
    ({ servers: this.servers, routes: this.routes } = await NatsServer.startLinked(folders, '--config', config));
    await this.storesAreOpen();
    for (const name of NAMES) {
      this.links.set(name, await Promise.all(this.servers.map(({ port }) => TcpLink.lay(port))));
      writeFileSync(this.controlOf(name), Buffer.alloc(8));
      await this.startNode(name);
      if (name === 'a') await this.learner();
    }
  }

  /** Waits until all servers have joined. A node that founds a cluster before that has no demo. */
  private async storesAreOpen(): Promise<void> {
    for (let isOpen = false; !isOpen; await delay(LOOK_MILLISECONDS)) {
      const connection = await connectToCluster(this.address).catch(() => undefined);
      if (connection === undefined) continue;
      isOpen = await openStores(connection).then(
        () => true,
        () => false,
      );
      await connection.nats.close();
    }
  }

  /** Of the servers, without cables. */
  get address(): ClusterAddress {
    return { servers: this.servers.map(({ url }) => url), name: 'torture' };
  }

  /** Ends everything and leaves nothing behind. */
  async end(): Promise<void> {
    await Promise.all([...this.nodes.values()].map(node => node.stop('SIGKILL')));
    await Promise.all([...this.allLinks()].map(link => link.remove()));
    await Promise.all(this.servers.map(server => server.remove()));
    for (const unmount of this.unmount) unmount();
    process.off('exit', this.remove);
    this.remove();
  }

  folderOf(name: Name): string {
    return join(name === 'c' && this.disks !== undefined ? this.disks.node : this.base, name);
  }

  /** The control file of faults.c. */
  controlOf(name: Name): string {
    return join(this.base, `control-${name}`);
  }

  node(name: Name): ServiceProcess {
    return this.nodes.get(name)!;
  }

  /** Starts a node in its folder. @param program of another checkout */
  async startNode(name: Name, program = PROGRAM): Promise<void> {
    const urls = this.links.get(name)!.map(({ port }) => `nats://127.0.0.1:${port}`);
    const preload = { LD_PRELOAD: this.library, TORTURE_CONTROL: this.controlOf(name) };
    Object.assign(process.env, preload);
    const started = ServiceProcess.startProgram(program, this.folderOf(name), '--cluster', urls.join(','), ...FLAGS);
    for (const key of Object.keys(preload)) delete process.env[key];
    this.nodes.set(name, await started);
  }

  async killNode(name: Name): Promise<void> {
    this.forfeits++;
    await this.node(name).stop('SIGKILL');
  }

  /** Kills a node and starts it again, maybe without its folder. */
  async killAndStart(name: Name, isEmpty = false): Promise<void> {
    await this.killNode(name);
    if (isEmpty) rmSync(this.folderOf(name), { recursive: true });
    await this.startNode(name);
  }

  /** All cables. */
  *allLinks(): Generator<TcpLink> {
    for (const links of [...this.links.values(), ...this.routes]) yield* Object.values(links);
  }

  /** The cables of a server to the others, both ways. */
  routesOf(server: number): TcpLink[] {
    return [...Object.values(this.routes[server]), ...this.routes.flatMap(links => links[server] ?? [])];
  }

  /** Who learns. @throws Error when nobody does for a long time */
  async learner(): Promise<Name> {
    for (const endMs = performance.now() + LEARNER_MILLISECONDS; performance.now() < endMs; ) {
      const { learner = '' } = (await readClusterStatus(this.address).catch(() => undefined)) ?? {};
      const name = NAMES.find(each => learner.endsWith(`:${this.nodes.get(each)?.port}`));
      if (name !== undefined) return name;
      await delay(LOOK_MILLISECONDS);
    }
    throw new NobodyLearns();
  }

  /** Fills what the servers may store. @returns gives the space free */
  async fillStore(): Promise<() => Promise<void>> {
    const filler = new Uint8Array(FILLER_BYTES);
    const connection = await connectToCluster(this.address);
    const { jetstream, manager } = connection;
    try {
      await manager.streams.add({ name: FILLER, subjects: [FILLER], num_replicas: this.servers.length });
      // What is refused once may be taken by a server that comes later.
      for (let refused = 0; refused < REFUSED_MAX; )
        await jetstream.publish(FILLER, filler).catch(() => {
          refused++;
        });
    } catch (error) {
      await connection.nats.close();
      throw error;
    }
    return async () => {
      for (let isFree = false; !isFree; await delay(LOOK_MILLISECONDS))
        isFree = await manager.streams.delete(FILLER).catch(error => (error as Error).message === 'stream not found');
      await connection.nats.close();
    };
  }

  draw<T>(values: readonly T[]): T {
    return values[Math.floor(this.random() * values.length)];
  }

  /** A node that is not this one. */
  drawOther(name: Name): Name {
    return this.draw(NAMES.filter(each => each !== name));
  }

  /** Waits for a time that is drawn, in seconds. */
  async pause(from: number, to: number): Promise<void> {
    await delay(1000 * (from + (to - from) * this.random()));
  }
}
