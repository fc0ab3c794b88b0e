// The plane in which reverse geocoding measures: longitude and latitude in units, with longitude not scaled. Its
// western and eastern ends are the same meridian.

import { METRES_PER_DEGREE, RADIANS_PER_DEGREE } from '../../wasm/earth_constants.ts';
import { UNITS_PER_DEGREE } from './units.ts';

const HALF_TURN = 180 * UNITS_PER_DEGREE;
const TURN = 2 * HALF_TURN;

/** The whole unit nearest to a coordinate in degrees; 180 becomes -180. */
export function planeUnitsOf(degrees: number): number {
  const units = Math.round(degrees * UNITS_PER_DEGREE);
  return units === HALF_TURN ? -HALF_TURN : units;
}

/** A longitude in degrees, from units that may be beyond an end. */
export function degreesOf(units: number): number {
  return (units > HALF_TURN ? units - TURN : units < -HALF_TURN ? units + TURN : units) / UNITS_PER_DEGREE;
}

/** How far to shift a longitude to search beyond the end within reach; 0 if neither is. */
export function turnOf(x: number, reach: number): number {
  if (x + reach > HALF_TURN) return -TURN;
  return x - reach < -HALF_TURN ? TURN : 0;
}

/** Distance between two points, units. */
export function apart(xA: number, yA: number, xB: number, yB: number): number {
  const dx = Math.abs(xA - xB);
  const dy = yA - yB;
  const short = Math.min(dx, Math.abs(TURN - dx));
  return Math.sqrt(short * short + dy * dy);
}

interface Position {
  latitude: number;
  longitude: number;
}

/** Where a point lies, metres from the origin. Positions are in degrees. */
export function localMetres(
  origin: Position,
  { latitude, longitude }: Position,
): { eastMetres: number; northMetres: number } {
  return {
    eastMetres: (longitude - origin.longitude) * Math.cos(origin.latitude * RADIANS_PER_DEGREE) * METRES_PER_DEGREE,
    northMetres: (latitude - origin.latitude) * METRES_PER_DEGREE,
  };
}
