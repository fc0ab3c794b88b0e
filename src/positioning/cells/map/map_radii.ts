// The uncertainty of a position in a radio map. The radius for each share of the truths has four parts:
//
//   - the candidates: the distance that holds this share of their likelihood;
//   - the misfit: what the best candidate leaves unexplained. A device that hears what nobody has heard is where nobody
//     has been;
//   - the unseen part: few observations have not shown all of the cell. That hardly moves the median but makes the
//     tail;
//   - a blur: what one reference point differs by from time to time.
//
// Their formula is fitted to tracks held back, which go where others have been. Where nobody has been, no candidate is
// right, and errors are some ten times as large. How likely that is, is the logistic function of the misfit, of the
// observations and of how many of the cells are unknown, fitted to three sets split by track and by place; the radius
// grows with its square (lab/accuracy.md, "By place"). Tests then say what a radius is worth on the roads that are
// known. A device that is followed has terms of its own, fitted to three sets that have times: within the radii for 50,
// 68 and 95 % were 52, 67 and 96 % of the truths (jiading), 53, 66 and 95 % (cork), 48, 68 and 94 % (belgium).

import type { Tail } from '../../estimates/estimate.ts';
import type { PositionRecorder } from '../../estimates/recorder.ts';
import type { Middle } from './centre.ts';

/**
 * Terms for a share: metres; metres for a unit of misfit; metres and extents of the map, both over the number of
 * observations; the multiple on a road that is new for certain.
 */
interface Share {
  share: number;
  blurMetres: number;
  misfitMetres: number;
  unseenMetres: number;
  unseenExtents: number;
  newRoad: number;
}
/** Of one scan, for 50, 68 and 95 %. */
export const OF_SCAN: readonly Share[] = [
  { share: 0.5, blurMetres: 45, misfitMetres: 20, unseenMetres: 400, unseenExtents: 1.7, newRoad: 12 },
  { share: 0.68, blurMetres: 55, misfitMetres: 31, unseenMetres: 700, unseenExtents: 8.5, newRoad: 7 },
  { share: 0.95, blurMetres: 60, misfitMetres: 57, unseenMetres: 4_400, unseenExtents: 76, newRoad: 2.5 },
];
/** Of a device that is followed: what one scan leaves unexplained says little then. */
export const OF_TRACK: readonly Share[] = [
  { share: 0.5, blurMetres: 65, misfitMetres: 0, unseenMetres: 200, unseenExtents: 0, newRoad: 0 },
  { share: 0.68, blurMetres: 120, misfitMetres: 0, unseenMetres: 200, unseenExtents: 0, newRoad: 0 },
  { share: 0.95, blurMetres: 155, misfitMetres: 95, unseenMetres: 13_000, unseenExtents: 65, newRoad: 0 },
];
/** Logarithm of the odds that a road is new: of itself, for the misfit, the observations, and the unknown cells. */
const NEW_ROAD = 1.64;
const NEW_PER_MISFIT = 0.351;
const NEW_PER_OBSERVATIONS = -0.654;
const NEW_IF_ALL_UNKNOWN = 1.129;
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
  /** Cells that were compared, and the share of those sent that are not known. */
  cells: number;
  unknownShare: number;
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
  const spread = { likely, extentMetres, newRoad: likelihoodOfNewRoad(match) };
  const r50Metres = radiusOf(shares[0], match, spread, recorder);
  const at68 = Math.max(1, radiusOf(shares[1], match, spread) / r50Metres);
  return {
    ...match.middle,
    r50Metres,
    tail: { at68, at95: Math.max(at68, radiusOf(shares[2], match, spread) / r50Metres) },
  };
}

/** What the radii for all shares have in common. */
interface Spread {
  likely: number;
  extentMetres: number;
  /** Likelihood that nobody has been there, 0..1. */
  newRoad: number;
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

/** The likelihood that nobody has been where the device is, 0..1. */
function likelihoodOfNewRoad({ misfit, cells, observations, unknownShare }: MapMatch): number {
  const odds =
    NEW_ROAD +
    (NEW_PER_MISFIT * misfit) / Math.sqrt(cells) +
    NEW_PER_OBSERVATIONS * Math.log(observations) +
    NEW_IF_ALL_UNKNOWN * unknownShare;
  return 1 / (1 + Math.exp(-odds));
}

function radiusOf(
  terms: Share,
  { misfit, cells, observations }: MapMatch,
  { likely, extentMetres, newRoad }: Spread,
  recorder?: PositionRecorder,
): number {
  let inside = sortedWeight[0];
  let c = 0;
  while (inside < terms.share && c + 1 < likely) inside += sortedWeight[++c];
  const unseen = Math.min(CELL_REACH_METRES, (terms.unseenMetres + terms.unseenExtents * extentMetres) / observations);
  const parts = {
    likelihood: sortedMetres[c] ** 2,
    blur: terms.blurMetres ** 2,
    misfit: (terms.misfitMetres * misfit) ** 2 / cells,
    unseen: unseen ** 2,
  };
  const known = Math.sqrt(parts.likelihood + parts.blur + parts.misfit + parts.unseen);
  const radius = known * Math.max(1, Math.min(terms.newRoad * newRoad * newRoad, CELL_REACH_METRES / known));
  recorder?.note({ ...parts, newRoad: radius * radius - known * known });
  return radius;
}
