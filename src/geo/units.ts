// Coordinates of places as whole ten-millionths of a degree: a centimetre on the ground, and half the memory of
// floating-point degrees.

/** Units of a coordinate in a degree. */
export const UNITS_PER_DEGREE = 1e7;

/** The whole unit nearest to a coordinate in degrees. */
export function unitsOf(degrees: number): number {
  return Math.round(degrees * UNITS_PER_DEGREE);
}
