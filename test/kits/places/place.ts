// A place as one small literal: what is said of it, and the rest as places mostly have it. Shapes are in degrees, or in
// steps of some ten metres.

import type { Geometry } from '../../../src/geo/rings.ts';
import { UNITS_PER_DEGREE } from '../../../src/geo/units.ts';
import { BARE_PLACE, OSM_NODE, type Place } from '../../../src/tables/places/place.ts';

/** What is said of a place. */
export type Said = Partial<Place>;

/** A place of which only some is said: a building of no country, with no extent. */
export function placeOf(said: Said): Place {
  const { latitude = 47, longitude = 9.5 } = said;
  return {
    ...BARE_PLACE,
    osmType: OSM_NODE,
    osmId: 1,
    category: 'building',
    type: 'yes',
    searchRank: 30,
    addressRank: 30,
    latitude,
    longitude,
    south: latitude,
    north: latitude,
    west: longitude,
    east: longitude,
    countryCode: '',
    ...said,
  };
}

/** A municipality, county or country. */
export function boundaryOf(name: string, rank: number): Said {
  return { category: 'boundary', type: 'administrative', searchRank: rank, addressRank: rank, names: { name } };
}

/** A street. */
export function roadOf(name: string): Said {
  return { category: 'highway', type: 'residential', searchRank: 26, addressRank: 26, names: { name } };
}

/** Sides of a rectangle in degrees. */
export type Box = readonly [south: number, west: number, north: number, east: number];

/** A rectangle. */
export function boxOf([south, west, north, east]: Box): Geometry {
  return { kind: 'area', rings: [unitsOf([west, south, east, south, east, north, west, north, west, south])] };
}

/** Coordinates out of degrees, longitude first. */
export function unitsOf(degrees: readonly number[]): Int32Array {
  return Int32Array.from(degrees, value => Math.round(value * UNITS_PER_DEGREE));
}

/** Steps of a ten-thousandth of a degree east and north of a corner. */
export type Step = readonly [east: number, north: number];

/** Degrees of a step. */
export const STEP_DEGREES = 0.0001;

/** Coordinates out of steps, longitude first. @param corner degrees */
export function unitsOfSteps(
  steps: readonly Step[],
  [latitude, longitude]: readonly [latitude: number, longitude: number],
): Int32Array {
  return unitsOf(steps.flatMap(([east, north]) => [longitude + east * STEP_DEGREES, latitude + north * STEP_DEGREES]));
}
