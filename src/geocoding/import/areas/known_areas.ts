// The places that contain or surround others: countries, municipalities, villages and quarters, as polygons or points.
// They are few enough to stay in memory while everything else streams by.

import Flatbush from 'flatbush';
import { RADIANS_PER_DEGREE, WHOLE_METRES_PER_DEGREE } from '../../../../wasm/earth_constants.ts';
import { longitudeScale } from '../../../geo/angle.ts';
import type { Polygon } from '../../../geo/polygon.ts';
import type { Geometry } from '../../../geo/rings.ts';
import { UNITS_PER_DEGREE } from '../../../geo/units.ts';
import type { Place } from '../../../tables/places/place.ts';
import { matchKeysOf } from '../objects/match_key.ts';
import type { Tags } from '../osm/features.ts';

type OfPlace = 'osmType' | 'osmId' | 'category' | 'type' | 'names' | 'searchRank' | 'addressRank' | 'countryCode';

/** A place that contains others. */
export interface Area extends Pick<Place, OfPlace> {
  tags: Tags;
  geometry: Geometry;
  /** Undefined for a node. */
  polygon: Polygon | undefined;
  /** Its centre, units. */
  x: number;
  y: number;
  /** 2..12 for an administrative boundary, otherwise 0. */
  adminLevel: number;
  /** Its level is the one that divides cities. */
  isDistrict: boolean;
  /** Value of the tag `place` of the settlement that it bounds. */
  linkedPlace: string;
  /** Id in the layer; 0 until it is added. */
  id: number;
  /** Set when it is added; may be empty. */
  postcode: string;
  /** Ids of its address rows, set when it is added. */
  rows: readonly number[];
}

/** How far a node reaches, by search rank. */
const NODE_REACHES: readonly { searchRankMax: number; metres: number }[] = [
  { searchRankMax: 16, metres: 15_000 },
  { searchRankMax: 18, metres: 4_000 },
  { searchRankMax: 19, metres: 2_000 },
  { searchRankMax: 20, metres: 1_000 },
  { searchRankMax: 30, metres: 500 },
];
const METRES_PER_UNIT = WHOLE_METRES_PER_DEGREE / UNITS_PER_DEGREE;
const RADIANS_PER_UNIT = RADIANS_PER_DEGREE / UNITS_PER_DEGREE;

interface NodesOfReach {
  metres: number;
  nodes: readonly Area[];
  index: Flatbush | undefined;
}

/** The areas of an import by position and by name. Ranks and ids of the areas may change afterwards, shapes may not. */
export class KnownAreas {
  private readonly polygons: readonly Area[];
  private readonly boxes: Flatbush | undefined;
  private readonly byReach: readonly NodesOfReach[];
  private readonly byName = new Map<string, Area[]>();
  /** The point that was asked for last. */
  private last: { x: number; y: number; found: readonly Area[] } = { x: Number.NaN, y: Number.NaN, found: [] };

  constructor(areas: readonly Area[]) {
    this.polygons = areas.filter(area => area.polygon !== undefined);
    this.boxes = indexOf(this.polygons);
    const nodes = areas.filter(area => area.polygon === undefined);
    this.byReach = NODE_REACHES.map(({ searchRankMax, metres }, i) => {
      const above = i === 0 ? -1 : NODE_REACHES[i - 1].searchRankMax;
      const reached = nodes.filter(node => node.searchRank > above && node.searchRank <= searchRankMax);
      return { metres, nodes: reached, index: indexOf(reached) };
    });
    for (const area of areas) {
      for (const key of matchKeysOf(area.names)) {
        const named = this.byName.get(key);
        if (named === undefined) this.byName.set(key, [area]);
        else named.push(area);
      }
    }
  }

  /** The polygons that contain a point, in no order. An object asks several times, for its rows, town and postcode. */
  containing(x: number, y: number): readonly Area[] {
    const { last } = this;
    if (last.x === x && last.y === y) return last.found;
    const found: Area[] = [];
    for (const i of this.boxes?.search(x, y, x, y) ?? []) {
      if (this.polygons[i].polygon!.contains(x, y)) found.push(this.polygons[i]);
    }
    this.last = { x, y, found };
    return found;
  }

  /** The nodes close enough to a point to be in its address, in no order. */
  nodesNear(x: number, y: number): Area[] {
    const found: Area[] = [];
    const scale = scaleAt(y);
    for (const { metres, nodes, index } of this.byReach) {
      const north = metres / METRES_PER_UNIT;
      const east = north / scale;
      for (const i of index?.search(x - east, y - north, x + east, y + north) ?? []) {
        if (metresBetween(nodes[i].x, nodes[i].y, x, y) <= metres) found.push(nodes[i]);
      }
    }
    return found;
  }

  /** All areas with a name, given by its match key. */
  named(matchKey: string): readonly Area[] {
    return this.byName.get(matchKey) ?? [];
  }
}

/** Metres between two points in units, on the plane tangent to the Earth at the second. */
export function metresBetween(x0: number, y0: number, x1: number, y1: number): number {
  const east = (x0 - x1) * scaleAt(y1);
  const north = y0 - y1;
  return Math.sqrt(east * east + north * north) * METRES_PER_UNIT;
}

/** A distance in metres, in units of latitude and of longitude at a latitude. */
export function reachAt(metres: number, y: number): { north: number; east: number } {
  const north = metres / METRES_PER_UNIT;
  return { north, east: north / scaleAt(y) };
}

function scaleAt(y: number): number {
  return longitudeScale(y * RADIANS_PER_UNIT);
}

function indexOf(areas: readonly Area[]): Flatbush | undefined {
  if (areas.length === 0) return undefined;
  const index = new Flatbush(areas.length, 16, Int32Array);
  for (const { polygon, x, y } of areas)
    index.add(polygon?.west ?? x, polygon?.south ?? y, polygon?.east ?? x, polygon?.north ?? y);
  index.finish();
  return index;
}
