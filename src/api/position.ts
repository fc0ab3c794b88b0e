// POST / and its aliases: where is the device? `answerPosition` shows every step of a request, from its key to the text of its answer.
//
// A request with a fix of age 0 and a cell or an access point contributes. It is free, whether a position is found or not, and is answered once its report
// is stored. If the rules of intake refuse the report, the request is an ordinary one.

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

/** The result, with the packed report where a worker read the body. */
type Found = Located & { packed?: Packed };
/** The texts that are paid for; undefined when the balance does not cover the position. */
type Paid = PlaceTexts | undefined;

/**
 * POST / and its aliases. Nearly all requests are answered without waiting for another thread, so only promises are awaited: awaiting a plain value, or one more
 * async function, costs a third of a microsecond.
 */
export async function answerPosition(context: RouteContext, exchange: Exchange, body: unknown): Promise<Answer> {
  const { billing, intake, states } = context;

  // Authenticate.
  const admitted = admit(context, exchange, mayContribute(body));
  const account = admitted instanceof Promise ? await admitted : admitted;
  const { deviceId } = exchange;

  // Validate, decide which texts are wanted, locate and describe: in this thread or in a worker.
  const locating = Buffer.isBuffer(body) ? locateLarge(context, exchange, account, body) : locateSmall(context, exchange, account, body);
  const located = locating instanceof Promise ? await locating : locating;
  const { outcome, position } = located;

  // Compare with the last location. A position that the device cannot have reached is not answered.
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

/** Sends a large body to a worker, which also packs its report. */
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

/** The key's default for addresses, and whether the balance covers one. */
function addressTerms(billing: Billing, { id, address }: Account, body: unknown): AddressTerms {
  const price = (mayContribute(body) ? 0 : POSITION_CREDITS) + ADDRESS_CREDITS;
  return { byDefault: address, isCovered: billing.covers(id, price) };
}

/** True if the request may contribute and so be free. A large body is not parsed yet, so it may. */
function mayContribute(body: unknown): boolean {
  return Buffer.isBuffer(body) || numberOf((body as PositionBody).gps?.age) === 0;
}

/**
 * Charges for a position and its texts. If other requests have spent the price of the address meanwhile, the answer leaves it out.
 * @param price of the position itself
 * @returns the texts that are paid for; undefined when the balance does not cover the position; a promise when the writer must top up the balance
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
