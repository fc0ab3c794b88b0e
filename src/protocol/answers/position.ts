// The body that answers a request for a position, and which texts it has besides: the name of the town, the address,
// and what is known of the building. These are found in the same hop as the position and come back as JSON in the
// query's own memory. Address and building cost as much as a request each, so they are looked up only if the balance
// covers one of them.

import { isWanted } from '../../accounts/options.ts';
import { radiusFactor } from '../../positioning/estimates/estimate.ts';
import { fallbackName } from '../../radio/fallbacks.ts';
import type { FoundPosition, PlaceTexts } from '../../radio/query/answer.ts';
import { WANTS_ADDRESS, WANTS_GEONAME, WANTS_INDOOR } from '../../radio/query/layout.ts';
import { flagOf } from '../../radio/read_value.ts';
import type { BodyDefaults, GpsFix } from '../requests/position_query.ts';
import type { PositionBody } from '../requests/schema.ts';

/** Further members of the answer; undefined if not requested or not known. */
interface PositionExtras {
  /** Percentage of true positions that the radius should hold, 50..99. */
  confidence: number;
  /** The fix that the device sent. */
  gps: GpsFix | undefined;
  /** m/s since the last location. */
  speed: number | undefined;
  /** Credits left on a prepaid key. */
  credits: number | undefined;
  /** Last day of the key. */
  expires: string | undefined;
  /** State token for the device to send back. */
  state: string | undefined;
  /** How the answer came about, as JSON. */
  explanation: string | undefined;
  logId: number;
}

/** The JSON text of a position. @param texts that are paid for */
export function positionText(
  found: FoundPosition,
  { geoname, address, indoor }: PlaceTexts,
  extras: PositionExtras,
): string {
  const { gps, speed, credits, expires, state, explanation } = extras;
  const fallback = fallbackName(found.fallback);
  const radiusMetres = found.accuracyMetres * radiusFactor(extras.confidence, found);
  let text = `{"location":{"lat":${degreesText(found.latitude)},"lng":${degreesText(found.longitude)}},"accuracy":${Math.max(1, Math.round(radiusMetres))}`;
  if (gps?.heading !== undefined) text += `,"heading":${gps.heading}`;
  if (gps?.altitude !== undefined) text += `,"altitude":${gps.altitude}`;
  if (gps?.speed !== undefined) text += `,"speed":${gps.speed}`;
  if (speed !== undefined) text += `,"calculatedSpeed":${Math.round(speed)}`;
  if (geoname !== undefined) text += `,"geoname":${geoname}`;
  if (indoor !== undefined) text += `,"indoor":${indoor}`;
  if (address !== undefined) text += `,"address":${address}`;
  if (fallback !== undefined) text += `,"fallback":"${fallback}"`;
  if (credits !== undefined) text += `,"credits":${credits}`;
  if (expires !== undefined) text += `,"expires":"${expires}"`;
  if (state !== undefined) text += `,"state":"${state}"`;
  if (explanation !== undefined) text += `,"explain":${explanation}`;
  return `${text},"logId":${extras.logId}}`;
}

/** A degree, and its parts, in units of the last decimal. */
const DEGREE = 10_000_000;
const TEN_THOUSANDTHS = 10_000;
/** JavaScript writes smaller numbers with an exponent. */
const SMALLEST_PLAIN = 10;
/** Three digits each, with leading zeros. */
const THREE_DIGITS = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0'));

/**
 * Writes an angle as JSON: degrees with up to seven decimals, a centimetre. The digits are those of JavaScript's own
 * number format. They are put together from integers here, because that format searches for the shortest text of a
 * fraction, and seven decimals need no search. The text of a whole answer takes two thirds of the time that way.
 * @param angle degrees, -180..180
 * @returns the angle rounded to seven decimals, without trailing zeros
 */
export function degreesText(angle: number): string {
  const units = Math.round(angle * DEGREE);
  const size = Math.abs(units) | 0; // 180 degrees fit in 31 bits
  if (size < SMALLEST_PLAIN) return `${units / DEGREE}`;
  const whole = (size / DEGREE) | 0;
  const sign = units < 0 ? '-' : '';
  const rest = size - whole * DEGREE;
  return rest === 0 ? `${sign}${whole}` : `${sign}${whole}.${decimals(rest)}`;
}

/** Seven digits without trailing zeros. @param rest 1..9,999,999 */
function decimals(rest: number): string {
  const first = (rest / TEN_THOUSANDTHS) | 0;
  const others = rest - first * TEN_THOUSANDTHS;
  const second = (others / 10) | 0;
  const last = others - second * 10;
  const six = THREE_DIGITS[first] + THREE_DIGITS[second];
  if (last !== 0) return `${six}${last}`;
  let end = six.length;
  while (six.charCodeAt(end - 1) === 48) end--; // '0'
  return six.slice(0, end);
}

/** Price of an address that is answered, and of what is known of a building. */
export const EXTRA_CREDITS = 1;
/** How many of them an answer may have. */
export const EXTRAS_MAX = 2;

/** Defaults of a key. */
interface ExtraDefaults extends BodyDefaults {
  address?: boolean | undefined;
  indoor?: boolean | undefined;
}

/** What decides when the request does not. */
export interface ExtraTerms {
  byDefault: ExtraDefaults;
  /** The balance covers an address or a building. */
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
