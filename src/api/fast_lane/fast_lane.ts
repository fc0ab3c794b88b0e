// The fast lane: requests of one strict form are read by hand, from the socket to the reply, in front of `node:http`.
// Fastify and `node:http` take more processor time for a request than everything else does for a small one, and most of
// it is for what such a request does not have.
//
// The lane takes the place of `node:http` in the server's list of listeners for new connections. It reads a request
// only if the head is of the strict form (head.ts), its query is plain, its body parses and nothing
// follows it. At the first byte that says otherwise, `node:http` gets the socket with every byte. So limits, errors and
// rare forms are Node's and Fastify's own. When it has answered the request, the lane reads the next one
// (connection.ts). What the lane answers itself looks the same; the differential fuzz (test/fuzz/streams.ts) holds one
// against the other.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ClientAddress } from '../transport/client_address.ts';
import type { Transport } from '../transport/transport.ts';
import { Connection, type Lane, ReplyWriter } from './connection.ts';
import { HeadReader, type LanePaths, Targets } from './head.ts';

/** The server behind the lane, and the routes in front of it. */
export interface FastLaneOptions {
  server: Server;
  /** Sockets are of TLS. */
  isSecure: boolean;
  /** The paths of the routes. Answers to a `GET` let pages of any origin read them. */
  paths: LanePaths;
  /** False for a `GET` that is for Fastify, whatever its path. @param url path and query as sent */
  takes(url: string): boolean;
  /** Requests may carry what proxies add. If not, they go to `node:http`, which knows the address of their client. */
  takesForwarded: boolean;
  /** Finds the client behind proxies. */
  clientAddress: ClientAddress;
  /** Parses a body. @throws Error when the request must be refused */
  parse(body: Buffer): unknown;
  /** Answers a request. @param received the body as sent; undefined for a `GET` @param body the same, parsed */
  answer(transport: Transport, received: Buffer | undefined, body: unknown): void;
}

/** How often time limits are checked. */
const CHECK_MILLISECONDS = 1_000;
/** What Node 22.19 and later add to the time that a client is told; before that a server says nothing of it. */
const KEEP_ALIVE_BUFFER_MILLISECONDS = 1_000;

/** The fast lane of a server. */
export class FastLane implements Lane {
  readonly head: HeadReader;
  readonly targets = new Targets();
  readonly replies: ReplyWriter;
  readonly takes: FastLaneOptions['takes'];
  readonly clientAddress: ClientAddress;
  readonly parse: FastLaneOptions['parse'];
  readonly answer: FastLaneOptions['answer'];
  seconds = 0;
  private readonly server: Server;
  private readonly listeners: readonly ((socket: Socket) => void)[];
  private readonly connections = new Map<Socket, Connection>();
  private readonly checking: NodeJS.Timeout;
  private isStopped = false;

  /** Opens the lane. The server's time limits must be set. */
  constructor({ server, isSecure, paths, takesForwarded, takes, clientAddress, parse, answer }: FastLaneOptions) {
    const event = isSecure ? 'secureConnection' : 'connection';
    this.server = server;
    this.head = new HeadReader(paths, takesForwarded);
    this.replies = new ReplyWriter(server.keepAliveTimeout);
    this.takes = takes;
    this.clientAddress = clientAddress;
    this.parse = parse;
    this.answer = answer;
    this.listeners = server.listeners(event) as ((socket: Socket) => void)[];
    server.removeAllListeners(event);
    server.on(event, (socket: Socket) => this.accept(socket));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.connections.get(request.socket)?.follow(request, response);
    });
    this.checking = setInterval(() => this.check(), CHECK_MILLISECONDS).unref();
  }

  get isStopping(): boolean {
    return this.isStopped || !this.server.listening;
  }

  handOver(socket: Socket): void {
    for (const listener of this.listeners) listener.call(this.server, socket);
  }

  forget(connection: Connection): void {
    this.connections.delete(connection.socket);
  }

  /**
   * Takes no more connections and ends those that it has. A request under way is answered, and its reply ends the
   * connection.
   */
  stop(): void {
    this.isStopped = true;
    clearInterval(this.checking);
    for (const connection of [...this.connections.values()]) connection.stop();
  }

  private accept(socket: Socket): void {
    if (this.isStopped) this.handOver(socket);
    else this.connections.set(socket, new Connection(this, socket));
  }

  /** Ends connections that have taken too long, as node:http would. */
  private check(): void {
    this.seconds += CHECK_MILLISECONDS / 1000;
    const { headersTimeout, keepAliveTimeout, keepAliveTimeoutBuffer = KEEP_ALIVE_BUFFER_MILLISECONDS } = this.server;
    for (const connection of [...this.connections.values()]) {
      const { socket, awaitedSeconds = 0, idleSeconds = 0 } = connection;
      if (awaitedSeconds * 1000 > headersTimeout) {
        connection.handOffPartial();
        this.server.emit(
          'clientError',
          Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
          socket,
        );
      }
      if (idleSeconds * 1000 > keepAliveTimeout + keepAliveTimeoutBuffer) socket.destroy();
    }
  }
}
