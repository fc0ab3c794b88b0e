// /v1/country: in which country is the device? The body is that of a position. A position decides where there is one;
// otherwise the networks that the device hears, if all are of one country. Nothing is contributed, tracked or
// described.

import type { Country } from '../geocoding/address/address.ts';
import { countryOf } from '../protocol/answers/country.ts';
import { ERRORS } from '../protocol/errors.ts';
import { checkStructure } from '../protocol/requests/schema.ts';
import { admit } from './admission.ts';
import type { RouteContext } from './context.ts';
import type { Answer, Exchange } from './exchange.ts';
import { locate, runTask } from './hop.ts';
import { countStrays, refuseStraying } from './stray_limit.ts';

/** Price of an answer. */
const COUNTRY_CREDITS = 1;

/** GET and POST /v1/country. */
export async function answerCountry(context: RouteContext, exchange: Exchange, body: unknown): Promise<Answer> {
  const account = await admit(context, exchange);
  const country = await findCountry(context, account.id, exchange.timeMs, body);
  if (country === undefined) return ERRORS.notFound;
  if (!(await context.billing.charge(account.id, COUNTRY_CREDITS))) return ERRORS.creditsExceeded;
  exchange.credits = COUNTRY_CREDITS;
  return JSON.stringify({ country_code: country.code.toUpperCase(), country_name: country.name });
}

async function findCountry(
  context: RouteContext,
  accountId: number,
  timeMs: number,
  body: unknown,
): Promise<Country | undefined> {
  const { compute, loneBeacons } = context;
  refuseStraying(context, accountId, timeMs, body);
  if (Buffer.isBuffer(body))
    return (await runTask(compute, accountId, 'largeCountry', { bytes: body, timeMs }, body.length)).country;
  checkStructure(body);
  const located = await locate(compute, body, timeMs, loneBeacons);
  countStrays(context, accountId, timeMs, located);
  return countryOf(body, located.position);
}
