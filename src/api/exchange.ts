// One request from arrival to log: authenticated, admitted, answered once, logged after the reply. The routes differ in what happens in between.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, ERRORS, type ErrorRow, errorBody } from '../protocol/errors.ts';
import { readDeviceId, readRequestNumber } from '../protocol/requests/parameters.ts';
import type { Account } from '../tables/accounts/account_record.ts';
import { LOG_ROUTES, type LogEntry, withoutKey } from '../tables/requests/record.ts';
import { LOG_HALF_FULL } from '../tables/requests/ring.ts';
import type { Reply } from './replies.ts';
import type { Services } from './services.ts';

/** Query parameters of any route; a repeated one is an array. */
export type Query = Record<string, string | string[] | undefined>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Body as received, after inflation; null without one. */
    bytes: Buffer | null;
  }
}

/** Parameters that the log holds in fields of their own, or must not hold. */
const LOGGED_APART = new Set(['key', 'id', 'nr']);

/** A request on its way. */
export class Exchange implements Reply {
  readonly reply: FastifyReply;
  status = 200;
  body = '';
  contentType = 'application/json; charset=utf-8';
  protected readonly services: Services;
  protected readonly request: FastifyRequest;
  protected readonly timeMs = Date.now();
  protected account: Account | undefined;
  protected logId = 0;
  protected deviceId: string | undefined;
  private readonly startedMs = performance.now();
  private readonly route: number;
  private nr: number | undefined;

  constructor(services: Services, request: FastifyRequest, reply: FastifyReply, route: (typeof LOG_ROUTES)[number]) {
    this.services = services;
    this.request = request;
    this.reply = reply;
    this.route = LOG_ROUTES.indexOf(route);
  }

  /**
   * Authenticates by the key in the path, else the query's, and applies the key's limits.
   * @returns the account; undefined when the request was answered with an error, or a promise of either when the writer has to be asked
   * @throws ApiError when a parameter is not valid, Error when the account table cannot be read
   */
  protected admit(): Account | undefined | Promise<Account | undefined> {
    const query = this.request.query as Query;
    const { directory, counters, devices, anonymousKey, behindProxy } = this.services;
    const sent = this.keyInPath ?? one(query.key);
    const key = sent === undefined || sent === '' || sent === 'null' ? anonymousKey : sent;
    const found = directory.find(key, behindProxy ? false : isLoopback(this.request.ip), this.timeMs);
    if (typeof found === 'string') return this.fail(ERRORS.keyInvalid);
    this.account = found;
    this.nr = readRequestNumber(query.nr);
    this.deviceId = readDeviceId(query.id);
    const wait = counters.admit(found.id, found.ratePerSecond, this.timeMs);
    if (wait > 0) {
      this.reply.header('retry-after', wait);
      return this.fail(ERRORS.userRateLimitExceeded);
    }
    if (!this.services.billing.covers(found.id, 1) && !this.isFree()) return this.fail(ERRORS.creditsExceeded);
    const admitted = devices.admits(found, this.deviceId, this.timeMs);
    if (admitted === true) return found;
    if (admitted === false) return this.fail(ERRORS.deviceLimitExceeded);
    return admitted.then(admits => (admits ? found : this.fail(ERRORS.deviceLimitExceeded)));
  }

  /** Asked about accounts whose credits do not cover the request: true when it may turn out to cost nothing. */
  protected isFree(): boolean {
    return false;
  }

  /** Answers with an error. @returns undefined, for callers that end with it */
  fail(row: ErrorRow, message?: string): undefined {
    if (row === ERRORS.backendError) this.reply.header('retry-after', 1);
    this.logId = this.services.logIds.next();
    this.send(row.status, this.errorText(row, this.logId, message));
  }

  /** Answers with the error that an exception stands for; what is no ApiError is a fault of ours, and logged as one. */
  failBy(error: unknown): void {
    if (error instanceof ApiError) {
      this.fail(error.row, error.message);
      return;
    }
    this.services.onError((error as Error).stack ?? String(error));
    this.fail(ERRORS.internalError);
  }

  /** After the reply: the request log. */
  sent(): void {
    logRequest(this.services, {
      logId: this.logId,
      timeMs: this.timeMs,
      latencyUs: (performance.now() - this.startedMs) * 1000,
      status: this.status,
      route: this.route,
      accountId: this.account?.id ?? 0,
      nr: this.nr,
      deviceId: this.deviceId,
      query: this.loggedQuery(),
      request: this.request.bytes ?? undefined,
      response: this.body,
    });
  }

  /** Answers with a body. */
  protected succeed(body: string): void {
    this.logId = this.services.logIds.next();
    this.send(200, body);
  }

  /** Sends at the end of the tick. */
  protected send(status: number, body: string): void {
    this.status = status;
    this.body = body;
    this.services.replies.push(this);
  }

  protected errorText(row: ErrorRow, logId: number, message?: string): string {
    return errorBody(row, logId, message);
  }

  /** The segment behind `/k/`. */
  private get keyInPath(): string | undefined {
    return (this.request.params as { key?: string } | undefined)?.key;
  }

  private loggedQuery(): string {
    const url = this.request.raw.url ?? '';
    if (this.keyInPath !== undefined) return withoutKey(url);
    const query = this.request.query as Query | undefined;
    if (query !== undefined && this.route !== LOG_ROUTES.indexOf('other') && Object.keys(query).every(name => LOGGED_APART.has(name))) {
      const end = url.indexOf('?');
      return end < 0 ? url : url.slice(0, end);
    }
    return withoutKey(url);
  }
}

/** Logs a request whose answer is on its way. */
export function logRequest(services: Services, entry: LogEntry): void {
  if (services.log.push(entry) === LOG_HALF_FULL) services.signalLog();
}

/** First value of a parameter that may be repeated. */
function one(value: string | string[] | undefined): string | undefined {
  return typeof value === 'object' ? value[0] : value;
}

/** @param address undefined when the client is gone already */
function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false;
  return address.startsWith('127.') || address === '::1' || address.startsWith('::ffff:127.');
}
