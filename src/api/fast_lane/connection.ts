// One connection in the fast lane: it collects the bytes of a request, has it answered, writes the reply, and starts
// again. There is one request at a time, so the connection itself is the request's transport.
//
//   reading ---- whole request ----> answering ---- reply ----> reading
//      | |--- reply that does not fit into the socket ---> draining ---- drained ----> reading
//      |                                 '--- reply that ends the connection ---> ended
//      '--- anything else ---> handedOff: to node:http, with every byte ---- reply ----> reading
//                                '--- anything but one request and its reply ---> ended: at node:http for good
//
// Bytes that arrive before the reply is written are kept, and handed over behind it.

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ClientAddress } from '../transport/client_address.ts';
import { LINES_FOR_PAGES } from '../transport/cors.ts';
import type { Query, Transport } from '../transport/transport.ts';
import { Handover } from './handover.ts';
import { HEAD_BYTES_MAX, type HeadReader, type Target, type Targets } from './head.ts';

/** What connections share. */
export interface Lane {
  readonly head: HeadReader;
  readonly targets: Targets;
  readonly replies: ReplyWriter;
  /** Finds the client behind proxies. */
  readonly clientAddress: ClientAddress;
  /** Seconds since the lane was opened. */
  readonly seconds: number;
  readonly isStopping: boolean;
  /** False for a `GET` that is for node:http. */
  takes(url: string): boolean;
  /** Parses a body. @throws what the answer to the request must be */
  parse(body: Buffer): unknown;
  /** Answers a request. @param received its body as sent; undefined for a `GET` */
  answer(transport: Transport, received: Buffer | undefined, body: unknown): void;
  /** Hands a socket over to node:http. */
  handOver(socket: Socket): void;
  /** Forgets a connection, which has ended or is at node:http for good. */
  forget(connection: Connection): void;
}

/** A request in more pieces goes to node:http: the head is read from its beginning with each of them. */
const PIECES_MAX = 16;
const NO_EXTRAS = { lines: '', isLast: false };
const EXTRAS_FOR_PAGES = { lines: LINES_FOR_PAGES, isLast: false };

/** A socket that the lane reads. */
export class Connection implements Transport {
  readonly socket: Socket;
  readonly keyInPath = undefined;
  /** Of the last request. */
  method: 'POST' | 'GET' = 'POST';
  languages: string | undefined;
  keyInFields: string | undefined;
  private readonly lane: Lane;
  private state: 'reading' | 'answering' | 'draining' | 'handedOff' | 'ended' = 'reading';
  /** A begun request, or the bytes behind the one that is being answered. */
  private received: Buffer | undefined;
  private pieces = 0;
  /** Of the last request. */
  private target: Target | undefined;
  /** The bytes of the request that is being answered. */
  private request: Buffer | undefined;
  /** Of the last request: it carries a field that proxies add. */
  isForwarded = false;
  private extras = NO_EXTRAS;
  /** A request has been answered, here or by node:http. */
  private hasAnswered = false;
  /**
   * What node:http has of the socket; undefined until the first request that the lane does not take. Node:http keeps
   * it, paused, while the lane answers.
   */
  private handover: Handover | undefined;
  /** When the connection was made, its begun request arrived, or its last reply was written; in seconds of the lane. */
  private since: number;

  constructor(lane: Lane, socket: Socket) {
    this.lane = lane;
    this.socket = socket;
    this.since = lane.seconds;
    socket
      .on('data', this.onData)
      .on('end', this.onEnd)
      .on('drain', this.onDrain)
      .on('error', this.onError)
      .on('close', this.onClose);
  }

  get url(): string {
    return this.target!.url;
  }

  get query(): Query {
    return this.target!.query;
  }

  get loggedUrl(): string {
    return this.target!.loggedUrl;
  }

  get address(): string | undefined {
    const { remoteAddress } = this.socket;
    return this.isForwarded ? this.lane.clientAddress(remoteAddress, this.field('x-forwarded-for')) : remoteAddress;
  }

  field(name: string): string | undefined {
    return this.request === undefined ? undefined : fieldIn(this.request, name);
  }

  get isStopping(): boolean {
    return this.lane.isStopping;
  }

  /** Seconds for which the client has owed its first request, or the rest of one; undefined when it owes nothing. */
  get awaitedSeconds(): number | undefined {
    return this.state === 'reading' && !this.isIdle ? this.lane.seconds - this.since : undefined;
  }

  /** Seconds since the last reply; undefined if it is not the last thing that happened. */
  get idleSeconds(): number | undefined {
    return this.isIdle ? this.lane.seconds - this.since : undefined;
  }

