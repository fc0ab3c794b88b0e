// How good a fallback is just here. Ids of one network tell much in one town and little in another, and some areas lie in two regions at once. So a guess
// is put to the test: the same fallback is asked for known cells of the area whose ids are near, each as if it was not known. By how much those guesses
// were better or worse than they promised is what the promise of the own guess is multiplied by: the mean of the ratios in the logarithm, drawn towards one
// where few cells could be asked. Where too many of them lead to another region, so may the own one.

import { distanceMetres } from '../../geo/distance.ts';
import type { CellIndex, IndexedCell } from '../../tables/stations/cell_index.ts';
import type { UnknownCell } from './cells.ts';
import { type Guess, positionOf } from './guessed_position.ts';

/** Known cells to each side of the id that are asked for, and rows read to find them. */
const CELLS = 10;
const ROWS = 256;
/** The promise itself counts as much as so many cells. */
const PRIOR_CELLS = 1;
/** Positions are no better known than this. */
const BLUR_METRES = 100;
/**
 * Guesses further off than this, and than so many times what they promised, lead to another region; at more than this share of all, among which so many count
 * as good, none is believed.
 */
const OUTLIER_METRES = 50_000;
const OUTLIER_FACTOR = 1.5;
const OUTLIER_SHARE_MAX = 0.2;
const PRIOR_INLIERS = 1;
/** A guess is as good as this one when it is typically no further off than so many times. */
const COMPARABLE = 3;

/** How a fallback guesses. */
export type Guesser = (cell: UnknownCell, index: CellIndex) => Guess[];

/** What the guesses for known cells say about those for an unknown one. */
interface Trial {
  /** What typical distances are to be multiplied by. */
  factor: number;
  /** True when too many led to another region. */
  hasTooManyOutliers: boolean;
}

/**
 * Tries a fallback on known cells.
 * @param guess the fallback; it leaves out the cell that it is asked for
 * @param cell for which it has guessed
 * @param typicalMetres how far off that guess typically is
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
    // A guess that promised far less says nothing against this one.
    if (errorMetres > Math.max(OUTLIER_METRES, OUTLIER_FACTOR * found.typicalMetres) && found.typicalMetres <= COMPARABLE * typicalMetres)
      outliers++;
  }
  return { factor: Math.exp(sum / (tried + PRIOR_CELLS)), hasTooManyOutliers: outliers > OUTLIER_SHARE_MAX * (tried + PRIOR_INLIERS) };
}

/** What is believed without a trial. */
export const UNTRIED: Trial = { factor: 1, hasTooManyOutliers: false };

/** Known cells of the same area with the nearest ids; none where the area code was not sent. */
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
