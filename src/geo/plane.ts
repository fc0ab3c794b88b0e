// The plane in which reverse geocoding measures: longitude and latitude in ten-millionths of a degree, longitude not scaled. Its two ends are one meridian.

import { UNITS_PER_DEGREE } from './units.ts';

const HALF_TURN = 180 * UNITS_PER_DEGREE;
const TURN = 2 * HALF_TURN;

/** Nearest unit; the eastern end is the western one. */
export function planeUnitsOf(degrees: number): number {
  const units = Math.round(degrees * UNITS_PER_DEGREE);
  return units === HALF_TURN ? -HALF_TURN : units;
}

/** Degrees of a longitude that may lie beyond an end. */
export function degreesOf(units: number): number {
  return (units > HALF_TURN ? units - TURN : units < -HALF_TURN ? units + TURN : units) / UNITS_PER_DEGREE;
}

/** How far a longitude has to be moved to search beyond the end that is within reach; 0 where none is. */
export function turnOf(x: number, reach: number): number {
  if (x + reach > HALF_TURN) return -TURN;
  return x - reach < -HALF_TURN ? TURN : 0;
}

/** Distance of two points, units. */
export function apart(xA: number, yA: number, xB: number, yB: number): number {
  const dx = Math.abs(xA - xB);
  const dy = yA - yB;
  const short = Math.min(dx, Math.abs(TURN - dx));
  return Math.sqrt(short * short + dy * dy);
}
