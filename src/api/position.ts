// POST / and its aliases: where is the device? `answerPositionOf` shows every step of a request, from its key to the
// text of its answer. A position of a batch (position_batch.ts) takes the same steps.
//
// A request with a fix of age 0 and a cell or an access point contributes, and is answered once its report is stored.
// It is free if the answer is nothing but its fix, or rests on it while the report is new and the fix is good. A coarse
// fix is charged when access points make it better, and so is one that was reported before: otherwise a rough guess,
// sent again and again, would buy the positions of access points for nothing. If the rules of intake refuse the report,
// or there is no storage left for it, the request is an ordinary one.

import type { Billing } from '../accounts/billing.ts';
import { askerOf, keepsState, optionsOf, trackWants } from '../accounts/options.ts';
import { radiusFactor } from '../positioning/estimates/estimate.ts';
import { explanationText } from '../protocol/answers/explanation.ts';
import {
  creditsOf,
  EXTRA_CREDITS,
  type ExtraTerms,
  mayWant,
  positionText,
  wantsOf,
  withoutExtra,
} from '../protocol/answers/position.ts';
import { readForeign } from '../protocol/dialects/foreign_body.ts';
import { ApiError, ERRORS, type ErrorRow, type Wording } from '../protocol/errors.ts';
import { formatCompact, formatCompactError, readCompact } from '../protocol/requests/compact.ts';
import {
  asksForExplanation,
  type GpsFix,
  mayContribute,
  ScannedBody,
  timeOf,
  withDefaults,
} from '../protocol/requests/position_query.ts';
import { checkStructure, type PositionBody } from '../protocol/requests/schema.ts';
import type { FoundPosition, PlaceTexts } from '../radio/query/answer.ts';
import { SOURCE_GPS } from '../radio/query/layout.ts';
import type { TimedPosition } from '../radio/query/reader.ts';
import { CONFIDENCE } from '../radio/ranges.ts';
import { decimalIn, flagOf } from '../radio/read_value.ts';
import type { Account } from '../tables/accounts/account_record.ts';
import type { ExplainedPosition } from '../tasks/explain_position.ts';
import type { Located } from '../tasks/locate.ts';
import { type Packed, packPosition } from '../tasks/pack_reports.ts';
import { lastBefore, speedBetween } from '../tracking/speed.ts';
import type { DeviceState, StateSealer } from '../tracking/state_token.ts';
import { admit, rewardHonest } from './admission.ts';
import { findElsewhere } from './elsewhere.ts';
import type { Answer, Exchange, RouteContext } from './exchange.ts';
import { explain, locate, runTask } from './hop.ts';
import type { RequestTrace } from './request_trace.ts';
import { contribute, senderOf } from './submission.ts';

/** Price of an answered position. */
export const POSITION_CREDITS = 1;
/**
 * Accuracy of a good fix: that of a poor one under open sky. Access points rarely know better, so their part in the
 * answer is small.
 */
const GOOD_FIX_METRES = 20;

const NO_TEXTS: PlaceTexts = { geoname: undefined, address: undefined, indoor: undefined };
const NO_EXTRAS = { gps: undefined, speed: undefined, state: undefined, explanation: undefined };

/** The result, with the packed report where a worker read the body, and the explanation if there is to be one. */
type Found = Located & { packed?: Packed } & Partial<Pick<ExplainedPosition, 'explanation'>>;
/** The texts that are paid for; undefined when the balance does not cover the position. */
type Paid = PlaceTexts | undefined;

/** Who asks for a position: a request, or a position of a batch. */
export interface Asker {
  /** Arrival, milliseconds since 1970. */
  readonly timeMs: number;
  /** Known once it is admitted. */
  readonly deviceId: string | undefined;
  /** The parameter `explain`, as sent. */
  readonly explain: unknown;
  /** Of a request that is traced. */
  readonly trace?: RequestTrace | undefined;
  /** Price of the answer, set once it is charged. */
  credits: number;
  /** The number of its record in the log. */
  takeLogId(): number;
}

