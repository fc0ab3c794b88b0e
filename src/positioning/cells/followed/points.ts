// The points at which a followed device may be: the reference points of several maps at once. A device that is located
// by one scan is located by the map of its serving cell. One that is followed is worth more maps: those of the other
// cells that it hears, because people pass who are served by another cell; and those of the cells that it was located
// by before, because the road goes on there although nobody was served by the new cell on it.
//
// All points are compared with the whole of what is heard, so their costs are those of one model. What a point of
// another map costs more has two reasons: the serving cell is the one that a device usually has there, and a device
// that has left a cell is seldom still where it was observed.

import { STATUS_OK } from '../../../../wasm/memory.ts';
import type { Core } from '../../../core/core.ts';
import type { QueryReader } from '../../../radio/query/reader.ts';
import { MAP_POINTS, type RadioMap } from '../../../tables/stations/radio_map.ts';
import type { Selection } from '../../transmitters/selection.ts';
import { costOfAll, costsOfPoints, LEVEL_SIGMA_DB, readNeighbours, TEMPERATURE } from '../map/compare.ts';
import { CANDIDATES_MAX } from '../map/map_radii.ts';
import { PLACES_MAX } from './past.ts';

/** Points of all maps together; of more, those of the first maps are used. */
export const ALL_POINTS = CANDIDATES_MAX - PLACES_MAX;
/** What the point of a map costs besides, by whose map it is. */
const COST_OF_OTHER = 1;
const COST_OF_LEFT = 4.5;
/**
 * The answer trusts levels more than the track does: their spread for it, against that by which single scans are
 * located.
 */
const ANSWER_SIGMA_SHARE = 0.75;
/** Points whose log likelihood is this far below that of the best one are left out. */
const BEHIND_MAX = 8;

/** The map of a cell, and where the cell is. */
export interface CellMap {
  map: RadioMap;
  /** Index of the cell among the selected ones; -1 if the device does not hear it any more. */
  own: number;
  /**
   * Where it is usually observed, metres in the frame; points beyond its 95 % radius that only one contributor observed
   * are ignored.
   */
  east: number;
  north: number;
  r95Metres: number;
}

/** By point. Metres in the frame; root of the observations; minus log likelihood, for the track and for the answer. */
export const pointEast = new Float64Array(ALL_POINTS);
export const pointNorth = new Float64Array(ALL_POINTS);
export const pointPrior = new Float64Array(ALL_POINTS);
export const pointCost = new Float64Array(ALL_POINTS);
export const pointAnswerCost = new Float64Array(ALL_POINTS);

const indexInMap = new Int32Array(MAP_POINTS);

/**
 * Gathers the points of maps that are not far behind the best one.
 * @param maps that of the serving cell first; each is read before the next is asked for
 * @returns their number, and the least cost; valid until the next call
 */
export function gatherPoints(
  query: QueryReader,
  selection: Selection,
  maps: Iterable<CellMap>,
  core: Core,
): { count: number; least: number } {
  let count = 0;
  let least = Number.POSITIVE_INFINITY;
  let isServing = true;
  for (const cell of maps) {
    const from = count;
    count += placePoints(cell, from, core);
    // The cells of the query that the map does not know count as missing too: points of several maps are compared.
    const { own, map } = cell;
    readNeighbours(query, selection, own, map);
    const compared = { own, map, missing: costOfAll(selection, own), points: indexInMap, count: count - from };
    costsOfPoints(selection, compared, LEVEL_SIGMA_DB, pointCost, from);
    costsOfPoints(selection, compared, ANSWER_SIGMA_SHARE * LEVEL_SIGMA_DB, pointAnswerCost, from);
    const more = isServing ? 0 : own < 0 ? COST_OF_LEFT : COST_OF_OTHER;
    for (let c = from; c < count; c++) {
      pointCost[c] += more;
      pointAnswerCost[c] += more;
      least = Math.min(least, pointCost[c]);
    }
    isServing = false;
  }
  return { count: leaveOut(count, least + BEHIND_MAX * TEMPERATURE), least };
}

/** Writes the points of a map into the frame. @returns how many they are */
function placePoints({ map, east, north, r95Metres }: CellMap, from: number, core: Core): number {
  let placed = 0;
  for (let p = 0; p < map.points && from + placed < ALL_POINTS; p++) {
    if (core.toLocal(map.latitudeE7[p] / 1e7, map.longitudeE7[p] / 1e7) !== STATUS_OK) continue;
    const dx = core.east - east;
    const dy = core.north - north;
    if (map.slot[p] !== 0 && dx * dx + dy * dy > r95Metres * r95Metres) continue;
    pointEast[from + placed] = core.east;
    pointNorth[from + placed] = core.north;
    pointPrior[from + placed] = Math.sqrt(map.count[p]);
    indexInMap[placed++] = p;
  }
  return placed;
}

/** Leaves out points that cost more. @returns how many are left */
function leaveOut(count: number, most: number): number {
  let left = 0;
  for (let c = 0; c < count; c++) {
    if (pointCost[c] > most) continue;
    pointEast[left] = pointEast[c];
    pointNorth[left] = pointNorth[c];
    pointPrior[left] = pointPrior[c];
    pointAnswerCost[left] = pointAnswerCost[c];
    pointCost[left++] = pointCost[c];
  }
  return left;
}
