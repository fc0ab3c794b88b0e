// Shapes of places, in whole ten-millionths of a degree: a centimetre on the ground, and half the memory of floating-point degrees.

/** Units of a coordinate in a degree. */
export const UNITS_PER_DEGREE = 1e7;

/** The shape of a place. Coordinates are pairs, longitude first. */
export type Geometry =
  /** At the place's own position. */
  | { kind: 'point' }
  | { kind: 'line'; coordinates: Int32Array }
  /** Closed rings; the last point repeats the first. A point is inside where it is inside of an odd number of them. */
  | { kind: 'area'; rings: readonly Int32Array[] };
