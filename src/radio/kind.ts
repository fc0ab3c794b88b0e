// What a station is: the first byte of every station key. The six radio types keep their order, which is also the order of the range tables.

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

/** Radio type of a cell's kind byte; undefined for WiFi and Bluetooth. */
export function radioOfKind(kind: number): RadioType | undefined {
  return RADIO_TYPES[kind - KIND_GSM];
}

/** True for the kinds 8..13. */
export function isCell(kind: number): boolean {
  return kind >= KIND_GSM && kind <= KIND_NR;
}
