// Cells whose area code nobody knows. The specification asks only gsm cells for one, and the ids of the other types are
// meant to be unique in their network.

import { KIND_CDMA, KIND_GSM, KIND_NR } from './kind.ts';

/**
 * Area in the key of a cell that was reported without area code. 3GPP TS 23.003 reserves it, so no network has it and
 * no range of the specification.
 */
export const AREA_NONE = 16_777_214;

/** What devices send for an area that they do not know: 0000 and FFFE by 3GPP TS 23.003, and all bits set. */
const AREAS_UNKNOWN: readonly number[] = [0, 65_534, 65_535];

/**
 * True if a cell of this kind can be told by its network and id, without its area code. Ids of gsm recur from area to
 * area.
 */
export function isKnownByIdAlone(kind: number): boolean {
  return kind !== KIND_GSM;
}

/**
 * True if this area code says that the device knows none. Network ids of cdma and codes of nr have no such values in
 * their ranges.
 */
export function isAreaUnknown(kind: number, area: number): boolean {
  return kind !== KIND_GSM && kind !== KIND_CDMA && kind !== KIND_NR && AREAS_UNKNOWN.includes(area);
}
