// Authentication and limits, the first step of every route that needs a key: find the account of the key, read the
// query parameters, apply the limits. The positions of a batch share the first and have the rest each.

import { isRestricted, refusalOf } from '../accounts/restrictions.ts';
import { ApiError, ERRORS } from '../protocol/errors.ts';
import { readDeviceId, readRequestNumber } from '../protocol/requests/parameters.ts';
import type { FoundPosition } from '../radio/query/answer.ts';
import { SOURCE_BLUETOOTH, SOURCE_WIFI } from '../radio/query/layout.ts';
import type { Account } from '../tables/accounts/account_record.ts';
import type { Located } from '../tasks/locate.ts';
import type { Exchange, RouteContext } from './exchange.ts';
import { givenKey, keyInQuery } from './transport/transport.ts';

/**
 * Finds the account by the key in the path, or else in the query, the body or the head, and applies its limits.
 * Notes account, device and request number in the exchange.
 * @param mayBeFree the request may turn out to be free, so an account without credits is admitted
 * @returns the account, or a promise when the writer has to count the device
 * @throws ApiError when the key or a limit refuses the request, or a parameter is invalid; Error when the account table
 *   cannot be read
 */
export function admit(context: RouteContext, exchange: Exchange, mayBeFree = false): Account | Promise<Account> {
  const account = identify(context, exchange);
  const wait = context.counters.admit(account.id, account.ratePerSecond, exchange.timeMs);
  if (wait > 0) throw tooFast(exchange, wait);
  return admitToPlan(context, account, exchange, mayBeFree);
}

/** The error of a request that came too soon. @param seconds until it may come again, which the answer then says */
export function tooFast({ transport }: Exchange, seconds: number): ApiError {
  transport.setHeader('retry-after', seconds);
  return new ApiError(ERRORS.userRateLimitExceeded);
}

/**
 * Finds the account of a request, and notes account, device and request number in the exchange.
 * @throws ApiError when the key is refused or a parameter is invalid; Error when the account table cannot be read
 */
export function identify(context: RouteContext, exchange: Exchange): Account {
  const { transport, timeMs } = exchange;
  const { query } = transport;
  const key =
    givenKey(transport.keyInPath) ??
    keyInQuery(query) ??
    givenKey(exchange.keyInBody) ??
    givenKey(transport.keyInFields) ??
    context.anonymousKey;
  const account = context.directory.find(
    key,
    !context.behindProxy && !transport.isForwarded && isLoopback(transport.address),
    timeMs,
  );
  if (account === 'unsure') throw new ApiError(ERRORS.backendError);
  if (typeof account === 'string') throw new ApiError(ERRORS.keyInvalid);
  exchange.account = account;
  if (isRestricted(account)) refuseUse(account, exchange);
  exchange.nr = readRequestNumber(query.nr);
  exchange.deviceId = readDeviceId(query.id);
  return account;
}

/** @throws ApiError when the key may not be used for this route, or from there */
function refuseUse(account: Account, { route, transport }: Exchange): void {
  const { address } = transport;
  const refusal = refusalOf(account, { route, origin: originOf(transport), address });
  if (refusal === 'route') throw new ApiError(ERRORS.accessNotConfigured);
  if (refusal === 'place') throw new ApiError(ERRORS.ipRefererBlocked);
}

/** The origin of the page that asks. Browsers name it, or at least its address, where they may not name more. */
function originOf(transport: Exchange['transport']): string | undefined {
  const origin = transport.field('origin');
  if (origin !== undefined) return origin;
  const referer = transport.field('referer');
  return referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : undefined;
}

/**
 * Applies the limits that come after the rate: credits and devices.
 * @returns the account, or a promise when the writer has to count the device
 * @throws ApiError when a limit refuses the request
 */
export function admitToPlan(
  { billing, devices }: RouteContext,
  account: Account,
  { deviceId, timeMs }: Pick<Exchange, 'deviceId' | 'timeMs'>,
  mayBeFree: boolean,
): Account | Promise<Account> {
  if (!mayBeFree && !billing.covers(account.id, 1)) throw new ApiError(ERRORS.creditsExceeded);
  const admitted = devices.admits(account, deviceId, timeMs);
  return admitted instanceof Promise ? admitted.then(admits => orRefuse(account, admits)) : orRefuse(account, admitted);
}

function orRefuse(account: Account, admits: boolean): Account {
  if (!admits) throw new ApiError(ERRORS.deviceLimitExceeded);
  return account;
}

/** @param address undefined when the client has already disconnected */
function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false;
  return address.startsWith('127.') || address === '::1' || address.startsWith('::ffff:127.');
}

/**
 * Has a wrong guess of a key forgiven in part by an answer that was paid, rests on access points or beacons, and is no
 * guess itself (src/tables/stations/guesses.ts).
 * @param position that is answered
 */
export function rewardHonest(
  { guesses: memory }: RouteContext,
  accountId: number,
  timeMs: number,
  { guesses }: Located,
  { sources }: FoundPosition,
): void {
  if (guesses === 0 && (sources & (SOURCE_WIFI | SOURCE_BLUETOOTH)) !== 0) memory.reward(accountId, timeMs);
}
