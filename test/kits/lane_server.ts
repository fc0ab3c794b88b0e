// A server with a fast lane over connections in memory. The lane answers when a test says so, with `[lane]`;
// `node:http` answers `[node ...]` with the body that it got, so each answer says whose it is. Time limits are checked
// on an interval that tests move.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { vi } from 'vitest';
import { FastLane } from '../../src/api/fast_lane/fast_lane.ts';
import { clientAddressBehind } from '../../src/api/transport/client_address.ts';
import type { Transport } from '../../src/api/transport/transport.ts';
import { MemorySocket } from '../fuzz/memory_socket.ts';

/** The server. Call `close` at the end. */
export class LaneServer {
  readonly server: Server;
  readonly lane: FastLane;
  /** Requests that the lane has and has not answered. */
  readonly waiting: { transport: Transport; body: unknown }[] = [];
  /** Requests that the server says took too long. */
  timedOut = 0;

  private constructor(server: Server) {
    this.server = server;
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') this.timedOut++;
      socket.end('[client error]');
    });
    this.lane = new FastLane({
      server,
      isSecure: false,
      takesForwarded: true,
      clientAddress: clientAddressBehind(undefined),
      paths: { POST: ['/'], GET: ['/places'] },
      takes: url => !url.includes('other'),
      parse: body => JSON.parse(body.toString()),
      answer: (transport, _received, body) => this.waiting.push({ transport, body }),
    });
  }

  /** Starts it. @param respond how `node:http` answers */
  static async start(
    respond: (request: IncomingMessage, response: ServerResponse) => void = echo,
  ): Promise<LaneServer> {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const server = createServer({ keepAliveTimeout: 5_000, requestTimeout: 60_000, requireHostHeader: false }, respond);
    const started = new LaneServer(server);
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return started;
  }

  /** Ends it. */
  async close(): Promise<void> {
    this.lane.stop();
    this.server.closeAllConnections();
    await new Promise(resolve => this.server.close(resolve));
    vi.useRealTimers();
  }

  /** A new connection. */
  connect(): MemorySocket {
    const socket = new MemorySocket();
    this.server.emit('connection', socket);
    return socket;
  }

  /** Answers what waits for the lane. */
  async answerAll(text = '[lane]'): Promise<void> {
    for (const { transport } of this.waiting.splice(0)) transport.send(200, 'text/plain', text);
    await turns();
  }
}

/** Lets the server do what it does without waiting for anybody. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
}

/** Lets bytes arrive in pieces. */
export async function feed(socket: MemorySocket, ...pieces: string[]): Promise<void> {
  for (const piece of pieces) socket.feed(Buffer.from(piece));
  await turns();
}

/** A request that the lane takes, unless the lines say otherwise. */
export function request(body: string, ...lines: string[]): string {
  return ['POST / HTTP/1.1', ...lines, `content-length: ${body.length}`, '', body].join('\r\n');
}

/** A GET that the lane takes, unless the lines say otherwise. */
export function getRequest(query: string, ...lines: string[]): string {
  return [`GET /places?${query} HTTP/1.1`, ...lines, '', ''].join('\r\n');
}

/** What was answered by whom. */
export function bodiesOf({ answer }: MemorySocket): string[] {
  return answer.match(/\[[^\]]*\]/g) ?? [];
}

function echo(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', chunk => chunks.push(chunk)).on('end', () => response.end(`[node ${Buffer.concat(chunks)}]`));
}
