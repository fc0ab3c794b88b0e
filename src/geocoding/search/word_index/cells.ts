// Squares of the map under which the documents of common kinds are listed, so that what is near a point is found by a
// few looks.

import { wrapDegrees } from '../../../geo/angle.ts';
import type { Box } from '../../../geo/box.ts';

/** Side of a square, degrees: about 2 km at the equator. */
const CELL_DEGREES = 0.02;
const COLUMNS = 360 / CELL_DEGREES;
const ROWS = 180 / CELL_DEGREES;

/** Number of the square with a point, below 2^28. @param latitude degrees @param longitude degrees */
export function cellOf(latitude: number, longitude: number): number {
  return rowOf(latitude) * COLUMNS + columnOf(longitude);
}

/** Numbers of the squares that a box touches, which may reach across the antimeridian. @param box degrees */
export function cellsIn({ south, north, west, east }: Box): number[] {
  const cells: number[] = [];
  const width = east >= west ? east - west : east - west + 360;
  // One more than fits: the box may begin at the end of a square.
  const columns = Math.min(COLUMNS, Math.floor(width / CELL_DEGREES) + 2);
  for (let row = rowOf(south); row <= rowOf(north); row++)
    for (let column = 0; column < columns; column++) cells.push(row * COLUMNS + ((columnOf(west) + column) % COLUMNS));
  return cells;
}

function rowOf(latitude: number): number {
  return Math.min(ROWS - 1, Math.max(0, Math.floor((latitude + 90) / CELL_DEGREES)));
}

function columnOf(longitude: number): number {
  return Math.min(COLUMNS - 1, Math.floor((wrapDegrees(longitude) + 180) / CELL_DEGREES));
}
