// Fallbacks for unknown cells, to which a request may opt in, in the order in which they are tried.

export const FALLBACK_W4F = 1;
export const FALLBACK_NBCIDF = 2;
export const FALLBACK_CIDF = 4;
export const FALLBACK_MNCF = 8;
export const FALLBACK_RATF = 16;
export const FALLBACK_RNCIDF = 32;
export const FALLBACK_LACF = 64;
export const FALLBACK_CIDXF = 128;

/** Names and FALLBACK_* bits. `isInAll` is false if `all` does not include the fallback. */
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

/** Where nothing is found by stations: the place of the client's address, and what another service has found. */
export const FALLBACK_IPF = 256;
export const FALLBACK_UPSTREAM = 512;

const OTHERS = [
  { name: 'ipf', bit: FALLBACK_IPF },
  { name: 'upstream', bit: FALLBACK_UPSTREAM },
] as const;

/** Names that an answer may have. */
export const ANSWERED_FALLBACKS = [...FALLBACKS, ...OTHERS].map(({ name }) => name);

/** What a request or a key may name. */
export const FALLBACK_NAMES: readonly string[] = ['all', ...FALLBACKS.map(({ name }) => name), 'ipf'];

/** What people call them. */
export const FALLBACK_TITLES: Readonly<Record<string, string>> = {
  all: 'All that are usual',
  w4f: 'The short id of a 3G cell',
  nbcidf: 'Cells of nearly the same id',
  cidf: 'The same id in another area',
  mncf: 'The same cell in another network',
  ratf: 'The same cell under another radio type',
  rncidf: 'Cells of the same controller',
  lacf: 'The area of the cell',
  cidxf: 'The same id anywhere in the country',
  ipf: 'The address of the client',
};

/** What a table may name: its rows come from no address. */
export const TABLE_FALLBACKS: readonly string[] = FALLBACK_NAMES.filter(name => name !== 'ipf');

/** Name of a FALLBACK_* bit; undefined for 0. */
export function fallbackName(bit: number): string | undefined {
  return [...FALLBACKS, ...OTHERS].find(fallback => fallback.bit === bit)?.name;
}
