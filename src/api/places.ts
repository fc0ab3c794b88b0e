// GET /reverse, GET /search and GET /lookup. Each reads top-down: authenticate and admit, read the question, answer it
// (here or in a worker), charge, reply. GET /status needs no key and costs nothing.

import { VERSION } from '../config/version.ts';
import type { Compute } from '../pool/compute.ts';
import { statusText } from '../protocol/answers/place_forms.ts';
import { ERRORS } from '../protocol/errors.ts';
import {
  type AnswerForm,
  readLookup,
  readReverse,
  readSearch,
  readStatus,
} from '../protocol/requests/place_question.ts';
import type { Account } from '../tables/accounts/account_record.ts';
import { answerPlaces, type PlaceAnswer, type PlaceQuestion } from '../tasks/answer_places.ts';
import type { WorkerTasks } from '../tasks/tasks.ts';
import { admit } from './admission.ts';
import type { RouteContext } from './context.ts';
import type { Answer, Exchange } from './exchange.ts';
import { runTask } from './hop.ts';

const TEXT_TYPE = 'text/plain; charset=utf-8';
/** Memory counted for a question and its answer while they wait. */
const QUESTION_BYTES = 65_536;

/** GET /reverse. */
export function answerReverse(context: RouteContext, exchange: Exchange): Promise<Answer> {
  return answerQuestion(context, exchange, (url, languages) => {
    const { question, form } = readReverse(url, languages);
    return { reverse: question, form };
  });
}

/** GET /search. */
export function answerSearch(context: RouteContext, exchange: Exchange): Promise<Answer> {
  return answerQuestion(context, exchange, (url, languages) => {
    const { question, form } = readSearch(url, languages);
    return { search: question, form };
  });
}

/** GET /lookup. */
export function answerLookup(context: RouteContext, exchange: Exchange): Promise<Answer> {
  return answerQuestion(context, exchange, readLookup);
}

/** GET /status. */
export async function answerStatus({ compute }: RouteContext, exchange: Exchange): Promise<Answer> {
  const isJson = readStatus(exchange.transport.url);
  if (!isJson) exchange.contentType = TEXT_TYPE;
  return statusText(isJson, compute.geocoder.builtAt(), VERSION);
}

async function answerQuestion(
  context: RouteContext,
  exchange: Exchange,
  read: (url: string, languages: string | undefined) => PlaceQuestion,
): Promise<Answer> {
  const { billing, compute } = context;
  const account = await admit(context, exchange);
  const asked = read(exchange.transport.url, exchange.transport.languages);
  const form = formFor(account, asked.form);
  const question = form === asked.form ? asked : { ...asked, form };
  const { texts, credits } = await askPlaces(compute, account.id, question);
  if (texts.length === 0) return ERRORS.notFound;
  if (credits > 0 && !(await billing.charge(account.id, credits))) return ERRORS.creditsExceeded;
  exchange.credits = credits;
  return texts[0];
}

/**
 * The form of an answer for an account: only keys with the setting `explain` are heard if they ask for an explanation.
 */
export function formFor(account: Account, form: AnswerForm): AnswerForm {
  return form.isExplained && account.explain !== true ? { ...form, isExplained: false } : form;
}

/**
 * Answers a question about places. A point is answered in this thread unless `compute` is `pool`; words, batches and
 * what is explained go to a worker if there is one.
 * @param accountId who asks: accounts take turns
 * @param isPart the question is part of a long batch and waits for other batches, not for searches
 * @throws ApiError backendError when the queue is full, Error when a table is damaged
 */
export function askPlaces(
  compute: Compute<WorkerTasks>,
  accountId: number,
  question: PlaceQuestion,
  isPart = false,
): PlaceAnswer | Promise<PlaceAnswer> {
  const isHere = !compute.hasWorkers || ('reverse' in question && compute.isInline && !question.form.isExplained);
  if (isHere) return answerPlaces(compute.geocoder, question);
  return runTask(compute, accountId, isPart ? 'placePart' : 'places', question, QUESTION_BYTES);
}
