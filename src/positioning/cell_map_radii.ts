// How far can a position in a radio map be off? For each share of the truths there is a radius of its own, out of
//
//   - the candidates: the distance that holds this share of their likelihood;
//   - the misfit: what the best candidate leaves unexplained. A device that hears what was heard nowhere is where nobody observed;
//   - what is unseen: few observations have not shown all of the cell. That hardly moves the median, and makes the tail;
//   - a blur: what one place differs by from time to time.
//
// Fitted on four sets of tracks held back, all of them alike, as one formula for all shares.

import { MAP_PLACES } from '../tables/radio_map.ts';
import type { Tail } from './estimate.ts';

/** Terms for a share: metres, metres a unit of misfit, and, over the number of observations, metres and extents of the map. */
interface Share {
  share: number;
  blurMetres: number;
  misfitMetres: number;
  unseenMetres: number;
  unseenExtents: number;
}
const HALF: Share = { share: 0.5, blurMetres: 45, misfitMetres: 20, unseenMetres: 400, unseenExtents: 1 };
const AT_68: Share = { share: 0.68, blurMetres: 55, misfitMetres: 31, unseenMetres: 700, unseenExtents: 5 };
const AT_95: Share = { share: 0.95, blurMetres: 60, misfitMetres: 57, unseenMetres: 4_400, unseenExtents: 45 };
/** Share of the observations that lies within the extent. */
const EXTENT_SHARE = 0.95;

/** Distances are sorted to this many parts of a metre, with the candidate in the rest of the number. */
const PARTS_PER_METRE = 16;
const order = new Float64Array(MAP_PLACES);
const sortedMetres = new Float64Array(MAP_PLACES);
const sortedWeight = new Float64Array(MAP_PLACES);

/** Candidates of a map, and how well they explain what is heard. */
export interface MapDoubt {
  candidates: number;
  /** Square metres from the fix. */
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

/** The radius that holds half of the truths, and the tail beyond. */
export function radiiInMap(doubt: MapDoubt): { r50Metres: number; tail: Tail } {
  const { candidates, squaredDistance, weight, prior } = doubt;
  for (let c = 0; c < candidates; c++) order[c] = Math.floor(Math.sqrt(squaredDistance[c]) * PARTS_PER_METRE) * MAP_PLACES + c;
  order.subarray(0, candidates).sort();
  let priors = 0;
  for (let c = 0; c < candidates; c++) priors += prior[c];
  let seen = 0;
  let extentMetres = 0;
  for (let c = 0; c < candidates; c++) {
    const candidate = order[c] % MAP_PLACES;
    sortedMetres[c] = Math.sqrt(squaredDistance[candidate]);
    sortedWeight[c] = weight[candidate];
    if (seen < EXTENT_SHARE * priors) extentMetres = sortedMetres[c];
    seen += prior[candidate];
  }
  const r50Metres = radiusOf(HALF, doubt, extentMetres);
  const at68 = Math.max(1, radiusOf(AT_68, doubt, extentMetres) / r50Metres);
  return { r50Metres, tail: { at68, at95: Math.max(at68, radiusOf(AT_95, doubt, extentMetres) / r50Metres) } };
}

function radiusOf(
  { share, blurMetres, misfitMetres, unseenMetres, unseenExtents }: Share,
  { candidates, misfit, cells, observations }: MapDoubt,
  extentMetres: number,
): number {
  let inside = sortedWeight[0];
  let c = 0;
  while (inside < share && c + 1 < candidates) inside += sortedWeight[++c];
  const unseen = (unseenMetres + unseenExtents * extentMetres) / observations;
  const unexplained = misfitMetres * misfit;
  return Math.sqrt(sortedMetres[c] ** 2 + blurMetres ** 2 + (unexplained * unexplained) / cells + unseen * unseen);
}
