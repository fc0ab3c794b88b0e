// The points at which a followed device may be: the reference points of several maps at once. A device that is located
// by one scan is located by the map of its serving cell. One that is followed is worth more maps: those of the other
// cells that it hears, because people pass who are served by another cell; and those of the cells that it was located
// by before, because the road goes on there although nobody was served by the new cell on it.
//
// All points are compared with the whole of what is heard, so their costs are those of one model. What a point of
// another map costs more has two reasons: the serving cell is the one that a device usually has there, and a device
// that has left a cell is seldom still where it was observed.

import type { Frame } from '../../../core/frame.ts';
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
 * located. The track does not forgive a missed cell as much: else places far off stay in it.
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

/** Points of all maps. */
export interface Points {
  count: number;
  /** By point: metres in the frame. */
  east: Float64Array;
  north: Float64Array;
  /** Root of the observations. */
  prior: Float64Array;
  /** Minus log likelihood, for the track and for the answer. */
  cost: Float64Array;
  answerCost: Float64Array;
  /** Least cost for the track. */
  least: number;
}

const POINTS: Omit<Points, 'count' | 'least'> = {
  east: new Float64Array(ALL_POINTS),
  north: new Float64Array(ALL_POINTS),
  prior: new Float64Array(ALL_POINTS),
  cost: new Float64Array(ALL_POINTS),
  answerCost: new Float64Array(ALL_POINTS),
};
const indexInMap = new Int32Array(MAP_POINTS);

/**
 * Gathers the points of maps that are not far behind the best one.
 * @param maps that of the serving cell first; each is read before the next is asked for
 * @returns valid until the next call
 */
export function gatherPoints(query: QueryReader, selection: Selection, maps: Iterable<CellMap>): Points {
  const { cost, answerCost } = POINTS;
  let count = 0;
  let least = Number.POSITIVE_INFINITY;
  let isServing = true;
  for (const cell of maps) {
    const from = count;
    count += placePoints(cell, from, selection.selected.frame);
    // The cells of the query that the map does not know count as missing too: points of several maps are compared.
    const { own, map } = cell;
    readNeighbours(query, selection, own, map);
    const compared = { own, map, missing: costOfAll(selection, own), points: indexInMap, count: count - from };
    costsOfPoints(selection, compared, LEVEL_SIGMA_DB, cost, from, true);
    costsOfPoints(selection, compared, ANSWER_SIGMA_SHARE * LEVEL_SIGMA_DB, answerCost, from);
    const more = isServing ? 0 : own < 0 ? COST_OF_LEFT : COST_OF_OTHER;
    for (let c = from; c < count; c++) {
      cost[c] += more;
      answerCost[c] += more;
      least = Math.min(least, cost[c]);
    }
    isServing = false;
  }
  return { ...POINTS, count: leaveOut(count, least + BEHIND_MAX * TEMPERATURE), least };
}

/** Writes the points of a map into the frame. @returns how many they are */
function placePoints({ map, east, north, r95Metres }: CellMap, from: number, frame: Frame): number {
  let placed = 0;
  for (let p = 0; p < map.points && from + placed < ALL_POINTS; p++) {
    const pointEast = frame.eastOf(map.longitudeE7[p] / 1e7);
    const pointNorth = frame.northOf(map.latitudeE7[p] / 1e7);
    if (Number.isNaN(pointEast + pointNorth)) continue;
    const dx = pointEast - east;
    const dy = pointNorth - north;
    if (map.slot[p] !== 0 && dx * dx + dy * dy > r95Metres * r95Metres) continue;
    POINTS.east[from + placed] = pointEast;
    POINTS.north[from + placed] = pointNorth;
    POINTS.prior[from + placed] = Math.sqrt(map.count[p]);
    indexInMap[placed++] = p;
  }
  return placed;
}

/** Leaves out points that cost more. @returns how many are left */
function leaveOut(count: number, most: number): number {
  const { east, north, prior, cost, answerCost } = POINTS;
  let left = 0;
  for (let c = 0; c < count; c++) {
    if (cost[c] > most) continue;
    east[left] = east[c];
    north[left] = north[c];
    prior[left] = prior[c];
    answerCost[left] = answerCost[c];
    cost[left++] = cost[c];
  }
  return left;
}
