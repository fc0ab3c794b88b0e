// The layer `boundary` of a map tile: borders as lines, each with the rank of the largest area that it bounds. An area
// and its neighbour have the same points where they meet, and so have a country and its outermost municipality, so each
// side is drawn for the first area that has it.
//
// Countries are those of the extract where it has them, otherwise those of the map of the world: whole lines of it give
// way to a country of the extract, so no line ends in the middle of nothing or at the edge of a tile.

import type { Box } from '../../geo/box.ts';
import type { GeocoderLayer } from '../../geocoding/geocoder_layer.ts';
import { readPlace } from '../../geocoding/index/place_reader.ts';
import { countryBits, rankOf } from '../../geocoding/index/traits.ts';
import { RANK_AREA_MAX, RANK_CITY, RANK_COUNTRY, RANK_COUNTY, RANK_STATE } from '../../tables/places/ranks.ts';
import type { TilePlane } from '../tile_plane.ts';
import { TileLayer } from '../vector_tile.ts';
import { meet, worldMap } from './land.ts';

const ROOM_BYTES = 150_000;
/** From which zoom on borders of areas up to a search rank are drawn. */
const RANKS_BY_ZOOM: readonly (readonly [zoom: number, rank: number])[] = [
  [0, RANK_COUNTRY],
  [4, RANK_STATE],
  [7, RANK_COUNTY],
  [10, RANK_CITY],
  [13, RANK_AREA_MAX],
];
/** At this zoom one sees that the borders of the world are rougher than those of an extract. */
const ROUGH_ZOOM = 6;

/** Draws borders, those of large areas first. */
export function boundaryLayer(plane: TilePlane, extract: GeocoderLayer | undefined): TileLayer {
  const layer = new TileLayer('boundary', ROOM_BYTES);
  const finest = RANKS_BY_ZOOM.findLast(([zoom]) => zoom <= plane.zoom)![1];
  const regions = extract === undefined ? [] : regionsIn(extract, plane.box, finest);
  const isFine = extract !== undefined && plane.zoom >= ROUGH_ZOOM;
  const isKnown = (code: string): boolean => isFine && extract.spatial.hasBordersOf(countryBits(code.toLowerCase()));
  const draw = (lines: readonly ArrayLike<number>[], rank: number): void => {
    const seen = lines.flatMap(line => plane.lines(line));
    if (seen.length > 0) layer.addLines(seen, { rank });
  };
  for (const { box, shape } of worldMap().borders)
    if (meet(box, plane.box) && !shape.countries.some(isKnown)) draw([shape.line], RANK_COUNTRY);
  const drawn = new Set<string>();
  const isFirst: SideFilter = (...side) => {
    if (!isNear(plane.box, side)) return false;
    const key = keyOf(side);
    if (drawn.has(key)) return false;
    drawn.add(key);
    return true;
  };
  for (const { rank, rings } of regions)
    if (rank > RANK_COUNTRY || isFine)
      draw(
        rings.flatMap(ring => piecesOf(ring, isFirst)),
        rank,
      );
  return layer;
}

/** Whether a side of a border is drawn. */
type SideFilter = (x0: number, y0: number, x1: number, y1: number) => boolean;

/** The pieces of a line that are made of wanted sides. */
function piecesOf(line: Int32Array, isWanted: SideFilter): number[][] {
  const pieces: number[][] = [];
  let isOpen = false;
  for (let i = 2; i < line.length; i += 2) {
    const wasOpen = isOpen;
    isOpen = isWanted(line[i - 2], line[i - 1], line[i], line[i + 1]);
    if (!isOpen) continue;
    if (!wasOpen) pieces.push([line[i - 2], line[i - 1]]);
    pieces.at(-1)!.push(line[i], line[i + 1]);
  }
  return pieces;
}

/** True if the box around a side meets a box. */
function isNear({ west, south, east, north }: Box, [x0, y0, x1, y1]: Parameters<SideFilter>): boolean {
  return Math.min(x0, x1) <= east && Math.max(x0, x1) >= west && Math.min(y0, y1) <= north && Math.max(y0, y1) >= south;
}

/** The same for both directions of a side. */
function keyOf([x0, y0, x1, y1]: Parameters<SideFilter>): string {
  return x0 < x1 || (x0 === x1 && y0 < y1) ? `${x0},${y0},${x1},${y1}` : `${x1},${y1},${x0},${y0}`;
}

interface Region {
  rank: number;
  size: number;
  rings: Int32Array[];
}

/** The administrative areas in a box, large ranks first, and large areas first among them. */
function regionsIn({ spatial, places }: GeocoderLayer, box: Box, finest: number): Region[] {
  const found: Region[] = [];
  spatial.regionAreas.forEachIn(box, shape => {
    const rank = rankOf(spatial.regions.traits(shape));
    if (rank > finest) return;
    const place = readPlace(places, spatial.regions.id(shape));
    if (place.category !== 'boundary') return;
    const rings = spatial.regions.ringsOf(shape);
    found.push({ rank, size: spatial.regions.size(shape), rings });
  });
  return found.sort((a, b) => a.rank - b.rank || b.size - a.size);
}
