// One request, from its arrival to its line in the log. A route is an async function of the request. It returns the
// answer: the text of a success or a row of the error table; routes of Fastify may also return parts that are sent as
// they are made (routes.ts). It may also throw an error. Answers are sent at the end of the tick; the log entry
// follows.

import type { Billing } from '../accounts/billing.ts';
import type { AccountCounters } from '../accounts/counters.ts';
import type { DevicePlans } from '../accounts/devices.ts';
import type { AccountDirectory } from '../accounts/directory.ts';
import type { Tally } from '../intake/tally.ts';
import type { RequestCounts } from '../metrics/request_counts.ts';
import type { BackgroundWorker } from '../pool/background.ts';
import type { Compute } from '../pool/compute.ts';
import type { AddressDatabase } from '../positioning/fallbacks/address_database.ts';
import { ApiError, ERRORS, type ErrorRow, errorBody, type Wording } from '../protocol/errors.ts';
import type { PositionParser } from '../protocol/requests/position_query.ts';
import type { Account } from '../tables/accounts/account_record.ts';
import { LOG_ROUTES, type LogEntry } from '../tables/requests/record.ts';
import { LOG_HALF_FULL, type LogIds, type LogProducer } from '../tables/requests/ring.ts';
import type { Guesses } from '../tables/stations/guesses.ts';
import type { BackgroundTasks } from '../tasks/background.ts';
import type { WorkerTasks } from '../tasks/tasks.ts';
import type { StateSealer } from '../tracking/state_token.ts';
import type { ContributionGate } from '../writer/contributions.ts';
import type { WriterClient } from '../writer/messages.ts';
import type { BodyHold, BodyMemory } from './body_memory.ts';
import type { Readiness } from './health.ts';
import type { OtherService } from './other_service.ts';
import type { RequestTrace, RequestTracer } from './request_trace.ts';
import type { AccessLog } from './transport/access_log.ts';
import { LOG_ID_HEADER } from './transport/cors.ts';
import type { Transport } from './transport/transport.ts';

/** Name of a route in the log. */
export type RouteName = (typeof LOG_ROUTES)[number];

/** What a route answers. */
export type Answer = string | ErrorRow;

const JSON_WORDING: Wording = {
  contentType: 'application/json; charset=utf-8',
  error: (row, asker, message) => errorBody(row, asker.takeLogId(), message),
};

/** A request under way, with everything that its log entry will hold. */
export class Exchange {
  readonly transport: Transport;
  /** As the log names it. */
  readonly route: RouteName;
  /** Arrival, milliseconds since 1970. */
  readonly timeMs = Date.now();
  /** The account, once it is known (admission.ts). */
  account: Account | undefined;
  deviceId: string | undefined;
  /** The key in the body, of a client that sends it there. */
  keyInBody: string | undefined;
  /** The device's own number of the request. */
  nr: number | undefined;
  status = 200;
  /** Price of the answer, known once it is charged. */
  credits = 0;
  contentType: string;
  body = '';
  /** Counts the memory of a body that may be large. */
  hold: BodyHold | undefined;
  /** Undefined for a request that is not traced. */
  readonly trace: RequestTrace | undefined;
  private logId = 0;
  private readonly startedMs = performance.now();
  private readonly context: RouteContext;
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
    this.trace = context.tracer?.begin(received);
  }

  /** Path and query, without a key in the path. */
  get url(): string {
    return this.transport.url;
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
    if (row === ERRORS.strayLimitExceeded) this.transport.setHeader('retry-after', this.context.guesses.forgiveSeconds);
    this.status = this.wording.status === undefined ? row.status : this.wording.status(row);
    this.context.counts.countRefusal(row);
    const worded = this.wording.error(row, this, message);
    if (typeof worded === 'string') this.succeed(worded);
    else {
      this.contentType = worded.contentType;
      this.succeed(worded.text);
    }
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
    if (this.trace !== undefined) this.endTrace(this.trace);
  }

  private endTrace(trace: RequestTrace): void {
    const { route, status } = this;
    this.context.tracer?.end(trace, { route, status, method: this.transport.method });
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
    this.trace?.mark('answer');
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

/** The parts of an HTTP thread that routes work with. The thread makes them once, at its start. */
export interface RouteContext {
  directory: AccountDirectory;
  counters: AccountCounters;
  guesses: Guesses;
  billing: Billing;
  devices: DevicePlans;
  /** Parses the bodies of positions. */
  positions: PositionParser;
  compute: Compute<WorkerTasks>;
  /** Counts the memory of bodies. */
  bodies: BodyMemory;
  /** What contributions need. */
  intake: Intake;
  /** Seals and opens the state tokens that devices carry. */
  states: StateSealer;
  logIds: LogIds;
  log: LogProducer;
  replies: ReplyBatch;
  /** Counts requests, for metrics. */
  counts: RequestCounts;
  /** Undefined without an access log. */
  access: AccessLog | undefined;
  /** Undefined where no requests are traced. */
  tracer: RequestTracer | undefined;
  /** What balancers and supervisors ask for. */
  readiness: Readiness;
  /** Most bytes of a body as sent and inflated; batches have their own limit. */
  bodyLimitBytes: number;
  /** LONE_BEACONS_* bit: which beacons may place a device alone. */
  loneBeacons: number;
  /** The key of requests that send none, if the operator has set one. */
  anonymousKey: string | undefined;
  /** Another service to ask where nothing is found; undefined without one. */
  upstream: OtherService | undefined;
  /** Where clients are by their addresses; undefined without a database. */
  addresses: AddressDatabase | undefined;
  /** The service that gets the positions of webhooks. */
  forward: OtherService | undefined;
  /** Draws tiles for the public page of the console; undefined without one. */
  tileWorker: TileWorker | undefined;
  /** Requests come through a proxy. They may come from anywhere, so the demo key does not work. */
  behindProxy: boolean;
  /** Tells the writer that the log ring is half full. */
  signalLog: () => void;
  /** Reports a fault of ours to the operator. */
  onError: (message: string) => void;
}

/** A worker that draws tiles. */
export type TileWorker = BackgroundWorker<BackgroundTasks>;

/** What an HTTP thread needs for contributions. */
export interface Intake {
  gate: ContributionGate;
  writer: Pick<WriterClient, 'ask'>;
  tally: Tally;
  /** Memory of the tally, for workers to count in. */
  tallyMemory: SharedArrayBuffer;
  /** The operator asks for no second witness, so every contributor is trusted. */
  trustsAll: boolean;
}

/** A reply to send at the end of the tick. */
interface Reply {
  readonly transport: Transport;
  readonly status: number;
  readonly body: string;
  readonly contentType: string;
  /** Called after the reply was handed to the socket; writes the request log. */
  sent(): void;
}

/**
 * Sends all replies of one event-loop tick together. A reply that is sent as soon as its request is complete wakes the
 * client at once, and the next poll returns one or two sockets. When replies wait for the end of the tick, a poll
 * returns many sockets (measured: 1.7 times as many requests a second).
 */
export class ReplyBatch {
  private waiting: Reply[] = [];
  private readonly flush = (): void => {
    const replies = this.waiting;
    this.waiting = [];
    // When the server stops, nothing else ends a connection that was busy at that moment.
    const { isStopping } = replies[0].transport;
    for (const { transport, status, body, contentType } of replies) {
      if (isStopping) transport.setHeader('connection', 'close');
      transport.send(status, contentType, body);
    }
    for (const item of replies) item.sent();
  };

  /** Sends `item` at the end of this tick. */
  push(item: Reply): void {
    if (this.waiting.push(item) === 1) setImmediate(this.flush);
  }
}
