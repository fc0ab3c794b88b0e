// Which texts an answer has besides the position: the name of the town, and the address. Both are found in the same hop as the position and come back as JSON
// in the query's own memory. An address costs as much as a request, so it is looked up only if the balance covers it.

import { wantsAddress } from '../../accounts/options.ts';
import { WANTS_ADDRESS, WANTS_GEONAME } from '../../radio/query/layout.ts';
import { flagOf } from '../../radio/read_value.ts';
import type { PositionBody } from '../requests/schema.ts';

/** Price of an address that is answered. */
export const ADDRESS_CREDITS = 1;

/** What decides about the address when the request does not. */
export interface AddressTerms {
  /** The key's default. */
  byDefault: boolean | undefined;
  /** The balance covers an address. */
  isCovered: boolean;
}

/** True if a request may want any text. Most do not. */
export function mayWant({ geoname, address }: PositionBody, byDefault: boolean | undefined): boolean {
  return byDefault === true || geoname !== undefined || address !== undefined;
}

/** WANTS_* bits of a request. @param terms undefined if addresses are never answered */
export function wantsOf(body: PositionBody, terms: AddressTerms | undefined): number {
  const address = terms?.isCovered && wantsAddress(flagOf(body.address), terms.byDefault) ? WANTS_ADDRESS : 0;
  return (flagOf(body.geoname) ? WANTS_GEONAME : 0) | address;
}
