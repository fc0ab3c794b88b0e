// Queries of reverse geocoding: to the geocoder, and from it to one layer.

/** A point, and how fine the answer should be. */
export interface ReverseQuestion {
  /** Degrees, WGS-84. */
  latitude: number;
  longitude: number;
  /** 0 country .. 18 house. */
  zoom: number;
  /** Preferred languages of names, best first; empty = local names. */
  languages: readonly string[];
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
}
