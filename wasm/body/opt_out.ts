// Finds the networks whose owners opted out of location services, as src/radio/wifi.ts does: the name ends in `_nomap`
// or contains `_optout`. Both are ASCII, and no part of an escape looks like them, so the bytes decide. Only an escape
// for an ASCII character could hide a letter of them.

import { BODY_NOWHERE } from '../memory';
import { BACKSLASH, byteAt, endOfPlain, QUOTE, SPACE, skipEscape, skipValue } from './text';

// Words as little-endian numbers: the first letter is the lowest byte.
const NOMAP: u64 = 0x70616d6f6e5f; // `_nomap`
const OPTOUT: u64 = 0x74756f74706f5f; // `_optout`
const SIX_BYTES: u64 = 0xffffffffffff;
const SEVEN_BYTES: u64 = 0xffffffffffffff;
const UNDERSCORE: u32 = 95;
const LETTER_U: u32 = 117;
const ESCAPED_ASCII: u16 = 0x3030; // `00`, the first two digits of such an escape

// The same in hexadecimal digits, in two words; capital letters are made small ones.
const NOMAP_HEX: u64 = 0x6436663665366635; // `5f6e6f6d`
const NOMAP_HEX_TAIL: u32 = 0x30373136; // `6170`
const NOMAP_HEX_LENGTH: i32 = 12;
const OPTOUT_HEX: u64 = 0x3437303766366635; // `5f6f7074`
const OPTOUT_HEX_TAIL: u64 = 0x343735376636; // `6f7574`
const OPTOUT_HEX_LENGTH: i32 = 14;
const HEX_LENGTH_MAX: i32 = 64; // a network name has at most 32 bytes
const SMALL_LETTERS: u64 = 0x2020202020202020;

/** True if the name that was read last opts out. */
export let optsOut: bool = false;
/** True if it is a text that is not empty. */
export let isNamed: bool = false;

/** Reads a value as a network name. */
export function readSsid(p: i32): i32 {
  optsOut = false;
  isNamed = false;
  if (byteAt(p) !== QUOTE) return skipValue(p);
  const start = ++p;
  let found = false;
  while (true) {
    const byte = byteAt(p);
    if (byte === QUOTE) break;
    if (byte === UNDERSCORE && (load<u64>(p) & SEVEN_BYTES) === OPTOUT) found = true;
    if (byte === BACKSLASH) {
      if (byteAt(p + 1) === LETTER_U && load<u16>(p + 2) === ESCAPED_ASCII) return BODY_NOWHERE;
      p = skipEscape(p + 1);
    } else if (byte < SPACE) {
      return BODY_NOWHERE;
    } else {
      p++;
    }
  }
  isNamed = p > start;
  optsOut = found || (p - start >= 6 && (load<u64>(p - 6) & SIX_BYTES) === NOMAP);
  return p + 1;
}

/** Reads a value as a network name in hexadecimal digits; only `optsOut` tells about it. */
export function readSsidHex(p: i32): i32 {
  optsOut = false;
  if (byteAt(p) !== QUOTE) return skipValue(p);
  const end = endOfPlain(++p);
  if (end === BODY_NOWHERE) return end;
  if (end - p <= HEX_LENGTH_MAX) optsOut = endsInNomap(p, end) || containsOptout(p, end);
  return end + 1;
}

function endsInNomap(start: i32, end: i32): bool {
  if (end - start < NOMAP_HEX_LENGTH) return false;
  const at = end - NOMAP_HEX_LENGTH;
  return isSame(load<u64>(at), NOMAP_HEX) && isSame(load<u32>(at + 8), NOMAP_HEX_TAIL);
}

/** Looks at whole bytes only: every second digit. */
function containsOptout(start: i32, end: i32): bool {
  for (let p = start; p + OPTOUT_HEX_LENGTH <= end; p += 2) {
    if (isSame(load<u64>(p), OPTOUT_HEX) && isSame(load<u64>(p + 8) & SIX_BYTES, OPTOUT_HEX_TAIL)) return true;
  }
  return false;
}

/**
 * Compares digits, in which only letters have a small form: making a digit small leaves it as it is, since its bit is
 * set.
 */
function isSame(digits: u64, wanted: u64): bool {
  return (digits | (SMALL_LETTERS & wanted)) === wanted;
}
