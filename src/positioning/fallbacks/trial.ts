// Measures how good a fallback is locally. The ids of one network say much in one town and little in another, and some
// areas lie in two regions at once. So the fallback is tested by leave-one-out: it guesses known cells of the same area
// with nearby ids, each as if it were unknown. The typical error of the guess for the unknown cell is multiplied by the
// geometric mean of actual over typical errors, drawn towards one if few cells could be tested. The guess is rejected
// if too many of the tested guesses lead to another region.

import { distanceMetres } from '../../geo/distance.ts';
import type { CellIndex, IndexedCell } from '../../tables/stations/cell_index.ts';
import type { UnknownCell } from './cells.ts';
import { type Guess, positionOf } from './guessed_position.ts';

/** Known cells tested to each side of the id, and rows read to find them. */
const CELLS = 10;
const ROWS = 256;
/** The typical error itself counts as much as this many cells. */
const PRIOR_CELLS = 1;
/** Positions are no better known than this. */
const BLUR_METRES = 100;
/**
 * A guess is an outlier if its error exceeds both this distance and this many times its typical error: it leads to
 * another region. At more than this share of outliers the fallback is rejected. The share counts so many inliers
 * beforehand.
 */
const OUTLIER_METRES = 50_000;
const OUTLIER_FACTOR = 1.5;
const OUTLIER_SHARE_MAX = 0.2;
const PRIOR_INLIERS = 1;
/**
 * A tested guess is comparable if its typical error is at most this many times that of the guess for the unknown cell.
 */
const COMPARABLE = 3;

/** How a fallback guesses. */
export type Guesser = (cell: UnknownCell, index: CellIndex) => Guess[];

/** What guesses for known cells say about the guess for an unknown one. */
interface Trial {
  /** Factor for typical errors. */
  factor: number;
  /** True if too many guesses led to another region. */
  hasTooManyOutliers: boolean;
}

/**
 * Tests a fallback on known cells.
 * @param guess the fallback; it never uses the cell that it is asked for
 * @param cell the unknown cell
 * @param typicalMetres typical error of the guess for that cell
 */
export function trialOf(guess: Guesser, cell: UnknownCell, typicalMetres: number, index: CellIndex): Trial {
  let sum = 0;
  let tried = 0;
  let outliers = 0;
  for (const { cell: id, latitude, longitude } of knownNearby(cell, index)) {
    const guesses = guess({ ...cell, cell: id }, index);
    if (guesses.length === 0) continue;
    const found = positionOf(guesses);
    const errorMetres = distanceMetres(latitude, longitude, found.latitude, found.longitude);
    sum += Math.log((errorMetres + BLUR_METRES) / (found.typicalMetres + BLUR_METRES));
    tried++;
    // A guess with a far larger typical error says nothing against this one.
    if (
      errorMetres > Math.max(OUTLIER_METRES, OUTLIER_FACTOR * found.typicalMetres) &&
      found.typicalMetres <= COMPARABLE * typicalMetres
    )
      outliers++;
  }
  return {
    factor: Math.exp(sum / (tried + PRIOR_CELLS)),
    hasTooManyOutliers: outliers > OUTLIER_SHARE_MAX * (tried + PRIOR_INLIERS),
  };
}

/** The result for a fallback that needs no trial. */
export const NOT_TRIED: Trial = { factor: 1, hasTooManyOutliers: false };

/** Known cells of the same area with the nearest ids; none if the area code was not sent. */
function knownNearby(cell: UnknownCell, index: CellIndex): IndexedCell[] {
  if (cell.area < 0) return [];
  return [true, false].flatMap(isUp => {
    let left = CELLS;
    return index.outward(cell, cell.area, cell.cell, isUp, ROWS, (id, area) => {
      if (left === 0) return 'end';
      if (area !== cell.area || id === cell.cell) return 'leave';
      left--;
      return 'take';
    });
  });
}
