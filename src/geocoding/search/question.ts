// Queries of the search by words.

import { wrapDegrees } from '../../geo/angle.ts';
import type { Box } from '../../geo/box.ts';
import { AWAY_MAX, AWAY_PER_DEGREE } from './rank.ts';

/** A search for places by words. */
export interface SearchQuestion {
  /** Free text; empty for a structured query. */
  text: string;
  /** Structured query; members that are not given are left out. */
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

/** The parts of a structured query. */
export interface SearchParts {
  amenity?: string;
  street?: string;
  city?: string;
  county?: string;
  state?: string;
  country?: string;
  postalcode?: string;
}

/** A query in free text, with defaults for whatever is not given. */
export function freeTextQuestion(text: string, more: Partial<SearchQuestion> = {}): SearchQuestion {
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

/**
 * True for a point in the query's view, or if it has none. A view whose west is east of its east crosses the
 * antimeridian.
 */
export function isInView({ viewbox }: SearchQuestion, latitude: number, longitude: number): boolean {
  if (viewbox === undefined) return true;
  const { west, east } = viewbox;
  const isBetween = west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
  return isBetween && latitude >= viewbox.south && latitude <= viewbox.north;
}

/** The middle of a view, degrees; undefined if there is none. */
export function middleOf(viewbox: Box | undefined): { latitude: number; longitude: number } | undefined {
  if (viewbox === undefined) return undefined;
  const { south, north, west, east } = viewbox;
  const middle = (west + (west <= east ? east : east + 360)) / 2;
  return { latitude: (south + north) / 2, longitude: wrapDegrees(middle) };
}

/**
 * The cost of being away from the point in the query. @param near degrees; undefined if it has none @param latitude
 * degrees @param longitude degrees
 */
export function awayCost(
  near: { latitude: number; longitude: number } | undefined,
  latitude: number,
  longitude: number,
): number {
  if (near === undefined) return 0;
  const degrees = Math.hypot(
    latitude - near.latitude,
    (longitude - near.longitude) * Math.cos((latitude * Math.PI) / 180),
  );
  return Math.min(AWAY_MAX, AWAY_PER_DEGREE * degrees);
}
