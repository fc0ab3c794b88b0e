// The options of a request. What the request itself says wins over the defaults of its key.

import { WANTS_OUTDOORS, WANTS_TRACK } from '../radio/query/layout.ts';
import type { Account } from '../tables/accounts/account_record.ts';

/** Options named by a request; undefined where the default of its key applies. */
interface RequestedOptions {
  /** m/s, 0 = no limit. */
  speedLimit: number | undefined;
}

/** The effective options of a request. */
interface RequestOptions {
  /** m/s above which a position is refused; infinite without a filter. */
  speedLimit: number;
}

/**
 * m/s, for a key whose filter is on and that has no limit of its own: faster than a train, slower than a jump between
 * towns.
 */
const SPEED_LIMIT_DEFAULT = 100;

/**
 * Resolves the options of a request. A speed limit in the request always applies, and 0 means none. Without one, the
 * limit of the key applies while its filter is on.
 */
export function optionsOf(requested: RequestedOptions, account: Account): RequestOptions {
  const ownLimit = account.speedFilter ? (account.speedLimit ?? SPEED_LIMIT_DEFAULT) : 0;
  return { speedLimit: (requested.speedLimit ?? ownLimit) || Number.POSITIVE_INFINITY };
}

/**
 * True if an address, or what is known of the building, is wanted with the position.
 * @param requested by the request
 * @param byDefault default of its key
 */
export function isWanted(requested: boolean | undefined, byDefault: boolean | undefined): boolean {
  return requested ?? byDefault ?? false;
}

/**
 * WANTS_* bits of the requests of a device that has a state: it is followed in buildings, and outdoors where the key
 * says so.
 */
export function trackWants({ tracking }: Account): number {
  return WANTS_TRACK | (tracking === true ? WANTS_OUTDOORS : 0);
}

/** Who asks, as a query says it: twice the number of the account, and one more if it is trusted. */
export function askerOf({ id, trusted }: Account): number {
  return 2 * id + (trusted === true ? 1 : 0);
}

/** True if devices of the key that send their id get a state token. */
export function keepsState(account: Account): boolean {
  return account.indoor === true || account.speedFilter === true || account.tracking === true;
}
