// Which of the places that a search found are answered, by the parameters of OpenStreetMap's geocoder that choose among
// them: those that the client has had before, and kinds of places.

import type { FoundPlace } from '../../geocoding/found_place.ts';
import { layerOf } from '../../geocoding/index/place_layers.ts';

/** What is asked for. Members that are not given leave everything. */
export interface PlaceFilter {
  /** Most places that are answered. */
  limit: number;
  /** Places not to answer: our numbers, or objects of OpenStreetMap as `N1`, `W2`, `R3`. */
  excluded?: readonly string[];
  /** Layers, any of which a place must be in. */
  layers?: readonly string[];
  /** What an administrative place must be; others are left out. */
  featureType?: string;
}

/** Ranks from and to, by type. */
const FEATURE_TYPES: Readonly<Record<string, readonly [from: number, to: number]>> = {
  country: [4, 4],
  state: [5, 8],
  city: [13, 16],
  settlement: [8, 20],
};
/** Names of types. */
export const FEATURE_TYPE_NAMES: readonly string[] = Object.keys(FEATURE_TYPES);

/** The places that a filter leaves. */
export function filtered(places: readonly FoundPlace[], filter: PlaceFilter | undefined): readonly FoundPlace[] {
  return filter === undefined ? places : places.filter(place => fits(place, filter)).slice(0, filter.limit);
}

function fits(place: FoundPlace, { excluded, layers, featureType }: PlaceFilter): boolean {
  const { placeId, osmType, osmId, category, placeRank } = place;
  if (excluded?.includes(`${placeId}`)) return false;
  if (osmType !== undefined && excluded?.includes(`${osmType[0].toUpperCase()}${osmId}`)) return false;
  if (layers !== undefined && !layers.includes(layerOf(category))) return false;
  if (featureType === undefined) return true;
  const [from, to] = FEATURE_TYPES[featureType];
  return placeRank >= from && placeRank <= to && layerOf(category) === 'address';
}
