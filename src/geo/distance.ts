// Great-circle distances by the haversine formula, on the sphere of mean radius. The core has a function of its own for
// the hot path.

import { EARTH_RADIUS_METRES, RADIANS_PER_DEGREE } from '../../wasm/earth_constants.ts';

const RADIANS_PER_E7 = RADIANS_PER_DEGREE / 1e7;

/** Metres between two positions in degrees. */
export function distanceMetres(latitudeA: number, longitudeA: number, latitudeB: number, longitudeB: number): number {
  return haversine(latitudeA, longitudeA, latitudeB, longitudeB, RADIANS_PER_DEGREE);
}

/** Metres between two positions in degrees times 1e7. */
export function distanceMetresE7(latitudeA: number, longitudeA: number, latitudeB: number, longitudeB: number): number {
  return haversine(latitudeA, longitudeA, latitudeB, longitudeB, RADIANS_PER_E7);
}

/** @param scale radians in a unit of the coordinates */
function haversine(
  latitudeA: number,
  longitudeA: number,
  latitudeB: number,
  longitudeB: number,
  scale: number,
): number {
  const sinLatitude = Math.sin(((latitudeB - latitudeA) * scale) / 2);
  const sinLongitude = Math.sin(((longitudeB - longitudeA) * scale) / 2);
  const h =
    sinLatitude * sinLatitude + Math.cos(latitudeA * scale) * Math.cos(latitudeB * scale) * sinLongitude * sinLongitude;
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(h)));
}
