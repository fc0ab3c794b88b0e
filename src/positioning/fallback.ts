// Fallbacks: a guess where a device is whose cells no table holds. The request opts in to each; they are tried in their order, each for all cells, and the
// first that finds something plausible is answered under its name. A guess never leaves the country of the network, not by a metre.

import {
  FALLBACK_CIDF,
  FALLBACK_CIDXF,
  FALLBACK_LACF,
  FALLBACK_MNCF,
  FALLBACK_NBCIDF,
  FALLBACK_RATF,
  FALLBACK_RNCIDF,
  FALLBACK_W4F,
  REQUEST_FALLBACKS,
  SOURCE_CELL,
} from '../../wasm/layout.ts';
import type { QueryMemory } from '../radio/query.ts';
import type { CellIndex } from '../tables/cell_index.ts';
import { isInside } from '../tables/home_country.ts';
import type { StationReader } from '../tables/stations.ts';
import { circularEstimate, type Estimate, type Tail } from './estimate.ts';
import { type UnknownCell, unknownCells } from './fallback_cells.ts';
import {
  guessByArea,
  guessByCellId,
  guessByIdAnywhere,
  guessByNeighbourIds,
  guessByOtherNetworks,
  guessByOtherRadios,
  guessByRnc,
  guessFullId,
} from './fallback_guesses.ts';
import { type Guess, placeOf } from './fallback_place.ts';

/** A fallback and how it guesses. */
interface Fallback {
  /** FALLBACK_* bit. */
  bit: number;
  guess(cell: UnknownCell, index: CellIndex): Guess[];
  /** Radius that holds half of the truths, from the typical distance of the guesses. */
  r50Metres(typicalMetres: number): number;
}

const asTypical = (typicalMetres: number) => typicalMetres;

/**
 * In the order in which they are tried. The radii are fitted to hidden cells of three countries: pairs of known cells, from which the distances of ids
 * come, are somewhat nearer to each other than a cell that is missing is to them where ids say little, and the cells of an RNC are those near in id.
 */
const FALLBACKS: readonly Fallback[] = [
  { bit: FALLBACK_W4F, guess: guessFullId, r50Metres: asTypical },
  { bit: FALLBACK_NBCIDF, guess: guessByNeighbourIds, r50Metres: typicalMetres => typicalMetres * (typicalMetres / 1_400) ** (1 / 6) },
  { bit: FALLBACK_CIDF, guess: guessByCellId, r50Metres: asTypical },
  { bit: FALLBACK_MNCF, guess: guessByOtherNetworks, r50Metres: asTypical },
  { bit: FALLBACK_RATF, guess: guessByOtherRadios, r50Metres: asTypical },
  { bit: FALLBACK_RNCIDF, guess: guessByRnc, r50Metres: typicalMetres => Math.hypot(0.8 * typicalMetres, 2_000) },
  { bit: FALLBACK_LACF, guess: guessByArea, r50Metres: typicalMetres => 0.97 * typicalMetres },
  { bit: FALLBACK_CIDXF, guess: guessByIdAnywhere, r50Metres: asTypical },
];

/** Guesses are about right or far off. */
const TAIL: Tail = { at68: 1.53, at95: 5.92 };
/** What a neighbour's own distance from the device adds. */
const NEIGHBOUR_METRES = 1_000;
/** A guess says less than any cell that is known. */
const EVIDENCE = 0.5;

/** An estimate by a fallback. */
export interface FallbackEstimate {
  /** FALLBACK_* bit. */
  bit: number;
  estimate: Estimate;
}

/** Locates by the fallbacks that the query asks for; to be called when nothing else has found a position. */
export function locateByFallbacks(memory: QueryMemory, offset: number, stations: StationReader): FallbackEstimate | undefined {
  const asked = memory.u32[(offset + REQUEST_FALLBACKS) >> 2];
  if (asked === 0) return undefined;
  const index = stations.openIndex();
  const cells = unknownCells(memory, offset, index);
  if (cells.length === 0) return undefined;
  for (const { bit, guess, r50Metres } of FALLBACKS) {
    if ((asked & bit) === 0) continue;
    const guesses = cells.flatMap(cell => plausible(guess(cell, index), cell));
    if (guesses.length === 0) continue;
    const { latitude, longitude, typicalMetres } = placeOf(guesses);
    if (!isInside(cells[0].mcc, latitude, longitude)) continue;
    return { bit, estimate: circularEstimate(SOURCE_CELL, latitude, longitude, r50Metres(typicalMetres), TAIL, guesses.length, EVIDENCE) };
  }
  return undefined;
}

/** Guesses inside the country; a neighbour stands somewhere around the device. */
function plausible(guesses: readonly Guess[], { mcc, isServing }: UnknownCell): Guess[] {
  const inside = guesses.filter(({ latitude, longitude }) => isInside(mcc, latitude, longitude));
  return isServing ? inside : inside.map(guess => ({ ...guess, typicalMetres: Math.hypot(guess.typicalMetres, NEIGHBOUR_METRES) }));
}
