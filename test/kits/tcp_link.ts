// A cable between a client and a server on the loopback interface, which a test cuts, makes slow, or listens to: a port
// of its own that passes on all bytes, in the order of TCP. Each connection is late by a time of its own, so what goes
// over two of them comes in another order than it went.

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Which way bytes go: to the server, or from it. */
export type Direction = 'up' | 'down';

/** Waits for bytes that go by. */
export interface Trap {
  direction: Direction;
  /** What the bytes contain, within one piece that was read. */
  text: string;
  /** How often they go by before it springs. */
  passes: number;
  /**
   * Called once, with a function that passes the bytes on; whatever follows on the connection waits until this ends. If
   * it was not called by then, the bytes are lost, and the connection breaks.
   */
  springs(pass: () => void): Promise<void>;
}

/** See above. */
export class TcpLink {
  readonly port: number;
  private readonly server: Server;
  private readonly target: number;
  private readonly sockets = new Set<Socket>();
  private state: 'open' | 'refused' | 'stalled' = 'open';
  private opened: Promise<void> = Promise.resolve();
  private open: () => void = () => {};
  private drawDelay: () => number = () => 0;
  private trap: Trap | undefined;

  private constructor(server: Server, target: number) {
    this.server = server;
    this.target = target;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', client => this.join(client));
  }

  /** Lays one to a port. */
  static async lay(target: number): Promise<TcpLink> {
    const server = createServer({ noDelay: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TcpLink(server, target);
  }

  /** @param as 'refused': connections break, and new ones are refused; 'stalled': nothing passes, and nobody is told */
  cut(as: 'refused' | 'stalled'): void {
    this.mend();
    this.state = as;
    if (as === 'refused') for (const socket of this.sockets) socket.destroy();
    this.opened = new Promise(open => {
      this.open = open;
    });
  }

  /** Ends a cut; what was held goes on its way. */
  mend(): void {
    this.state = 'open';
    this.open();
  }

  /** Makes every connection from now on late. @param draw milliseconds for a connection; undefined ends it */
  slow(draw: (() => number) | undefined): void {
    this.drawDelay = draw ?? (() => 0);
    for (const socket of this.sockets) socket.destroy();
  }

  /** Sets a trap in place of the one before, or takes it away. */
  set(trap: Trap | undefined): void {
    this.trap = trap;
  }

  /** True until its trap has sprung. */
  get isTrapped(): boolean {
    return this.trap !== undefined;
  }

  /** Takes it away. */
  async remove(): Promise<void> {
    this.mend();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server.close(), 'close');
  }

  private join(client: Socket): void {
    if (this.state === 'refused') {
      client.destroy();
      return;
    }
    const server = connect({ port: this.target, host: '127.0.0.1', noDelay: true });
    const lateMilliseconds = this.drawDelay();
    for (const [from, to, direction] of [
      [client, server, 'up'],
      [server, client, 'down'],
    ] as const) {
      this.sockets.add(from);
      let last: Promise<void> = Promise.resolve();
      from.on('data', bytes => {
        const dueMs = performance.now() + lateMilliseconds;
        last = last.then(() => this.pass(bytes, direction, dueMs, to));
      });
      // The other side is told when it has all that came before.
      from.on('close', () => {
        this.sockets.delete(from);
        void last.then(() => this.opened).then(() => to.destroy());
      });
      from.on('error', () => undefined);
    }
  }

  private async pass(bytes: Buffer, direction: Direction, dueMs: number, to: Socket): Promise<void> {
    const lateMilliseconds = dueMs - performance.now();
    if (lateMilliseconds > 0) await delay(lateMilliseconds);
    await this.opened;
    const { trap } = this;
    if (trap?.direction !== direction || !bytes.includes(trap.text) || trap.passes-- > 0) {
      to.write(bytes);
      return;
    }
    this.trap = undefined;
    let isPassed = false;
    await trap.springs(() => {
      isPassed = true;
      to.write(bytes);
    });
    if (!isPassed) to.destroy();
  }
}
