/** Brings a longitude or a difference of longitudes into -180..180 degrees. The input lies within one turn of that. */
export function wrapDegrees(degrees: number): number {
  return degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees;
}

const CIRCLE_E7 = 3_600_000_000;

/** The same in degrees times 1e7. */
export function wrapE7(longitudeE7: number): number {
  if (longitudeE7 > CIRCLE_E7 / 2) return longitudeE7 - CIRCLE_E7;
  return longitudeE7 < -CIRCLE_E7 / 2 ? longitudeE7 + CIRCLE_E7 : longitudeE7;
}
