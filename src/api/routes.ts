// Makes routes of Fastify from the functions that answer requests: a request in the form that these use, and the way
// of their answer, whole or in parts.

import type { OutgoingHttpHeaders } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DialectName } from '../config/dialects.ts';
import type { Wording } from '../protocol/errors.ts';
import type { Operation } from '../protocol/openapi/operations.ts';
import { withoutKey } from '../tables/requests/record.ts';
import type { BodyHold } from './body_memory.ts';
import { type Answer, Exchange, type RouteContext, type RouteName, respond } from './exchange.ts';
import {
  API_KEY_FIELD,
  AUTHORIZATION_FIELD,
  FORWARDING_FIELDS,
  keyInFields,
  loggedUrlOf,
  type Query,
  SUBSCRIPTION_KEY_FIELD,
  type Transport,
} from './transport/transport.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as received and inflated; null without one. */
    bytes: Buffer | null;
    /** Counts the memory of the body; null without one. */
    hold: BodyHold | null;
  }
}

/**
 * Answers a request. @param body parsed JSON, or the bytes of a large body @throws ApiError, or Error for a fault of
 * ours
 */
type Handler<A> = (context: RouteContext, exchange: Exchange, body: unknown) => Promise<A>;

/** Answers a request that Fastify has read. */
export type FastifyHandler = (request: FastifyRequest, reply: FastifyReply) => void;

/** A route of the public address. */
export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** How bodies are read (server.ts). Pages of others may ask all routes but those that have `none`. */
  readonly body: 'position' | 'positions' | 'places' | 'submission' | 'none';
  /** What the OpenAPI document says of it. */
  readonly operation: Operation;
  /** Makes its handler. @param dialects that are on */
  serve(context: RouteContext, dialects: readonly DialectName[]): FastifyHandler;
}

/** The handler of a request to one of our own paths that is meant for a dialect; undefined for all others. */
export type Instead = (request: FastifyRequest) => FastifyHandler | undefined;

/** The exchange of a request that Fastify has read. */
export function exchangeOf(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  name: RouteName,
  wording?: Wording,
): Exchange {
  const exchange = new Exchange(
    context,
    new FastifyTransport(request, reply, name !== 'other'),
    name,
    request.bytes ?? undefined,
    wording,
  );
  exchange.hold = request.hold ?? undefined;
  return exchange;
}

/** Makes a route of its handler. Fastify is given no promise: the answer leaves by `replies`. */
export function routeOf(
  context: RouteContext,
  name: RouteName,
  answer: Handler<Answer>,
  wording?: Wording,
): FastifyHandler {
  return (request, reply) => {
    const exchange = exchangeOf(context, request, reply, name, wording);
    void respond(exchange, answer(context, exchange, request.body ?? {}));
  };
}

/** The same for a handler that may answer in parts. They are not kept, so the log holds their summary. */
export function partsRouteOf(context: RouteContext, name: RouteName, answer: Handler<Answer | AnswerParts>) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const exchange = exchangeOf(context, request, reply, name);
    const withParts = async (): Promise<void> => {
      try {
        const answered = await answer(context, exchange, request.body ?? {});
        if (typeof answered === 'string' || 'reason' in answered) exchange.answer(answered);
        else sendParts(exchange, reply, answered);
      } catch (error) {
        exchange.failBy(error);
      }
    };
    void withParts();
  };
}

function sendParts(exchange: Exchange, reply: FastifyReply, parts: AnswerParts): void {
  exchange.nameInHeader();
  streamParts(reply, exchange.contentType, parts, summary => {
    exchange.body = summary;
    exchange.sent();
  });
}

/** A request that Fastify has read, and its reply. */
class FastifyTransport implements Transport {
  private readonly request: FastifyRequest;
  private readonly reply: FastifyReply;
  private readonly isRouted: boolean;

  /** @param isRouted false where no route matched: the log then keeps all parameters */
  constructor(request: FastifyRequest, reply: FastifyReply, isRouted: boolean) {
    this.request = request;
    this.reply = reply;
    this.isRouted = isRouted;
  }

  get method(): string {
    return this.request.method;
  }

  get url(): string {
    return this.request.raw.url ?? '';
  }

  get query(): Query {
    return this.request.query as Query;
  }

  get keyInPath(): string | undefined {
    return this.request.raw.keyInPath;
  }

  get keyInFields(): string | undefined {
    const {
      [API_KEY_FIELD]: apiKey,
      [SUBSCRIPTION_KEY_FIELD]: subscriptionKey,
      [AUTHORIZATION_FIELD]: authorization,
    } = this.request.headers;
    // Node joins a repeated field to one text, which is no key.
    return keyInFields((apiKey || subscriptionKey) as string | undefined, authorization);
  }

  field(name: string): string | undefined {
    const value = this.request.headers[name];
    return typeof value === 'string' ? value : undefined;
  }

  get languages(): string | undefined {
    return this.request.headers['accept-language'];
  }

  get address(): string | undefined {
    return this.request.ip;
  }

  get isForwarded(): boolean {
    return FORWARDING_FIELDS.some(name => this.request.headers[name] !== undefined);
  }

  get loggedUrl(): string {
    const isPlain = this.isRouted && this.keyInPath === undefined && this.request.query !== undefined;
    return isPlain ? loggedUrlOf(this.url, this.query) : withoutKey(this.request.originalUrl);
  }

  get isStopping(): boolean {
    return !this.reply.server.server.listening;
  }

  setHeader(name: string, value: string | number): void {
    this.reply.header(name, value);
  }

  send(status: number, contentType: string, body: string): void {
    this.reply.code(status).header('content-type', contentType).send(body);
  }

  sendFault(fault: Error): void {
    this.reply.send(fault);
  }
}

/** An answer in parts, which are sent as they are made, so the whole is never held in memory. */
export interface AnswerParts {
  parts: AsyncIterable<string>;
  /** The text for the log. Called once the answer has ended, for whatever reason. */
  summary(): string;
}

/**
 * Sends the parts with status 200 as they come, until the client disconnects, even before the first. Fastify would
 * treat that as a fault of ours.
 * @param ended called with the text for the log
 */
function streamParts(
  reply: FastifyReply,
  contentType: string,
  { parts, summary }: AnswerParts,
  ended: (summary: string) => void,
): void {
  const { raw, server, request } = reply;
  const end = (): void => {
    ended(summary());
    // When the server stops, nothing else ends a connection that was busy at that moment.
    if (!server.server.listening) request.raw.socket.end();
  };
  reply.hijack();
  if (raw.destroyed) end();
  else {
    raw.writeHead(200, { ...(reply.getHeaders() as OutgoingHttpHeaders), 'content-type': contentType });
    pipeline(Readable.from(parts), raw, end);
  }
}
