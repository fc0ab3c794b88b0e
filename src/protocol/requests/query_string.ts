// Reads the parameters of a query string, strictly as UTF-8: a search for a garbled name would find nothing.

import { ApiError, ERRORS } from '../errors.ts';

/** Decoded values by name. If a parameter is repeated, the first one counts. */
export type Parameters = ReadonlyMap<string, string>;

/**
 * Reads the parameters that a route knows. All others are ignored, whatever they contain.
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
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined; // the caller decides whether that matters
  }
}
