// A place as a feature of GeocodeJSON 0.1.0 (github.com/geocoders/geocodejson-spec), a format with nine address levels
// that all geocoders share.

import { keptPoints } from '../../geo/line.ts';
import { depthsOf, type Geometry, isInside, signedArea } from '../../geo/rings.ts';
import { UNITS_PER_DEGREE } from '../../geo/units.ts';
import type { AddressRow } from '../../geocoding/address/address.ts';
import type { FoundPlace } from '../../geocoding/found_place.ts';

/** A feature. Unknown members are left out. */
export interface GeocodeFeature {
  type: 'Feature';
  properties: { geocoding: Record<string, string | number | FoundPlace['tags'] | undefined> };
  geometry: ShapeJson;
}

/** The levels of an address, each with the address rows that can fill it, best first. */
export const LEVELS: readonly (readonly [level: string, keys: readonly string[]])[] = [
  ['housenumber', ['house_number']],
  ['street', ['road']],
  ['locality', ['neighbourhood', 'quarter', 'hamlet', 'isolated_dwelling', 'locality']],
  ['district', ['city_district', 'borough', 'suburb']],
  ['postcode', ['postcode']],
  ['city', ['city', 'town', 'village', 'municipality']],
  ['county', ['county']],
  ['state', ['state']],
  ['country', ['country']],
];
/** Types of places, each up to its rank. Higher ranks are houses. */
export const KINDS: readonly (readonly [rank: number, kind: string])[] = [
  [4, 'country'],
  [9, 'state'],
  [12, 'county'],
  [16, 'city'],
  [20, 'district'],
  [25, 'locality'],
  [27, 'street'],
];

/** The feature of a place. @param hasTags with its further tags */
export function geocodeFeature(place: FoundPlace, geometry: ShapeJson, hasTags: boolean): GeocodeFeature {
  const { placeId, osmType, osmId, category, type, name, displayName } = place;
  return {
    type: 'Feature',
    properties: {
      geocoding: {
        place_id: placeId,
        osm_type: osmType,
        osm_id: osmId,
        osm_key: category,
        osm_value: type,
        type: kindOfRank(place.placeRank),
        label: displayName,
        name: name || undefined,
        ...levels(place.address),
        country_code: textOf(place.address, 'country_code'),
        ...(hasTags && { extra: place.tags }),
      },
    },
    geometry,
  };
}

/** The type of a place. */
export function kindOfRank(placeRank: number): string {
  return KINDS.find(([rank]) => placeRank <= rank)?.[1] ?? 'house';
}

function levels(rows: readonly AddressRow[]): Record<string, string | undefined> {
  return Object.fromEntries(
    LEVELS.map(([level, keys]) => [level, keys.map(key => textOf(rows, key)).find(value => value !== undefined)]),
  );
}

function textOf(rows: readonly AddressRow[], key: string): string | undefined {
  return rows.find(row => row.key === key)?.value;
}

/** Degrees. */
export type Position = [longitude: number, latitude: number];

/** The shape of a place as a geometry of GeoJSON (RFC 7946). */
export type ShapeJson =
  | { type: 'Point'; coordinates: Position }
  | { type: 'LineString'; coordinates: Position[] }
  | { type: 'Polygon'; coordinates: Position[][] }
  | { type: 'MultiPolygon'; coordinates: Position[][][] };

/** A ring has its first point twice. */
const RING_POINTS_MIN = 4;

/**
 * The shape of a place.
 * @param position of the place, which is the shape of a point
 * @param threshold degrees by which a simpler line may be off; 0 = none is made simpler
 */
export function shapeJson(geometry: Geometry, position: Position, threshold = 0): ShapeJson {
  if (geometry.kind === 'point') return { type: 'Point', coordinates: position };
  const tolerance = threshold * UNITS_PER_DEGREE;
  if (geometry.kind === 'line')
    return { type: 'LineString', coordinates: positionsOf(simpler(geometry.coordinates, tolerance, 2)) };
  const polygons = polygonsOf(geometry.rings.map(ring => simpler(ring, tolerance, RING_POINTS_MIN)));
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: polygons[0] }
    : { type: 'MultiPolygon', coordinates: polygons };
}

function simpler(line: Int32Array, tolerance: number, least: number): Int32Array {
  if (tolerance === 0) return line;
  const kept = keptPoints(line, tolerance, least);
  return line.filter((_, i) => kept[i >> 1] === 1);
}

/** A ring inside an even number of others is the edge of a polygon, any other one a hole in the polygon around it. */
function polygonsOf(rings: readonly Int32Array[]): Position[][][] {
  const depths = depthsOf(rings);
  const edges = [...rings.keys()].filter(ring => depths[ring] % 2 === 0);
  return edges.map(edge => {
    const isHole = (ring: number) =>
      depths[ring] === depths[edge] + 1 &&
      (edges.length === 1 || isInside([rings[edge]], ...innerPointOf(rings[ring])));
    const holes = [...rings.keys()].filter(isHole);
    return [positionsOf(turned(rings[edge], true)), ...holes.map(ring => positionsOf(turned(rings[ring], false)))];
  });
}

/** The middle of a ring's first side: a corner may touch the ring around it. */
function innerPointOf(ring: Int32Array): [x: number, y: number] {
  return [(ring[0] + ring[2]) / 2, (ring[1] + ring[3]) / 2];
}

/** A ring in the direction of GeoJSON: edges run counter-clockwise, holes clockwise. */
function turned(ring: Int32Array, isEdge: boolean): Int32Array {
  if (signedArea(ring) > 0 === isEdge) return ring;
  const reversed = new Int32Array(ring.length);
  for (let i = 0; i < ring.length; i += 2) reversed.set([ring[i], ring[i + 1]], ring.length - 2 - i);
  return reversed;
}

function positionsOf(coordinates: Int32Array): Position[] {
  return Array.from({ length: coordinates.length / 2 }, (_, i) => [
    coordinates[2 * i] / UNITS_PER_DEGREE,
    coordinates[2 * i + 1] / UNITS_PER_DEGREE,
  ]);
}
