// POST / and its aliases: where is the device? `answerPosition` is the whole way of a request, from its key to the text of its answer.
//
// A request with a fix of age 0 and a cell or an access point contributes: it costs nothing, whether a position is found or not, and is answered once
// the report is stored. One that the rules of intake refuse is a request like any other.

import type { Billing } from '../accounts/billing.ts';
import { keepsState, optionsOf } from '../accounts/options.ts';
import { ADDRESS_CREDITS, type AddressTerms, mayWant, wantsOf } from '../protocol/answers/description.ts';
import { positionText } from '../protocol/answers/position.ts';
import { ERRORS } from '../protocol/errors.ts';
import { checkStructure, type PositionBody } from '../protocol/requests/schema.ts';
import type { PlaceTexts } from '../radio/query/answer.ts';
import { numberOf } from '../radio/read_value.ts';
import type { Account } from '../tables/accounts/account_record.ts';
import type { Located } from '../tasks/locate.ts';
import { type Packed, packPosition } from '../tasks/pack_reports.ts';
import { admit } from './admission.ts';
import type { RouteContext } from './context.ts';
import { contribute, senderOf } from './contribution.ts';
import type { Answer, Exchange } from './exchange.ts';
import { locate, runTask } from './hop.ts';
import { speedSince } from './speed_since.ts';

/** Price of an answered position. */
export const POSITION_CREDITS = 1;

/** What was found, and of a large body the report that it makes. */
type Found = Located & { packed?: Packed };
/** Texts that are paid; undefined where the balance does not cover the position. */
type Paid = PlaceTexts | undefined;

/**
 * POST / and its aliases. Nearly all of them are answered without waiting for another thread, so only promises are awaited: an `await` of a value, or one more
 * async function, costs a third of a microsecond.
 */
export async function answerPosition(context: RouteContext, exchange: Exchange, body: unknown): Promise<Answer> {
  const { billing, intake, states } = context;

  // Authenticate.
  const admitted = admit(context, exchange, mayContribute(body));
  const account = admitted instanceof Promise ? await admitted : admitted;
  const { deviceId } = exchange;

  // Validate, resolve what is wanted, locate and describe: here, or one hop away.
  const locating = Buffer.isBuffer(body) ? locateLarge(context, exchange, account, body) : locateSmall(context, exchange, account, body);
  const located = locating instanceof Promise ? await locating : locating;
  const { outcome, position } = located;

  // Compare with where the device was. A position that it cannot have reached is not answered.
  const speed = speedSince(states, account.id, deviceId, located);
  const isTooFast = speed !== undefined && speed > optionsOf(outcome, account).speedLimit;

  // Contribute.
  const packed = outcome.contributes ? (located.packed ?? packSmall(context, exchange, account, body)) : undefined;
  const contributes = packed !== undefined && packed.length > 0;
  if (contributes) await contribute(intake, account, packed);
  if (position === undefined || isTooFast) return ERRORS.notFound;

  // Charge.
  const charging = charge(billing, account.id, contributes ? 0 : POSITION_CREDITS, located.texts);
  const texts = charging instanceof Promise ? await charging : charging;
  if (texts === undefined) return ERRORS.creditsExceeded;

  // Reply.
  const hasState = deviceId !== undefined && keepsState(account);
  return positionText(position, texts, {
    confidence: outcome.confidence,
    gps: outcome.gps,
    speed,
    credits: outcome.credits ? billing.balance(account.id) : undefined,
    expires: outcome.expires ? account.expires : undefined,
    state: hasState ? states.seal({ ...position, accountId: account.id, deviceId, timeMs: outcome.timestampMs }) : undefined,
    logId: exchange.takeLogId(),
  });
}

/** A large body goes to a worker whole, which also packs its report. */
function locateLarge(
  { billing, compute, intake }: RouteContext,
  { deviceId, timeMs }: Exchange,
  account: Account,
  bytes: Buffer,
): Promise<Found> {
  const sender = senderOf(intake, account, deviceId, timeMs);
  const task = { bytes, sender, terms: addressTerms(billing, account, bytes), tally: intake.tallyMemory };
  return runTask(compute, 'largePosition', task, bytes.length);
}

/** @throws ApiError when the structure of the body is wrong */
function locateSmall({ billing, compute }: RouteContext, { timeMs }: Exchange, account: Account, body: unknown): Found | Promise<Found> {
  checkStructure(body);
  const wants = mayWant(body, account.address) ? wantsOf(body, addressTerms(billing, account, body)) : 0;
  return locate(compute, body, timeMs, wants);
}

function packSmall({ intake }: RouteContext, { deviceId, timeMs }: Exchange, account: Account, body: unknown): Packed {
  return packPosition(body as PositionBody, senderOf(intake, account, deviceId, timeMs), intake.tally);
}

/** What decides about an address where the request does not. */
function addressTerms(billing: Billing, { id, address }: Account, body: unknown): AddressTerms {
  const price = (mayContribute(body) ? 0 : POSITION_CREDITS) + ADDRESS_CREDITS;
  return { byDefault: address, isCovered: billing.covers(id, price) };
}

/** A request that may contribute may turn out to cost nothing; of a large body nobody knows yet. */
function mayContribute(body: unknown): boolean {
  return Buffer.isBuffer(body) || numberOf((body as PositionBody).gps?.age) === 0;
}

/**
 * Charges for a position and what describes it. Where others have spent meanwhile what an address costs, the answer goes without it.
 * @param price of the position itself
 * @returns the texts that are paid; undefined when the balance does not cover the position; a promise when the writer has to be asked
 */
function charge(billing: Billing, accountId: number, price: number, texts: PlaceTexts): Paid | Promise<Paid> {
  const sum = price + (texts.address === undefined ? 0 : ADDRESS_CREDITS);
  const charged = sum === 0 || billing.charge(accountId, sum);
  const settle = (isPaid: boolean): Paid | Promise<Paid> => {
    if (isPaid) return texts;
    return texts.address === undefined ? undefined : charge(billing, accountId, price, { ...texts, address: undefined });
  };
  return charged instanceof Promise ? charged.then(settle) : settle(charged);
}
