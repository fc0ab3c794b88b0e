// Reads the texts that identify a station: hardware addresses and the UUIDs of iBeacons, as src/radio/mac.ts does.

import { byteAt, COLON, hexDigit, MINUS, POINT, QUOTE, skipPlain, skipValue } from './text';

/** No address or no UUID was read. */
const NONE: i64 = -1;
const MAC_DIGITS: i32 = 12;
const OCTETS: i32 = 6;
const PAIRS_LENGTH: i32 = 17; // `00:14:bf:aa:bb:01`
const UUID_DIGITS: i32 = 32;
const HALF_DIGITS: i32 = 16;

/** The address that was read last, 0..2^48-1; -1 if the value is no address. */
export let mac: i64 = NONE;
/** The UUID that was read last, in two big-endian halves. */
export let uuidHigh: u64 = 0;
export let uuidLow: u64 = 0;
/** True if there was one, and it is not the null UUID. */
export let hasUuid: bool = false;

/**
 * Reads a value as `mac`: twelve hexadecimal digits, in any case, with or without `:`, `-` or `.` between them. Octets
 * between separators may lack their leading zero.
 */
export function readMac(p: i32): i32 {
  mac = NONE;
  if (byteAt(p) !== QUOTE) return skipValue(p);
  const start = p++;
  if (takePairs(p)) return p + PAIRS_LENGTH + 1;
  let value: u64 = 0;
  let digits = 0;
  while (true) {
    const byte = byteAt(p);
    const digit = hexDigit(byte);
    if (digit < 16) {
      value = (value << 4) | digit;
      digits++;
    } else if (byte === QUOTE) {
      break;
    } else if (!isSeparator(byte) || digits === 0 || digits >= MAC_DIGITS) {
      return skipPlain(start);
    }
    p++;
  }
  if (digits === MAC_DIGITS) mac = <i64>value;
  else takeShortOctets(start + 1);
  return p + 1;
}

function isSeparator(byte: u32): bool {
  return byte === COLON || byte === MINUS || byte === POINT;
}

/** Reads six octets of one digit or two as `mac`, if they stand here with one separator between them. */
function takeShortOctets(p: i32): void {
  let value: u64 = 0;
  for (let i = 0; i < OCTETS; i++) {
    let octet = hexDigit(byteAt(p++));
    if (octet > 15) return;
    const low = hexDigit(byteAt(p));
    if (low < 16) {
      octet = (octet << 4) | low;
      p++;
    }
    value = (value << 8) | octet;
    const byte = byteAt(p++);
    if (i < OCTETS - 1 ? !isSeparator(byte) : byte !== QUOTE) return;
  }
  mac = <i64>value;
}

/**
 * Reads the usual form of `mac`, six pairs with one separator between them, and a quote behind. @returns false for any
 * other form
 */
function takePairs(p: i32): bool {
  if (byteAt(p + PAIRS_LENGTH) !== QUOTE) return false;
  const separator = byteAt(p + 2);
  if (separator !== COLON && separator !== MINUS) return false;
  let value: u64 = 0;
  let broken: u32 = 0;
  for (let i = 0; i < PAIRS_LENGTH; i += 3) {
    const high = hexDigit(byteAt(p + i));
    const low = hexDigit(byteAt(p + i + 1));
    broken |= high | low;
    value = (value << 8) | ((high << 4) | low);
  }
  for (let i = 5; i < PAIRS_LENGTH; i += 3) broken |= (byteAt(p + i) ^ separator) << 4;
  if (broken > 15) return false;
  mac = <i64>value;
  return true;
}

/** Reads a value as a UUID: 32 hexadecimal digits, in any case, with or without dashes between them. */
export function readUuid(p: i32): i32 {
  hasUuid = false;
  if (byteAt(p) !== QUOTE) return skipValue(p);
  const start = p++;
  let high: u64 = 0;
  let low: u64 = 0;
  let digits = 0;
  while (true) {
    const byte = byteAt(p);
    const digit = hexDigit(byte);
    if (digit < 16) {
      if (digits < HALF_DIGITS) high = (high << 4) | digit;
      else low = (low << 4) | digit;
      digits++;
    } else if (byte === QUOTE) {
      break;
    } else if (byte !== MINUS || digits === 0 || digits >= UUID_DIGITS) {
      return skipPlain(start);
    }
    p++;
  }
  uuidHigh = high;
  uuidLow = low;
  hasUuid = digits === UUID_DIGITS && (high | low) !== 0;
  return p + 1;
}
