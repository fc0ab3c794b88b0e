// POST /v1/geolocate/batch: many positions in one request, such as a fleet sends after a while without a network. The
// answer is a list in the order of the positions. Each position takes the steps of a request of its own (position.ts):
// it has its own id, number and time, is limited, charged and logged alone, and has its own logId or error.
//
// Positions are answered in windows. Those of a window are begun one after the other, so limits and credits are used up
// in their order, and wait together for workers and for the writer. Where the balance may not cover the whole window,
// each waits for the one before. After each slice of work other requests go first.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { EXTRA_CREDITS, EXTRAS_MAX } from '../protocol/answers/position.ts';
import { ApiError, ERRORS, type ErrorRow, errorBody } from '../protocol/errors.ts';
import { parseElement } from '../protocol/requests/body.ts';
import { readDeviceId, readRequestNumber } from '../protocol/requests/parameters.ts';
import { ScannedBody } from '../protocol/requests/position_query.ts';
import { type FoundPositions, findPositions } from '../protocol/requests/positions.ts';
import type { Account } from '../tables/accounts/account_record.ts';
import { LOG_ROUTES } from '../tables/requests/record.ts';
import { admitToPlan, identify } from './admission.ts';
import { type Answer, type Exchange, logRequest, type RouteContext } from './exchange.ts';
import { type Asker, answerPositionOf, POSITION_CREDITS } from './position.ts';
import { type AnswerParts, type FastifyHandler, partsRouteOf } from './routes.ts';

/** The path of the route. */
export const BATCH_PATH = '/v1/geolocate/batch';
/** Price of a position, at most. */
const PRICE_MAX = POSITION_CREDITS + EXTRAS_MAX * EXTRA_CREDITS;
/** Positions under way at once. */
const WINDOW_POSITIONS = 32;
/** Work between two turns; other requests wait that long. */
const SLICE_MILLISECONDS = 1;
/** Least length of a part of the answer. Sending one costs as much as answering a few positions. */
const PART_CHARACTERS = 16_384;
/** A larger position is refused: it would take longer than a slice. */
const POSITION_BYTES_MAX = 65_536;
/** How long a batch waits for the writer to empty a log ring that is half full; then records may be lost. */
const LOG_WAIT_MILLISECONDS = 1_000;
const POSITION_ROUTE = LOG_ROUTES.indexOf('position');

/** Makes the handler. */
export function servePositionBatch(context: RouteContext): FastifyHandler {
  const turns = new Turns();
  const answer = (_: RouteContext, exchange: Exchange, body: unknown) =>
    answerPositionBatch(context, turns, exchange, body);
  return partsRouteOf(context, 'position', answer);
}