/** POST / and its aliases. */
export function answerPosition(context: RouteContext, exchange: Exchange, body: unknown): Promise<string | ErrorRow> {
  const answering = answerPositionOf(context, exchange, body, admit);
  const hasOthers = context.upstream !== undefined || context.addresses !== undefined;
  return hasOthers ? orElsewhere(context, exchange, body, answering) : answering;
}

/**
 * Looks elsewhere where an answer is that nothing was found.
 * @param body of the request, as routes have it
 * @param answering the answer by its stations
 */
async function orElsewhere(
  context: RouteContext,
  exchange: Exchange,
  body: unknown,
  answering: Promise<string | ErrorRow>,
): Promise<string | ErrorRow> {
  const answer = await answering;
  const { account } = exchange;
  if (answer !== ERRORS.notFound || account === undefined || Buffer.isBuffer(body)) return answer;
  const sent = body instanceof ScannedBody ? body.parsed() : ((body ?? {}) as PositionBody);
  const asked = withDefaults(sent, account);
  const found = await findElsewhere(context, exchange, account, asked);
  if (found === undefined) return answer;
  const { billing } = context;
  if (!(await billing.charge(account.id, POSITION_CREDITS))) return ERRORS.creditsExceeded;
  exchange.credits = POSITION_CREDITS;
  return positionText(found, NO_TEXTS, {
    ...NO_EXTRAS,
    confidence: decimalIn(asked.confidence, CONFIDENCE, CONFIDENCE.min),
    credits: flagOf(asked.credits) ? billing.balance(account.id) : undefined,
    expires: flagOf(asked.expires) ? account.expires : undefined,
    logId: exchange.takeLogId(),
  });
}

/**
 * Answers a position. Nearly all are answered without waiting for another thread, so only promises are awaited:
 * awaiting a plain value, or one more async function, costs a third of a microsecond.
 * @param body what `PositionParser.parse` made of it, or the bytes of a large one
 * @param admitTo authenticates and applies the limits
 * @returns the text of the answer, or the row of an error
 * @throws ApiError, or Error for a fault of ours
 */
export async function answerPositionOf<A extends Asker>(
  context: RouteContext,
  asker: A,
  body: unknown,
  admitTo: (context: RouteContext, asker: A, mayBeFree: boolean) => Account | Promise<Account>,
): Promise<string | ErrorRow> {
  const { billing, intake, states } = context;

  // Authenticate.
  const admitted = admitTo(context, asker, mayBeFree(body));
  const account = admitted instanceof Promise ? await admitted : admitted;
  const { deviceId } = asker;
  asker.trace?.mark('admit');

  // Validate, decide which texts are wanted, locate and describe: in this thread or in a worker.
  const locating = Buffer.isBuffer(body)
    ? locateLarge(context, asker, account, body)
    : locateSmall(context, asker, account, body);
  const located = locating instanceof Promise ? await locating : locating;
  asker.trace?.mark(locating instanceof Promise ? 'hop' : 'locate');
  const { outcome, position, track } = located;

  // Compare with the last location. The state of a large body is opened here, so such a body is located without it. A
  // position that the device cannot have reached is not answered.
  const state = Buffer.isBuffer(body) ? openState(states, account, asker, outcome) : located.state;
  const speed = speedSince(state, located);
  const isTooFast = speed !== undefined && speed > optionsOf(outcome, account).speedLimit;

  // Contribute.
  const packed = outcome.contributes ? (located.packed ?? packSmall(context, asker, account, body)) : undefined;
  const newReports = packed !== undefined && packed.length > 0 ? await contribute(intake, account, packed) : undefined;
  if (position === undefined || isTooFast) {
    const foreign = readForeign(body);
    return foreign === undefined ? ERRORS.notFound : answerPositionOf(context, asker, foreign, () => account);
  }

  // Charge.
  const price = newReports !== undefined && isFree(position, outcome.gps!, newReports > 0) ? 0 : POSITION_CREDITS;
  const charging = charge(billing, account.id, price, located.texts);
  const texts = charging instanceof Promise ? await charging : charging;
  if (texts === undefined) return ERRORS.creditsExceeded;
  asker.credits = price + creditsOf(texts);
  if (price > 0) rewardHonest(context, account.id, asker.timeMs, located, position);

  // Reply.
  return positionText(position, texts, {
    confidence: outcome.confidence,
    gps: outcome.gps,
    speed,
    credits: outcome.credits ? billing.balance(account.id) : undefined,
    expires: outcome.expires ? account.expires : undefined,
    state: isTracked(deviceId, account)
      ? states.seal({ ...position, accountId: account.id, deviceId, timeMs: outcome.timestampMs, track })
      : undefined,
    explanation: located.explanation && explanationText(located.explanation),
    logId: asker.takeLogId(),
  });
}

