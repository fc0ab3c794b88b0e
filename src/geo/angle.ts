// Longitudes near the antimeridian and near the poles.

/** Nearer to the poles than this (about 0.6 degrees) a metre of longitude has no useful size in degrees. */
const SCALE_MIN = 0.01;

/**
 * Length of a degree of longitude in degrees of latitude.
 * @param latitude radians
 * @returns 0.01..1
 */
export function longitudeScale(latitude: number): number {
  return Math.max(SCALE_MIN, Math.cos(latitude));
}

/** Brings a longitude, or a difference of two, into -180..180 degrees. The input is at most one turn outside. */
export function wrapDegrees(degrees: number): number {
  return degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees;
}

const CIRCLE_E7 = 3_600_000_000;

/** Does the same in degrees times 1e7. */
export function wrapE7(longitudeE7: number): number {
  if (longitudeE7 > CIRCLE_E7 / 2) return longitudeE7 - CIRCLE_E7;
  return longitudeE7 < -CIRCLE_E7 / 2 ? longitudeE7 + CIRCLE_E7 : longitudeE7;
}
