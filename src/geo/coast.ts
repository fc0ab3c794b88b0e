// The coasts of the world, for one question: is a point at sea, farther than twelve nautical miles from any land?
//
// They are those of Natural Earth at 1:10,000,000 (public domain), in the TopoJSON of world-atlas: some 400,000 points
// on a grid of about 200 by 400 metres. The borders of borders.ts run off the coasts by various distances, so they
// cannot tell where the territorial sea of twelve miles ends.
//
// Every edge lies on one coast only, so an edge needs no polygon: a point is on land when a ray from it crosses an odd
// number of edges. Edges are listed by degree of latitude, as in borders.ts. The coast of Antarctica is not closed: all
// that is south of the southernmost coast is land.

import { readFileSync } from 'node:fs';
import { METRES_PER_DEGREE, RADIANS_PER_DEGREE } from '../../wasm/earth_constants.ts';
import { longitudeScale, wrapDegrees } from './angle.ts';
import { degreeRowOf } from './borders.ts';
import { shareNearest } from './line.ts';

/** Twelve nautical miles: the width of the territorial sea by article 3 of the UN Convention on the Law of the Sea. */
const TERRITORIAL_SEA_METRES = 22_224;
const REACH_DEGREES = TERRITORIAL_SEA_METRES / METRES_PER_DEGREE;
const ROWS = 180;

interface Topology {
  /** Lines of steps on a grid, each from the end of the one before it. */
  arcs: [number, number][][];
  transform: { scale: [number, number]; translate: [number, number] };
}

/** Coasts as arrays, which any number of threads may share. */
export interface CoastLines {
  /** Pairs, longitude first, degrees. */
  points: Float32Array;
  /** Edges row by row, from south to north: the point at which each begins. It ends at the next one. */
  edges: Uint32Array;
  /** Start of each row of one degree in `edges`, then the end. */
  rows: Uint32Array;
}

/** True for a point in degrees that is farther than twelve nautical miles from any land. */
export function isAtSea(coasts: CoastLines, latitude: number, longitude: number): boolean {
  return (
    !isInAntarctica(coasts, latitude) &&
    !isNearCoast(coasts, latitude, longitude) &&
    !isOnLand(coasts, latitude, longitude)
  );
}

function isInAntarctica({ points, edges, rows }: CoastLines, latitude: number): boolean {
  const row = degreeRowOf(latitude);
  if (rows[row] > 0) return false;
  for (let i = 0; i < rows[row + 1]; i++) {
    const at = 2 * edges[i];
    if (Math.min(points[at + 1], points[at + 3]) <= latitude) return false;
  }
  return true;
}

/** Counts crossings of a ray to the east. Only the southern end of an edge belongs to it. */
function isOnLand({ points, edges, rows }: CoastLines, latitude: number, longitude: number): boolean {
  const row = degreeRowOf(latitude);
  let inside = false;
  for (let i = rows[row]; i < rows[row + 1]; i++) {
    const at = 2 * edges[i];
    const southA = points[at + 1] > latitude;
    if (southA === points[at + 3] > latitude) continue;
    const share = (latitude - points[at + 1]) / (points[at + 3] - points[at + 1]);
    if (longitude < points[at] + share * (points[at + 2] - points[at])) inside = !inside;
  }
  return inside;
}

/** Looks for an edge within the territorial sea, on the plane tangent to the Earth at the point. */
function isNearCoast({ points, edges, rows }: CoastLines, latitude: number, longitude: number): boolean {
  const scale = longitudeScale(latitude * RADIANS_PER_DEGREE);
  const end = rows[degreeRowOf(latitude + REACH_DEGREES) + 1];
  for (let i = rows[degreeRowOf(latitude - REACH_DEGREES)]; i < end; i++) {
    const at = 2 * edges[i];
    const northA = points[at + 1] - latitude;
    const northB = points[at + 3] - latitude;
    if (Math.min(northA, northB) > REACH_DEGREES || Math.max(northA, northB) < -REACH_DEGREES) continue;
    const eastA = wrapDegrees(points[at] - longitude) * scale;
    const alongEast = (points[at + 2] - points[at]) * scale;
    const share = shareNearest(eastA, northA, alongEast, northB - northA);
    const east = eastA + share * alongEast;
    const north = northA + share * (northB - northA);
    if (east * east + north * north <= REACH_DEGREES * REACH_DEGREES) return true;
  }
  return false;
}

/**
 * Reads the coasts and sorts their edges into rows. @throws Error when the data file is not where version 2 of the
 * package keeps it
 */
export function loadCoasts(): CoastLines {
  const file = new URL(import.meta.resolve('world-atlas/land-10m.json'));
  const { arcs, transform }: Topology = JSON.parse(readFileSync(file, 'utf8'));
  const points = new Float32Array(2 * arcs.reduce((sum, { length }) => sum + length, 0));
  const rows: number[][] = Array.from({ length: ROWS }, () => []);
  let count = 0;
  for (const arc of arcs) {
    let x = 0;
    let y = 0;
    for (const [stepX, stepY] of arc) {
      x += stepX;
      y += stepY;
      points[2 * count] = x * transform.scale[0] + transform.translate[0];
      points[2 * count + 1] = y * transform.scale[1] + transform.translate[1];
      count++;
    }
    sideOfAntimeridian(points.subarray(2 * (count - arc.length), 2 * count));
    for (let i = count - arc.length; i + 1 < count; i++) addEdge(points, i, rows);
  }
  const starts = Uint32Array.of(0, ...rows.map(({ length }) => length));
  for (let row = 0; row < ROWS; row++) starts[row + 1] += starts[row];
  return { points, edges: Uint32Array.from(rows.flat()), rows: starts };
}

/**
 * The package writes both sides of the antimeridian as -180 or 180, as it comes. A point there gets the side of its
 * neighbours in the line: otherwise an edge would run around the world, and the far end of Asia would stay open.
 */
function sideOfAntimeridian(line: Float32Array): void {
  const follow = (at: number, before: number): void => {
    if (Math.abs(line[at]) === 180 && Math.abs(line[at] - line[before]) > 180) line[at] = -line[at];
  };
  for (let at = 2; at < line.length; at += 2) follow(at, at - 2);
  for (let at = line.length - 4; at >= 0; at -= 2) follow(at, at + 2);
}

function addEdge(points: Float32Array, point: number, rows: number[][]): void {
  const latitudeA = points[2 * point + 1];
  const latitudeB = points[2 * point + 3];
  const northern = degreeRowOf(Math.max(latitudeA, latitudeB));
  for (let row = degreeRowOf(Math.min(latitudeA, latitudeB)); row <= northern; row++) rows[row].push(point);
}
