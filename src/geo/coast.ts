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
  const lines = arcs.map(arc => lineOf(arc, transform)).flatMap(onBothSides);
  const points = new Float32Array(lines.reduce((sum, { length }) => sum + length, 0));
  const rows: number[][] = Array.from({ length: ROWS }, () => []);
  let count = 0;
  for (const line of lines) {
    points.set(line, 2 * count);
    const end = count + line.length / 2;
    for (; count + 1 < end; count++) addEdge(points, count, rows);
    count = end;
  }
  const starts = Uint32Array.of(0, ...rows.map(({ length }) => length));
  for (let row = 0; row < ROWS; row++) starts[row + 1] += starts[row];
  return { points, edges: Uint32Array.from(rows.flat()), rows: starts };
}

/** An arc in degrees, pairs, longitude first. */
function lineOf(arc: Topology['arcs'][number], { scale, translate }: Topology['transform']): Float32Array {
  const line = new Float32Array(2 * arc.length);
  let x = 0;
  let y = 0;
  for (const [i, [stepX, stepY]] of arc.entries()) {
    x += stepX;
    y += stepY;
    line[2 * i] = x * scale[0] + translate[0];
    line[2 * i + 1] = y * scale[1] + translate[1];
  }
  sideOfAntimeridian(line);
  return line;
}

/** A line all of which lies on the antimeridian closes the land on both sides of it (Wrangel Island). */
function onBothSides(line: Float32Array): Float32Array[] {
  const isOnAntimeridian = line.every((value, at) => at % 2 === 1 || Math.abs(value) === 180);
  return isOnAntimeridian ? [line, line.map((value, at) => (at % 2 === 0 ? -value : value))] : [line];
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
