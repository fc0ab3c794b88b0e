// Refuses bodies that are nested too deeply, before they are parsed. Eight megabytes of brackets, which compress to eight kilobytes, would keep JSON.parse busy
// for two seconds while all other requests wait.

import { ApiError, ERRORS } from '../errors.ts';

/** No valid body is deeper than four levels. */
const LEVELS_MAX = 64;
/** A body up to this size parses quickly, whatever it contains. */
const SMALL_BYTES = 65_536;

const QUOTE = 34;
const BACKSLASH = 92;
const OPENING = [91, 123];
const CLOSING = [93, 125];

/** @throws ApiError parseError for a large body of more than 64 levels of lists and objects */
export function refuseDeepNesting(bytes: Uint8Array): void {
  if (bytes.length <= SMALL_BYTES) return;
  let levels = 0;
  let isInText = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (isInText) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) isInText = false;
    } else if (byte === QUOTE) isInText = true;
    else if (byte === OPENING[0] || byte === OPENING[1]) {
      levels++;
      if (levels > LEVELS_MAX) throw new ApiError(ERRORS.parseError, `The body is nested more than ${LEVELS_MAX} levels deep.`);
    } else if (byte === CLOSING[0] || byte === CLOSING[1]) levels--;
  }
}
