// The point that represents a line or an area.

import { boxOf } from './box.ts';
import { lengthOf, pointAlong } from './line.ts';
import { crossingsOf, isInside, signedArea } from './rings.ts';

/** Longitude and latitude, whole units. */
type Point = [longitude: number, latitude: number];

/** The point halfway along a line. */
export function middleOf(line: Int32Array): Point {
  const end = line.length - 2;
  return rounded(...pointAlong(line, 0, end, lengthOf(line, 0, end) / 2));
}

/**
 * The centroid if it is inside; otherwise the middle of the widest stretch inside, on the parallel halfway up the
 * largest part.
 * @param rings closed; holes run in the opposite direction to the rings around them
 */
export function centreOf(rings: readonly Int32Array[]): Point {
  const [longitude, latitude] = centroidOf(rings);
  if (isInside(rings, longitude, latitude)) return rounded(longitude, latitude);
  const largest = rings.reduce((a, b) => (Math.abs(signedArea(b)) > Math.abs(signedArea(a)) ? b : a));
  const { south, north } = boxOf([largest]);
  const halfway = (south + north) / 2;
  const crossings = crossingsOf(rings, halfway);
  let widest = -1;
  // An area without any width is at its first corner.
  let middle = rings[0][0];
  for (let i = 0; i + 1 < crossings.length; i += 2) {
    const width = crossings[i + 1] - crossings[i];
    if (width <= widest) continue;
    widest = width;
    middle = (crossings[i] + crossings[i + 1]) / 2;
  }
  return rounded(middle, crossings.length > 0 ? halfway : rings[0][1]);
}

/** NaN for rings without area. */
function centroidOf(rings: readonly Int32Array[]): Point {
  const [west, south] = rings[0];
  let area = 0;
  let sumX = 0;
  let sumY = 0;
  for (const ring of rings) {
    area += signedArea(ring);
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const [x1, y1, x2, y2] = [ring[i] - west, ring[i + 1] - south, ring[i + 2] - west, ring[i + 3] - south];
      const cross = x1 * y2 - x2 * y1;
      sumX += (x1 + x2) * cross;
      sumY += (y1 + y2) * cross;
    }
  }
  return [west + sumX / (6 * area), south + sumY / (6 * area)];
}

function rounded(longitude: number, latitude: number): Point {
  return [Math.round(longitude), Math.round(latitude)];
}
