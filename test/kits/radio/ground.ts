// Positions on the ground of a drawn world: letters of a map, metres from here to there.

import { wrapDegrees } from '../../../src/geo/angle.ts';
import { distanceMetres } from '../../../src/geo/distance.ts';

/** Latitude and longitude in degrees. */
export type Position = readonly [latitude: number, longitude: number];

/** Metres of one degree of latitude. */
export const METRES_A_DEGREE = 111_195;

/** A position some metres from another one. */
export function moved([latitude, longitude]: Position, eastMetres: number, northMetres: number): Position {
  const east = eastMetres / METRES_A_DEGREE / Math.cos((latitude * Math.PI) / 180);
  return [latitude + northMetres / METRES_A_DEGREE, wrapDegrees(longitude + east)];
}

/** Metres from one position, or whatever stands at one, to another; infinite when there is nothing. */
export function metresTo(from: Position | Located | undefined, to: Position | Located): number {
  if (from === undefined) return Number.POSITIVE_INFINITY;
  return distanceMetres(...positionOf(from), ...positionOf(to));
}

/** What stands somewhere: a station, an answer, a sighting. */
export interface Located {
  latitude: number;
  longitude: number;
}

function positionOf(at: Position | Located): Position {
  return 'latitude' in at ? [at.latitude, at.longitude] : at;
}

/**
 * Positions of the letters and digits of a map, north up; anything else is nothing.
 * @param metres from one character to the next
 * @param origin position of the map's first character
 */
export function drawn(map: string, metres: number, origin: Position): Record<string, Position> {
  const rows = map.split('\n').filter(row => row.trim() !== '');
  const margin = Math.min(...rows.map(row => row.search(/\S/)));
  const positions: Record<string, Position> = {};
  rows.forEach((row, south) => {
    [...row.slice(margin)].forEach((name, east) => {
      if (/[0-9A-Za-z]/.test(name)) positions[name] = moved(origin, east * metres, -south * metres);
    });
  });
  return positions;
}
