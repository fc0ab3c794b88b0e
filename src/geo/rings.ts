// Shapes of places, and the rings of which they are made, in the plane of longitude and latitude, in whole units
// (units.ts): their area, whether a point is inside, and which ring is inside which.
//
// A point is inside where a ray to the east crosses the rings an odd number of times. The arithmetic is exact for sides
// up to nine degrees long. An area contains its western and southern edges but not its eastern and northern ones, so a
// point on a common border or corner is in exactly one of the neighbours.

import { boxOf, isInBox } from './box.ts';

/**
 * True if a ray to the east crosses the side from the corner at `i` to the next. Only the side's southern end belongs
 * to it.
 */
export function crosses(coordinates: Int32Array, i: number, x: number, y: number): boolean {
  const y0 = coordinates[i + 1];
  const y1 = coordinates[i + 3];
  if (y0 > y === y1 > y) return false;
  const x0 = coordinates[i];
  const side = (coordinates[i + 2] - x0) * (y - y0) - (x - x0) * (y1 - y0);
  return y1 > y0 ? side > 0 : side < 0;
}

/** True for a point inside one ring. @param start, end of the ring's numbers in `coordinates` */
export function isInsideRing(coordinates: Int32Array, start: number, end: number, x: number, y: number): boolean {
  let isIn = false;
  for (let i = start; i + 3 < end; i += 2) if (crosses(coordinates, i, x, y)) isIn = !isIn;
  return isIn;
}

/**
 * True for a point inside an odd number of consecutive rings of one array.
 * @param starts first point of each ring, then the end of the last
 * @param first, end range of the rings
 */
export function isInsideRings(
  coordinates: Int32Array,
  starts: ArrayLike<number>,
  first: number,
  end: number,
  x: number,
  y: number,
): boolean {
  let isIn = false;
  for (let ring = first; ring < end; ring++)
    if (isInsideRing(coordinates, 2 * starts[ring], 2 * starts[ring + 1], x, y)) isIn = !isIn;
  return isIn;
}

/** Area in square units, positive for a counter-clockwise ring. */
export function signedArea(ring: ArrayLike<number>): number {
  const west = ring[0];
  const south = ring[1];
  let twice = 0;
  // Relative to the first corner: products of absolute coordinates would not be exact.
  for (let i = 0; i + 3 < ring.length; i += 2) {
    twice += (ring[i] - west) * (ring[i + 3] - south) - (ring[i + 2] - west) * (ring[i + 1] - south);
  }
  return twice / 2;
}

/**
 * Longitudes at which rings cross a parallel, from west to east. Inside is between the first and second, the third and
 * fourth …
 */
export function crossingsOf(rings: readonly Int32Array[], latitude: number): number[] {
  const longitudes: number[] = [];
  for (const ring of rings) {
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const share = (latitude - ring[i + 1]) / (ring[i + 3] - ring[i + 1]);
      if (ring[i + 1] > latitude !== ring[i + 3] > latitude) longitudes.push(ring[i] + share * (ring[i + 2] - ring[i]));
    }
  }
  return longitudes.sort((a, b) => a - b);
}

/** True for a point inside an odd number of rings. */
export function isInside(rings: readonly Int32Array[], longitude: number, latitude: number): boolean {
  let isIn = false;
  for (const ring of rings) if (isInsideRing(ring, 0, ring.length, longitude, latitude)) isIn = !isIn;
  return isIn;
}

/** For each ring, how many others contain it. Rings may touch but share no side. */
export function depthsOf(rings: readonly Int32Array[]): number[] {
  if (rings.length === 1) return [0];
  const boxes = rings.map(each => boxOf([each]));
  return rings.map((ring, number) => {
    const [longitude, latitude] = pointOnLongestSide(ring);
    let depth = 0;
    for (const other of rings.keys()) {
      if (other === number || !isInBox(boxes[other], longitude, latitude)) continue;
      if (isInsideRing(rings[other], 0, rings[other].length, longitude, latitude)) depth++;
    }
    return depth;
  });
}

/** A corner may be on another ring; the middle of a side is not. */
function pointOnLongestSide(ring: Int32Array): [number, number] {
  let longest = -1;
  let point: [number, number] = [ring[0], ring[1]];
  for (let i = 0; i + 3 < ring.length; i += 2) {
    const length = Math.hypot(ring[i + 2] - ring[i], ring[i + 3] - ring[i + 1]);
    if (length <= longest) continue;
    longest = length;
    point = [(ring[i] + ring[i + 2]) / 2, (ring[i + 1] + ring[i + 3]) / 2];
  }
  return point;
}

/** The shape of a place. */
export type Geometry =
  /** At the place's own position. */
  | { kind: 'point' }
  | { kind: 'line'; coordinates: Int32Array }
  /** Closed rings; the last point repeats the first. A point is inside when an odd number of them contain it. */
  | { kind: 'area'; rings: readonly Int32Array[] };

/** The lines of a shape: none of a point, the rings of an area. */
export function linesOf(geometry: Geometry): readonly Int32Array[] {
  if (geometry.kind === 'point') return [];
  return geometry.kind === 'line' ? [geometry.coordinates] : geometry.rings;
}