  setHeader(name: string, value: string | number): void {
    const { lines, isLast } = this.extras;
    this.extras = { lines: `${lines}${name}: ${value}\r\n`, isLast: isLast || name === 'connection' };
  }

  send(status: number, contentType: string, body: string): void {
    const { socket, extras } = this;
    this.extras = NO_EXTRAS;
    this.request = undefined;
    if (!socket.writable) {
      this.end();
      socket.destroy();
      return;
    }
    const length = Buffer.byteLength(body);
    const text = this.lane.replies.headOf(status, extras, contentType, length) + body;
    const hasRoom = socket.write(text, length === body.length ? 'latin1' : 'utf8');
    this.since = this.lane.seconds;
    this.hasAnswered = true;
    if (extras.isLast || this.lane.isStopping) {
      this.end();
      socket.destroySoon();
    } else if (this.received !== undefined) this.handOver(this.received);
    else if (hasRoom) this.state = 'reading';
    else {
      this.state = 'draining';
      socket.pause();
    }
  }

  sendFault(fault: Error): void {
    const body = { statusCode: 500, error: 'Internal Server Error', message: fault.message };
    this.send(500, 'application/json; charset=utf-8', JSON.stringify(body));
  }

  /** Hands the connection over to node:http for good, with the bytes of a begun request. */
  handOffPartial(): void {
    this.handOver(this.received, true);
  }

  /** Notes that node:http has read the head of a request, which is answered by `response`. */
  follow(request: IncomingMessage, response: ServerResponse): void {
    const { handover } = this;
    if (this.state !== 'handedOff') return;
    if (!handover!.follow(request)) {
      this.leave();
      return;
    }
    // Behind node:http's own listener, which frees the socket for the next request.
    response.once('finish', () => {
      if (this.state !== 'handedOff') return;
      if (request.complete && handover!.hasNothingMore) this.reclaim();
      else this.leave();
    });
  }

  /**
   * Ends the connection as the server stops: at once between two requests, and behind a reply on its way. A begun
   * request goes to node:http.
   */
  stop(): void {
    if (this.isIdle) this.socket.destroy();
    else if (this.state === 'reading') this.handOffPartial();
    else if (this.state !== 'handedOff') {
      // As it ends, node:http destroys the sockets on which it has no request.
      this.handover?.release();
      this.handover = undefined;
      if (this.state === 'draining') this.socket.destroySoon();
    }
  }

  private readonly onData = (chunk: Buffer): void => {
    if (this.state === 'reading') this.read(chunk);
    else if (this.state === 'handedOff') this.handover!.give(chunk);
    else if (this.state !== 'ended') {
      this.received = this.received === undefined ? chunk : Buffer.concat([this.received, chunk]);
      this.socket.pause();
    }
  };

  /** Reads what has arrived of a request. */
  private read(chunk: Buffer): void {
    const { head } = this.lane;
    const bytes = this.received === undefined ? chunk : Buffer.concat([this.received, chunk]);
    const verdict = head.read(bytes);
    const missing = verdict === 'accepted' ? head.bodyStart + head.bodyLength - bytes.length : HEAD_BYTES_MAX;
    if (verdict === 'refused' || missing < 0) this.handOver(bytes);
    else if (missing === 0) this.begin(bytes);
    else if (this.pieces === PIECES_MAX) this.handOver(bytes);
    else {
      if (this.received === undefined) this.since = this.lane.seconds;
      this.received = bytes;
      this.pieces++;
    }
  }

  /** Begins to answer the request, which `bytes` hold in whole. */
  private begin(bytes: Buffer): void {
    const { lane } = this;
    const { head } = lane;
    const target = lane.targets.read(bytes, head.targetStart, head.targetEnd, this.target, head.isGet);
    if (target === undefined || (head.isGet && !lane.takes(target.url))) {
      this.handOver(bytes);
      return;
    }
    const received = head.isGet ? undefined : bytes.subarray(head.bodyStart);
    let body: unknown;
    try {
      if (received !== undefined) body = lane.parse(received);
    } catch {
      // Fastify parses it again and answers the error.
      this.handOver(bytes);
      return;
    }
    this.target = target;
    this.request = bytes;
    this.method = head.isGet ? 'GET' : 'POST';
    this.languages = head.languagesIn(bytes);
    this.isForwarded = head.isForwarded;
    this.keyInFields = head.keyIn(bytes);
    if (head.isGet || head.hasOrigin) this.extras = EXTRAS_FOR_PAGES;
    this.received = undefined;
    this.pieces = 0;
    this.state = 'answering';
    lane.answer(this, received, body);
  }

