// POST /reverse: many points in one request. The answer is a list in the order of the points, each element what GET /reverse would answer for that point, an
// error in the place of one that has no answer. It leaves in parts as they are found, so that nothing of the whole is held and nobody waits for it.
//
// The balance must cover every point before the first byte leaves. Each part is charged before it leaves, for what it answers; if others have spent the
// balance meanwhile, the rest of the list says so.

import type { OutgoingHttpHeaders } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, ERRORS, type ErrorRow, errorItem } from '../protocol/errors.ts';
import { type AnswerForm, readBatchForm } from '../protocol/requests/place_question.ts';
import { type LargePoints, type Point, readPoints } from '../protocol/requests/points.ts';
import type { Account } from '../tables/accounts/account_record.ts';
import { PLACE_CREDITS } from '../tasks/answer_places.ts';
import { askPlaces } from './ask_places.ts';
import { Exchange } from './exchange.ts';
import type { Services } from './services.ts';

/** Has a default function that runs in the compute workers. */
const READ_POINTS_FILE = new URL('../protocol/requests/points.ts', import.meta.url);
/** Points that are answered in one go: a few milliseconds of work, since others wait that long. */
const PART_POINTS = 64;

/** A batch of points on its way. */
export class PlaceBatchExchange extends Exchange {
  private items = 0;
  private credits = 0;

  constructor(services: Services, request: FastifyRequest, reply: FastifyReply) {
    super(services, request, reply, 'reverse');
  }

  /** Answers `body`, the parsed JSON of the request, or its bytes where it is large. */
  async start(body: unknown): Promise<void> {
    try {
      const account = await this.admit();
      if (account === undefined) return;
      const { languages, form } = readBatchForm(this.request.raw.url ?? '', this.request.headers['accept-language']);
      const points = Buffer.isBuffer(body) ? await this.readElsewhere(body, form) : readPoints(body, form);
      const price = points.filter(point => !('error' in point)).length * PLACE_CREDITS;
      if (price > 0 && !this.services.billing.covers(account.id, price)) this.fail(ERRORS.creditsExceeded);
      else this.stream(this.answer(account, points, languages, form));
    } catch (error) {
      this.failBy(error);
    }
  }

  private async readElsewhere(bytes: Buffer, form: AnswerForm): Promise<Point[]> {
    const task: LargePoints = { bytes, form };
    const reading = this.services.compute.runElsewhere<Point[] | { parseError: string }>(READ_POINTS_FILE, task, bytes.length);
    if (reading === undefined) throw new ApiError(ERRORS.backendError);
    const points = await reading;
    if ('parseError' in points) throw new ApiError(ERRORS.parseError, points.parseError);
    return points;
  }

  private async *answer(account: Account, points: readonly Point[], languages: string[], form: AnswerForm): AsyncGenerator<string> {
    let before = '[';
    let refused: ErrorRow | undefined;
    for (let start = 0; start < points.length; start += PART_POINTS) {
      const part = points.slice(start, start + PART_POINTS);
      const answer = refused ?? (await this.answerPart(account, part, languages, form));
      if (answer === ERRORS.creditsExceeded) refused = answer;
      const items = Array.isArray(answer) ? answer : part.map(() => errorItem(answer));
      this.items += items.length;
      yield before + items.join(',\n');
      before = ',\n';
      if (!this.services.compute.hasWorkers) await nextTurn();
    }
    yield points.length === 0 ? '[]' : ']';
  }

  /** @returns the items, or the error that stands in the place of each */
  private async answerPart(
    account: Account,
    points: readonly Point[],
    languages: string[],
    form: AnswerForm,
  ): Promise<string[] | ErrorRow> {
    try {
      const { texts, credits } = await askPlaces(this.services.compute, { points, languages, form });
      if (credits > 0 && !(await this.services.billing.charge(account.id, credits))) return ERRORS.creditsExceeded;
      this.credits += credits;
      return texts;
    } catch (error) {
      // The answer has begun: its status can no longer say it.
      if (error instanceof ApiError) return error.row;
      this.services.onError((error as Error).stack ?? String(error));
      return ERRORS.internalError;
    }
  }

  /**
   * Sends the parts as they come, until the client goes away, which may be before the first. Fastify would take that for a fault of ours. The log holds how much was
   * answered, since the answer is not kept.
   */
  private stream(parts: AsyncGenerator<string>): void {
    const { reply, request } = this;
    const { raw, server } = reply;
    this.logId = this.services.logIds.next();
    const ended = (): void => {
      this.body = JSON.stringify({ items: this.items, credits: this.credits });
      this.sent();
      // When the server stops, nothing else would end a connection that was busy at that moment.
      if (!server.server.listening) request.raw.socket.end();
    };
    reply.hijack();
    if (raw.destroyed) ended();
    else {
      raw.writeHead(this.status, { ...(reply.getHeaders() as OutgoingHttpHeaders), 'content-type': this.contentType });
      pipeline(Readable.from(parts), raw, ended);
    }
  }
}
