// Queries of reverse geocoding, to the geocoder and from it to one layer, and the result in one layer, before its
// record is read.

import { degreesOf } from '../../geo/plane.ts';
import { UNITS_PER_DEGREE } from '../../geo/units.ts';

/** A point, and how fine the answer should be. */
export interface ReverseQuestion {
  /** Degrees, WGS-84. */
  latitude: number;
  longitude: number;
  /** 0 country .. 18 house. */
  zoom: number;
  /** Preferred languages of names, best first; empty = local names. */
  languages: readonly string[];
  /** Layers that may answer; all without. */
  layers?: readonly string[] | undefined;
}

/** A query to one layer. */
export interface PointQuestion {
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** 0 country .. 18 house. */
  zoom: number;
  /** Country of the point, ISO 3166-1 alpha-2, lower case; empty = none. */
  countryCode: string;
  /** Layers that may answer; all without. */
  layers?: readonly string[] | undefined;
}

/** A place found around a point. */
export interface ReverseHit {
  /** Id in the layer. */
  id: number;
  /**
   * Degrees: for a road its nearest point to the query, for an interpolated house its position, otherwise the centroid.
   */
  latitude: number;
  longitude: number;
  /** Number of an interpolated house; otherwise empty, and the place's own applies. */
  houseNumber: string;
  /** Id of the region in which the point is, where the place stands in it; otherwise absent. */
  region?: number;
}

/**
 * The rule by which a place answers for a point. Of an extract (near.ts, reverse.ts):
 *
 *   contains          the smallest house, POI or square with the point in it, or, where no house or road is at hand,
 *                     the smallest park, lake or the like
 *   nearest           the nearest house, POI or road of all
 *   houseOfRoad       the house of the nearest road that is nearest to its point, and hardly farther away than the road
 *   nodeInside        the nearest house or POI inside the house with the point in it
 *   houseNumber       a number on a line of house numbers that is nearer than all else
 *   region            the region of greatest rank with the point in it
 *   placeInRegion     a place in that region, of greater rank and nearby
 *   placeInCountry    a place in the country, nearby
 *   country           the country
 *
 * Of the gazetteer (world.ts):
 *
 *   town              the settlement with the least weighted distance
 *   partOfTown        the nearest part of that town
 *   state             the state of that town, or of the nearest settlement
 *   country           the country
 */
export const POINT_RULES = [
  'contains',
  'nearest',
  'houseOfRoad',
  'nodeInside',
  'houseNumber',
  'region',
  'placeInRegion',
  'placeInCountry',
  'country',
  'town',
  'partOfTown',
  'state',
] as const;
/** One of them. */
export type PointRule = (typeof POINT_RULES)[number];

/** A place that answers for a point. */
export interface PointHit extends ReverseHit {
  rule: PointRule;
}

/** A hit at a point. @param x longitude, units, may be beyond an end of the plane @param y latitude, units */
export function hitAt(rule: PointRule, id: number, x: number, y: number, houseNumber = ''): PointHit {
  return { id, latitude: y / UNITS_PER_DEGREE, longitude: degreesOf(x), houseNumber, rule };
}
