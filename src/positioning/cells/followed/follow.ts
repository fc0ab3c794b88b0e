// Follows a device that is located by the map of its serving cell: gathers the points of all maps that tell of it, lets
// the filter decide, and notes where the device is for the next request.

import { STATUS_OK } from '../../../../wasm/memory.ts';
import type { Core } from '../../../core/core.ts';
import type { QueryReader } from '../../../radio/query/reader.ts';
import { KEY_BYTES_CELL } from '../../../radio/station_key.ts';
import type { FoundStations } from '../../../tables/stations/packed_station.ts';
import type { PositionRecorder } from '../../estimates/recorder.ts';
import type { Selection } from '../../transmitters/selection.ts';
import { type MapFix, type MapMatch, radiiInMap } from '../map/map_radii.ts';
import { followPlaces } from './filter.ts';
import { CELLS_MAX, type CellPast } from './past.ts';
import { type CellMap, gatherPoints } from './points.ts';

/** Maps of cells that the device hears which are read: that of the serving one, and of the strongest others. */
const MAPS_NOW_MAX = 6;

const middle = { east: 0, north: 0 };

/** What the followed device hears. */
interface Heard {
  query: QueryReader;
  stations: FoundStations;
  selection: Selection;
  /** Learned cells among the selected ones, the serving one first, without their maps. */
  cells: readonly Omit<CellMap, 'map'>[];
}

/**
 * Where a followed device is. Writes where it is now into `past`.
 * @param match by the map of its serving cell
 * @param single where that has the device
 */
export function follow(
  heard: Heard,
  past: CellPast,
  match: MapMatch,
  single: MapFix,
  core: Core,
  recorder?: PositionRecorder,
): MapFix {
  const points = gatherPoints(heard.query, heard.selection, mapsOf(heard, past, core), core);
  const { places, match: followed } = followPlaces(core, past, points, match, middle);
  past.now = { places, cells: cellsNow(heard, past) };
  past.isFollowed = past.places.length > 0;
  return past.isFollowed ? near({ ...middle, ...radiiInMap(followed, true, recorder) }, single) : single;
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
function* mapsOf({ query, stations, selection, cells }: Heard, past: CellPast, core: Core): Generator<CellMap> {
  for (const cell of cells.slice(0, MAPS_NOW_MAX)) {
    const map = stations.radioMap(query, selection.observation[cell.own]);
    if (map !== undefined) yield { map, ...cell };
  }
  for (const key of past.cells.slice(0, CELLS_MAX)) {
    if (cells.some(({ own }) => isKeyOf(query, selection.observation[own], key))) continue;
    const left = stations.radioMapOf(key);
    if (left === undefined || core.toLocal(left.latitude, left.longitude) !== STATUS_OK) continue;
    yield { map: left.map, own: -1, east: core.east, north: core.north, r95Metres: left.r95Metres };
  }
}

/** The cells of a track that goes on: the one by which the device was located now, and the last of those before. */
function cellsNow({ query, selection, cells }: Heard, past: CellPast): Uint8Array[] {
  const serving = selection.observation[cells[0].own];
  const at = query.at(serving);
  const others = past.cells.filter(key => !isKeyOf(query, serving, key));
  return [query.memory.u8.slice(at, at + KEY_BYTES_CELL), ...others].slice(0, CELLS_MAX);
}

function isKeyOf(query: QueryReader, observation: number, key: Uint8Array): boolean {
  const at = query.at(observation);
  return key.every((byte, i) => byte === query.memory.u8[at + i]);
}
