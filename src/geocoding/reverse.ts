// signatures follow
import type { PlaceReader } from './address.ts';
import type { SpatialIndex } from './spatial_index.ts';

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

/** What is asked of one layer. */
export interface PointQuestion {
  latitude: number;
  longitude: number;
  /** 0 country .. 18 house. */
  zoom: number;
  /** Country of the point, ISO 3166-1 alpha-2 in lower case; empty = none or unknown. */
  countryCode: string;
}

export function reverse(_index: SpatialIndex, _places: PlaceReader, _question: PointQuestion): ReverseHit | undefined {
  throw new Error('Signature only.');
}
