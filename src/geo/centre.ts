// The one point that stands for a line or an area.

import { boxOf } from './box.ts';
import { lengthOf, pointAlong } from './line.ts';
import { crossingsOf, isInside, signedArea } from './rings.ts';

/** Longitude and latitude, whole ten-millionths of a degree. */
type Point = [longitude: number, latitude: number];

/** The point half-way along a line. */
export function middleOf(line: Int32Array): Point {
  const end = line.length - 2;
  return rounded(...pointAlong(line, 0, end, lengthOf(line, 0, end) / 2));
}

/**
 * The centroid, where that is inside; else the middle of the widest stretch inside along the line half-way from south to north of the largest part.
 * @param rings closed, holes running the other way round than what they are in
 */
export function centreOf(rings: readonly Int32Array[]): Point {
  const [longitude, latitude] = centroidOf(rings);
  if (isInside(rings, longitude, latitude)) return rounded(longitude, latitude);
  const largest = rings.reduce((a, b) => (Math.abs(signedArea(b)) > Math.abs(signedArea(a)) ? b : a));
  const { south, north } = boxOf([largest]);
  const halfway = (south + north) / 2;
  const crossings = crossingsOf(rings, halfway);
  let widest = -1;
  // An area without any width stands where its first corner is.
  let middle = rings[0][0];
  for (let i = 0; i + 1 < crossings.length; i += 2) {
    const width = crossings[i + 1] - crossings[i];
    if (width <= widest) continue;
    widest = width;
    middle = (crossings[i] + crossings[i + 1]) / 2;
  }
  return rounded(middle, crossings.length > 0 ? halfway : rings[0][1]);
}

/** Not a number for rings without area. */
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
