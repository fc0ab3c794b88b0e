// The edges of an area, sorted into rows of equal height. A ray along a parallel meets only the edges of its row. An
// edge that spans several rows is in each.

import { crosses } from './rings.ts';

const EDGES_PER_ROW = 8;
/** A parallel crosses the border of a large country many times, and each row holds all of those edges. */
const ROWS_MAX = 4_096;

export interface EdgeRows {
  /** Points at which edges begin, row by row. */
  edges: Int32Array;
  /** Start of each row in `edges`, then the end. */
  starts: Int32Array;
}

/**
 * Sorts the edges of an area into rows, by counting.
 * @param coordinates pairs, longitude first, units
 * @param rings first point of each ring, then the end of the last
 * @param south lowest latitude, units
 * @param height from there to the highest latitude, units
 */
export function edgeRowsOf(coordinates: Int32Array, rings: Int32Array, south: number, height: number): EdgeRows {
  const points = rings[rings.length - 1] - rings[0];
  const count = Math.min(ROWS_MAX, Math.ceil(points / EDGES_PER_ROW));
  const eachRow = (visit: (point: number, row: number) => void) => {
    for (let ring = 0; ring + 1 < rings.length; ring++) {
      for (let point = rings[ring]; point < rings[ring + 1] - 1; point++) {
        const a = rowOf(coordinates[2 * point + 1], south, height, count);
        const b = rowOf(coordinates[2 * point + 3], south, height, count);
        for (let row = Math.min(a, b); row <= Math.max(a, b); row++) visit(point, row);
      }
    }
  };
  const starts = new Int32Array(count + 1);
  eachRow((_, row) => starts[row + 1]++);
  for (let row = 0; row < count; row++) starts[row + 1] += starts[row];
  const edges = new Int32Array(starts[count]);
  const next = starts.slice();
  eachRow((point, row) => {
    edges[next[row]++] = point;
  });
  return { edges, starts };
}

/**
 * The row of a latitude. It never falls as the latitude rises, so the row of a point is among those of every edge at
 * its latitude.
 */
export function rowOf(y: number, south: number, height: number, count: number): number {
  return height === 0 ? 0 : Math.min(count - 1, Math.floor(((y - south) / height) * count));
}

/** True for a point inside an area, decided by the edges of the point's row. @param start, end of the row in `edges` */
export function isInsideRow(
  coordinates: Int32Array,
  edges: Int32Array,
  start: number,
  end: number,
  x: number,
  y: number,
): boolean {
  let isIn = false;
  for (let at = start; at < end; at++) if (crosses(coordinates, 2 * edges[at], x, y)) isIn = !isIn;
  return isIn;
}
