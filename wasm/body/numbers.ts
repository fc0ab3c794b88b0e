// Reads numbers as JSON and the lenient readers of src/radio/read_value.ts do: a number, or text that is one. A decimal
// number is a whole number of digits times a power of ten. If the digits are at most 2^53 and the power is between
// 10^-22 and 10^22, both are exact as doubles, so one multiplication or division rounds correctly (Clinger, "How to
// Read Floating Point Numbers Accurately", 1990). All other numbers decline.

import { BODY_NOWHERE } from '../memory';
import {
  byteAt,
  endOfPlain,
  isDigit,
  LETTER_E,
  LETTER_X,
  LOWER_CASE,
  MINUS,
  PLUS,
  POINT,
  QUOTE,
  SPACE,
  skipValue,
  ZERO,
} from './text';

const DIGITS_MAX: i64 = 9007199254740992; // 2^53
const POWER_MAX: i32 = 22;
const EXPONENT_MAX: i32 = 9999; // no larger exponent is read exactly
const TEXT_LENGTH_MAX: i32 = 32; // longer texts are no numbers

const NONE: i64 = i64.MIN_VALUE; // no number, or one beyond 2^53: outside of all ranges

/** The number that was read last, rounded as Math.round does. */
export let rounded: i64 = NONE;
/** True if it was whole before. */
export let isWhole: bool = false;

// The digits of the number that is being read, without their point; above DIGITS_MAX once there are too many.
let digits: i64 = 0;
let exponent: i32 = 0;

/**
 * Reads a value as a number. Anything else is out of all ranges, except texts of which it is not sure that they are no
 * numbers, which decline.
 */
export function readNumber(p: i32): i32 {
  const byte = byteAt(p);
  if (byte === QUOTE) return readText(p + 1);
  if (byte === MINUS || isDigit(byte)) return readDecimal(p);
  rounded = NONE;
  isWhole = false;
  return skipValue(p);
}

/** A number of JSON. */
function readDecimal(p: i32): i32 {
  const negative = byteAt(p) === MINUS;
  if (negative) p++;
  const start = p;
  digits = 0;
  exponent = 0;
  p = takeDigits(p);
  if (p === start || (byteAt(start) === ZERO && p - start > 1)) return BODY_NOWHERE;
  if (byteAt(p) === POINT) {
    const point = p;
    p = takeDigits(p + 1);
    if (p === point + 1) return BODY_NOWHERE;
    exponent = point + 1 - p;
  }
  if ((byteAt(p) | LOWER_CASE) === LETTER_E) {
    p = takeExponent(p + 1);
    if (p === BODY_NOWHERE) return p;
  }
  return compose(negative) ? p : BODY_NOWHERE;
}

/**
 * A text that may be a number: a sign, digits, perhaps a point and digits, perhaps an exponent. White space around it
 * declines. @param p behind the quote
 */
function readText(p: i32): i32 {
  const end = endOfPlain(p);
  if (end === BODY_NOWHERE) return end;
  rounded = NONE;
  isWhole = false;
  const length = end - p;
  // Hexadecimal digits may be read as a number.
  if (byteAt(p) === ZERO && (byteAt(p + 1) | LOWER_CASE) === LETTER_X) return BODY_NOWHERE;
  if (length === 0 || length > TEXT_LENGTH_MAX) return end + 1;
  if (byteAt(p) === SPACE || byteAt(end - 1) === SPACE) return BODY_NOWHERE;
  const negative = byteAt(p) === MINUS;
  if (negative || byteAt(p) === PLUS) p++;
  const start = p;
  digits = 0;
  exponent = 0;
  p = takeDigits(p);
  if (p === start) return end + 1;
  if (byteAt(p) === POINT) {
    const point = p;
    p = takeDigits(p + 1);
    exponent = point + 1 - p;
  }
  if ((byteAt(p) | LOWER_CASE) === LETTER_E) {
    p = takeExponent(p + 1);
    if (p === BODY_NOWHERE) return end + 1;
  }
  if (p !== end) return end + 1;
  return compose(negative) ? end + 1 : BODY_NOWHERE;
}

function takeDigits(p: i32): i32 {
  let all = digits;
  while (true) {
    const digit = byteAt(p) - ZERO;
    if (digit > 9) break;
    all = all * 10 + digit;
    if (all > DIGITS_MAX) all = DIGITS_MAX + 1;
    p++;
  }
  digits = all;
  return p;
}

/** @param p behind the letter @returns BODY_NOWHERE if no digit follows */
function takeExponent(p: i32): i32 {
  const negative = byteAt(p) === MINUS;
  if (negative || byteAt(p) === PLUS) p++;
  if (!isDigit(byteAt(p))) return BODY_NOWHERE;
  let power = 0;
  for (; isDigit(byteAt(p)); p++) if (power < EXPONENT_MAX) power = power * 10 + <i32>(byteAt(p) - ZERO);
  exponent += negative ? -power : power;
  return p;
}

/** Makes the number of its digits and exponent. @returns false if that is not exact */
function compose(negative: bool): bool {
  if (digits > DIGITS_MAX) return false;
  if (exponent === 0 || digits === 0) {
    rounded = negative ? -digits : digits;
    isWhole = true;
    return true;
  }
  if (exponent < -POWER_MAX || exponent > POWER_MAX) return false;
  let power: f64 = 1;
  for (let i = abs(exponent); i > 0; i--) power *= 10;
  let value = exponent > 0 ? <f64>digits * power : <f64>digits / power;
  if (negative) value = -value;
  const below = Math.floor(value);
  isWhole = below === value;
  const nearest = value - below >= 0.5 ? below + 1 : below;
  rounded = Math.abs(nearest) <= <f64>DIGITS_MAX ? <i64>nearest : NONE;
  return true;
}

/** The number, rounded, if it is then in the range; otherwise `absent`. */
export function roundedIn(min: i64, max: i64, absent: i64): i64 {
  return rounded >= min && rounded <= max ? rounded : absent;
}

/** The number, if it is whole and from 0 to `max`; otherwise -1. */
export function wholeTo(max: i64): i64 {
  return isWhole && rounded >= 0 && rounded <= max ? rounded : -1;
}
