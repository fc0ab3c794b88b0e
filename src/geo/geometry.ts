// Shapes of places. Coordinates are pairs in units (units.ts), longitude first.

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