/** Sends a large body to a worker, which also packs its report. */
function locateLarge(
  { billing, compute, intake, loneBeacons }: RouteContext,
  { deviceId, timeMs, explain: parameter }: Asker,
  account: Account,
  bytes: Buffer,
): Promise<Found> {
  const sender = senderOf(intake, account, deviceId, timeMs);
  const terms = extraTerms(billing, account, bytes);
  const task = {
    bytes,
    sender,
    loneBeacons,
    asker: askerOf(account),
    terms,
    tally: intake.tallyMemory,
    explain: account.explain ? { parameter } : undefined,
  };
  return runTask(compute, account.id, 'largePosition', task, bytes.length);
}

/** @throws ApiError when the structure of the body is wrong, or its state belongs to another device */
function locateSmall(
  { billing, compute, states, loneBeacons }: RouteContext,
  asker: Asker,
  account: Account,
  body: unknown,
): Found | Promise<Found> {
  const sent = body instanceof ScannedBody ? body.rest : body;
  checkStructure(sent);
  const asked = withDefaults(sent, account);
  if (body instanceof ScannedBody) body.rest = asked;
  const { timeMs, deviceId } = asker;
  const who = askerOf(account);
  const texts = mayWant(asked, account) ? wantsOf(asked, extraTerms(billing, account, asked)) : 0;
  const wants = isTracked(deviceId, account) ? texts | trackWants(account) : texts;
  const state = asked.state
    ? openState(states, account, asker, { state: asked.state, timestampMs: timeOf(asked, timeMs) })
    : undefined;
  if (account.explain === true && asksForExplanation(asked, asker.explain)) {
    const whole = body instanceof ScannedBody ? withDefaults(body.parsed(), account) : asked;
    return explain(compute, account.id, {
      body: whole,
      arrivalMs: timeMs,
      wants: wants | loneBeacons,
      asker: who,
      state,
    });
  }
  return locate(compute, body instanceof ScannedBody ? body : asked, timeMs, wants | loneBeacons, who, state);
}

function packSmall({ intake }: RouteContext, { deviceId, timeMs }: Asker, account: Account, body: unknown): Packed {
  return packPosition(body as PositionBody, senderOf(intake, account, deviceId, timeMs), intake.tally);
}

/** The key's defaults, and whether the balance covers one of them. */
function extraTerms(billing: Billing, account: Account, body: unknown): ExtraTerms {
  const price = (mayBeFree(body) ? 0 : POSITION_CREDITS) + EXTRA_CREDITS;
  return {
    byDefault: {
      address: account.address,
      indoor: account.indoor,
      confidence: account.confidence,
      fallbacks: account.fallbacks,
    },
    isCovered: billing.covers(account.id, price),
  };
}

/**
 * True if the request may contribute and so be free. A large body is not parsed yet, so it may; a scanned body never
 * does.
 */
function mayBeFree(body: unknown): boolean {
  if (body instanceof ScannedBody) return false;
  return Buffer.isBuffer(body) || mayContribute(body as PositionBody);
}

