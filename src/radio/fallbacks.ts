// Fallbacks: what a request may opt in to for cells that are not known, in the order in which they are tried.

import {
  FALLBACK_CIDF,
  FALLBACK_CIDXF,
  FALLBACK_LACF,
  FALLBACK_MNCF,
  FALLBACK_NBCIDF,
  FALLBACK_RATF,
  FALLBACK_RNCIDF,
  FALLBACK_W4F,
} from '../../wasm/layout.ts';

/** Names and FALLBACK_* bits. `isInAll` is false for what must be named itself. */
export const FALLBACKS = [
  { name: 'w4f', bit: FALLBACK_W4F, isInAll: true },
  { name: 'nbcidf', bit: FALLBACK_NBCIDF, isInAll: true },
  { name: 'cidf', bit: FALLBACK_CIDF, isInAll: true },
  { name: 'mncf', bit: FALLBACK_MNCF, isInAll: true },
  { name: 'ratf', bit: FALLBACK_RATF, isInAll: true },
  { name: 'rncidf', bit: FALLBACK_RNCIDF, isInAll: true },
  { name: 'lacf', bit: FALLBACK_LACF, isInAll: true },
  { name: 'cidxf', bit: FALLBACK_CIDXF, isInAll: false },
] as const;

/** Name of a FALLBACK_* bit; undefined for 0. */
export function fallbackName(bit: number): string | undefined {
  return FALLBACKS.find(fallback => fallback.bit === bit)?.name;
}
