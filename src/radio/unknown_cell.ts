// What modems and programs send for a cell that they do not know: zeroes, all bits set, the largest number of a wider
// type, and what the standards reserve for "deleted". Such a cell would be learned wherever a device failed to read its
// own, and then be found everywhere. It is neither imported, learned nor answered. An area that is not known takes only
// the area from a cell: the specification asks only gsm cells for one, and the ids of the other types are meant to be
// unique in their network.

import { KIND_CDMA, KIND_GSM, KIND_LTE, KIND_NBIOT, KIND_NR, KIND_WCDMA } from './kind.ts';

/**
 * Area in the key of a cell that was reported without area code. 3GPP TS 23.003 reserves it, so no network has it and
 * no range of the specification.
 */
export const AREA_NONE = 16_777_214;

/** Country code of no network. */
const COUNTRY_NONE = 0;
/** Areas of 16 bits: 0000 and FFFE by 3GPP TS 23.003, and all bits set. */
const AREAS_16: readonly number[] = [0, 65_534, 65_535];
/** All 16 bits set: also the lower half of an unknown id, on devices that read only that. */
const BITS_16 = 65_535;
const BITS_28 = 268_435_455;
/** Largest signed number of 32 bits: "unavailable" on Android. */
const SIGNED_32 = 2_147_483_647;
/** -1 in 32 bits without a sign. */
const BITS_32 = 4_294_967_295;
const BITS_36 = 68_719_476_735;

const UNKNOWN: Readonly<Record<number, { areas: readonly number[]; cells: readonly number[] }>> = {
  [KIND_GSM]: { areas: AREAS_16, cells: [0, BITS_16] },
  // Network ids 0 and 65535 are valid: they stand for a whole system.
  [KIND_CDMA]: { areas: [], cells: [0, BITS_16] },
  [KIND_WCDMA]: { areas: AREAS_16, cells: [0, BITS_16, BITS_28] },
  [KIND_LTE]: { areas: AREAS_16, cells: [0, BITS_16, BITS_28] },
  [KIND_NBIOT]: { areas: AREAS_16, cells: [0, BITS_16, BITS_28] },
  // The reserved codes of 24 bits, 0 and FFFFFE, lie outside the range of nr.
  [KIND_NR]: { areas: [16_777_215], cells: [0, BITS_28, SIGNED_32, BITS_32, BITS_36] },
};

/**
 * True if a cell of this kind can be told by its network and id, without its area code. Ids of gsm recur from area to
 * area.
 */
export function isKnownByIdAlone(kind: number): boolean {
  return kind !== KIND_GSM;
}

/** True if this area code of a cell that is known by its id alone says that the device knows none. */
export function isAreaUnknown(kind: number, area: number): boolean {
  return isKnownByIdAlone(kind) && UNKNOWN[kind].areas.includes(area);
}

/**
 * True when the identity cannot be that of a cell.
 * @param kind 8..13
 * @param mcc 0..999; -1 for cdma
 * @param mnc 0..999; cdma: system id, of which 0 is none
 * @param area LAC, TAC or network id
 * @param cell cell id
 */
export function isUnknownCell(kind: number, mcc: number, mnc: number, area: number, cell: number): boolean {
  if (mcc === COUNTRY_NONE || (kind === KIND_CDMA && mnc === 0)) return true;
  const { areas, cells } = UNKNOWN[kind];
  return cells.includes(cell) || (!isKnownByIdAlone(kind) && areas.includes(area));
}