async function answerPositionBatch(
  context: RouteContext,
  turns: Turns,
  exchange: Exchange,
  body: unknown,
): Promise<Answer | AnswerParts> {
  const account = identify(context, exchange);
  const finding = findPositions(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
  let step = finding.next();
  for (; !step.done; step = finding.next()) await turns.next();
  const batch = new Batch(context, turns, account, exchange, step.value);
  return { parts: batch.parts(), summary: () => JSON.stringify({ items: batch.answered }) };
}

/** A batch on its way. */
class Batch {
  /** Positions answered so far. */
  answered = 0;
  private readonly context: RouteContext;
  private readonly turns: Turns;
  private readonly account: Account;
  private readonly exchange: Exchange;
  private readonly positions: FoundPositions;
  private window: Promise<string>[] = [];
  private waitsForLog = true;

  constructor(context: RouteContext, turns: Turns, account: Account, exchange: Exchange, positions: FoundPositions) {
    this.context = context;
    this.turns = turns;
    this.account = account;
    this.exchange = exchange;
    this.positions = positions;
  }

  /** The text of the list, part by part. */
  async *parts(): AsyncGenerator<string> {
    let text = '[';
    let endMs = performance.now() + SLICE_MILLISECONDS;
    for (let i = 0; i < this.positions.length; i++) {
      const isOver = performance.now() >= endMs;
      if (isOver || this.window.length === WINDOW_POSITIONS || !this.isCovered()) {
        if (this.window.length > 0) text += `${await this.endWindow()},\n`;
        if (text.length >= PART_CHARACTERS) {
          yield text;
          text = '';
        }
        if (isOver) {
          await this.turns.next();
          endMs = performance.now() + SLICE_MILLISECONDS;
        }
      }
      this.window.push(
        new BatchPosition(this.context, this.account, this.exchange, this.positions.bytesOf(i)).answer(),
      );
    }
    yield `${text}${await this.endWindow()}]`;
  }

  /** True if the balance covers the window and one more. */
  private isCovered(): boolean {
    return this.context.billing.covers(this.account.id, (this.window.length + 1) * PRICE_MAX);
  }

  private async endWindow(): Promise<string> {
    const texts = await Promise.all(this.window);
    this.window = [];
    this.answered += texts.length;
    await this.waitForLog();
    return texts.join(',\n');
  }

  /** A batch writes records faster than other requests, so it waits until the writer has taken them. */
  private async waitForLog(): Promise<void> {
    const { log } = this.context;
    const limitMs = performance.now() + LOG_WAIT_MILLISECONDS;
    while (this.waitsForLog && log.isHalfFull) {
      await new Promise(resolve => setTimeout(resolve, 1));
      this.waitsForLog = performance.now() < limitMs;
    }
  }
}

/** A position of a batch, as a request of its own. */
class BatchPosition implements Asker {
  readonly timeMs = Date.now();
  readonly explain: unknown;
  deviceId: string | undefined;
  credits = 0;
  private nr: number | undefined;
  private logId = 0;
  private readonly startedMs = performance.now();
  private readonly context: RouteContext;
  private readonly account: Account;
  private readonly bytes: Buffer;

  /**
   * @param exchange of the batch: its id stands for the ids of positions that have none, and its `explain` for theirs
   */
  constructor(context: RouteContext, account: Account, exchange: Exchange, bytes: Buffer) {
    this.context = context;
    this.account = account;
    this.deviceId = exchange.deviceId;
    this.explain = exchange.explain;
    this.bytes = bytes;
  }

  takeLogId(): number {
    if (this.logId === 0) this.logId = this.context.logIds.next();
    return this.logId;
  }

  /** Answers and logs the position. @returns the text of its element */
  async answer(): Promise<string> {
    let status = 200;
    let text: string;
    try {
      const answer = await this.locate();
      if (typeof answer !== 'string') {
        status = answer.status;
        this.context.counts.countRefusal(answer);
      }
      text = typeof answer === 'string' ? answer : errorBody(answer, this.takeLogId());
    } catch (error) {
      const { row, message } = error instanceof ApiError ? error : new ApiError(ERRORS.internalError);
      if (!(error instanceof ApiError)) this.context.onError((error as Error).stack ?? String(error));
      status = row.status;
      this.context.counts.countRefusal(row);
      text = errorBody(row, this.takeLogId(), message);
    }
    this.log(status, text);
    return text;
  }

  /** @throws ApiError, or Error for a fault of ours */
  private locate(): Promise<string | ErrorRow> {
    if (this.bytes.length > POSITION_BYTES_MAX) {
      throw new ApiError(ERRORS.bodyTooLarge, `A position of a batch must have at most ${POSITION_BYTES_MAX} bytes.`);
    }
    const body = this.context.positions.scan(this.bytes) ?? parseElement(this.bytes) ?? {};
    const { id, nr } = (body instanceof ScannedBody ? body.rest : body) as { id?: unknown; nr?: unknown };
    this.nr = readRequestNumber(nr);
    this.deviceId = readDeviceId(typeof id === 'number' ? String(id) : id) ?? this.deviceId;
    return answerPositionOf(this.context, this, body, admitPosition);
  }

  /** Applies the limits of the account. @throws ApiError when one refuses the position */
  admit(mayBeFree: boolean): Account | Promise<Account> {
    const { account, context, timeMs } = this;
    if (context.counters.admit(account.id, account.ratePerSecond, timeMs) > 0)
      throw new ApiError(ERRORS.userRateLimitExceeded);
    return admitToPlan(context, account, this, mayBeFree);
  }

  private log(status: number, response: string): void {
    logRequest(this.context, {
      logId: this.logId,
      timeMs: this.timeMs,
      latencyUs: (performance.now() - this.startedMs) * 1000,
      status,
      route: POSITION_ROUTE,
      accountId: this.account.id,
      credits: this.credits,
      nr: this.nr,
      deviceId: this.deviceId,
      query: BATCH_PATH,
      request: this.bytes,
      response,
    });
  }
}

function admitPosition(_: RouteContext, position: BatchPosition, mayBeFree: boolean): Account | Promise<Account> {
  return position.admit(mayBeFree);
}

/**
 * Turns of the event loop that long requests share. Each waits for a turn of its own, so however many there are, other
 * requests wait for one slice at most.
 */
class Turns {
  private last: Promise<unknown> = Promise.resolve();

  /** Resolves in a turn that nobody else was given. */
  next(): Promise<unknown> {
    this.last = this.last.then(() => nextTurn());
    return this.last;
  }
}
