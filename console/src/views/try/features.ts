// What of an explained answer is drawn: the building, floor and room that it lies in, circles around the position,
// stations, estimates before they were joined, what fallbacks went by, where the device was before, and places. Each
// feature says what it is about, so that a line and its object find each other.

import { type About, type Look, lookOf, placesOf, type Result } from './result.ts';

/** Longitude first. */
type Point = [longitude: number, latitude: number];
type Geometry =
  | { type: 'Point'; coordinates: Point }
  | { type: 'LineString'; coordinates: Point[] }
  | { type: 'Polygon'; coordinates: Point[][] }
  | { type: 'MultiPolygon'; coordinates: Point[][][] };

/** Something on the map. */
export interface Feature {
  type: 'Feature';
  geometry: Geometry;
  properties: { about: About; look: Look; name: string /** Of circles, percent. */; confidence?: number };
}

/** A circle has this many corners. */
const CORNERS = 72;
const METRES_PER_DEGREE = 111_320;
/** Below this no circle is seen. */
const RADIUS_LEAST_METRES = 0.5;

/** Everything that is drawn, from the bottom up. */
export function featuresOf(result: Result, point: Point | undefined): Feature[] {
  const { answer, stations = [], estimates = [], circles = [], shapes = [] } = result;
  const features: Feature[] = shapes.map(({ about, name, geometry }) =>
    made(geometry as unknown as Geometry, about, 'inside', name),
  );
  if (answer !== undefined) {
    const centre: Point = [answer.longitude, answer.latitude];
    for (const { confidence, metres } of circles.toReversed())
      features.push(
        made({ type: 'Polygon', coordinates: [circle(centre, metres)] }, 'answer', 'answer', '', confidence),
      );
  }
  for (const [i, { latitude, longitude, radiusMetres, joined, strategy }] of estimates.entries()) {
    const ring = circle([longitude, latitude], radiusMetres);
    const look = joined ? 'estimate' : 'dropped';
    features.push(made({ type: 'LineString', coordinates: ring }, `estimate:${i}`, look, strategy));
  }
  features.push(...guessesOf(result), ...trackOf(result));
  for (const [i, { known, station = '' }] of stations.entries()) {
    if (known === undefined) continue;
    const place: Point = [known.longitude, known.latitude];
    const look = lookOf(result, `station:${i}`)!;
    if (look === 'used' && answer !== undefined) {
      const way = { type: 'LineString' as const, coordinates: [place, [answer.longitude, answer.latitude] as Point] };
      features.push(made(way, `station:${i}`, look, ''));
    }
    features.push(made({ type: 'Point', coordinates: place }, `station:${i}`, look, station));
  }
  for (const { place_id, lat, lon, display_name } of placesOf(result)) {
    const about = point === undefined ? `place:${place_id}` : 'answer';
    features.push(made({ type: 'Point', coordinates: [Number(lon), Number(lat)] }, about, 'place', display_name));
  }
  const centre = point ?? (answer && ([answer.longitude, answer.latitude] as Point));
  if (centre !== undefined) features.push(made({ type: 'Point', coordinates: centre }, 'answer', 'answer', ''));
  return features;
}

/** The cells and areas that fallbacks went by, each with the usual error of such a guess. */
function guessesOf({ fallbacks = [] }: Result): Feature[] {
  return fallbacks.flatMap(({ fallback, guesses = [] }, i) =>
    guesses.flatMap(({ latitude, longitude, typicalMetres }) => {
      const at: Point = [longitude, latitude];
      const ring = { type: 'LineString' as const, coordinates: circle(at, typicalMetres) };
      return [
        made(ring, `fallback:${i}`, 'guess', fallback),
        made({ type: 'Point', coordinates: at }, `fallback:${i}`, 'guess', fallback),
      ];
    }),
  );
}

/** The way of the device to the answer. */
function trackOf({ before = [], answer }: Result): Feature[] {
  if (before.length === 0) return [];
  const points = before.map(({ longitude, latitude }): Point => [longitude, latitude]);
  const end: Point[] = answer === undefined ? [] : [[answer.longitude, answer.latitude]];
  return [
    made({ type: 'LineString', coordinates: [...points, ...end] }, 'track', 'before', ''),
    ...points.map(coordinates => made({ type: 'Point', coordinates }, 'track', 'before', '')),
  ];
}

/** West, south, east and north of features; undefined without any. */
export function boundsOf(features: readonly Feature[]): [Point, Point] | undefined {
  const points = features.flatMap(({ geometry }) => pointsOf(geometry));
  if (points.length === 0) return undefined;
  const longitudes = points.map(([longitude]) => longitude);
  const latitudes = points.map(([, latitude]) => latitude);
  return [
    [Math.min(...longitudes), Math.min(...latitudes)],
    [Math.max(...longitudes), Math.max(...latitudes)],
  ];
}

function pointsOf(geometry: Geometry): Point[] {
  if (geometry.type === 'Point') return [geometry.coordinates];
  if (geometry.type === 'MultiPolygon') return geometry.coordinates.flat(2);
  return geometry.type === 'LineString' ? geometry.coordinates : geometry.coordinates.flat();
}

function made(geometry: Geometry, about: About, look: Look, name: string, confidence?: number): Feature {
  return {
    type: 'Feature',
    geometry,
    properties: { about, look, name, ...(confidence !== undefined && { confidence }) },
  };
}

function circle([longitude, latitude]: Point, metres: number): Point[] {
  const north = Math.max(metres, RADIUS_LEAST_METRES) / METRES_PER_DEGREE;
  const east = north / Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
  return Array.from({ length: CORNERS + 1 }, (_, corner): Point => {
    const angle = (2 * Math.PI * corner) / CORNERS;
    return [longitude + east * Math.sin(angle), latitude + north * Math.cos(angle)];
  });
}
