// What a tile shows of the stations in it. Up to a zoom, and where there are too many to tell apart, it is a grid of
// 64 by 64 squares with the number of stations in each; above, each station is a point with what the index knows of it.
// Coordinates are those of vector tiles: 4,096 units from the western and northern edge.

import { RADIANS_PER_DEGREE } from '../../../wasm/earth_constants.ts';
import { isCell, radioOfKind } from '../../radio/kind.ts';
import type { TileNumbers } from '../tile_plane.ts';
import type { WorldPoint } from './place_order.ts';
import type { StationColumns, StationFilter } from './station_columns.ts';
import {
  GROUP_NAMES,
  kindAt,
  nameOfStation,
  SOURCE_LEARNED,
  SOURCE_NONE,
  STATION_GROUPS,
  type StationGroup,
  type StationIndex,
} from './station_index.ts';

/** Units of a tile's side. */
const EXTENT = 4_096;
const GRID_BITS = 6;
/** The densest part is looked for by halves. */
const FOCUS_BITS = 1;
/** It is told to 40 metres, and shown with the streets around it. */
const FOCUS_DEPTH = 20;
const FOCUS_ZOOM_MAX = 15;
const WORLD_BITS = 32;
/** From this zoom on stations are points; a tile is 5 km wide at the equator. */
const POINTS_ZOOM = 13;
/** More points nobody tells apart. */
const POINTS_MAX = 4_000;
const DAY_MS = 86_400_000;

/** Which stations a tile shows; an absent member says nothing. */
export interface StationQuery {
  /** A group, or the kind byte of a radio of cells. */
  kind?: StationGroup | number | undefined;
  /** Name of a source. */
  source?: string | undefined;
  /** Only what was learned from observations. */
  isLearned?: boolean | undefined;
  /** Days since 1970: seen on this day or later. */
  seenAfterDay?: number | undefined;
}

/** A square of the grid. */
interface DensitySquare {
  west: number;
  north: number;
  side: number;
  stations: number;
}

/** A station. */
export interface StationPoint {
  x: number;
  y: number;
  name: string;
  /** `wifi`, `bluetooth`, `beacon`, or the radio type of a cell. */
  kind: string;
  /** The power of two at or below their number. */
  samples: number;
  /** Lookups use it. */
  used: boolean;
  /** YYYY-MM-DD. */
  lastSeen: string | undefined;
  learned: boolean;
  /** Name of the import that it comes from. */
  source: string | undefined;
}

/** What a tile shows: one of the two is empty. */
export interface StationTile {
  squares: DensitySquare[];
  points: StationPoint[];
}

/** Some neighbours in a group. */
interface Run {
  group: StationGroup;
  columns: StationColumns;
  from: number;
  to: number;
  filter: StationFilter;
}

/** The stations of a tile. */
export function stationTile(index: StationIndex, tile: TileNumbers, query: StationQuery): StationTile {
  const runs = runsOf(index, tile, query);
  if (tile.z >= POINTS_ZOOM) {
    const points = pointsOf(index, tile, runs);
    if (points !== undefined) return { squares: [], points };
  }
  return { squares: squaresOf(tile, runs), points: [] };
}

/** Where most stations are: the densest place, and the closest zoom that shows half of what is around it. */
export interface Focus {
  /** Degrees. */
  latitude: number;
  longitude: number;
  zoom: number;
}

/** Where most stations are, for whoever opens a map. */
export function focusOf(index: StationIndex): Focus {
  let tile: TileNumbers = { z: 0, x: 0, y: 0 };
  let zoom: number | undefined;
  while (tile.z < FOCUS_DEPTH) {
    const squares = squaresOf(tile, runsOf(index, tile, {}), FOCUS_BITS);
    const all = squares.reduce((sum, { stations }) => sum + stations, 0);
    if (all === 0) break;
    const { west, north, side, stations } = squares.reduce((most, each) =>
      each.stations > most.stations ? each : most,
    );
    if (stations * 2 < all) zoom ??= tile.z;
    tile = { z: tile.z + 1, x: tile.x * 2 + west / side, y: tile.y * 2 + north / side };
  }
  const side = 2 ** tile.z;
  const north = Math.PI * (1 - (2 * (tile.y + 0.5)) / side);
  return {
    latitude: Math.atan(Math.sinh(north)) / RADIANS_PER_DEGREE,
    longitude: ((tile.x + 0.5) / side) * 360 - 180,
    zoom: Math.min(zoom ?? FOCUS_ZOOM_MAX, FOCUS_ZOOM_MAX),
  };
}

