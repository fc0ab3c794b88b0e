// Fallbacks guess where a device is when none of its cells is in a table. The request opts in to each of them. They are
// tried in order, each for all cells, and the first plausible guess is answered under the name of its fallback. A guess
// outside the network's country is dropped, even by a metre.

import {
  FALLBACK_CIDF,
  FALLBACK_CIDXF,
  FALLBACK_LACF,
  FALLBACK_MNCF,
  FALLBACK_NBCIDF,
  FALLBACK_RATF,
  FALLBACK_RNCIDF,
  FALLBACK_W4F,
} from '../../radio/fallbacks.ts';
import { SOURCE_CELL } from '../../radio/query/layout.ts';
import type { QueryReader } from '../../radio/query/reader.ts';
import { isInside } from '../../tables/stations/home_country.ts';
import type { StationReader } from '../../tables/stations/reader.ts';
import { circularEstimate, type Estimate, type Tail } from '../estimates/estimate.ts';
import type { FallbackResult, PositionRecorder } from '../estimates/recorder.ts';
import { type UnknownCell, unknownCells } from './cells.ts';
import { type Guess, positionOf } from './guessed_position.ts';
import {
  guessByArea,
  guessByCellId,
  guessByIdAnywhere,
  guessByNeighbourIds,
  guessByOtherNetworks,
  guessByOtherRadios,
  guessByRnc,
  guessByUniqueId,
  guessFullId,
} from './guesses.ts';
import { type Guesser, NOT_TRIED, trialOf } from './trial.ts';

/** A fallback and how it guesses. */
interface Fallback {
  /** FALLBACK_* bit. */
  bit: number;
  guess: Guesser;
  /** Radius that holds half of the truths, from the typical error of the guesses and the factor of the trial. */
  r50Metres(typicalMetres: number, factor: number): number;
  tail: Tail;
}

const unscaled = (typicalMetres: number) => typicalMetres;
const scaled = (typicalMetres: number, factor: number) => typicalMetres * factor;

/**
 * Guesses by id are close or far off, and more so for other networks and radio types. Guesses by area are off by up to
 * the size of an area.
 */
const BY_IDS: Tail = { at68: 1.55, at95: 5.2 };
const BY_OTHERS: Tail = { at68: 1.8, at95: 7.5 };
const BY_RNC: Tail = { at68: 1.42, at95: 4.1 };
const BY_AREA: Tail = { at68: 1.34, at95: 3.2 };

/**
 * In the order in which they are tried; `cidf` once more for ids that only their area code speaks against. For areas
 * and RNCs the typical error comes from the distances of their own cells from the middle; the cells of an RNC are those
 * with nearby ids. These radii are fitted to hidden cells of three countries.
 */
const FALLBACKS: readonly Fallback[] = [
  { bit: FALLBACK_W4F, guess: guessFullId, r50Metres: unscaled, tail: BY_IDS },
  { bit: FALLBACK_NBCIDF, guess: guessByNeighbourIds, r50Metres: scaled, tail: BY_IDS },
  { bit: FALLBACK_CIDF, guess: guessByCellId, r50Metres: scaled, tail: BY_IDS },
  { bit: FALLBACK_MNCF, guess: guessByOtherNetworks, r50Metres: scaled, tail: BY_OTHERS },
  { bit: FALLBACK_RATF, guess: guessByOtherRadios, r50Metres: scaled, tail: BY_OTHERS },
  {
    bit: FALLBACK_RNCIDF,
    guess: guessByRnc,
    r50Metres: typicalMetres => Math.hypot(0.8 * typicalMetres, 2_000),
    tail: BY_RNC,
  },
  { bit: FALLBACK_LACF, guess: guessByArea, r50Metres: typicalMetres => 0.97 * typicalMetres, tail: BY_AREA },
  { bit: FALLBACK_CIDF, guess: guessByUniqueId, r50Metres: unscaled, tail: BY_IDS },
  { bit: FALLBACK_CIDXF, guess: guessByIdAnywhere, r50Metres: scaled, tail: BY_IDS },
];

/** Distance that a neighbour cell may be from the device, added to the error. */
const NEIGHBOUR_METRES = 1_000;
/** Less than that of any known cell. */
const EVIDENCE = 0.5;

interface FallbackEstimate {
  /** FALLBACK_* bit. */
  bit: number;
  estimate: Estimate;
}

/**
 * Locates by the fallbacks that the query asks for. Call this when no strategy has found a position. @param recorder
 * for an explanation
 */
export function locateByFallbacks(
  query: QueryReader,
  stations: StationReader,
  recorder?: PositionRecorder,
): FallbackEstimate | undefined {
  const asked = query.fallbacks;
  if (asked === 0) return undefined;
  const index = stations.openIndex();
  const cells = unknownCells(query, index);
  if (cells.length === 0) return undefined;
  for (const { bit, guess, r50Metres, tail } of FALLBACKS) {
    if ((asked & bit) === 0) continue;
    const byCell = cells.map(cell => plausible(guess(cell, index), cell));
    const guesses = byCell.flat();
    const dropped = (result: FallbackResult) => recorder?.fallbacks.push({ bit, result, guesses });
    if (guesses.length === 0) {
      dropped('noGuess');
      continue;
    }
    const { latitude, longitude, typicalMetres } = positionOf(guesses);
    if (!isInside(cells[0].mcc, latitude, longitude)) {
      dropped('abroad');
      continue;
    }
    // A completed short id and a unique id are the cell itself, so there is nothing to test.
    const { factor, hasTooManyOutliers } =
      guess === guessFullId || guess === guessByUniqueId
        ? NOT_TRIED
        : trialOf(guess, cells[byCell.findIndex(each => each.length > 0)], typicalMetres, index);
    if (hasTooManyOutliers) {
      dropped('contradicted');
      continue;
    }
    const radius = r50Metres(typicalMetres, factor);
    const estimate = circularEstimate({
      source: SOURCE_CELL,
      latitude,
      longitude,
      r50Metres: radius,
      tail,
      used: guesses.length,
      evidence: EVIDENCE,
    });
    recorder?.guessed(bit, guesses, estimate);
    return { bit, estimate };
  }
  return undefined;
}

/** The guesses inside the country, with a larger error for a neighbour cell. */
function plausible(guesses: readonly Guess[], { mcc, isServing }: UnknownCell): Guess[] {
  const inside = guesses.filter(({ latitude, longitude }) => isInside(mcc, latitude, longitude));
  return isServing
    ? inside
    : inside.map(guess => ({ ...guess, typicalMetres: Math.hypot(guess.typicalMetres, NEIGHBOUR_METRES) }));
}
