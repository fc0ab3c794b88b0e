// Where an import stores its places.

import type { Geometry } from '../../../geo/geometry.ts';
import type { Place } from '../../../tables/places/place.ts';

/** Stores places in the order of their ids. */
export interface PlaceSink {
  /** Stores a place. @returns its id: 1, 2, 3 ... */
  add(place: Place, geometry: Geometry): number;
}
