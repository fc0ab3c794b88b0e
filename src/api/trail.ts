// GET /trail: where an access point was heard, for operators' tools that wonder where it has moved. Only keys with the
// setting `trail` may ask.

import { isBacked } from '../learning/candidate.ts';
import { trailOf, trailText } from '../protocol/answers/trail.ts';
import { ApiError, ERRORS } from '../protocol/errors.ts';
import { ref } from '../protocol/json_schema.ts';
import * as examples from '../protocol/openapi/examples.ts';
import { ALWAYS, jsonContent } from '../protocol/openapi/operations.ts';
import { TRAIL as QUERY } from '../protocol/requests/trail.ts';
import { KIND_WIFI } from '../radio/kind.ts';
import { KEY_BYTES_MAC, writeMacKey } from '../radio/station_key.ts';
import { admit } from './admission.ts';
import type { Answer, Exchange, RouteContext } from './exchange.ts';
import { type Route, routeOf } from './routes.ts';

/** Price of an answer. */
const TRAIL_CREDITS = 1;

/** The route. It is not for web pages of others. */
export const TRAIL: Route = {
  method: 'GET',
  path: '/trail',
  body: 'none',
  operation: {
    name: 'trail',
    tag: 'positions',
    summary: 'Ask where an access point was heard',
    description:
      'For keys that the operator has made with `--trail`; others are refused with `settingsKeyInvalid`. Answers ' +
      'with the places where an access point was heard, and ' +
      'the day on which it was heard there last. Places where one account alone has heard it are left out, ' +
      'unless that account is trusted. An access point that nobody has reported, or that was forgotten, has no ' +
      'trail. A success costs one credit.',
    parameters: QUERY.documented,
    success: {
      200: { description: 'The trail.', content: jsonContent(ref('Trail'), { moved: { value: examples.TRAIL } }) },
    },
    errors: [...ALWAYS, 'settingsKeyInvalid', 'creditsExceeded', 'notFound'],
  },
  serve: context => routeOf(context, 'trail', answerTrail),
};

async function answerTrail(context: RouteContext, exchange: Exchange): Promise<Answer> {
  const account = await admit(context, exchange);
  if (account.trail !== true) throw new ApiError(ERRORS.settingsKeyInvalid, 'This key may not ask for trails.');
  const { mac } = QUERY.read(exchange.transport.url);
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
