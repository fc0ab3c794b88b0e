// A result of reverse geocoding in one layer, before its record is read.

import { degreesOf } from '../../geo/plane.ts';
import { UNITS_PER_DEGREE } from '../../geo/units.ts';

/** A place found around a point. */
export interface ReverseHit {
  /** Id in the layer. */
  id: number;
  /** Degrees: for a road its nearest point to the query, for an interpolated house its position, otherwise the centroid. */
  latitude: number;
  longitude: number;
  /** Number of an interpolated house; otherwise empty, and the place's own applies. */
  houseNumber: string;
}

/** A hit at a point. @param x longitude, units, may be beyond an end of the plane @param y latitude, units */
export function hitAt(id: number, x: number, y: number, houseNumber = ''): ReverseHit {
  return { id, latitude: y / UNITS_PER_DEGREE, longitude: degreesOf(x), houseNumber };
}
