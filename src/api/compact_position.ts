// GET /: a position asked in the old compact form (compact.ts): parameters in, a line of `name=value` out, whose `status` says how it went besides the HTTP
// status. The line has no room for an address, and nothing is contributed or tracked.

import { ERRORS } from '../protocol/errors.ts';
import { formatCompact, formatCompactError, readCompact } from '../protocol/requests/compact.ts';
import { admit } from './admission.ts';
import type { RouteContext } from './context.ts';
import type { Answer, Exchange, Query, Wording } from './exchange.ts';
import { locate } from './hop.ts';
import { POSITION_CREDITS } from './position.ts';

/** How the compact form says what went wrong. */
export const COMPACT_WORDING: Wording = { contentType: 'text/plain; charset=utf-8', error: formatCompactError };

/** GET /. */
export async function answerCompact(context: RouteContext, exchange: Exchange): Promise<Answer> {
  const account = await admit(context, exchange, false);
  const { position } = await locate(context.compute, readCompact((exchange.request.query as Query).wifi), exchange.timeMs, 0);
  if (position === undefined) return ERRORS.notFound;
  if (!(await context.billing.charge(account.id, POSITION_CREDITS))) return ERRORS.creditsExceeded;
  return formatCompact(position.latitude, position.longitude, Math.max(1, position.accuracyMetres));
}
