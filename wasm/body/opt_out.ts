// Finds the networks that are left out for their names, as src/radio/wifi.ts does: of owners who opted out of location
// services, as the name ends in `_nomap` or contains `_optout`, and of access points that travel. All that is looked
// for is ASCII, and no part of an escape looks like it, so the bytes decide. Only an escape for an ASCII character
// could hide a letter.

import { BODY_NOWHERE } from '../memory';
import { mayContain, mayStart } from './moving_names';
import { BACKSLASH, byteAt, endOfPlain, hexDigit, QUOTE, SPACE, skipEscape, skipValue } from './text';

// Words as little-endian numbers: the first letter is the lowest byte.
const NOMAP: u64 = 0x70616d6f6e5f; // `_nomap`
const OPTOUT: u64 = 0x74756f74706f5f; // `_optout`
const NOMAP_LENGTH: i32 = 6;
const OPTOUT_LENGTH: i32 = 7;
const SIX_BYTES: u64 = 0xffffffffffff;
const SEVEN_BYTES: u64 = 0xffffffffffffff;
const SMALL_LETTERS: u64 = 0x20202020202000; // of the letters behind an underscore
const UNDERSCORE: u32 = 95;
const LETTER_U: u32 = 117;
const ESCAPED_ASCII: u16 = 0x3030; // `00`, the first two digits of such an escape
const HEX_LENGTH_MAX: i32 = 64; // a network name has at most 32 bytes
const GRAM_LENGTH: i32 = 4;

/** True if the name that was read last opts out. */
export let optsOut: bool = false;
/** True if it may be of an access point that travels. */
export let mayTravel: bool = false;
/** True if it is a text that is not empty. */
export let isNamed: bool = false;

/** Reads a value as a network name. */
export function readSsid(p: i32): i32 {
  optsOut = false;
  mayTravel = false;
  isNamed = false;
  if (byteAt(p) !== QUOTE) return skipValue(p);
  const start = ++p;
  let found = false;
  let travels = mayStart(load<u32>(p));
  while (true) {
    const byte = byteAt(p);
    if (byte === QUOTE) break;
    if (byte === UNDERSCORE && ((load<u64>(p) | SMALL_LETTERS) & SEVEN_BYTES) === OPTOUT) found = true;
    if (mayContain(load<u32>(p))) travels = true;
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
  mayTravel = travels || (p - start < GRAM_LENGTH && mayStart(load<u32>(start) & ((1 << (8 * (p - start))) - 1)));
  let end = p;
  while (end > start && byteAt(end - 1) === SPACE) end--;
  optsOut =
    found || (end - start >= NOMAP_LENGTH && ((load<u64>(end - NOMAP_LENGTH) | SMALL_LETTERS) & SIX_BYTES) === NOMAP);
  return p + 1;
}

/** Reads a value as a network name in hexadecimal digits; `isNamed` is not told. */
export function readSsidHex(p: i32): i32 {
  optsOut = false;
  mayTravel = false;
  if (byteAt(p) !== QUOTE) return skipValue(p);
  const end = endOfPlain(++p);
  if (end === BODY_NOWHERE) return end;
  if (end - p > HEX_LENGTH_MAX) return end + 1;
  optsOut = endsInNomap(p, end);
  let gram: u32 = 0;
  for (let at = p; at + 2 <= end; at += 2) {
    if (isHexWord(at, end, OPTOUT, OPTOUT_LENGTH)) optsOut = true;
    const byte = hexByte(at);
    gram = (gram >> 8) | (byte << 24);
    if (byte > 255 || mayContain(gram) || (at - p === 6 && mayStart(gram))) mayTravel = true;
  }
  const bytes = (end - p) >> 1;
  if (bytes > 0 && bytes < GRAM_LENGTH && mayStart(gram >> <u32>(8 * (GRAM_LENGTH - bytes)))) mayTravel = true;
  return end + 1;
}

function endsInNomap(start: i32, end: i32): bool {
  while (end - start >= 2 && hexByte(end - 2) === SPACE) end -= 2;
  const at = end - 2 * NOMAP_LENGTH;
  return at >= start && isHexWord(at, end, NOMAP, NOMAP_LENGTH);
}

/** True if the digits here are those of a word, with its letters in any case. */
function isHexWord(at: i32, end: i32, word: u64, length: i32): bool {
  if (end - at < 2 * length) return false;
  for (let i = 0; i < length; i++) {
    const small = <u32>((SMALL_LETTERS >> (8 * i)) & 255);
    if ((hexByte(at + 2 * i) | small) !== <u32>((word >> (8 * i)) & 255)) return false;
  }
  return true;
}

/** The byte of two digits; above 255 if one is none. */
function hexByte(at: i32): u32 {
  const high = hexDigit(byteAt(at));
  const low = hexDigit(byteAt(at + 1));
  return high > 15 || low > 15 ? 256 : (high << 4) | low;
}
