// POST /reverse: many points in one request. The answer is a list in the order of the points. Each element is what GET
// /reverse answers for that point, or an error. The list is sent in parts as they are found.
//
// The balance must cover all points before the first byte is sent. Each part is charged before it is sent, for the
// points that were found. If other requests spend the balance meanwhile, the remaining elements are errors.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError, ERRORS, type ErrorRow, errorItem } from '../protocol/errors.ts';
import { type AnswerForm, readBatchForm } from '../protocol/requests/place_question.ts';
import { countPoints, type Point, type PointList, pointsBetween, readPoints } from '../protocol/requests/points.ts';
import type { Account } from '../tables/accounts/account_record.ts';
import { PLACE_CREDITS, type PlaceAnswer } from '../tasks/answer_places.ts';
import { admit } from './admission.ts';
import type { RouteContext } from './context.ts';
import type { Answer, Exchange } from './exchange.ts';
import { runTask } from './hop.ts';
import { askPlaces, formFor } from './places.ts';
import type { AnswerParts } from './transport/parts.ts';

/** Points answered at once: a few milliseconds of work, because other requests wait that long. */
const PART_POINTS = 64;

/** A batch as requested. */
interface Batch {
  account: Account;
  points: PointList;
  languages: string[];
  form: AnswerForm;
  /** It has more than one part. */
  isLong: boolean;
}

/** POST /reverse. */
export async function answerPlaceBatch(
  context: RouteContext,
  exchange: Exchange,
  body: unknown,
): Promise<Answer | AnswerParts> {
  const { billing, compute } = context;
  const { url, languages: preferred } = exchange.transport;
  const account = await admit(context, exchange);
  const { languages, form: asked } = readBatchForm(url, preferred);
  const form = formFor(account, asked);
  const points = Buffer.isBuffer(body)
    ? await runTask(compute, account.id, 'largePoints', { bytes: body, form }, body.length)
    : readPoints(body, form);
  const price = (countPoints(points) - points.errors.size) * PLACE_CREDITS;
  if (price > 0 && !billing.covers(account.id, price)) return ERRORS.creditsExceeded;
  const answered = { items: 0, credits: 0 };
  const batch = { account, points, languages, form, isLong: countPoints(points) > PART_POINTS };
  const summary = () => {
    exchange.credits = answered.credits;
    return JSON.stringify(answered);
  };
  return { parts: partsOf(context, batch, answered), summary };
}

/** The text of the list, part by part. @param answered counts what has been sent */
async function* partsOf(
  context: RouteContext,
  batch: Batch,
  answered: { items: number; credits: number },
): AsyncGenerator<string> {
  let before = '[';
  let refused: ErrorRow | undefined;
  const count = countPoints(batch.points);
  for (let start = 0; start < count; start += PART_POINTS) {
    const points = pointsBetween(batch.points, start, start + PART_POINTS);
    const answer = refused ?? (await answerPart(context, batch, points));
    if (answer === ERRORS.creditsExceeded) refused = answer;
    const { texts, credits } = 'texts' in answer ? answer : { texts: points.map(() => errorItem(answer)), credits: 0 };
    answered.items += texts.length;
    answered.credits += credits;
    yield before + texts.join(',\n');
    before = ',\n';
    if (!context.compute.hasWorkers) await nextTurn();
  }
  yield count === 0 ? '[]' : ']';
}

/** @returns the items, already paid for, or the error that takes the place of each */
async function answerPart(
  { billing, compute, onError }: RouteContext,
  batch: Batch,
  points: readonly Point[],
): Promise<PlaceAnswer | ErrorRow> {
  const { account, languages, form } = batch;
  try {
    const answer = await askPlaces(compute, account.id, { points, languages, form }, batch.isLong);
    return answer.credits === 0 || (await billing.charge(account.id, answer.credits)) ? answer : ERRORS.creditsExceeded;
  } catch (error) {
    // The answer has begun, so its status cannot say it any more.
    if (error instanceof ApiError) return error.row;
    onError((error as Error).stack ?? String(error));
    return ERRORS.internalError;
  }
}
