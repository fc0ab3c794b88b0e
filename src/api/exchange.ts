// One request from its arrival to its line in the log. A route is an async function of the request (`Handler`), and what it returns is the answer: the text
// of a success, an error of the table, or parts that leave as they are made. What it throws is an error as well. Answers leave at the end of the tick
// (replies.ts), and the log follows.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, ERRORS, type ErrorRow, errorBody } from '../protocol/errors.ts';
import type { Account } from '../tables/accounts/account_record.ts';
import { LOG_ROUTES, type LogEntry, withoutKey } from '../tables/requests/record.ts';
import { LOG_HALF_FULL } from '../tables/requests/ring.ts';
import type { RouteContext } from './context.ts';
import { type AnswerParts, streamParts } from './parts.ts';
import type { Reply } from './replies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Body as received, after inflation; null without one. */
    bytes: Buffer | null;
  }
}

/** Query parameters of any route; a repeated one is an array. */
export type Query = Record<string, string | string[] | undefined>;

/** Name of a route in the log. */
type RouteName = (typeof LOG_ROUTES)[number];

/** What a route answers. */
export type Answer = string | ErrorRow | AnswerParts;

/** A route: answers `body`, the parsed JSON of the request, or its bytes where it is large. @throws ApiError, or Error for a fault of ours */
type Handler = (context: RouteContext, exchange: Exchange, body: unknown) => Promise<Answer>;

/** Parameters that the log holds in fields of their own, or must not hold. */
const LOGGED_APART = new Set(['key', 'id', 'nr']);

/** How a route writes its answers. */
export interface Wording {
  contentType: string;
  error(row: ErrorRow, logId: number, message?: string): string;
}

const JSON_WORDING: Wording = { contentType: 'application/json; charset=utf-8', error: errorBody };

/** Makes a route of its handler. Fastify is given no promise: the answer leaves by `replies`. */
export function routeOf(context: RouteContext, name: RouteName, answer: Handler, wording?: Wording) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const exchange = new Exchange(context, request, reply, name, wording);
    void respond(exchange, answer(context, exchange, request.body ?? {}));
  };
}

async function respond(exchange: Exchange, answering: Promise<Answer>): Promise<void> {
  try {
    const answer = await answering;
    if (typeof answer === 'string') exchange.succeed(answer);
    else if ('reason' in answer) exchange.fail(answer);
    else exchange.succeedInParts(answer);
  } catch (error) {
    exchange.failBy(error);
  }
}

/** A request on its way, and all that its line in the log will hold. */
export class Exchange implements Reply {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Arrival, milliseconds since 1970. */
  readonly timeMs = Date.now();
  /** Who asks, once that is known (admission.ts). */
  account: Account | undefined;
  deviceId: string | undefined;
  /** Number that the device gave the request. */
  nr: number | undefined;
  status = 200;
  body = '';
  private logId = 0;
  private readonly startedMs = performance.now();
  private readonly context: RouteContext;
  private readonly route: RouteName;
  private readonly wording: Wording;

  constructor(context: RouteContext, request: FastifyRequest, reply: FastifyReply, route: RouteName, wording: Wording = JSON_WORDING) {
    this.context = context;
    this.request = request;
    this.reply = reply;
    this.route = route;
    this.wording = wording;
  }

  get contentType(): string {
    return this.wording.contentType;
  }

  /** Number of the request in the log, for an answer that names it; taken when the answer is made, so that numbers rise in the log. */
  takeLogId(): number {
    if (this.logId === 0) this.logId = this.context.logIds.next();
    return this.logId;
  }

  /** Answers with a text, under the status that is set. */
  succeed(text: string): void {
    this.takeLogId();
    this.body = text;
    this.context.replies.push(this);
  }

  /** Answers with an error. */
  fail(row: ErrorRow, message?: string): void {
    if (row === ERRORS.backendError) this.reply.header('retry-after', 1);
    this.status = row.status;
    this.succeed(this.wording.error(row, this.takeLogId(), message));
  }

  /** Answers with the error that an exception stands for; what is no ApiError is a fault of ours, and logged as one. */
  failBy(error: unknown): void {
    const { row, message } = error instanceof ApiError ? error : new ApiError(ERRORS.internalError);
    if (!(error instanceof ApiError)) this.context.onError((error as Error).stack ?? String(error));
    try {
      this.fail(row, message);
    } catch (fault) {
      // There is no log id left: Fastify says so in its own words.
      this.reply.send(fault);
    }
  }

  /** Answers with parts; the log holds what they say of themselves at their end, since they are not kept. */
  succeedInParts(parts: AnswerParts): void {
    this.takeLogId();
    streamParts(this, parts, summary => {
      this.body = summary;
      this.sent();
    });
  }

  /** After the reply: the request log. */
  sent(): void {
    logRequest(this.context, {
      logId: this.logId,
      timeMs: this.timeMs,
      latencyUs: (performance.now() - this.startedMs) * 1000,
      status: this.status,
      route: LOG_ROUTES.indexOf(this.route),
      accountId: this.account?.id ?? 0,
      nr: this.nr,
      deviceId: this.deviceId,
      query: loggedQuery(this.request, this.route),
      request: this.request.bytes ?? undefined,
      response: this.body,
    });
  }
}

/** Logs a request whose answer is on its way. */
export function logRequest(context: RouteContext, entry: LogEntry): void {
  if (context.log.push(entry) === LOG_HALF_FULL) context.signalLog();
}

/** The segment behind `/k/`. */
export function keyInPath({ params }: FastifyRequest): string | undefined {
  return (params as { key?: string } | undefined)?.key;
}

/** Path and query of a request. The log never holds the key, nor parameters that have fields of their own there. @param route `other` is what matched no route: its parameters are nobody's */
function loggedQuery(request: FastifyRequest, route: RouteName): string {
  const url = request.raw.url ?? '';
  if (keyInPath(request) !== undefined) return withoutKey(url);
  const query = request.query as object | undefined;
  if (query !== undefined && route !== 'other' && Object.keys(query).every(name => LOGGED_APART.has(name))) {
    const end = url.indexOf('?');
    return end < 0 ? url : url.slice(0, end);
  }
  return withoutKey(url);
}