  /** Between two requests. */
  private get isIdle(): boolean {
    return this.state === 'reading' && this.received === undefined && this.hasAnswered;
  }

  /** The client sends nothing more. As under node:http, it then gets no reply that is not written yet. */
  private readonly onEnd = (): void => {
    if (this.state === 'handedOff') this.handover!.forwardEnd();
    else if (this.received === undefined) this.socket.end();
    else if (this.state === 'reading') this.handOver(this.received);
  };

  private readonly onDrain = (): void => {
    if (this.state !== 'draining') return;
    this.since = this.lane.seconds;
    if (this.received !== undefined) this.handOver(this.received);
    else {
      this.state = 'reading';
      this.socket.resume();
    }
  };

  /** Node destroys the socket, and `close` follows. Nobody is there to be told. */
  private readonly onError = (): void => {};

  private readonly onClose = (): void => this.end();

  private end(): void {
    this.state = 'ended';
    this.received = undefined;
    this.lane.forget(this);
  }

  /** Hands over what has arrived, and the connection with it: for good, or until the request is answered. */
  private handOver(bytes: Buffer | undefined, isForGood = this.lane.isStopping): void {
    const { socket } = this;
    this.state = 'handedOff';
    this.received = undefined;
    this.pieces = 0;
    if (this.handover === undefined) {
      socket.off('data', this.onData).off('end', this.onEnd);
      this.handover = new Handover(socket, taken => this.lane.handOver(taken));
      socket.on('data', this.onData).on('end', this.onEnd);
      this.handover.pause();
    }
    const { handover } = this;
    if (!handover.begin(bytes) || isForGood) this.leave();
    // Does nothing unless the lane has paused it.
    socket.resume();
    if (bytes !== undefined) handover.give(bytes);
    // It has ended in front of these bytes, and does not end again.
    if (socket.readableEnded) handover.forwardEnd();
  }

  /** The request at node:http is answered, and nothing else is there. */
  private reclaim(): void {
    const { socket, lane } = this;
    if (!socket.writable || socket.readableEnded || socket.isPaused() || lane.isStopping) {
      this.leave();
      return;
    }
    this.state = 'reading';
    this.hasAnswered = true;
    this.since = lane.seconds;
    this.handover!.rest();
  }

  /** Leaves the connection to node:http for good. */
  private leave(): void {
    const { socket } = this;
    this.end();
    this.handover!.resume();
    socket
      .off('data', this.onData)
      .off('end', this.onEnd)
      .off('drain', this.onDrain)
      .off('close', this.onClose)
      .off('error', this.onError);
  }
}

/**
 * The value of a field in a head that was accepted; of one that is repeated, the values with commas between, as
 * node:http has them. @param bytes of the whole request @param name in lower case
 */
function fieldIn(bytes: Buffer, name: string): string | undefined {
  const lines = bytes.toString('latin1', 0, bytes.indexOf('\r\n\r\n')).split('\r\n').slice(1);
  const values = lines.filter(line => line.slice(0, line.indexOf(':')).toLowerCase() === name);
  return values.length === 0 ? undefined : values.map(line => line.slice(name.length + 1).trim()).join(', ');
}

/** Headers of a route that are not in every reply. */
interface ExtraHeaders {
  /** Lines in their order, each with its end. */
  readonly lines: string;
  /** One of them ends the connection, so Node's own are left out. */
  readonly isLast: boolean;
}

/**
 * Writes replies, byte for byte as `node:http` does under Fastify: the route's headers in their order and in lower
 * case, then Node's own.
 */
export class ReplyWriter {
  private readonly keepAlive: string;
  private second = 0;
  private dateLine = '';

  /** @param keepAliveMilliseconds how long an idle connection stays open */
  constructor(keepAliveMilliseconds: number) {
    this.keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMilliseconds / 1000)}\r\n`;
  }

  /** The head of a reply. @param length of the body, bytes */
  headOf(status: number, { lines, isLast }: ExtraHeaders, contentType: string, length: number): string {
    const connection = isLast ? '' : this.keepAlive;
    return (
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}content-type: ${contentType}\r\ncontent-length: ` +
      `${length}\r\n${this.dateNow()}${connection}\r\n`
    );
  }

  /** The Date header, made once a second. */
  private dateNow(): string {
    const now = Date.now();
    const second = Math.floor(now / 1000);
    if (second !== this.second) {
      this.second = second;
      this.dateLine = `Date: ${new Date(now).toUTCString()}\r\n`;
    }
    return this.dateLine;
  }
}