function runsOf(
  index: StationIndex,
  tile: TileNumbers,
  { kind, source, isLearned, seenAfterDay }: StationQuery,
): Run[] {
  const number = isLearned ? SOURCE_LEARNED : source === undefined ? undefined : numberOf(index, source);
  const names = kind === undefined ? GROUP_NAMES : [typeof kind === 'number' ? 'cell' : kind];
  const radio = typeof kind === 'number' && isCell(kind) ? radioNumber(kind) : undefined;
  return names.flatMap(group => {
    const columns = index.groups[group];
    const from = columns.firstFrom(cornerOf(tile));
    const to = endOf(columns, tile, from);
    return from === to ? [] : [{ group, columns, from, to, filter: { radio, source: number, seenAfterDay } }];
  });
}

/** How many stations there are of each kind: cells by radio. */
export function countByKind({ groups }: StationIndex): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const group of GROUP_NAMES) {
    const { count } = groups[group];
    const [first, last] = STATION_GROUPS[group];
    for (let kind = first; kind <= last; kind++)
      counts[radioOfKind(kind) ?? group] =
        group === 'cell' ? groups.cell.countFitting(0, count, { radio: radioNumber(kind) }) : count;
  }
  return counts;
}

function radioNumber(kind: number): number {
  return kind - STATION_GROUPS.cell[0];
}

function numberOf({ sources }: StationIndex, name: string): number {
  const at = sources.lastIndexOf(name);
  return at < 0 ? SOURCE_NONE : at + 1;
}

/** The stations as points; undefined where they are too many. */
function pointsOf(index: StationIndex, tile: TileNumbers, runs: readonly Run[]): StationPoint[] | undefined {
  const corner = cornerOf(tile);
  const scale = EXTENT / sideOf(tile.z);
  const points: StationPoint[] = [];
  for (const { group, columns, from, to, filter } of runs) {
    const found = columns.fitting(from, to, filter, POINTS_MAX + 1 - points.length);
    if (points.length + found.length > POINTS_MAX) return undefined;
    for (const at of found) {
      const { x, y } = columns.point(at);
      const { lastSeenDay, source, logSamples, isUsed } = columns.aboutOf(at);
      points.push({
        x: Math.floor((x - corner.x) * scale),
        y: Math.floor((y - corner.y) * scale),
        name: nameOfStation(group, columns, at),
        kind: radioOfKind(kindAt(group, columns, at)) ?? group,
        samples: 1 << logSamples,
        used: isUsed,
        lastSeen: lastSeenDay === 0 ? undefined : new Date(lastSeenDay * DAY_MS).toISOString().slice(0, 10),
        learned: source === SOURCE_LEARNED,
        source: index.sources[source - 1],
      });
    }
  }
  return points;
}

/** The squares in which there are stations. All of a square are neighbours. */
function squaresOf({ z }: TileNumbers, runs: readonly Run[], bits = GRID_BITS): DensitySquare[] {
  const shift = WORLD_BITS - z - bits;
  const side = 2 ** shift;
  const mask = 2 ** bits - 1;
  const counts = new Float64Array(4 ** bits);
  for (const { columns, from, to, filter } of runs) {
    for (let at = from; at < to; ) {
      const { x, y } = columns.point(at);
      const [column, row] = [x >>> shift, y >>> shift];
      const end = columns.firstAfter({ x: column * side + side - 1, y: row * side + side - 1 }, at);
      counts[((row & mask) << bits) | (column & mask)] += columns.countFitting(at, end, filter);
      at = end;
    }
  }
  const width = EXTENT >> bits;
  const squares: DensitySquare[] = [];
  for (const [square, stations] of counts.entries()) {
    if (stations === 0) continue;
    squares.push({ west: (square & mask) * width, north: (square >> bits) * width, side: width, stations });
  }
  return squares;
}

/** The north-western corner of a tile. */
function cornerOf({ z, x, y }: TileNumbers): WorldPoint {
  return { x: x * sideOf(z), y: y * sideOf(z) };
}

/** Where the stations of a tile end. */
function endOf(columns: StationColumns, tile: TileNumbers, from: number): number {
  const { x, y } = cornerOf(tile);
  const last = sideOf(tile.z) - 1;
  return columns.firstAfter({ x: x + last, y: y + last }, from);
}

/** Units of the world that a tile is wide. */
function sideOf(z: number): number {
  return 2 ** (WORLD_BITS - z);
}