/**
 * True if a contribution pays for its position: the answer is its own fix, or rests on it while the report is new and
 * the fix good.
 */
function isFree(
  { sources }: FoundPosition,
  { accuracyMetres = Number.POSITIVE_INFINITY }: GpsFix,
  isNew: boolean,
): boolean {
  if (sources === SOURCE_GPS) return true;
  return (sources & SOURCE_GPS) !== 0 && isNew && accuracyMetres <= GOOD_FIX_METRES;
}

/**
 * Charges for a position and its texts. Of these, the answer leaves out what the balance does not cover.
 * @param price of the position itself
 * @returns the texts that are paid for; undefined when the balance does not cover the position; a promise when the
 *   writer must top up the balance
 */
function charge(billing: Billing, accountId: number, price: number, texts: PlaceTexts): Paid | Promise<Paid> {
  const sum = price + creditsOf(texts);
  const charged = sum === 0 || billing.charge(accountId, sum);
  const settle = (isPaid: boolean): Paid | Promise<Paid> => {
    if (isPaid) return texts;
    const fewer = withoutExtra(texts);
    return fewer && charge(billing, accountId, price, fewer);
  };
  return charged instanceof Promise ? charged.then(settle) : settle(charged);
}

/** True if answers to a device have a state, which says how it moves. @param deviceId of the request */
export function isTracked(deviceId: string | undefined, account: Account): deviceId is string {
  return deviceId !== undefined && keepsState(account);
}

/**
 * Opens the state of a request.
 * @param asker who asks, with the id that was sent
 * @param sent its token, and the time of the request in milliseconds since 1970
 * @returns undefined without a state, and for one to ignore
 * @throws ApiError settingsKeyInvalid when the state belongs to another device
 */
export function openState(
  states: StateSealer,
  account: Account,
  { deviceId }: { readonly deviceId: string | undefined },
  { state: token, timestampMs }: { state: string | undefined; timestampMs: number },
): DeviceState | undefined {
  if (token === undefined) return undefined;
  const state = states.open(token, account.id, deviceId, timestampMs);
  if (state === 'foreign') throw new ApiError(ERRORS.settingsKeyInvalid);
  return state;
}

/**
 * The least speed that takes a device from its last location to its position.
 * @param state of the request
 * @returns m/s; undefined when one of the two is not known
 */
export function speedSince(
  state: TimedPosition | undefined,
  { outcome, lastLocation, position }: Located,
): number | undefined {
  const { timestampMs } = outcome;
  const last = lastBefore(timestampMs, state, lastLocation);
  if (last === undefined || position === undefined) return undefined;
  return speedBetween(last, { ...position, timeMs: timestampMs });
}

/** Content type and errors of the compact form. */
export const COMPACT_WORDING: Wording = { contentType: 'text/plain; charset=utf-8', error: formatCompactError };

/**
 * GET /: a position in the compact form (protocol/requests/compact.ts). The parameters hold the access points; the
 * answer is one line of `name=value` pairs with a `status` of its own. There is no address, no contribution and no
 * tracking.
 */
export async function answerCompact(context: RouteContext, exchange: Exchange): Promise<Answer> {
  const account = await admit(context, exchange);
  const { wifi, cells, cell } = exchange.transport.query;
  const body = withDefaults(readCompact(wifi, cells ?? cell), account);
  const located = await locate(context.compute, body, exchange.timeMs, context.loneBeacons, askerOf(account));
  const { position, outcome } = located;
  if (position === undefined) return ERRORS.notFound;
  if (!(await context.billing.charge(account.id, POSITION_CREDITS))) return ERRORS.creditsExceeded;
  exchange.credits = POSITION_CREDITS;
  rewardHonest(context, account.id, exchange.timeMs, located, position);
  const radiusMetres = position.accuracyMetres * radiusFactor(outcome.confidence, position);
  return formatCompact(position.latitude, position.longitude, Math.max(1, radiusMetres));
}
