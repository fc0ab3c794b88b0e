// One request, from its arrival to its line in the log. A route is an async function of the request. It returns the
// answer: the text of a success or a row of the error table; routes of Fastify may also return parts that are sent as
// they are made (routes.ts). It may also throw an error. Answers are sent at the end of the tick (replies.ts); the log
// entry follows.

import { STRAY_SECONDS } from '../accounts/counters.ts';
import { ApiError, ERRORS, type ErrorRow, errorBody } from '../protocol/errors.ts';
import type { Account } from '../tables/accounts/account_record.ts';
import { LOG_ROUTES, type LogEntry } from '../tables/requests/record.ts';
import { LOG_HALF_FULL } from '../tables/requests/ring.ts';
import type { BodyHold } from './body_memory.ts';
import type { RouteContext } from './context.ts';
import type { AccessLog } from './transport/access_log.ts';
import { LOG_ID_HEADER } from './transport/cors.ts';
import type { Transport } from './transport/transport.ts';

/** Name of a route in the log. */
export type RouteName = (typeof LOG_ROUTES)[number];

/** What a route answers. */
export type Answer = string | ErrorRow;

/** The content type of a route's answers, and the form of its errors. */
export interface Wording {
  contentType: string;
  /** @param asker has the number of the request in the log, for an error that names it */
  error(row: ErrorRow, asker: Pick<Exchange, 'takeLogId'>, message?: string): string;
}

const JSON_WORDING: Wording = {
  contentType: 'application/json; charset=utf-8',
  error: (row, asker, message) => errorBody(row, asker.takeLogId(), message),
};

/** A request under way, with everything that its log entry will hold. */
export class Exchange {
  readonly transport: Transport;
  /** Arrival, milliseconds since 1970. */
  readonly timeMs = Date.now();
  /** The account, once it is known (admission.ts). */
  account: Account | undefined;
  deviceId: string | undefined;
  /** The device's own number of the request. */
  nr: number | undefined;
  status = 200;
  /** Price of the answer, known once it is charged. */
  credits = 0;
  contentType: string;
  body = '';
  /** Counts the memory of a body that may be large. */
  hold: BodyHold | undefined;
  private logId = 0;
  private readonly startedMs = performance.now();
  private readonly context: RouteContext;
  private readonly route: RouteName;
  private readonly received: Uint8Array | undefined;
  private readonly wording: Wording;

  /** @param received the body as received and inflated; undefined without one */
  constructor(
    context: RouteContext,
    transport: Transport,
    route: RouteName,
    received: Uint8Array | undefined,
    wording: Wording = JSON_WORDING,
  ) {
    this.context = context;
    this.transport = transport;
    this.route = route;
    this.received = received;
    this.wording = wording;
    this.contentType = wording.contentType;
  }

  /** The parameter `explain`, as sent. */
  get explain(): unknown {
    return this.transport.query.explain;
  }

  /**
   * The request's number in the log, for an answer that names it. It is taken when the answer is made, so numbers rise
   * in the log.
   */
  takeLogId(): number {
    if (this.logId === 0) this.logId = this.context.logIds.next();
    return this.logId;
  }

  /** Answers with what a route returned. */
  answer(answer: Answer): void {
    if (typeof answer === 'string') this.succeed(answer);
    else this.fail(answer);
  }

  /** Answers with an error. */
  fail(row: ErrorRow, message?: string): void {
    if (row === ERRORS.backendError) this.transport.setHeader('retry-after', 1);
    if (row === ERRORS.strayLimitExceeded) this.transport.setHeader('retry-after', STRAY_SECONDS);
    this.status = row.status;
    this.context.counts.countRefusal(row);
    this.succeed(this.wording.error(row, this, message));
  }

  /** Answers with the error that was thrown. Anything but an ApiError is a fault of ours and is logged. */
  failBy(error: unknown): void {
    const { row, message } = error instanceof ApiError ? error : new ApiError(ERRORS.internalError);
    if (!(error instanceof ApiError)) this.context.onError((error as Error).stack ?? String(error));
    try {
      this.fail(row, message);
    } catch (fault) {
      // There are no log ids left.
      this.transport.sendFault(fault as Error);
      this.hold?.release();
    }
  }

  /** Logs the request after its reply. */
  sent(): void {
    const latencyUs = (performance.now() - this.startedMs) * 1000;
    if (this.context.access !== undefined) this.logAccess(this.context.access, latencyUs);
    logRequest(this.context, {
      logId: this.logId,
      timeMs: this.timeMs,
      latencyUs,
      status: this.status,
      route: LOG_ROUTES.indexOf(this.route),
      accountId: this.account?.id ?? 0,
      credits: this.credits,
      nr: this.nr,
      deviceId: this.deviceId,
      query: this.transport.loggedUrl,
      request: this.received,
      response: this.body,
    });
    this.hold?.release();
  }

  private logAccess(log: AccessLog, latencyUs: number): void {
    const { address, method, loggedUrl: url } = this.transport;
    const { timeMs, status, logId, deviceId: device } = this;
    log.add({ timeMs, address, method, url, status, latencyUs, account: this.account?.id, device, logId });
  }

  /** Names the request in a header of the answer, unless its text does. */
  nameInHeader(): void {
    if (this.logId === 0) this.transport.setHeader(LOG_ID_HEADER, this.takeLogId());
  }

  /** Answers with a text and the current status. */
  private succeed(text: string): void {
    this.nameInHeader();
    this.body = text;
    this.context.replies.push(this);
  }
}

/** Answers with what the route returns or throws. */
export async function respond(exchange: Exchange, answering: Promise<Answer>): Promise<void> {
  try {
    exchange.answer(await answering);
  } catch (error) {
    exchange.failBy(error);
  }
}

/** Counts a request, and writes its entry to the request log. */
export function logRequest(context: RouteContext, entry: LogEntry): void {
  context.counts.countAnswer(entry.route, entry.status, entry.latencyUs);
  if (context.log.push(entry) === LOG_HALF_FULL) context.signalLog();
}
