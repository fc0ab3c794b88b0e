// Follows a device that is located by the map of its serving cell: gathers the points of all maps that tell of it, lets
// the filter decide, and notes where the device is for the next request.

import type { MovingParticles } from '../../../core/moving_particles.ts';
import type { QueryReader } from '../../../radio/query/reader.ts';
import { KEY_BYTES_CELL } from '../../../radio/station_key.ts';
import type { Heard } from '../../transmitters/selection.ts';
import { fixInMap, type MapFix, type MapMatch, OF_TRACK } from '../map/map_radii.ts';
import { followPlaces } from './filter.ts';
import { CELLS_MAX, type CellPast } from './past.ts';
import { type CellMap, gatherPoints } from './points.ts';

/** Maps of cells that the device hears which are read: that of the serving one, and of the strongest others. */
const MAPS_NOW_MAX = 6;

/** A learned cell that the device hears. */
type LearnedCell = Omit<CellMap, 'map'>;

/**
 * Where a followed device is. Writes where it is now into its past.
 * @param cells learned ones among the selected, the serving one first
 * @param match by the map of the serving cell
 * @param single where that has the device
 */
export function follow(
  heard: Heard,
  cells: readonly LearnedCell[],
  { past, particles }: { past: CellPast; particles: MovingParticles },
  match: MapMatch,
  single: MapFix,
): MapFix {
  const { query, selection } = heard;
  const points = gatherPoints(query, selection, mapsOf(heard, cells, past));
  const { places, match: followed } = followPlaces(particles, past, points, match);
  past.now = { places, cells: cellsNow(query, selection.observation[cells[0].own], past) };
  past.isFollowed = past.places.length > 0;
  return past.isFollowed ? near(fixInMap(followed, OF_TRACK, heard.recorder), single) : single;
}

/**
 * Moves a fix to within the radius that holds 95 % of the truths for this scan alone: nothing that a device carries can
 * move its position farther.
 */
function near(fix: MapFix, single: MapFix): MapFix {
  const east = fix.east - single.east;
  const north = fix.north - single.north;
  const share = Math.min(1, (single.tail.at95 * single.r50Metres) / Math.hypot(east, north));
  return share < 1 ? { ...fix, east: single.east + share * east, north: single.north + share * north } : fix;
}

/**
 * The maps of the cells that the device hears, then of those that it was located by before and hears no more. Each is
 * read when it is asked for.
 */
function* mapsOf(
  { query, stations, selection: { selected, observation } }: Heard,
  cells: readonly LearnedCell[],
  past: CellPast,
): Generator<CellMap> {
  for (const cell of cells.slice(0, MAPS_NOW_MAX)) {
    const map = stations.radioMap(query, observation[cell.own]);
    if (map !== undefined) yield { map, ...cell };
  }
  for (const key of past.cells.slice(0, CELLS_MAX)) {
    if (cells.some(({ own }) => isKeyOf(query, observation[own], key))) continue;
    const left = stations.radioMapOf(key);
    if (left === undefined) continue;
    const { map, latitude, longitude, r95Metres } = left;
    yield { map, own: -1, east: selected.frame.eastOf(longitude), north: selected.frame.northOf(latitude), r95Metres };
  }
}

/** The cells of a track that goes on: the one by which the device was located now, and the last of those before. */
function cellsNow(query: QueryReader, serving: number, past: CellPast): Uint8Array[] {
  const at = query.at(serving);
  const others = past.cells.filter(key => !isKeyOf(query, serving, key));
  return [query.memory.u8.slice(at, at + KEY_BYTES_CELL), ...others].slice(0, CELLS_MAX);
}

function isKeyOf(query: QueryReader, observation: number, key: Uint8Array): boolean {
  const at = query.at(observation);
  return key.every((byte, i) => byte === query.memory.u8[at + i]);
}
