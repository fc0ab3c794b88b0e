// The plane of one tile. Tiles divide the square of the Web Mercator projection: at zoom z there are 2^z times 2^z of
// them, x from the west and y from the north. Inside a tile, coordinates run from 0 to EXTENT, x to the east and y to
// the south; a margin around it holds what is drawn across its edge, so that lines and areas meet without a seam.
//
// The projection cuts the poles off, at 85.05 degrees.

import type { Box } from '../geo/box.ts';
import { depthsOf, isInsideRing } from '../geo/rings.ts';
import { UNITS_PER_DEGREE } from '../geo/units.ts';
import { clipLine, clipRing, simplify } from './clip.ts';

/** Side of a tile in its own coordinates. */
export const EXTENT = 4_096;
/** Width of the margin around a tile: eight pixels of a tile that is drawn 512 pixels wide. */
export const MARGIN = 64;
/** The finest zoom. */
export const ZOOM_MAX = 18;

/** Points that are nearer to their line are left out: a third of a pixel. */
const TOLERANCE = 3;
/** From this zoom on tiles are also drawn larger, for the zooms after the last. */
const EXACT_ZOOM = 14;
/** Numbers of the shortest line, and of a triangle that is closed. */
const LINE_NUMBERS = 4;
const RING_NUMBERS = 8;

const TURN = 360 * UNITS_PER_DEGREE;
const RADIANS_PER_UNIT = Math.PI / (180 * UNITS_PER_DEGREE);

/** A tile by its numbers. */
export interface TileNumbers {
  z: number;
  x: number;
  y: number;
}

/** Projects places onto a tile. */
export class TilePlane {
  readonly zoom: number;
  /** The tile with its margin, units (geo/units.ts). */
  readonly box: Box;
  private readonly scale: number;
  private readonly left: number;
  private readonly top: number;

  constructor({ z, x, y }: TileNumbers) {
    this.zoom = z;
    this.scale = 2 ** z * EXTENT;
    this.left = x * EXTENT;
    this.top = y * EXTENT;
    this.box = {
      west: longitudeOf((this.left - MARGIN) / this.scale),
      south: latitudeOf((this.top + EXTENT + MARGIN) / this.scale),
      east: longitudeOf((this.left + EXTENT + MARGIN) / this.scale),
      north: latitudeOf((this.top - MARGIN) / this.scale),
    };
  }

  /** @param longitude units @returns coordinate in the tile, not rounded */
  x(longitude: number): number {
    return (longitude / TURN + 0.5) * this.scale - this.left;
  }

  /** @param latitude units @returns coordinate in the tile, not rounded; beyond 85.05 degrees outside of every tile */
  y(latitude: number): number {
    const sine = Math.sin(latitude * RADIANS_PER_UNIT);
    return (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * this.scale - this.top;
  }

  /** What is seen of a line: pieces of two points or more. @param line pairs of units, longitude first */
  lines(line: ArrayLike<number>): number[][] {
    return clipLine(line, this.box)
      .map(piece => this.simple(piece))
      .filter(({ length }) => length >= LINE_NUMBERS);
  }

  /** What is seen of a closed ring; empty where it passes by or is too small. @param ring pairs of units */
  ring(ring: ArrayLike<number>): number[] {
    const seen = clipRing(ring, this.box);
    if (seen.length === 0) return [];
    const simple = this.simple(seen);
    return simple.length >= RING_NUMBERS ? simple : [];
  }

  /** What is seen of an area: polygons, each an outline and its holes. @param rings closed; pairs of units */
  polygons(rings: readonly Int32Array[]): number[][][] {
    const depths = depthsOf(rings);
    return rings.flatMap((ring, i) => {
      const outline = depths[i] % 2 === 0 ? this.ring(ring) : [];
      if (outline.length === 0) return [];
      const holes = rings.filter(
        (hole, j) => depths[j] === depths[i] + 1 && isInsideRing(ring, 0, ring.length, ...middleOfSide(hole)),
      );
      return [[outline, ...holes.map(hole => this.ring(hole)).filter(({ length }) => length > 0)]];
    });
  }

  private simple(line: ArrayLike<number>): number[] {
    const projected: number[] = [];
    for (let i = 0; i < line.length; i += 2) projected.push(this.x(line[i]), this.y(line[i + 1]));
    return simplify(projected, this.zoom < EXACT_ZOOM ? TOLERANCE : 1);
  }
}

/** True for a point inside the tile itself. On the edge of two it belongs to the eastern, or the southern. */
export function isInTile(x: number, y: number): boolean {
  return x >= 0 && x < EXTENT && y >= 0 && y < EXTENT;
}

/** A point of a ring that is on no other, although a corner may be. */
function middleOfSide([x0, y0, x1, y1]: Int32Array): [number, number] {
  return [(x0 + x1) / 2, (y0 + y1) / 2];
}

/** @param share of the square from west to east */
function longitudeOf(share: number): number {
  return (share - 0.5) * TURN;
}

/** @param share of the square from north to south */
function latitudeOf(share: number): number {
  return (2 * Math.atan(Math.exp((1 - 2 * share) * Math.PI)) - Math.PI / 2) / RADIANS_PER_UNIT;
}
