// What can be asked for a point: of the geocoder, and by it of one layer.

/** A point and how fine the answer shall be. */
export interface ReverseQuestion {
  /** Degrees, WGS-84. */
  latitude: number;
  longitude: number;
  /** 0 country .. 18 house. */
  zoom: number;
  /** Preferred languages of names, best first; none = the names of the place. */
  languages: readonly string[];
}

/** What is asked of one layer. */
export interface PointQuestion {
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** 0 country .. 18 house. */
  zoom: number;
  /** Country of the point, ISO 3166-1 alpha-2 in lower case; empty = none. */
  countryCode: string;
}
