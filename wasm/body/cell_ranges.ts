// The largest values of the fields of a cell, by its kind, as in the table of src/radio/ranges.ts. The smallest is 0
// but for signals. A value that was not sent is -1, which no range holds.

import { KIND_CDMA, KIND_GSM, KIND_LTE, KIND_NR, KIND_WCDMA } from '../observation_constants';
import {
  BITS_16_MAX,
  BITS_28_MAX,
  BITS_36_MAX,
  CODE_MAX,
  GSM_SIGNAL_MIN,
  GSM_TIMING_MAX,
  LTE_SIGNAL_MIN,
  LTE_TIMING_MAX,
  NETWORK_CODE_MAX,
  NR_AREA_ALSO,
  NR_AREA_MAX,
  NR_AREA_MIN,
  NR_CODE_MAX,
  NR_TIMING_MAX,
  SYSTEM_ID_MAX,
  WCDMA_SIGNAL_MIN,
} from '../range_constants';

const NONE: i64 = -1; // the kind has no such field

export function networkMax(kind: i32): i64 {
  return kind === KIND_CDMA ? SYSTEM_ID_MAX : NETWORK_CODE_MAX;
}

export function cellMax(kind: i32): i64 {
  if (kind === KIND_NR) return BITS_36_MAX;
  return kind === KIND_GSM || kind === KIND_CDMA ? BITS_16_MAX : BITS_28_MAX;
}

export function codeMax(kind: i32): i64 {
  if (kind === KIND_NR) return NR_CODE_MAX;
  return kind === KIND_GSM || kind === KIND_CDMA ? NONE : CODE_MAX;
}

export function timingMax(kind: i32): i64 {
  if (kind === KIND_LTE) return LTE_TIMING_MAX;
  if (kind === KIND_NR) return NR_TIMING_MAX;
  return kind === KIND_GSM ? GSM_TIMING_MAX : NONE;
}

/** dBm; the largest is the same for all kinds. */
export function signalMin(kind: i32): i64 {
  if (kind === KIND_GSM || kind === KIND_CDMA) return GSM_SIGNAL_MIN;
  return kind === KIND_WCDMA ? WCDMA_SIGNAL_MIN : LTE_SIGNAL_MIN;
}

export function hasArea(kind: i32, area: i64): bool {
  if (kind === KIND_NR) return (area >= NR_AREA_MIN && area <= NR_AREA_MAX) || area === NR_AREA_ALSO;
  return area >= 0 && area <= BITS_16_MAX;
}
