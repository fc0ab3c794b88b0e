// Positions that are none. A receiver without a fix, and a program between two of them, send what stands in their
// memory: nothing, a number that no place has, or a corner of the coordinates. Such a position is as good as not sent.

import { isIn, LATITUDE, LONGITUDE } from './ranges.ts';

/**
 * True if a device sent this for want of a position: it is not on the globe, or at 0, 0 or a pole's ends of the range
 * without an accuracy above 0 or without a satellite.
 * @param latitude degrees; NaN where it could not be read
 * @param accuracyMetres NaN or undefined = not sent
 * @param satellites NaN or undefined = not sent
 */
export function isNoPosition(
  latitude: number,
  longitude: number,
  accuracyMetres = Number.NaN,
  satellites = Number.NaN,
): boolean {
  if (!isIn(latitude, LATITUDE) || !isIn(longitude, LONGITUDE)) return true;
  const isCorner =
    (latitude === 0 && longitude === 0) ||
    (Math.abs(latitude) === LATITUDE.max && Math.abs(longitude) === LONGITUDE.max);
  return isCorner && (!(accuracyMetres > 0) || satellites === 0);
}
