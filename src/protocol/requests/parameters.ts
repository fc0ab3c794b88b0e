// Reads query strings, the parameters of every request besides the key (the device id, and the device's own request
// number), and the languages that a request prefers. The parameters of a route are in query.ts.

import { numberOf } from '../../radio/read_value.ts';
import { ApiError, ERRORS } from '../errors.ts';

/** Characters of a device id. */
export const ID_CHARACTERS_MAX = 20;

/**
 * The device id; undefined if missing or empty. If the parameter is repeated, the first one counts.
 * @throws ApiError parseError when it has more than 20 characters
 */
export function readDeviceId(parameter: unknown): string | undefined {
  const id = Array.isArray(parameter) ? parameter[0] : parameter;
  if (typeof id !== 'string' || id === '') return undefined;
  // A character outside the basic plane is two code units: 20 characters are at most 40.
  const isTooLong =
    id.length > 2 * ID_CHARACTERS_MAX || (id.length > ID_CHARACTERS_MAX && [...id].length > ID_CHARACTERS_MAX);
  if (isTooLong) throw new ApiError(ERRORS.parseError, `id must have at most ${ID_CHARACTERS_MAX} characters.`);
  return id;
}

/** The request number `nr`, a whole number from 0; undefined if missing or invalid. */
export function readRequestNumber(parameter: unknown): number | undefined {
  const number = numberOf(Array.isArray(parameter) ? parameter[0] : parameter);
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

const ENCODED = /[%+]/;

/** Decoded values by name. If a parameter is repeated, the first one counts. */
export type Parameters = ReadonlyMap<string, string>;

/**
 * Reads the parameters that a route knows, strictly as UTF-8: a search for a garbled name would find nothing. All
 * others are ignored, whatever they contain.
 * @param url as received
 * @throws ApiError parseError that names the parameter when its value is not percent-encoded UTF-8
 */
export function readQueryString(url: string, known: ReadonlySet<string>): Parameters {
  const values = new Map<string, string>();
  const start = url.indexOf('?');
  if (start < 0) return values;
  for (const pair of url.slice(start + 1).split('&')) {
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    if (name === undefined || !known.has(name) || values.has(name)) continue;
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    if (value === undefined) throw new ApiError(ERRORS.parseError, `${name} is not percent-encoded UTF-8.`);
    values.set(name, value);
  }
  return values;
}

function decode(text: string): string | undefined {
  if (!ENCODED.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined; // the caller decides whether that matters
  }
}

/** More languages are ignored. */
const LANGUAGES_MAX = 10;
const TAG = /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i;
const QUALITY = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/**
 * Reads the wanted languages of names, as browsers and the parameter `accept-language` write them:
 * `de-AT,de;q=0.9,en;q=0.5` (RFC 9110, 12.5.4).
 * @returns BCP 47 tags, best first, each once; anything that is not a tag or not wanted (`q=0`) is ignored
 */
export function readLanguages(text: string | undefined): string[] {
  if (text === undefined) return [];
  const ranges: { tag: string; quality: number }[] = [];
  for (const item of text.split(',', LANGUAGES_MAX)) {
    const [range, ...parameters] = item.split(';').map(part => part.trim());
    const quality = qualityOf(parameters);
    if (TAG.test(range) && quality > 0) ranges.push({ tag: range, quality });
  }
  ranges.sort((a, b) => b.quality - a.quality);
  return [...new Set(ranges.map(({ tag }) => tag))];
}

function qualityOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const match = QUALITY.exec(parameter);
    if (match !== null) return Number(match[1]);
  }
  return 1;
}
