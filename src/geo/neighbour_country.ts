// The country of a point by the borders of the world, where an extract has better borders for some countries.
//
// An extract's borders are exact and those of the world are not. A point outside the former that is still inside the
// latter belongs to a neighbour.

import { METRES_PER_DEGREE, RADIANS_PER_DEGREE } from '../../wasm/earth_constants.ts';
import { countryAt } from './country.ts';

/** Distances at which a neighbour is looked for; the last is how far off the borders of the world may be. */
const STEPS_METRES = [125, 250, 500, 1_000, 2_000];
const DIRECTIONS = [
  [0, 1],
  [1, 1],
  [1, 0],
  [1, -1],
  [0, -1],
  [-1, -1],
  [-1, 0],
  [-1, 1],
];

/**
 * The country of a point outside the better borders.
 * @param latitude degrees
 * @param longitude degrees
 * @param hasBorders whether a country (ISO 3166-1 alpha-2, lower case) has better borders, and so is ruled out
 * @returns lower case; the nearest other country within two kilometres if the borders of the world name one that is
 *   ruled out; empty on the open sea
 */
export function countryBeyond(latitude: number, longitude: number, hasBorders: (code: string) => boolean): string {
  const code = codeAt(latitude, longitude);
  return code !== '' && hasBorders(code) ? neighbourAt(latitude, longitude, hasBorders) : code;
}

function neighbourAt(latitude: number, longitude: number, hasBorders: (code: string) => boolean): string {
  const widthOfDegree = METRES_PER_DEGREE * Math.cos(latitude * RADIANS_PER_DEGREE);
  for (const metres of STEPS_METRES) {
    for (const [east, north] of DIRECTIONS) {
      const code = codeAt(latitude + (north * metres) / METRES_PER_DEGREE, longitude + (east * metres) / widthOfDegree);
      if (code !== '' && !hasBorders(code)) return code;
    }
  }
  return '';
}

function codeAt(latitude: number, longitude: number): string {
  return (countryAt(latitude, longitude) ?? '').toLowerCase();
}
