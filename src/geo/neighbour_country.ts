// The country of a point by the borders of the world, where some countries have better ones.
//
// Borders of an extract are exact and those of the world are not. A point beyond the former that the latter still place inside belongs to the neighbour.

import { METRES_PER_DEGREE, RADIANS_PER_DEGREE } from '../../wasm/earth_constants.ts';
import { countryAt } from './country.ts';

/** How far the borders of the world may be off, and the steps in which the neighbour is looked for. */
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
 * The country of a point that lies beyond the better borders.
 * @param latitude degrees
 * @param longitude degrees
 * @param hasBorders whether a country (ISO 3166-1 alpha-2, lower case) has better borders, and so cannot be it
 * @returns lower case; the nearest other one within two kilometres where the borders of the world say a country that it cannot be; empty on the open sea
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
