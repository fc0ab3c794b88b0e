// The kind of a station, which is the first byte of its key. The order of the six radio types is fixed; the range
// tables have the same order.

import { KIND_GSM, KIND_NR } from '../../wasm/observation_constants.ts';

export {
  KIND_BEACON,
  KIND_BLUETOOTH,
  KIND_CDMA,
  KIND_GSM,
  KIND_LTE,
  KIND_NBIOT,
  KIND_NR,
  KIND_WCDMA,
  KIND_WIFI,
} from '../../wasm/observation_constants.ts';

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
