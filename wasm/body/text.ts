// The text of a body in memory: white space, strings, names, and values that are stepped over (RFC 8259).
//
// Every function takes a position in the text and returns the position behind what it read. If it declines, it returns
// BODY_NOWHERE, where zeros lie. A zero is no part of any text, so whatever reads on from there declines too, and only
// the end of the scan needs to ask. The body itself ends in a zero as well.

import { BODY_NOWHERE } from '../memory';

export const QUOTE: u32 = 34;
export const COMMA: u32 = 44;
export const COLON: u32 = 58;
export const BACKSLASH: u32 = 92;
export const OPEN_LIST: u32 = 91;
export const CLOSE_LIST: u32 = 93;
export const OPEN_OBJECT: u32 = 123;
export const CLOSE_OBJECT: u32 = 125;
export const PLUS: u32 = 43;
export const MINUS: u32 = 45;
export const POINT: u32 = 46;
export const ZERO: u32 = 48;
export const SPACE: u32 = 32;
export const LOWER_CASE: u32 = 32; // makes an ASCII letter a small one
export const LETTER_A: u32 = 97;
export const LETTER_E: u32 = 101;
export const LETTER_X: u32 = 120;
const LETTER_U: u32 = 117;
const TAB: u32 = 9;
const LINE_FEED: u32 = 10;
const CARRIAGE_RETURN: u32 = 13;
const DELETE: u32 = 127;

// Words of the text as little-endian numbers: the first letter is the lowest byte.
const TRUE: u32 = 0x65757274;
const NULL: u32 = 0x6c6c756e;
const FALS: u32 = 0x736c6166;
const PROTO: u64 = 0x6f746f72705f5f; // `__proto`, 7 bytes
const PROTOTYP: u64 = 0x7079746f746f7270;
const CONSTRUC: u64 = 0x63757274736e6f63;
const SEVEN_BYTES: u64 = 0xffffffffffffff;

const LEVELS_MAX: i32 = 16; // real bodies have four

/** The byte at a position. */
export function byteAt(p: i32): u32 {
  return <u32>load<u8>(p);
}

/** True for `0` to `9`. */
export function isDigit(byte: u32): bool {
  return byte - ZERO < 10;
}

/** Steps over white space. */
export function skipSpace(p: i32): i32 {
  while (true) {
    const byte = byteAt(p);
    if (byte > SPACE) return p;
    if (byte !== SPACE && byte !== LINE_FEED && byte !== CARRIAGE_RETURN && byte !== TAB) return p;
    p++;
  }
}

/** Steps over a colon with the white space around it. */
export function skipColon(p: i32): i32 {
  p = skipSpace(p);
  return byteAt(p) === COLON ? skipSpace(p + 1) : BODY_NOWHERE;
}

/** True if `null` stands here. */
export function isNull(p: i32): bool {
  return load<u32>(p) === NULL;
}

/** True if `true` stands here. */
export function isTrue(p: i32): bool {
  return load<u32>(p) === TRUE;
}

/**
 * The closing quote of a string of printable ASCII without escapes, whose bytes are its characters; any other string
 * declines.
 * @param p behind the opening quote
 */
export function endOfPlain(p: i32): i32 {
  while (true) {
    const byte = byteAt(p);
    if (byte === QUOTE) return p;
    if (byte < SPACE || byte >= DELETE || byte === BACKSLASH) return BODY_NOWHERE;
    p++;
  }
}

/** Steps over such a string, from its opening quote. */
export function skipPlain(p: i32): i32 {
  const end = endOfPlain(p + 1);
  return end === BODY_NOWHERE ? end : end + 1;
}

/**
 * Steps over a string. Bytes that are not UTF-8 are characters too: the decoder replaces them. @param p behind the
 * opening quote
 */
export function skipString(p: i32): i32 {
  while (true) {
    const byte = byteAt(p++);
    if (byte === QUOTE) return p;
    if (byte === BACKSLASH) p = skipEscape(p);
    else if (byte < SPACE) return BODY_NOWHERE;
  }
}

