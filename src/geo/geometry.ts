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

/** A box around shapes, in their units. */
export interface Box {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** The box around lines or rings. @param lines pairs, longitude first */
export function boxOf(lines: readonly Int32Array[]): Box {
  let west = Number.POSITIVE_INFINITY;
  let south = Number.POSITIVE_INFINITY;
  let east = Number.NEGATIVE_INFINITY;
  let north = Number.NEGATIVE_INFINITY;
  for (const line of lines) {
    for (let i = 0; i < line.length; i += 2) {
      if (line[i] < west) west = line[i];
      if (line[i] > east) east = line[i];
      if (line[i + 1] < south) south = line[i + 1];
      if (line[i + 1] > north) north = line[i + 1];
    }
  }
  return { west, south, east, north };
}
