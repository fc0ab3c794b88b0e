// Refuses bodies that are nested too deeply or have too many objects and lists, before they are parsed. A few kilobytes
// can inflate to eight megabytes of brackets or of empty entries, which keep JSON.parse busy for seconds. The bytes may
// come in pieces, so that a compressed body is refused while it is inflated.

import { ApiError, ERRORS } from '../errors.ts';

/** No valid body is deeper than four levels. */
const LEVELS_MAX = 64;
/**
 * The shortest entry that can be a station, `{"macAddress":"020000000001"}`, takes 30 bytes with its comma. So no body
 * of up to eight megabytes has more real entries than this.
 */
const OPENINGS_MAX = 300_000;
/** A body up to this size parses quickly, whatever it contains. */
export const SMALL_BYTES = 65_536;

const QUOTE = 34;
const BACKSLASH = 92;
// A bracket and a brace differ in this bit alone.
const BRACE_BIT = 32;
const OPENING_BRACE = 123;
const CLOSING_BRACE = 125;

/** Follows the levels of a body through its bytes and counts its objects and lists. */
export class ShapeCheck {
  private levels = 0;
  private openings = 0;
  private isInText = false;
  /** 1 if the last piece ended with a backslash, so that the next byte belongs to it. */
  private skipped = 0;

  /**
   * Reads the next piece.
   * @throws ApiError parseError for more than 64 levels of lists and objects, bodyTooLarge for more than 300,000 of
   *   them
   */
  read(bytes: Uint8Array): void {
    let { levels, openings, isInText } = this;
    let i = this.skipped;
    for (; i < bytes.length; i++) {
      const byte = bytes[i];
      if (isInText) {
        if (byte === BACKSLASH) i++;
        else if (byte === QUOTE) isInText = false;
      } else if (byte === QUOTE) isInText = true;
      else if ((byte | BRACE_BIT) === OPENING_BRACE) {
        if (++levels > LEVELS_MAX) throw tooDeep();
        if (++openings > OPENINGS_MAX) throw tooMany();
      } else if ((byte | BRACE_BIT) === CLOSING_BRACE) levels--;
    }
    this.levels = levels;
    this.openings = openings;
    this.isInText = isInText;
    this.skipped = i - bytes.length;
  }
}

/** The error of a body that is nested too deeply. */
export function tooDeep(): ApiError {
  return new ApiError(ERRORS.parseError, `The body is nested more than ${LEVELS_MAX} levels deep.`);
}

function tooMany(): ApiError {
  return new ApiError(ERRORS.bodyTooLarge, `The body has more than ${OPENINGS_MAX} objects and lists.`);
}
