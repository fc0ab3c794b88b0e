// The query parameters of every request besides the key: the device id, and the device's own request number.

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
