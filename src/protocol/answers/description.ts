// What a position may be answered with beside the coordinates: the name of the town, and the address. Both are found in the same hop as the position and come
// back as JSON in the query's own memory. An address costs as much as a request, so it is looked for only where the balance would pay for it.

import { wantsAddress } from '../../accounts/options.ts';
import {
  REQUEST_BYTES,
  REQUEST_TEXT,
  RESULT_ADDRESS,
  RESULT_GEONAME,
  TEXT_BYTES,
  WANTS_ADDRESS,
  WANTS_GEONAME,
} from '../../radio/query/layout.ts';
import { QueryMemory } from '../../radio/query/writer.ts';
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

/** JSON texts; undefined where it was not asked for, or nothing is known. */
export interface Description {
  geoname: string | undefined;
  address: string | undefined;
}

const NOTHING: Description = { geoname: undefined, address: undefined };

/** True when a request may want anything beside the position: most do not. */
export function mayWant({ geoname, address }: PositionBody, byDefault: boolean | undefined): boolean {
  return byDefault === true || geoname !== undefined || address !== undefined;
}

/** WANTS_* bits of a request. @param terms undefined where no address is ever answered */
export function wantsOf(body: PositionBody, terms: AddressTerms | undefined): number {
  const address = terms?.isCovered && wantsAddress(flagOf(body.address), terms.byDefault) ? WANTS_ADDRESS : 0;
  return (flagOf(body.geoname) ? WANTS_GEONAME : 0) | address;
}

/** The texts of the answered query at `offset`. */
export function descriptionOf(memory: QueryMemory, offset: number): Description {
  const { u32 } = memory;
  const begin = u32[(offset + REQUEST_TEXT) >> 2];
  if (begin === 0) return NOTHING;
  const geonameEnd = offset + begin + u32[(offset + RESULT_GEONAME) >> 2];
  const addressEnd = geonameEnd + u32[(offset + RESULT_ADDRESS) >> 2];
  return { geoname: textAt(memory, offset + begin, geonameEnd), address: textAt(memory, geonameEnd, addressEnd) };
}

function textAt({ buffer }: QueryMemory, start: number, end: number): string | undefined {
  return end === start ? undefined : Buffer.from(buffer, start, end - start).toString('utf8');
}

/** The answered query at the beginning of `memory`, without its observations. */
export function withoutObservations(memory: QueryMemory): Uint8Array {
  const begin = memory.u32[REQUEST_TEXT >> 2];
  if (begin === 0) return memory.u8.slice(0, REQUEST_BYTES);
  const short = new QueryMemory(new ArrayBuffer(REQUEST_BYTES + TEXT_BYTES));
  short.u8.set(memory.u8.subarray(0, REQUEST_BYTES));
  short.u8.set(memory.u8.subarray(begin, begin + TEXT_BYTES), REQUEST_BYTES);
  short.u32[REQUEST_TEXT >> 2] = REQUEST_BYTES;
  return short.u8;
}
