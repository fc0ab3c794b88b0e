// House numbers of which only a range along a line is known: `22` of 20 to 28 stands a quarter of the way from the line's beginning.

import type { HouseRange } from '../tables/place.ts';
import type { NearPoint } from './segments.ts';

/** A number of a range, and where it stands. */
export interface RangeNumber {
  houseNumber: string;
  /** Units. */
  x: number;
  y: number;
}

/**
 * The number of a range that is nearest to a point of its line.
 * @param coordinates holds the line, pairs, longitude first, units
 * @param first point of the line
 * @param last point of the line
 * @param near point of the line
 */
export function numberAt(range: HouseRange, coordinates: Int32Array, first: number, last: number, near: NearPoint): RangeNumber {
  let total = 0;
  let before = 0;
  for (let point = first; point < last; point++) {
    const length = segmentLength(coordinates, point);
    if (point < near.point) before += length;
    else if (point === near.point) before += length * near.share;
    total += length;
  }
  const position = total === 0 ? 0 : before / total;
  const width = range.end - range.start;
  const steps = Math.min(Math.round((width * position) / range.step), Math.floor(width / range.step));
  const number = range.start + steps * range.step;
  const houseNumber = String(number);
  let rest = width === 0 ? 0 : (total * (number - range.start)) / width;
  for (let point = first; point < last; point++) {
    const length = segmentLength(coordinates, point);
    if (rest <= length && length > 0) {
      const share = rest / length;
      const at = 2 * point;
      return {
        houseNumber,
        x: coordinates[at] + share * (coordinates[at + 2] - coordinates[at]),
        y: coordinates[at + 1] + share * (coordinates[at + 3] - coordinates[at + 1]),
      };
    }
    rest -= length;
  }
  return { houseNumber, x: coordinates[2 * last], y: coordinates[2 * last + 1] };
}

function segmentLength(coordinates: Int32Array, point: number): number {
  return Math.hypot(coordinates[2 * point + 2] - coordinates[2 * point], coordinates[2 * point + 3] - coordinates[2 * point + 1]);
}
