// Who asks, and may they? The first step of every route that costs something: the key, the request's own parameters, the key's limits.

import { ApiError, ERRORS } from '../protocol/errors.ts';
import { readDeviceId, readRequestNumber } from '../protocol/requests/parameters.ts';
import type { Account } from '../tables/accounts/account_record.ts';
import type { RouteContext } from './context.ts';
import { type Exchange, keyInPath, type Query } from './exchange.ts';

/**
 * Authenticates by the key in the path, else the query's, and applies the key's limits. The exchange learns who asks.
 * @param mayBeFree the request may turn out to cost nothing: an account without credits may still ask
 * @returns the account, or a promise of it when the writer has to be asked
 * @throws ApiError when the key or a limit refuses the request, or a parameter is not valid; Error when the account table cannot be read
 */
export function admit(context: RouteContext, exchange: Exchange, mayBeFree: boolean): Account | Promise<Account> {
  const { request, timeMs } = exchange;
  const query = request.query as Query;
  const sent = keyInPath(request) ?? firstOf(query.key);
  const key = sent === undefined || sent === '' || sent === 'null' ? context.anonymousKey : sent;
  const account = context.directory.find(key, context.behindProxy ? false : isLoopback(request.ip), timeMs);
  if (typeof account === 'string') throw new ApiError(ERRORS.keyInvalid);
  exchange.account = account;
  exchange.nr = readRequestNumber(query.nr);
  exchange.deviceId = readDeviceId(query.id);
  const wait = context.counters.admit(account.id, account.ratePerSecond, timeMs);
  if (wait > 0) {
    exchange.reply.header('retry-after', wait);
    throw new ApiError(ERRORS.userRateLimitExceeded);
  }
  if (!mayBeFree && !context.billing.covers(account.id, 1)) throw new ApiError(ERRORS.creditsExceeded);
  const admitted = context.devices.admits(account, exchange.deviceId, timeMs);
  return admitted instanceof Promise ? admitted.then(admits => orRefuse(account, admits)) : orRefuse(account, admitted);
}

function orRefuse(account: Account, admits: boolean): Account {
  if (!admits) throw new ApiError(ERRORS.deviceLimitExceeded);
  return account;
}

/** First value of a parameter that may be repeated. */
function firstOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'object' ? value[0] : value;
}

/** @param address undefined when the client is gone already */
function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false;
  return address.startsWith('127.') || address === '::1' || address.startsWith('::ffff:127.');
}
