// What can be asked of the geocoder, and what it answers.

import type { Box } from '../../geo/box.ts';

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

/** A place asked for by words. */
export interface SearchQuestion {
  /** Free text; empty when `parts` say it. */
  text: string;
  /** Structured question: members that are not asked for are left out. */
  parts: SearchParts | undefined;
  /** 1..50 */
  limit: number;
  /** Degrees; places inside come first. */
  viewbox: Box | undefined;
  /** Only places inside the viewbox. */
  isBounded: boolean;
  /** ISO 3166-1 alpha-2, lower case; empty = all. */
  countryCodes: readonly string[];
  languages: readonly string[];
  /** The last word may be unfinished. */
  isAutocomplete: boolean;
}

/** The parts of a structured question. */
export interface SearchParts {
  amenity?: string;
  street?: string;
  city?: string;
  county?: string;
  state?: string;
  country?: string;
  postalcode?: string;
}

/** One row of an address, from small to large: `house_number`, `road`, `village`, `county`, `postcode`, `country`, `country_code` ... */
export interface AddressRow {
  /** In the terms of OpenStreetMap's geocoder; of the place itself its class, as `amenity`. */
  key: string;
  value: string;
}

/** A place that answers a question. */
export interface FoundPlace {
  /** Our own number, stable inside one data version; undefined for a bare country. */
  placeId: number | undefined;
  osmType: 'node' | 'way' | 'relation' | undefined;
  osmId: number | undefined;
  /** Degrees: of a road the point on it that is nearest to the question. */
  latitude: number;
  longitude: number;
  /** Degrees. */
  south: number;
  north: number;
  west: number;
  east: number;
  category: string;
  type: string;
  placeRank: number;
  importance: number;
  /** Key that the place itself has among its address rows. */
  addressType: string;
  /** Empty where it has none. */
  name: string;
  displayName: string;
  /** Whose data it is. */
  licence: string;
  address: readonly AddressRow[];
}

/** The town around a point. Members that are not known are left out. */
export interface Geoname {
  town?: string;
  country?: string;
  /** ISO 3166-1 alpha-2, upper case. */
  country_code?: string;
}

/** A question in free text, with nothing else said than what is given. */
export function inWords(text: string, more: Partial<SearchQuestion> = {}): SearchQuestion {
  return {
    text,
    parts: undefined,
    limit: 10,
    viewbox: undefined,
    isBounded: false,
    countryCodes: [],
    languages: [],
    isAutocomplete: false,
    ...more,
  };
}
