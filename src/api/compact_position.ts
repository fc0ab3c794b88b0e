// GET /: a position in the compact form (protocol/requests/compact.ts). The parameters hold the access points; the
// answer is one line of `name=value` pairs with a `status` of its own. There is no address, no contribution and no
// tracking.

import { ERRORS } from '../protocol/errors.ts';
import { formatCompact, formatCompactError, readCompact } from '../protocol/requests/compact.ts';
import { admit } from './admission.ts';
import type { RouteContext } from './context.ts';
import type { Answer, Exchange, Wording } from './exchange.ts';
import { locate } from './hop.ts';
import { POSITION_CREDITS } from './position.ts';
import { countStrays, refuseStraying } from './stray_limit.ts';

/** Content type and errors of the compact form. */
export const COMPACT_WORDING: Wording = { contentType: 'text/plain; charset=utf-8', error: formatCompactError };

/** GET /. */
export async function answerCompact(context: RouteContext, exchange: Exchange): Promise<Answer> {
  const account = await admit(context, exchange);
  const body = readCompact(exchange.transport.query.wifi);
  refuseStraying(context, account.id, exchange.timeMs, body);
  const located = await locate(context.compute, body, exchange.timeMs, context.loneBeacons);
  countStrays(context, account.id, exchange.timeMs, located);
  const { position } = located;
  if (position === undefined) return ERRORS.notFound;
  if (!(await context.billing.charge(account.id, POSITION_CREDITS))) return ERRORS.creditsExceeded;
  exchange.credits = POSITION_CREDITS;
  return formatCompact(position.latitude, position.longitude, Math.max(1, position.accuracyMetres));
}
