// Queries of the search by words.

import { wrapDegrees } from '../../geo/angle.ts';
import type { Box } from '../../geo/box.ts';
import { distanceMetres } from '../../geo/distance.ts';
import { AWAY_MAX, AWAY_PER_DEGREE } from './rank.ts';

/** Of latitude, a little less than everywhere. */
const METRES_PER_DEGREE = 110_000;
/** Near the poles a degree of longitude is taken for longer than it is. */
const SHRINK_MIN = 0.1;

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
  /** Only what is near this, the nearest first; absent for most queries. */
  around?: Around | undefined;
}

/** A place or point near which places are looked for. */
export interface Around {
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** Box of what has an extent, degrees: what is in it is at no distance. */
  box: Box | undefined;
  /** How far away places may be. */
  reachMetres: number;
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

/** Of places in a box those nearest to its middle come first: this share of the distance to it counts. */
const MIDDLE_SHARE = 0.001;

/** Metres from what places are looked for near. @param latitude degrees @param longitude degrees */
export function metresFrom(around: Around, latitude: number, longitude: number): number {
  const { box } = around;
  const middle = distanceMetres(around.latitude, around.longitude, latitude, longitude);
  if (box === undefined) return middle;
  const nearestLatitude = Math.min(box.north, Math.max(box.south, latitude));
  const nearestLongitude = Math.min(box.east, Math.max(box.west, longitude));
  return distanceMetres(nearestLatitude, nearestLongitude, latitude, longitude) + MIDDLE_SHARE * middle;
}

/** A box with all that is within reach. */
export function boxWithin({ latitude, longitude, box, reachMetres }: Around): Box {
  const degrees = reachMetres / METRES_PER_DEGREE;
  const { south, north, west, east } = box ?? { south: latitude, north: latitude, west: longitude, east: longitude };
  const shrink = Math.max(SHRINK_MIN, Math.cos((Math.max(Math.abs(south), Math.abs(north)) * Math.PI) / 180));
  return {
    south: south - degrees,
    north: north + degrees,
    west: wrapDegrees(west - degrees / shrink),
    east: wrapDegrees(east + degrees / shrink),
  };
}
