// What a position may be answered with beside the coordinates: the name of the town, and the address. Both are found in the same hop as the position and come
// back as JSON in the query's own memory. An address costs as much as a request, so it is looked for only where the balance would pay for it.

import { wantsAddress } from '../../accounts/options.ts';
import { WANTS_ADDRESS, WANTS_GEONAME } from '../../radio/query/layout.ts';
import { flagOf } from '../../radio/read_value.ts';
import type { PositionBody } from '../requests/schema.ts';

/** Price of an address that is answered. */
export const ADDRESS_CREDITS = 1;

/** What decides about the address where the request does not. */
export interface AddressTerms {
  /** The key's default. */
  byDefault: boolean | undefined;
  /** The balance covers one. */
  isCovered: boolean;
}

/** True when a request may want anything beside the position: most do not. */
export function mayWant({ geoname, address }: PositionBody, byDefault: boolean | undefined): boolean {
  return byDefault === true || geoname !== undefined || address !== undefined;
}

/** WANTS_* bits of a request. @param terms undefined where no address is ever answered */
export function wantsOf(body: PositionBody, terms: AddressTerms | undefined): number {
  const address = terms?.isCovered && wantsAddress(flagOf(body.address), terms.byDefault) ? WANTS_ADDRESS : 0;
  return (flagOf(body.geoname) ? WANTS_GEONAME : 0) | address;
}