/** @param p behind the backslash */
export function skipEscape(p: i32): i32 {
  switch (byteAt(p)) {
    case QUOTE:
    case BACKSLASH:
    case 47: // a slash
    case 98: // b, f, n, r, t
    case 102:
    case 110:
    case 114:
    case 116:
      return p + 1;
    case LETTER_U:
      for (let i = 1; i <= 4; i++) if (hexDigit(byteAt(p + i)) > 15) return BODY_NOWHERE;
      return p + 5;
    default:
      return BODY_NOWHERE;
  }
}

/**
 * Value of a hexadecimal digit; above 15 for any other byte. There is no branch, since whether a digit is a letter
 * cannot be predicted.
 */
export function hexDigit(byte: u32): u32 {
  const digit = byte - ZERO;
  const letter = (byte | LOWER_CASE) - LETTER_A;
  return select<u32>(digit, select<u32>(letter + 10, 255, letter < 6), digit < 10);
}

/**
 * Steps over the name of a member. Names with escapes, and those that reach a prototype, decline.
 * @param p behind the opening quote
 */
export function skipName(p: i32): i32 {
  const start = p;
  while (true) {
    const byte = byteAt(p);
    if (byte === QUOTE) break;
    if (byte < SPACE || byte === BACKSLASH) return BODY_NOWHERE;
    p++;
  }
  return reachesPrototype(start, p - start) ? BODY_NOWHERE : p + 1;
}

function reachesPrototype(start: i32, length: i32): bool {
  if (length !== 9 && length !== 11) return false;
  const word = load<u64>(start);
  return (word & SEVEN_BYTES) === PROTO || word === PROTOTYP || word === CONSTRUC;
}

/** Steps over any value. */
export function skipValue(p: i32): i32 {
  return skipAny(p, LEVELS_MAX);
}

/** @param levels that may still be opened */
function skipAny(p: i32, levels: i32): i32 {
  switch (byteAt(p)) {
    case QUOTE:
      return skipString(p + 1);
    case OPEN_OBJECT:
      return levels === 0 ? BODY_NOWHERE : skipObject(p + 1, levels - 1);
    case OPEN_LIST:
      return levels === 0 ? BODY_NOWHERE : skipList(p + 1, levels - 1);
    case 110: // null
      return isNull(p) ? p + 4 : BODY_NOWHERE;
    case 116: // true
      return isTrue(p) ? p + 4 : BODY_NOWHERE;
    case 102: // false
      return load<u32>(p) === FALS && byteAt(p + 4) === LETTER_E ? p + 5 : BODY_NOWHERE;
    default:
      return skipNumber(p);
  }
}

/** @param p behind the opening brace */
function skipObject(p: i32, levels: i32): i32 {
  p = skipSpace(p);
  if (byteAt(p) === CLOSE_OBJECT) return p + 1;
  while (true) {
    if (byteAt(p) !== QUOTE) return BODY_NOWHERE;
    p = skipSpace(skipAny(skipColon(skipName(p + 1)), levels));
    const byte = byteAt(p);
    if (byte === CLOSE_OBJECT) return p + 1;
    if (byte !== COMMA) return BODY_NOWHERE;
    p = skipSpace(p + 1);
  }
}

/** @param p behind the opening bracket */
function skipList(p: i32, levels: i32): i32 {
  p = skipSpace(p);
  if (byteAt(p) === CLOSE_LIST) return p + 1;
  while (true) {
    p = skipSpace(skipAny(p, levels));
    const byte = byteAt(p);
    if (byte === CLOSE_LIST) return p + 1;
    if (byte !== COMMA) return BODY_NOWHERE;
    p = skipSpace(p + 1);
  }
}

function skipNumber(p: i32): i32 {
  if (byteAt(p) === MINUS) p++;
  const start = p;
  p = skipDigits(p);
  if (p === start || (byteAt(start) === ZERO && p - start > 1)) return BODY_NOWHERE;
  if (byteAt(p) === POINT) {
    if (!isDigit(byteAt(p + 1))) return BODY_NOWHERE;
    p = skipDigits(p + 1);
  }
  if ((byteAt(p) | LOWER_CASE) !== LETTER_E) return p;
  p++;
  if (byteAt(p) === PLUS || byteAt(p) === MINUS) p++;
  return isDigit(byteAt(p)) ? skipDigits(p) : BODY_NOWHERE;
}

function skipDigits(p: i32): i32 {
  while (isDigit(byteAt(p))) p++;
  return p;
}
