// House numbers of which only a range along a line is known: number 22 of 20 to 28 is a quarter of the way along the
// line.

import { lengthOf, type NearPoint, pointAlong } from '../../geo/line.ts';
import type { HouseRange } from '../../tables/places/place.ts';

/** A number of a range and its position. */
interface RangeNumber {
  houseNumber: string;
  /** Units. */
  x: number;
  y: number;
}

/**
 * The number of a range nearest to a point on its line.
 * @param coordinates array that contains the line; pairs, longitude first, units
 * @param first point of the line
 * @param last point of the line
 * @param near point of the line
 */
export function numberAt(
  range: HouseRange,
  coordinates: Int32Array,
  first: number,
  last: number,
  near: NearPoint,
): RangeNumber {
  const total = lengthOf(coordinates, 2 * first, 2 * last);
  const before = lengthOf(coordinates, 2 * first, 2 * near.point);
  const within = near.point < last ? near.share * lengthOf(coordinates, 2 * near.point, 2 * near.point + 2) : 0;
  const position = total === 0 ? 0 : (before + within) / total;
  const width = range.end - range.start;
  const steps = Math.min(Math.round((width * position) / range.step), Math.floor(width / range.step));
  const number = range.start + steps * range.step;
  const [x, y] = pointAlong(
    coordinates,
    2 * first,
    2 * last,
    width === 0 ? 0 : (total * (number - range.start)) / width,
  );
  return { houseNumber: String(number), x, y };
}
