// One request, from its arrival to its line in the log. A route is an async function of the request (`Handler`). It returns the answer: the text of a success,
// a row of the error table, or parts that are sent as they are made. It may also throw an error. Answers are sent at the end of the tick (replies.ts); the
// log entry follows.

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
    /** The body as received and inflated; null without one. */
    bytes: Buffer | null;
  }
}

/** Query parameters of any route; a repeated one is an array. */
export type Query = Record<string, string | string[] | undefined>;

/** Name of a route in the log. */
type RouteName = (typeof LOG_ROUTES)[number];

/** What a route answers. */
export type Answer = string | ErrorRow | AnswerParts;

/** A route. @param body parsed JSON, or the bytes of a large body @throws ApiError, or Error for a fault of ours */
type Handler = (context: RouteContext, exchange: Exchange, body: unknown) => Promise<Answer>;

/** Parameters that have their own fields in the log, or must not be in it. */
const LOGGED_APART = new Set(['key', 'id', 'nr']);

/** The content type of a route's answers, and the form of its errors. */
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

/** A request under way, with everything that its log entry will hold. */
export class Exchange implements Reply {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Arrival, milliseconds since 1970. */
  readonly timeMs = Date.now();
  /** The account, once it is known (admission.ts). */
  account: Account | undefined;
  deviceId: string | undefined;
  /** The device's own number of the request. */
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

  /** The request's number in the log, for an answer that names it. It is taken when the answer is made, so numbers rise in the log. */
  takeLogId(): number {
    if (this.logId === 0) this.logId = this.context.logIds.next();
    return this.logId;
  }

  /** Answers with a text and the current status. */
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

  /** Answers with the error that was thrown. Anything but an ApiError is a fault of ours and is logged. */
  failBy(error: unknown): void {
    const { row, message } = error instanceof ApiError ? error : new ApiError(ERRORS.internalError);
    if (!(error instanceof ApiError)) this.context.onError((error as Error).stack ?? String(error));
    try {
      this.fail(row, message);
    } catch (fault) {
      // There are no log ids left: Fastify answers in its own form.
      this.reply.send(fault);
    }
  }

  /** Answers with parts. They are not kept, so the log holds their summary. */
  succeedInParts(parts: AnswerParts): void {
    this.takeLogId();
    streamParts(this, parts, summary => {
      this.body = summary;
      this.sent();
    });
  }

  /** Logs the request after its reply. */
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

/** Writes an entry to the request log. */
export function logRequest(context: RouteContext, entry: LogEntry): void {
  if (context.log.push(entry) === LOG_HALF_FULL) context.signalLog();
}

/** The path segment after `/k/`. */
export function keyInPath({ params }: FastifyRequest): string | undefined {
  return (params as { key?: string } | undefined)?.key;
}

/** Path and query for the log, without the key and without parameters that have their own fields. @param route `other` where no route matched: all parameters stay */
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
