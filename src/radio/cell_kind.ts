// Which radio type a cell has. Clients name it at the cell, at the root, or not at all, and some name the wrong one: GeoClue 2.6 and Traccar send
// `gsm` for every network, so that a 28-bit LTE cell id arrives under a type whose ids have 16 bits. An id that the named type cannot hold proves
// the name wrong; the true type is then one of the wider ones.

import { KIND_CDMA, KIND_GSM, KIND_LTE, KIND_NBIOT, KIND_NR, KIND_WCDMA } from './kind.ts';
import { CELL_RANGES, cellRangesOfKind, isIn } from './ranges.ts';

const { gsm, wcdma, nr } = CELL_RANGES;

/** Radio types that a cell with a guessed type is looked up as, in this order. */
export const INFERRED_KINDS: readonly number[] = [KIND_WCDMA, KIND_LTE, KIND_NBIOT, KIND_NR];

/** Longest spelling of a radio type worth a second look. */
const NAME_LENGTH_MAX = 8;

/**
 * Kind byte of a radio type's name, 8..13, or 0 for anything else. Besides the specification's six names: any case, a dash (`NB-IoT`), and
 * `umts`, as the Mozilla interface called wcdma.
 */
export function kindOfName(name: unknown): number {
  if (typeof name !== 'string') return 0;
  const kind = kindOfExactName(name);
  if (kind !== 0 || name.length > NAME_LENGTH_MAX) return kind;
  return kindOfExactName(name.toLowerCase().replace('-', ''));
}

function kindOfExactName(name: string): number {
  switch (name) {
    case 'gsm':
      return KIND_GSM;
    case 'cdma':
      return KIND_CDMA;
    case 'wcdma':
    case 'umts':
      return KIND_WCDMA;
    case 'lte':
      return KIND_LTE;
    case 'nbiot':
      return KIND_NBIOT;
    case 'nr':
      return KIND_NR;
    default:
      return 0;
  }
}

/**
 * The kind a cell is looked up as. A named type stands when its ids can hold the cell id. Otherwise the type is inferred: without any name, gsm
 * when area and id fit 16 bits and no scrambling code contradicts (a missing type means gsm in this family of interfaces); then the first of wcdma, lte, nbiot, nr
 * that can hold id and area. The ranges of the first three are equal, so the answer is wcdma, standing for all four, or nr, which alone fits.
 * @param named kind that the request names, 0 for none
 * @param area 0..16777215, -1 when not sent
 * @param cell 0..2^36-1, -1 when not sent
 * @param code scrambling code or physical cell id, -1 when not sent
 */
export function resolveKind(named: number, area: number, cell: number, code: number): number {
  if (named !== 0 && (cell < 0 || isIn(cell, cellRangesOfKind(named).cellId))) return named;
  if (named === 0 && code < 0 && isIn(cell, gsm.cellId) && isIn(area, gsm.locationAreaCode)) return KIND_GSM;
  const fitsCell = cell < 0 ? isIn(code, wcdma.primaryScramblingCode) : isIn(cell, wcdma.cellId);
  const fitsArea = isIn(area, wcdma.locationAreaCode) || !isIn(area, nr.locationAreaCode);
  return fitsCell && fitsArea ? KIND_WCDMA : KIND_NR;
}
