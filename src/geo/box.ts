// Boxes along parallels and meridians, in degrees or in units.

/** A box around shapes, in their unit of length. */
export interface Box {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** The box around lines or rings. @param lines pairs, longitude first */
export function boxOf(lines: readonly ArrayLike<number>[]): Box {
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

/** True for a point inside a box or on its edge. No box reaches across the antimeridian. */
export function isInBox({ west, south, east, north }: Box, x: number, y: number): boolean {
  return x >= west && x <= east && y >= south && y <= north;
}
