// The order in which stations stand in the index: that of their places along a curve which visits every tile of every
// zoom in one piece (Morton, 1966). A place is a point of the square of Web Mercator, 2^32 units wide, and its number
// interleaves the bits of both coordinates. So the stations of a tile, and of a square of a grid inside a tile, are
// neighbours, and are found by searching the number of the first and of the one after the last.
//
// Numbers have 64 bits. They are kept as two of 32: the high one from the upper halves of both coordinates, the low one
// from the lower halves.

import { RADIANS_PER_DEGREE } from '../../../wasm/earth_constants.ts';

/** Width of the world. */
const WORLD_UNITS = 2 ** 32;
const HALF_BITS = 16;
const HALF_MASK = 0xffff;

/** The coordinates of a point in units of the world. */
export interface WorldPoint {
  /** From the antimeridian to the east. */
  x: number;
  /** From the northern edge to the south. */
  y: number;
}

/** The point of a position in degrees. Beyond 85.05 degrees north or south it lies on the edge. */
export function worldPointOf(latitude: number, longitude: number): WorldPoint {
  const sine = Math.sin(latitude * RADIANS_PER_DEGREE);
  const north = Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  return { x: inWorld((longitude + 180) / 360), y: inWorld(0.5 - north) };
}

function inWorld(share: number): number {
  return Math.max(0, Math.min(WORLD_UNITS - 1, Math.floor(share * WORLD_UNITS)));
}

/** High half of a point's number. */
export function highOf({ x, y }: WorldPoint): number {
  return interleave(x >>> HALF_BITS, y >>> HALF_BITS);
}

/** Low half of a point's number. */
export function lowOf({ x, y }: WorldPoint): number {
  return interleave(x & HALF_MASK, y & HALF_MASK);
}

/** The point of a number. */
export function pointOf(high: number, low: number): WorldPoint {
  return {
    x: ((evenBits(high) << HALF_BITS) | evenBits(low)) >>> 0,
    y: ((evenBits(high >>> 1) << HALF_BITS) | evenBits(low >>> 1)) >>> 0,
  };
}

/** Two numbers of 16 bits as one: x in the even bits, y in the odd ones. */
function interleave(x: number, y: number): number {
  return (spread(x) | (spread(y) << 1)) >>> 0;
}

function spread(bits: number): number {
  let wide = bits;
  wide = (wide | (wide << 8)) & 0x00ff00ff;
  wide = (wide | (wide << 4)) & 0x0f0f0f0f;
  wide = (wide | (wide << 2)) & 0x33333333;
  return (wide | (wide << 1)) & 0x55555555;
}

function evenBits(wide: number): number {
  let bits = wide & 0x55555555;
  bits = (bits | (bits >>> 1)) & 0x33333333;
  bits = (bits | (bits >>> 2)) & 0x0f0f0f0f;
  bits = (bits | (bits >>> 4)) & 0x00ff00ff;
  return (bits | (bits >>> 8)) & HALF_MASK;
}
