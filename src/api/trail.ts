// GET /trail: where an access point was heard, for operators' tools that wonder where it has moved. Only keys with the
// setting `trail` may ask.

import { isBacked } from '../learning/candidate.ts';
import { trailOf, trailText } from '../protocol/answers/trail.ts';
import { ApiError, ERRORS } from '../protocol/errors.ts';
import { TRAIL } from '../protocol/requests/trail.ts';
import { KIND_WIFI } from '../radio/kind.ts';
import { KEY_BYTES_MAC, writeMacKey } from '../radio/station_key.ts';
import { admit } from './admission.ts';
import type { Answer, Exchange, RouteContext } from './exchange.ts';

/** The path, which is not for web pages of others. */
export const TRAIL_PATH = '/trail';
/** Price of an answer. */
const TRAIL_CREDITS = 1;

/** GET /trail. */
export async function answerTrail(context: RouteContext, exchange: Exchange): Promise<Answer> {
  const account = await admit(context, exchange);
  if (account.trail !== true) throw new ApiError(ERRORS.settingsKeyInvalid, 'This key may not ask for trails.');
  const { mac } = TRAIL.read(exchange.transport.url);
  const key = Buffer.alloc(KEY_BYTES_MAC + 1);
  writeMacKey(key, 0, KIND_WIFI, mac);
  const learned = context.compute.learned(key.subarray(0, KEY_BYTES_MAC));
  // Places where one account alone has heard it would show the way of that account.
  const places = learned?.candidates.filter(isBacked) ?? [];
  if (places.length === 0) return ERRORS.notFound;
  if (!(await context.billing.charge(account.id, TRAIL_CREDITS))) return ERRORS.creditsExceeded;
  exchange.credits = TRAIL_CREDITS;
  return trailText(mac, trailOf(places), exchange.takeLogId());
}
