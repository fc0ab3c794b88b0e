// The roads around a point, as straight pieces in metres: what the tracking of vehicles and bicycles asks of the
// geocoder. Unnamed service roads and tracks are in no extract's places, so they are not among them.

import { METRES_PER_DEGREE, RADIANS_PER_DEGREE } from '../../../wasm/earth_constants.ts';
import { longitudeScale } from '../../geo/angle.ts';
import { planeUnitsOf } from '../../geo/plane.ts';
import { UNITS_PER_DEGREE } from '../../geo/units.ts';
import type { SpatialIndex } from '../index/spatial_index.ts';
import { AREA, PATH, ROAD } from '../index/traits.ts';

/** Beyond this many pieces the roads of a city are told by none of them. */
const PIECES_MAX = 2_048;
const NUMBERS = 4;

/**
 * The pieces of roads whose boxes are within reach of a point; some are farther away.
 * @param latitude, longitude degrees
 * @param hasPaths whether paths are wanted as well
 * @returns four numbers for each: metres east and north of the point, of one end and of the other; empty where there
 *   are more than 2,048
 */
export function roadsAround(
  { ground, groundLines }: SpatialIndex,
  latitude: number,
  longitude: number,
  reachMetres: number,
  hasPaths: boolean,
): number[] {
  const roles = hasPaths ? ROAD | PATH : ROAD;
  const scale = longitudeScale(latitude * RADIANS_PER_DEGREE);
  const northward = METRES_PER_DEGREE / UNITS_PER_DEGREE;
  const eastward = northward * scale;
  const pieces: number[] = [];
  groundLines.around(
    planeUnitsOf(longitude),
    planeUnitsOf(latitude),
    reachMetres / eastward,
    (shape, fromX, fromY, toX, toY) => {
      const traits = ground.traits(shape);
      if ((traits & roles) === 0 || (traits & AREA) !== 0) return true;
      pieces.push(eastward * fromX, northward * fromY, eastward * toX, northward * toY);
      return pieces.length <= NUMBERS * PIECES_MAX;
    },
  );
  return pieces.length > NUMBERS * PIECES_MAX ? [] : pieces;
}
