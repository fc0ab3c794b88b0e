// Decides the radio type of a cell. Clients name it in the cell, in the root of the body, or not at all, and some name
// the wrong one: GeoClue 2.6 and Traccar send `gsm` for every network, so a 28-bit LTE cell id arrives under a type
// whose ids have 16 bits. An id that is too large for the named type proves the name wrong, and the true type is one of
// the wider ones.

import { readFileSync } from 'node:fs';
import { KIND_CDMA, KIND_GSM, KIND_LTE, KIND_NBIOT, KIND_NR, KIND_WCDMA } from './kind.ts';
import { CELL_RANGES, cellRangesOfKind, isIn } from './ranges.ts';

const { gsm, wcdma, nr } = CELL_RANGES;

/** Kinds under which a cell with an inferred type is looked up, in this order. */
export const INFERRED_KINDS: readonly number[] = [KIND_WCDMA, KIND_LTE, KIND_NBIOT, KIND_NR];
/** The same for a cell without a type whose area and id fit all of them. */
export const UNNAMED_KINDS: readonly number[] = [KIND_GSM, ...INFERRED_KINDS, KIND_CDMA];

/** Longer names are not normalised. */
const NAME_LENGTH_MAX = 8;

/**
 * Kind byte of a radio type's name, 8..13, or 0 for anything else. Accepts the specification's six names in any case
 * and with a dash (`NB-IoT`), and
 * `umts`, the Mozilla interface's name for wcdma.
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
 * The kind under which a cell is looked up. A named type is kept if the cell id is in its range. Otherwise the type is
 * inferred. A cell without a name is gsm if area and id fit 16 bits and there is no scrambling code, since a missing
 * type means gsm in this family of interfaces; here gsm stands for all six types. All others are the first of wcdma,
 * lte, nbiot and nr whose ranges contain id and area. The ranges of the first three are equal, so the result is wcdma,
 * which stands for all four, or nr.
 * @param named kind that the request names; 0 for none
 * @param area 0..16777215; -1 if it was not sent
 * @param cell 0..2^36-1; -1 if it was not sent
 * @param code scrambling code or physical cell id; -1 if it was not sent
 */
export function resolveKind(named: number, area: number, cell: number, code: number): number {
  if (named !== 0 && (cell < 0 || isIn(cell, cellRangesOfKind(named).cellId))) return named;
  if (named === 0 && code < 0 && isIn(cell, gsm.cellId) && isIn(area, gsm.locationAreaCode)) return KIND_GSM;
  const fitsCell = cell < 0 ? isIn(code, wcdma.primaryScramblingCode) : isIn(cell, wcdma.cellId);
  const fitsArea = isIn(area, wcdma.locationAreaCode) || !isIn(area, nr.locationAreaCode);
  return fitsCell && fitsArea ? KIND_WCDMA : KIND_NR;
}

/** Longer texts are no names. */
const NETWORK_NAME_LENGTH_MAX = 32;

let kinds: ReadonlyMap<string, number> | undefined;

/**
 * The radio type behind a name that Android or an app shows for a network: HSPA+, LTE_CA, EDGE. Files have these names.
 * The names and their provenance are in data/network_types.csv. Case, blanks, dashes, dots, strokes and brackets make
 * no difference. A name that tells of no cell, such as IWLAN, is not in it.
 * @returns a kind byte, 8..13, or 0 for anything else
 */
export function kindOfNetworkType(name: unknown): number {
  const kind = kindOfName(name);
  if (kind !== 0 || typeof name !== 'string' || name.length > NETWORK_NAME_LENGTH_MAX) return kind;
  kinds ??= readKinds(readFileSync(new URL('../../data/network_types.csv', import.meta.url), 'utf8'));
  return kinds.get(plain(name)) ?? 0;
}

function readKinds(csv: string): Map<string, number> {
  const rows = csv.trim().split('\n').slice(1);
  return new Map(rows.map(row => row.split(',')).map(([name, type]) => [plain(name), kindOfName(type)]));
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_./()-]/g, '');
}
