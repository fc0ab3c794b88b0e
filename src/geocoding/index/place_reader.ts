// Reads records that an index or another record refers to.

import type { Place } from '../../tables/places/place.ts';

/** A source of place records: a layer. */
export interface PlaceReader {
  /** The place with this id; undefined if there is none. */
  place(id: number): Place | undefined;
}

/** Reads a place that must exist. @throws Error if the layer has none with that id, and so contradicts itself */
export function readPlace(places: PlaceReader, id: number): Place {
  const place = places.place(id);
  if (place === undefined) throw new Error(`The places name a place ${id} that is not among them.`);
  return place;
}
