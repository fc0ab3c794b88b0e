// Where the places of an import go.

import type { Geometry } from '../../../geo/geometry.ts';
import type { Place } from '../../../tables/places/place.ts';

/** Where places go, in the order of their ids. */
export interface PlaceSink {
  /** @returns the id of the place: 1, 2, 3 ... */
  add(place: Place, geometry: Geometry): number;
}
