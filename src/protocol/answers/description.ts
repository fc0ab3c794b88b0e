// Which texts an answer has besides the position: the name of the town, the address, and what is known of the building.
// They are found in the same hop as the position and come back as JSON in the query's own memory. Address and building
// cost as much as a request each, so they are looked up only if the balance covers one of them.

import { isWanted } from '../../accounts/options.ts';
import type { PlaceTexts } from '../../radio/query/answer.ts';
import { WANTS_ADDRESS, WANTS_GEONAME, WANTS_INDOOR } from '../../radio/query/layout.ts';
import { flagOf } from '../../radio/read_value.ts';
import type { PositionBody } from '../requests/schema.ts';

/** Price of an address that is answered, and of what is known of a building. */
export const EXTRA_CREDITS = 1;
/** How many of them an answer may have. */
export const EXTRAS_MAX = 2;

/** Defaults of a key. */
interface ExtraDefaults {
  address?: boolean | undefined;
  indoor?: boolean | undefined;
}

/** What decides about address and building when the request does not. */
export interface ExtraTerms {
  byDefault: ExtraDefaults;
  /** The balance covers one of them. */
  isCovered: boolean;
}

/** True if a request may want any text. Most do not. */
export function mayWant({ geoname, address, indoor }: PositionBody, byDefault: ExtraDefaults): boolean {
  if (byDefault.address === true || byDefault.indoor === true) return true;
  return geoname !== undefined || address !== undefined || indoor !== undefined;
}

/** WANTS_* bits of a request. */
export function wantsOf(body: PositionBody, { byDefault, isCovered }: ExtraTerms): number {
  const geoname = flagOf(body.geoname) ? WANTS_GEONAME : 0;
  if (!isCovered) return geoname;
  const address = isWanted(flagOf(body.address), byDefault.address) ? WANTS_ADDRESS : 0;
  return geoname | address | (isWanted(flagOf(body.indoor), byDefault.indoor) ? WANTS_INDOOR : 0);
}

/** Price of the texts of an answer. */
export function creditsOf({ address, indoor }: PlaceTexts): number {
  return (address === undefined ? 0 : EXTRA_CREDITS) + (indoor === undefined ? 0 : EXTRA_CREDITS);
}

/** The texts without one that costs; undefined when none does. The address stays longest. */
export function withoutExtra(texts: PlaceTexts): PlaceTexts | undefined {
  if (texts.indoor !== undefined) return { ...texts, indoor: undefined };
  return texts.address === undefined ? undefined : { ...texts, address: undefined };
}
