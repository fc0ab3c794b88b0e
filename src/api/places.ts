// The routes of the geocoder, which web pages may use, and that of the country of a device. Each reads top-down:
// authenticate and admit, read the question, answer it (here or in a worker), charge, reply. GET /status needs no key
// and costs nothing.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { askerOf } from '../accounts/options.ts';
import { VERSION } from '../config/version.ts';
import type { Country } from '../geocoding/address/address.ts';
import { countryName } from '../geocoding/address/country_names.ts';
import type { Compute } from '../pool/compute.ts';
import { countryOf } from '../protocol/answers/country.ts';
import { statusText } from '../protocol/answers/place_forms.ts';
import { ApiError, ERRORS, type ErrorRow, errorItem } from '../protocol/errors.ts';
import {
  type AnswerForm,
  readBatchForm,
  readLookup,
  readReverse,
  readSearch,
  readStatus,
} from '../protocol/requests/place_question.ts';
import { countPoints, type Point, type PointList, pointsBetween, readPoints } from '../protocol/requests/points.ts';
import { withDefaults } from '../protocol/requests/position_query.ts';
import { checkStructure, type PositionBody } from '../protocol/requests/schema.ts';
import type { Account } from '../tables/accounts/account_record.ts';
import {
  answerBriefly,
  answerPlaces,
  PLACE_CREDITS,
  type PlaceAnswer,
  type PlaceQuestion,
} from '../tasks/answer_places.ts';
import type { WorkerTasks } from '../tasks/tasks.ts';
import { admit } from './admission.ts';
import { addressPlace } from './elsewhere.ts';
import { type Answer, Exchange, type RouteContext, respond } from './exchange.ts';
import { locate, runTask } from './hop.ts';
import type { AnswerParts } from './routes.ts';
import type { Transport } from './transport/transport.ts';

const TEXT_TYPE = 'text/plain; charset=utf-8';
const XML_TYPE = 'text/xml; charset=utf-8';
/** Memory counted for a question and its answer while they wait. */
const QUESTION_BYTES = 65_536;

/** Paths of questions that may pass Fastify by. */
export const PLAIN_PLACE_PATHS = ['/reverse', '/search'];

/** Answers a GET of one of these paths. */
export function answerPlainPlace(context: RouteContext, transport: Transport): void {
  const [name, answer] = transport.url.startsWith('/r')
    ? (['reverse', answerReverse] as const)
    : (['search', answerSearch] as const);
  const exchange = new Exchange(context, transport, name, undefined);
  void respond(exchange, answer(context, exchange));
}

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
  return statusText(isJson, compute.geocoder.updatedAt(), VERSION);
}

/**
 * Answers a question about places for the account of the request.
 * @param read the question, from path and query and from the header Accept-Language
 */
export async function answerQuestion(
  context: RouteContext,
  exchange: Exchange,
  read: (url: string, languages: string | undefined) => PlaceQuestion,
): Promise<Answer> {
  const { billing, compute } = context;
  const admitted = admit(context, exchange);
  const account = admitted instanceof Promise ? await admitted : admitted;
  const asked = read(exchange.transport.url, exchange.transport.languages);
  const form = formFor(account, asked.form);
  const question = form === asked.form ? asked : { ...asked, form };
  const asking = askPlaces(compute, account.id, question);
  const { texts, credits } = asking instanceof Promise ? await asking : asking;
  if (texts.length === 0) return ERRORS.notFound;
  const charging = credits === 0 || billing.charge(account.id, credits);
  if (!(charging instanceof Promise ? await charging : charging)) return ERRORS.creditsExceeded;
  exchange.credits = credits;
  if (form.format === 'xml') exchange.contentType = XML_TYPE;
  return texts[0];
}

/**
 * The form of an answer for an account: only keys with the setting `explain` are heard if they ask for an explanation.
 */
function formFor(account: Account, form: AnswerForm): AnswerForm {
  return form.isExplained && account.explain !== true ? { ...form, isExplained: false } : form;
}

/**
 * Answers a question about places. A point is answered in this thread unless `compute` is `pool`, and so is a search
 * that takes little where that delays no position. Other words, batches and what is explained go to a worker if there
 * is one.
 * @param accountId who asks: accounts take turns
 * @param isPart the question is part of a long batch and waits for other batches, not for searches
 * @throws ApiError backendError when the queue is full, Error when a table is damaged
 */
function askPlaces(
  compute: Compute<WorkerTasks>,
  accountId: number,
  question: PlaceQuestion,
  isPart = false,
): PlaceAnswer | Promise<PlaceAnswer> {
  const isHere = !compute.hasWorkers || ('reverse' in question && compute.isInline && !question.form.isExplained);
  if (isHere) return answerPlaces(compute.geocoder, question);
  const ask = () => runTask(compute, accountId, isPart ? 'placePart' : 'places', question, QUESTION_BYTES);
  if (!('search' in question) || question.form.isExplained) return ask();
  compute.wake(); // this search may take long after all, or the next one
  const brief = compute.runHere(({ geocoder }) => answerBriefly(geocoder, question.search, question.form));
  return brief === undefined ? ask() : brief.then(answer => answer ?? ask());
}

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

/**
 * POST /reverse: many points in one request. The answer is a list in the order of the points. Each element is what GET
 * /reverse answers for that point, or an error. The list is sent in parts as they are found.
 *
 * The balance must cover all points before the first byte is sent. Each part is charged before it is sent, for the
 * points that were found. If other requests spend the balance meanwhile, the remaining elements are errors.
 */
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

/** Price of a country. */
const COUNTRY_CREDITS = 1;

/**
 * GET and POST /v1/country: in which country is the device? The body is that of a position. A position decides where
 * there is one; otherwise the networks that the device hears, if all are of one country, and then the client's address.
 * Nothing is contributed, tracked or described.
 */
export async function answerCountry(context: RouteContext, exchange: Exchange, body: unknown): Promise<Answer> {
  const account = await admit(context, exchange);
  const here = await findCountry(context, account, exchange.timeMs, body);
  const country = here ?? countryOfAddress(context, exchange, account, body);
  if (country === undefined) return ERRORS.notFound;
  if (!(await context.billing.charge(account.id, COUNTRY_CREDITS))) return ERRORS.creditsExceeded;
  exchange.credits = COUNTRY_CREDITS;
  return JSON.stringify({
    country_code: country.code.toUpperCase(),
    country_name: country.name,
    ...(here === undefined && { fallback: 'ipf' }),
  });
}

/** By the address of the client, unless the request says otherwise, as in Mozilla's service. */
function countryOfAddress(
  context: RouteContext,
  exchange: Exchange,
  account: Account,
  body: unknown,
): Country | undefined {
  if (Buffer.isBuffer(body)) return undefined;
  const code = addressPlace(context, exchange, withDefaults(body as PositionBody, account), true)?.country;
  return code === undefined ? undefined : { code, name: countryName(code, []) };
}

async function findCountry(
  context: RouteContext,
  account: Account,
  timeMs: number,
  body: unknown,
): Promise<Country | undefined> {
  const { compute, loneBeacons } = context;
  const asker = askerOf(account);
  if (Buffer.isBuffer(body)) {
    const task = { bytes: body, timeMs, loneBeacons, asker };
    return (await runTask(compute, account.id, 'largeCountry', task, body.length)).country;
  }
  checkStructure(body);
  const located = await locate(compute, body, timeMs, loneBeacons, asker);
  return countryOf(body, located.position);
}
