// Reads values that are words: flags and the names of radio types, as src/radio/read_value.ts and
// src/radio/cell_kind.ts do.

import { BODY_NOWHERE } from '../memory';
import { KIND_CDMA, KIND_GSM, KIND_LTE, KIND_NBIOT, KIND_NR, KIND_WCDMA } from '../observation_constants';
import { isWhole, readNumber, rounded } from './numbers';
import { byteAt, endOfPlain, isTrue, LETTER_A, LOWER_CASE, MINUS, QUOTE, skipValue } from './text';

// Words as little-endian numbers: the first letter is the lowest byte.
const TRUE: u64 = 0x65757274;
const GSM: u64 = 0x6d7367;
const CDMA: u64 = 0x616d6463;
const WCDMA: u64 = 0x616d646377;
const UMTS: u64 = 0x73746d75;
const LTE: u64 = 0x65746c;
const NBIOT: u64 = 0x746f69626e;
const NR: u64 = 0x726e;
const NAME_LENGTH_MAX: i32 = 8;

/** KIND_* of the name that was read last; 0 if the value names no radio type. */
export let kind: i32 = 0;
/** True if the flag that was read last is on. */
export let flag: bool = false;

/** Reads a value as `kind`. Names may be in any case and may have a dash; `umts` means wcdma. */
export function readKind(p: i32): i32 {
  kind = 0;
  if (byteAt(p) !== QUOTE) return skipValue(p);
  const end = endOfPlain(++p);
  if (end === BODY_NOWHERE) return end;
  if (end - p > NAME_LENGTH_MAX) return end + 1;
  let word: u64 = 0;
  let shift: u64 = 0;
  let hasDash = false;
  for (; p < end; p++) {
    const byte = byteAt(p);
    if (byte === MINUS && !hasDash) {
      hasDash = true;
      continue;
    }
    const isCapital = (byte | LOWER_CASE) - LETTER_A < 26;
    word |= (<u64>(isCapital ? byte | LOWER_CASE : byte)) << shift;
    shift += 8;
  }
  kind = kindOf(word);
  return end + 1;
}

function kindOf(word: u64): i32 {
  if (word === LTE) return KIND_LTE;
  if (word === GSM) return KIND_GSM;
  if (word === NR) return KIND_NR;
  if (word === WCDMA || word === UMTS) return KIND_WCDMA;
  if (word === NBIOT) return KIND_NBIOT;
  return word === CDMA ? KIND_CDMA : 0;
}

/** Reads a value as `flag`: on is true or 1, or the text of one of them. */
export function readFlag(p: i32): i32 {
  flag = false;
  if (byteAt(p) === QUOTE) {
    const end = endOfPlain(++p);
    if (end === BODY_NOWHERE) return end;
    const length = end - p;
    flag = (length === 1 && byteAt(p) === 49) || (length === 4 && load<u32>(p) === <u32>TRUE);
    return end + 1;
  }
  if (isTrue(p)) {
    flag = true;
    return p + 4;
  }
  p = readNumber(p);
  flag = isWhole && rounded === 1;
  return p;
}
