// The antimeridian, where longitude goes from 180 to -180 degrees. The map cuts what lies across it in two: an area
// into rings, a way into ways. Where somebody has left it whole, a side of more than half a turn is the short way
// round, and it is cut here. Coordinates are pairs in units (units.ts), longitude first.

import { type Box, boxOf } from './box.ts';
import { UNITS_PER_DEGREE } from './units.ts';

const HALF_TURN = 180 * UNITS_PER_DEGREE;
const TURN = 2 * HALF_TURN;
/** What ends so near the antimeridian, about a kilometre, reaches it. */
const NEAR = 0.01 * UNITS_PER_DEGREE;

/** A part of a line, and which of its points are those of the line; the others lie on the antimeridian. */
interface Piece {
  coordinates: Int32Array;
  /** Number of the point in the line, or -1. */
  points: Int32Array;
}

/**
 * The box around lines that were cut. Where they reach the antimeridian from both sides it lies across, and its west is
 * east of its east.
 */
export function boxAcross(lines: readonly Int32Array[]): Box {
  const box = boxOf(lines);
  if (box.west > NEAR - HALF_TURN || box.east < HALF_TURN - NEAR) return box;
  const parts = lines.map(line => boxOf([line])).sort((a, b) => a.west - b.west);
  let widest = 2 * NEAR;
  let across = box;
  let east = box.west;
  for (const part of parts) {
    if (part.west - east > widest) {
      widest = part.west - east;
      across = { ...box, west: part.west, east };
    }
    east = Math.max(east, part.east);
  }
  return across;
}

/** A ring, or its parts on both sides of the antimeridian. A ring around a pole stays as it is. */
export function cutRing(ring: Int32Array): Int32Array[] {
  const longitudes = unwrapped(ring);
  if (longitudes === undefined || longitudes[0] !== longitudes.at(-1)) return [ring];
  return [clip(ring, longitudes, 1), clip(ring, longitudes, -1)].filter(part => part.length > 0);
}

/** A line, or its parts. */
export function cutLineAcross(line: Int32Array): Piece[] {
  const longitudes = unwrapped(line);
  const numbers = Array.from({ length: line.length / 2 }, (_, i) => i);
  if (longitudes === undefined) return [{ coordinates: line, points: Int32Array.from(numbers) }];
  const pieces: { coordinates: number[]; points: number[] }[] = [{ coordinates: [], points: [] }];
  const add = (point: number, x: number, y: number): void => {
    pieces.at(-1)!.coordinates.push(x, y);
    pieces.at(-1)!.points.push(point);
  };
  for (const i of numbers) {
    const y = line[2 * i + 1];
    if (i > 0 && longitudes[i - 1] > HALF_TURN !== longitudes[i] > HALF_TURN) {
      const edge = longitudes[i] > HALF_TURN ? HALF_TURN : -HALF_TURN;
      const crossing = latitudeAt(longitudes[i - 1], line[2 * i - 1], longitudes[i], y);
      add(-1, edge, crossing);
      pieces.push({ coordinates: [], points: [] });
      add(-1, -edge, crossing);
    }
    add(i, line[2 * i], y);
  }
  return pieces.map(({ coordinates, points }) => ({
    coordinates: Int32Array.from(coordinates),
    points: Int32Array.from(points),
  }));
}

/** True for a line with a segment across the antimeridian. */
export function isAcross(line: Int32Array): boolean {
  for (let i = 2; i < line.length; i += 2) if (Math.abs(line[i] - line[i - 2]) > HALF_TURN) return true;
  return false;
}

/** Longitudes that go on beyond 180 degrees instead of beginning again; undefined where none does. */
function unwrapped(line: Int32Array): number[] | undefined {
  if (!isAcross(line)) return undefined;
  const longitudes = [line[0]];
  let turns = 0;
  for (let i = 2; i < line.length; i += 2) {
    const step = line[i] - line[i - 2];
    if (Math.abs(step) > HALF_TURN) turns -= Math.sign(step);
    longitudes.push(line[i] + turns * TURN);
  }
  const shift = longitudes.some(x => x < -HALF_TURN) ? TURN : 0;
  return longitudes.map(x => x + shift);
}

/** The part of a ring west of the antimeridian (1) or east of it (-1), by Sutherland and Hodgman. */
function clip(ring: Int32Array, longitudes: readonly number[], side: 1 | -1): Int32Array {
  const clipped: number[] = [];
  const isIn = (x: number): boolean => (HALF_TURN - x) * side > 0;
  const add = (x: number, y: number): void => void clipped.push(side > 0 ? x : x - TURN, y);
  for (let i = 1; i < longitudes.length; i++) {
    const [x0, y0, x1, y1] = [longitudes[i - 1], ring[2 * i - 1], longitudes[i], ring[2 * i + 1]];
    if (isIn(x0) !== isIn(x1)) add(HALF_TURN, latitudeAt(x0, y0, x1, y1));
    if (isIn(x1)) add(x1, y1);
  }
  if (clipped.length > 0) clipped.push(clipped[0], clipped[1]);
  return Int32Array.from(clipped);
}

/** Where a side meets the antimeridian. */
function latitudeAt(x0: number, y0: number, x1: number, y1: number): number {
  return Math.round(y0 + ((HALF_TURN - x0) / (x1 - x0)) * (y1 - y0));
}
