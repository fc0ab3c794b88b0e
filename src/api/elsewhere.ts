// What is tried for a position that no station of the request gives: another service (`--upstream`), and then the place
// of the client's address (`--geoip`). Neither is learned from.

import type { AddressPlace } from '../positioning/fallbacks/address_database.ts';
import { considersAddress } from '../protocol/requests/position_query.ts';
import type { PositionBody } from '../protocol/requests/schema.ts';
import { readUpstream, upstreamQuestion } from '../protocol/requests/upstream_question.ts';
import { FALLBACK_IPF, FALLBACK_UPSTREAM } from '../radio/fallbacks.ts';
import type { FoundPosition } from '../radio/query/answer.ts';
import type { Account } from '../tables/accounts/account_record.ts';
import type { Exchange, RouteContext } from './exchange.ts';

/** Where clients of Google and Mozilla ask, whose services look at the address unless a request says otherwise. */
const GOOGLE_PATH = /\/v1\/+geolocate\/*$/;

/**
 * Looks elsewhere.
 * @param body as sent, with the defaults of its key
 * @returns undefined if nothing is found there either
 */
export async function findElsewhere(
  context: RouteContext,
  exchange: Exchange,
  account: Account,
  body: PositionBody,
): Promise<FoundPosition | undefined> {
  const upstream = account.upstream === true ? await askUpstream(context, body) : undefined;
  if (upstream !== undefined) return upstream;
  const isGoogle = GOOGLE_PATH.test(exchange.url.split('?', 1)[0]);
  const position = addressPlace(context, exchange, body, isGoogle)?.position;
  return position && { ...position, sources: 0, used: 0, fallback: FALLBACK_IPF };
}

/** Asks the other service. The share of the truths within its radius is not known, so no other radius is made of it. */
async function askUpstream({ upstream }: RouteContext, body: PositionBody): Promise<FoundPosition | undefined> {
  const question = upstream && upstreamQuestion(body);
  const text = question === undefined ? undefined : await upstream!.post(question);
  const found = text === undefined ? undefined : readUpstream(text);
  if (found === undefined) return undefined;
  const { lat: latitude, lng: longitude, accuracy: accuracyMetres } = found;
  return { latitude, longitude, accuracyMetres, at68: 1, at95: 1, sources: 0, used: 0, fallback: FALLBACK_UPSTREAM };
}

/**
 * The place of the client's address. Behind a proxy of which the configuration does not know, the client is somewhere
 * else, and its address is not known.
 * @param byDefault whether it is wanted where the request does not say
 * @returns undefined if it is not wanted or not known, or there is no database
 */
export function addressPlace(
  { addresses, behindProxy }: RouteContext,
  { transport }: Exchange,
  body: PositionBody,
  byDefault: boolean,
): AddressPlace | undefined {
  if (addresses === undefined || !considersAddress(body, byDefault)) return undefined;
  return transport.isForwarded && !behindProxy ? undefined : addresses.find(transport.address);
}
