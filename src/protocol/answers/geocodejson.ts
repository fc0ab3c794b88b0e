// A place as a feature of GeocodeJSON 0.1.0 (github.com/geocoders/geocodejson-spec), a format with nine address levels
// that all geocoders share.

import { depthsOf, type Geometry, isInside, signedArea } from '../../geo/rings.ts';
import { UNITS_PER_DEGREE } from '../../geo/units.ts';
import type { AddressRow } from '../../geocoding/address/address.ts';
import type { FoundPlace } from '../../geocoding/found_place.ts';

/** A feature. Unknown members are left out. */
export interface GeocodeFeature {
  type: 'Feature';
  properties: { geocoding: Record<string, string | number | undefined> };
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

/** The feature of a place. */
export function geocodeFeature(place: FoundPlace, geometry: ShapeJson): GeocodeFeature {
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

/** @param position of the place, which is the shape of a point */
export function shapeJson(geometry: Geometry, position: Position): ShapeJson {
  if (geometry.kind === 'point') return { type: 'Point', coordinates: position };
  if (geometry.kind === 'line') return { type: 'LineString', coordinates: positionsOf(geometry.coordinates) };
  const polygons = polygonsOf(geometry.rings);
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: polygons[0] }
    : { type: 'MultiPolygon', coordinates: polygons };
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
