// Reading records where an index or another record says that there is one.

import type { Place } from '../../tables/places/place.ts';

/** Where records of places come from: a layer. */
export interface PlaceReader {
  /** Undefined when there is none of this id. */
  place(id: number): Place | undefined;
}

/** @throws Error where the layer has no place of that id: it contradicts itself */
export function readPlace(places: PlaceReader, id: number): Place {
  const place = places.place(id);
  if (place === undefined) throw new Error(`The places name a place ${id} that is not among them.`);
  return place;
}
