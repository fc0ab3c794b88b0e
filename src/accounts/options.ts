// The options of a request: what it asks for itself, over the defaults that its key carries.

import type { Account } from '../tables/accounts/account_record.ts';

/** What a request names; undefined where it leaves the choice to its key. */
interface RequestedOptions {
  indoor: boolean | undefined;
  /** m/s, 0 = no limit. */
  speedLimit: number | undefined;
}

/** What holds for a request. */
interface RequestOptions {
  /** Looks for building, floor and room. */
  indoor: boolean;
  /** m/s above which a position is refused; infinite without a filter. */
  speedLimit: number;
}

/** m/s, of a key whose filter is on without a limit of its own: faster than a train, slower than a jump from town to town. */
const SPEED_LIMIT_DEFAULT = 100;

/**
 * Resolves the options of a request. A limit that the request names filters whether the key's filter is on or not, and 0 turns that off for this request;
 * the key's own limit counts only while its filter is on.
 */
export function optionsOf(requested: RequestedOptions, account: Account): RequestOptions {
  const ownLimit = account.speedFilter ? (account.speedLimit ?? SPEED_LIMIT_DEFAULT) : 0;
  return {
    indoor: requested.indoor ?? account.indoor ?? false,
    speedLimit: (requested.speedLimit ?? ownLimit) || Number.POSITIVE_INFINITY,
  };
}

/**
 * True when the position is looked up as an address too.
 * @param requested what the request says
 * @param byDefault what its key says
 */
export function wantsAddress(requested: boolean | undefined, byDefault: boolean | undefined): boolean {
  return requested ?? byDefault ?? false;
}

/** True when devices of the key that send their id are given a state to send back. */
export function keepsState(account: Account): boolean {
  return account.indoor === true || account.speedFilter === true;
}
