// The kind of a station, which is the first byte of its key. The order of the six radio types is fixed; the range tables have the same order.

/** Kind byte of a station key. */
export const KIND_WIFI = 1;
export const KIND_BLUETOOTH = 2;
export const KIND_BEACON = 3;
export const KIND_GSM = 8;
export const KIND_CDMA = 9;
export const KIND_WCDMA = 10;
export const KIND_LTE = 11;
export const KIND_NBIOT = 12;
export const KIND_NR = 13;

/** Radio types as the specification spells them, in kind order. */
export const RADIO_TYPES = ['gsm', 'cdma', 'wcdma', 'lte', 'nbiot', 'nr'] as const;
export type RadioType = (typeof RADIO_TYPES)[number];

/** Radio type of a cell's kind byte; undefined for other kinds. */
export function radioOfKind(kind: number): RadioType | undefined {
  return RADIO_TYPES[kind - KIND_GSM];
}

/** True for the kinds of cells, 8..13. */
export function isCell(kind: number): boolean {
  return kind >= KIND_GSM && kind <= KIND_NR;
}
