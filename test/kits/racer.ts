// A client that asks again as soon as it is answered, over one raw connection: as fast as a client in JavaScript gets,
// and with at most one request under way, so that what a killed service did not answer is at most one request a client.

import { connect, type Socket } from 'node:net';

const LENGTH = /content-length: (\d+)/i;

/** Asks for positions until it is told to stop, or the connection ends. */
export class Racer {
  /** Answers by their HTTP status. */
  readonly counts = new Map<number, number>();
  /** Resolves when the connection is closed, however that came. */
  readonly closed: Promise<void>;
  /** The last answer's body. */
  last = '';
  private readonly socket: Socket;
  private readonly request: string;
  private readonly goesOn: (status: number) => boolean;
  private received = '';

  /**
   * Starts at once.
   * @param goesOn called with each answer's status; on false the connection is closed
   */
  constructor(port: number, path: string, body: string, goesOn: (status: number) => boolean) {
    this.request = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    this.goesOn = goesOn;
    this.socket = connect(port, '127.0.0.1', () => this.socket.write(this.request));
    this.socket
      .setNoDelay()
      .setEncoding('utf8')
      .on('data', text => this.receive(`${text}`));
    // A killed service resets its connections; `close` follows.
    this.socket.on('error', () => {});
    this.closed = new Promise(resolve => this.socket.on('close', () => resolve()));
  }

  count(status: number): number {
    return this.counts.get(status) ?? 0;
  }

  /** Breaks the connection as soon as the request is on its way. */
  leave(): void {
    this.socket.once('connect', () => setImmediate(() => this.socket.resetAndDestroy()));
  }

  private receive(text: string): void {
    this.received += text;
    const end = this.received.indexOf('\r\n\r\n') + 4;
    if (end < 4) return;
    const length = Number(LENGTH.exec(this.received)![1]);
    if (this.received.length < end + length) return;
    const status = Number(this.received.slice(9, 12));
    this.last = this.received.slice(end);
    this.received = '';
    this.counts.set(status, this.count(status) + 1);
    if (this.goesOn(status)) this.socket.write(this.request);
    else this.socket.end();
  }
}

/** Sum over racers of the answers with a status. */
export function totalOf(racers: readonly Racer[], status: number): number {
  return racers.reduce((sum, racer) => sum + racer.count(status), 0);
}

/** Answers of any other status. */
export function totalBut(racers: readonly Racer[], ...statuses: number[]): number {
  return racers
    .flatMap(({ counts }) => [...counts])
    .reduce((sum, [status, count]) => sum + (statuses.includes(status) ? 0 : count), 0);
}
