// Recognises cell identities that devices and files state when they know none: zeroes, all bits set, the largest number
// of a wider type, and the values that the standards reserve for "deleted". Such a cell would be learned wherever a
// device failed to read its own, and then be found everywhere.

import { KIND_CDMA, KIND_GSM, KIND_LTE, KIND_NBIOT, KIND_NR, KIND_WCDMA } from '../radio/kind.ts';

/**
 * 3GPP TS 23.003: the area codes 0000 and FFFE say that a device has no area; FFFF is all bits set. Only gsm cells need
 * one (src/radio/no_area.ts).
 */
const AREAS_16: readonly number[] = [0, 65_534, 65_535];

/** All 16 bits set: also the lower half of an unknown id, on devices that read only that. */
const BITS_16 = 65_535;
const BITS_28 = 268_435_455;
/** Largest signed number of 32 bits: "unavailable" on Android. */
const SIGNED_32 = 2_147_483_647;
/** -1 in 32 bits without a sign. */
const BITS_32 = 4_294_967_295;
const BITS_36 = 68_719_476_735;

const FAKES: Readonly<Record<number, { areas: readonly number[]; cells: readonly number[] }>> = {
  [KIND_GSM]: { areas: AREAS_16, cells: [0, BITS_16] },
  // Network ids 0 and 65535 are valid: they stand for a whole system.
  [KIND_CDMA]: { areas: [], cells: [0, BITS_16] },
  [KIND_WCDMA]: { areas: [], cells: [0, BITS_16, BITS_28] },
  [KIND_LTE]: { areas: [], cells: [0, BITS_16, BITS_28] },
  [KIND_NBIOT]: { areas: [], cells: [0, BITS_16, BITS_28] },
  // The reserved 24-bit codes 0 and FFFFFE lie outside the range of nr; the interface allows FFFFFF.
  [KIND_NR]: { areas: [], cells: [0, BITS_28, SIGNED_32, BITS_32, BITS_36] },
};

/**
 * True when the identity cannot be that of a cell.
 * @param kind 8..13
 * @param mcc 0..999; -1 for cdma
 * @param mnc 0..999; cdma: system id, of which 0 is none
 * @param area LAC, TAC or network id
 * @param cell cell id
 */
export function isFakeCell(kind: number, mcc: number, mnc: number, area: number, cell: number): boolean {
  if (mcc === 0 || (kind === KIND_CDMA && mnc === 0)) return true;
  const { areas, cells } = FAKES[kind];
  return areas.includes(area) || cells.includes(cell);
}
