// What reverse geocoding finds in a layer, before its record is read.

import { degreesOf } from '../../geo/plane.ts';
import { UNITS_PER_DEGREE } from '../../geo/units.ts';

/** A place found around a point. */
export interface ReverseHit {
  /** Place of the layer. */
  id: number;
  /** Degrees: of a road the point on it that is nearest to the question, of an interpolated house its own, otherwise the centroid. */
  latitude: number;
  longitude: number;
  /** Of an interpolated house; otherwise empty: the place's own is meant. */
  houseNumber: string;
}

/** @param x longitude, units, may lie beyond an end; @param y latitude, units */
export function hitAt(id: number, x: number, y: number, houseNumber = ''): ReverseHit {
  return { id, latitude: y / UNITS_PER_DEGREE, longitude: degreesOf(x), houseNumber };
}
