// Metres east and north of an origin, in the plane that touches the globe there. Over the few kilometres of a building
// or campus it is off by less than a metre.

import { METRES_PER_DEGREE, RADIANS_PER_DEGREE } from '../../wasm/earth_constants.ts';

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
