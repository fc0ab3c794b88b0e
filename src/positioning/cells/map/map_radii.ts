// The uncertainty of a position in a radio map. The radius for each share of the truths has four parts:
//
//   - the candidates: the distance that holds this share of their likelihood;
//   - the misfit: what the best candidate leaves unexplained. A device that hears what nobody has heard is where nobody
//     has been;
//   - the unseen part: few observations have not shown all of the cell. That hardly moves the median but makes the
//     tail;
//   - a blur: what one reference point differs by from time to time.
//
// One formula for all shares and cells is fitted to tracks held back. Truths within the radii for 50, 68 and 95 %, in
// percent: 47, 70 and 96 (siping), 54, 66 and 94 (jiading), 52, 70 and 95 (cork), 51, 67 and 97 (belgium). A device
// that is followed has terms of its own, fitted to the three of these that have times: 52, 67 and 96 (jiading), 53, 66
// and 95 (cork), 48, 68 and 94 (belgium).

import type { Tail } from '../../estimates/estimate.ts';
import type { PositionRecorder } from '../../estimates/recorder.ts';
import type { Middle } from './centre.ts';

/**
 * Terms for a share: metres; metres for a unit of misfit; metres and extents of the map, both over the number of
 * observations.
 */
interface Share {
  share: number;
  blurMetres: number;
  misfitMetres: number;
  unseenMetres: number;
  unseenExtents: number;
}
/** Of one scan, for 50, 68 and 95 %. */
export const OF_SCAN: readonly Share[] = [
  { share: 0.5, blurMetres: 45, misfitMetres: 20, unseenMetres: 400, unseenExtents: 1.7 },
  { share: 0.68, blurMetres: 55, misfitMetres: 31, unseenMetres: 700, unseenExtents: 8.5 },
  { share: 0.95, blurMetres: 60, misfitMetres: 57, unseenMetres: 4_400, unseenExtents: 76 },
];
/** Of a device that is followed: what one scan leaves unexplained says little then. */
export const OF_TRACK: readonly Share[] = [
  { share: 0.5, blurMetres: 65, misfitMetres: 0, unseenMetres: 200, unseenExtents: 0 },
  { share: 0.68, blurMetres: 120, misfitMetres: 0, unseenMetres: 200, unseenExtents: 0 },
  { share: 0.95, blurMetres: 155, misfitMetres: 95, unseenMetres: 13_000, unseenExtents: 65 },
];
/** No cell reaches farther, however little is known about it. */
export const CELL_REACH_METRES = 35_000;
/** Candidates of one match. */
export const CANDIDATES_MAX = 2_048;
/** Less likely candidates do not move a radius. */
const WEIGHT_MIN = 1e-4;

const sortedMetres = new Float64Array(CANDIDATES_MAX);
const sortedWeight = new Float64Array(CANDIDATES_MAX);

/**
 * Where a map says that the device is, metres in a frame, with the radius that holds half of the truths, and the tail
 * beyond.
 */
export interface MapFix extends Middle {
  r50Metres: number;
  tail: Tail;
}

/** The candidates of a map, and how well they explain what the device hears. */
export interface MapMatch {
  candidates: number;
  /** Where most of them are around. */
  middle: Middle;
  /** Square metres from there. */
  squaredDistance: Float64Array;
  /** Likelihood of each candidate; their sum is 1. */
  weight: Float64Array;
  /** How much each was observed. */
  prior: Float64Array;
  /** Minus log likelihood of the best one. */
  misfit: number;
  /** Cells that were compared. */
  cells: number;
  observations: number;
}

/**
 * The middle of a match with its radii.
 * @param shares OF_SCAN, or OF_TRACK where the candidates are those of a track
 * @param recorder for an explanation
 */
export function fixInMap(match: MapMatch, shares: readonly Share[], recorder?: PositionRecorder): MapFix {
  const likely = sortLikely(match);
  const extentMetres = extentOf(match);
  const r50Metres = radiusOf(shares[0], match, likely, extentMetres, recorder);
  const at68 = Math.max(1, radiusOf(shares[1], match, likely, extentMetres) / r50Metres);
  return {
    ...match.middle,
    r50Metres,
    tail: { at68, at95: Math.max(at68, radiusOf(shares[2], match, likely, extentMetres) / r50Metres) },
  };
}

/** Sorts the likely candidates by distance; they are few, so by insertion. @returns their number */
function sortLikely({ candidates, squaredDistance, weight }: MapMatch): number {
  let likely = 0;
  for (let c = 0; c < candidates; c++) {
    if (weight[c] < WEIGHT_MIN) continue;
    const metres = Math.sqrt(squaredDistance[c]);
    let to = likely++;
    for (; to > 0 && sortedMetres[to - 1] > metres; to--) {
      sortedMetres[to] = sortedMetres[to - 1];
      sortedWeight[to] = sortedWeight[to - 1];
    }
    sortedMetres[to] = metres;
    sortedWeight[to] = weight[c];
  }
  return likely;
}

/** Root mean square distance of the observations. */
function extentOf({ candidates, squaredDistance, prior }: MapMatch): number {
  let sum = 0;
  let squares = 0;
  for (let c = 0; c < candidates; c++) {
    sum += prior[c];
    squares += prior[c] * squaredDistance[c];
  }
  return Math.sqrt(squares / sum);
}

function radiusOf(
  { share, blurMetres, misfitMetres, unseenMetres, unseenExtents }: Share,
  { misfit, cells, observations }: MapMatch,
  likely: number,
  extentMetres: number,
  recorder?: PositionRecorder,
): number {
  let inside = sortedWeight[0];
  let c = 0;
  while (inside < share && c + 1 < likely) inside += sortedWeight[++c];
  const unseen = Math.min(CELL_REACH_METRES, (unseenMetres + unseenExtents * extentMetres) / observations);
  const unexplained = misfitMetres * misfit;
  recorder?.note({
    likelihood: sortedMetres[c] ** 2,
    blur: blurMetres ** 2,
    misfit: unexplained ** 2 / cells,
    unseen: unseen ** 2,
  });
  return Math.sqrt(sortedMetres[c] ** 2 + blurMetres ** 2 + (unexplained * unexplained) / cells + unseen * unseen);
}
