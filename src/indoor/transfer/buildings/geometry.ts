// Reads the shapes of GeoJSON features (RFC 7946). Every function throws an Error whose message is the end of a
// sentence, without a full stop, when a shape is not what it should be: a plan with a broken shape is refused as a
// whole, because nobody would notice that a room is missing.

import { unitsOf } from '../../../geo/units.ts';
import { assembleRings } from '../../../geocoding/import/osm/rings.ts';
import type { Rings } from '../../tables/buildings/building.ts';

/** Corners of one shape. A floor of an airport has some thousands. */
const POINTS_MAX = 200_000;
/** Three corners and the first again. */
const RING_POINTS_MIN = 4;

/** How much of a wrong value a message shows. */
const SHOWN_CHARACTERS = 60;
const SHOWN_DEPTH = 3;

/** A geometry as the file has it. */
interface GeoJsonGeometry {
  type?: unknown;
  coordinates?: unknown;
}

/** True for what `ringsOf` reads. */
export function isArea(geometry: GeoJsonGeometry | null | undefined): boolean {
  return geometry?.type === 'Polygon' || geometry?.type === 'MultiPolygon';
}

/** The rings of a Polygon or MultiPolygon. */
export function ringsOf(geometry: GeoJsonGeometry | null | undefined): Rings {
  const { type, coordinates } = geometry ?? {};
  if (type !== 'Polygon' && type !== 'MultiPolygon')
    throw new Error(`geometry.type must be "Polygon" or "MultiPolygon", not ${shown(type)}`);
  const polygons = type === 'Polygon' ? [coordinates] : listOf(coordinates);
  const rings = polygons.flatMap(polygon => listOf(polygon).map(ringOf));
  if (rings.reduce((sum, ring) => sum + ring.length / 2, 0) > POINTS_MAX)
    throw new Error(`geometry.coordinates has more than ${POINTS_MAX} points`);
  const assembled = assembleRings(rings);
  if (typeof assembled === 'string') throw new Error('geometry.coordinates encloses nothing');
  return assembled;
}

/** The lines of a LineString or MultiLineString; for a Point one of a single point. */
export function linesOf(geometry: GeoJsonGeometry | null | undefined, mayBePoint: boolean): Int32Array[] {
  const { type, coordinates } = geometry ?? {};
  if (mayBePoint && type === 'Point') return [Int32Array.from(positionOf(coordinates))];
  if (type !== 'LineString' && type !== 'MultiLineString') {
    const others = mayBePoint ? '"Point", "LineString"' : '"LineString"';
    throw new Error(`geometry.type must be ${others} or "MultiLineString", not ${shown(type)}`);
  }
  const lines = (type === 'LineString' ? [coordinates] : listOf(coordinates)).map(lineOf);
  if (lines.some(line => line.length < 4)) throw new Error('geometry.coordinates has a line of fewer than two points');
  return lines;
}

function ringOf(coordinates: unknown): Int32Array {
  const ring = lineOf(coordinates);
  if (ring.length < 2 * RING_POINTS_MIN)
    throw new Error(`geometry.coordinates has a ring of fewer than ${RING_POINTS_MIN} points`);
  if (ring[0] !== ring[ring.length - 2] || ring[1] !== ring[ring.length - 1])
    throw new Error('geometry.coordinates has a ring that does not end where it begins');
  return ring;
}

function lineOf(coordinates: unknown): Int32Array {
  const positions = listOf(coordinates);
  if (positions.length > POINTS_MAX) throw new Error(`geometry.coordinates has more than ${POINTS_MAX} points`);
  const line = new Int32Array(positions.length * 2);
  for (const [i, position] of positions.entries()) line.set(positionOf(position), i * 2);
  return line;
}

function positionOf(position: unknown): [x: number, y: number] {
  const [longitude, latitude] = listOf(position);
  if (!isWithin(longitude, 180) || !isWithin(latitude, 90))
    throw new Error(`geometry.coordinates has ${shown(position)}, which is no longitude and latitude in degrees`);
  return [unitsOf(longitude), unitsOf(latitude)];
}

function isWithin(value: unknown, limit: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= limit;
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error('geometry.coordinates is not nested as its type says');
  return value;
}

/**
 * A value as it stands in the file, cut where it is long. What is nested deeply is cut before: writing it would
 * overflow the stack.
 */
export function shown(value: unknown): string {
  const text = JSON.stringify(shallow(value, SHOWN_DEPTH)) ?? 'nothing';
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

function shallow(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '…';
  if (Array.isArray(value)) return value.slice(0, SHOWN_CHARACTERS).map(entry => shallow(entry, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([member, entry]) => [member, shallow(entry, depth - 1)]));
}

// Reads a file of GeoJSON features, and leads an error back to the feature that caused it.

/** A feature as the file has it. */
export interface GeoJsonFeature {
  id?: unknown;
  geometry?: GeoJsonGeometry | null;
  properties?: Record<string, unknown> | null;
}

/** Names in messages are cut here. */
const ID_CHARACTERS_MAX = 60;

/**
 * The features of a collection.
 * @param name of the file in messages
 * @throws Error when the text is none
 */
export function readFeatures(name: string, text: string): readonly GeoJsonFeature[] {
  let root: { type?: unknown; features?: unknown };
  try {
    root = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new Error(`${name} is not JSON: ${(error as Error).message.replace(/\.$/, '')}.`);
  }
  if (root?.type !== 'FeatureCollection' || !Array.isArray(root.features))
    throw new Error(
      `${name} is not GeoJSON as it is needed: "type" must be "FeatureCollection", and "features" a list.`,
    );
  return root.features;
}

/**
 * Reads each feature in turn.
 * @param read throws an Error whose message is the end of a sentence, without a full stop
 * @throws Error that names the file and the feature
 */
export function forEachFeature(
  name: string,
  features: readonly GeoJsonFeature[],
  read: (feature: GeoJsonFeature, where: string) => void,
): void {
  for (const [i, feature] of features.entries()) {
    const where = `${name}, feature ${i + 1}${idOf(feature)}`;
    try {
      if (typeof feature !== 'object' || feature === null) throw new Error('it is no object');
      if (typeof (feature.properties ?? {}) !== 'object') throw new Error('properties is no object');
      read(feature, where);
    } catch (error) {
      throw new Error(`${where}: ${(error as Error).message}.`, { cause: error });
    }
  }
}

/** Its id, or a number that a program gave it. */
function idOf(feature: GeoJsonFeature | null): string {
  const id = feature?.id;
  if (typeof id !== 'string' && typeof id !== 'number') return '';
  return ` (${String(id).slice(0, ID_CHARACTERS_MAX)})`;
}
