// The country of a point, and the countries of a mobile network.
//
// Countries are ISO 3166-1 alpha-2 codes. A dependent territory with a code of its own has that one (Puerto Rico is PR,
// Jersey is JE), and Kosovo is XK. Borders run well off the coasts; the open sea belongs to no country. Borders and
// network codes are read on first use.

import { readFileSync } from 'node:fs';
import { METRES_PER_DEGREE, RADIANS_PER_DEGREE } from '../../wasm/earth_constants.ts';
import { longitudeScale } from './angle.ts';
import { type Borders, crossingOf, degreeRowOf, EDGE_NUMBERS, loadBorders, type RowPart } from './borders.ts';
import { isInBox } from './box.ts';
import { shareNearest } from './line.ts';

let borders: Borders | undefined;
let countriesByMcc: readonly (readonly string[])[] | undefined;
const NO_COUNTRIES: readonly string[] = [];

/** The country of a point in degrees; undefined on the open sea and for numbers that are not a position. */
export function countryAt(latitude: number, longitude: number): string | undefined {
  borders ??= loadBorders();
  if (!(Math.abs(latitude) <= 90)) return undefined;
  // A polygon contains its western edge but not its eastern one, so only one of the antimeridian's two names is inside.
  if (longitude === 180) return countryAt(latitude, -180);
  for (const part of borders.rows[degreeRowOf(latitude)]) {
    if (!isInBox(part.polygon, longitude, latitude)) continue;
    if (isInside(borders.edges, part, latitude, longitude)) return part.polygon.country;
  }
  return undefined;
}

/** True if a point is in a country (ISO 3166-1 alpha-2), or outside but within a margin of its border. */
export function isInCountry(latitude: number, longitude: number, country: string, marginMetres: number): boolean {
  if (countryAt(latitude, longitude) === country) return true;
  return isNear(latitude, longitude, country, marginMetres);
}

/**
 * The countries in which networks with a mobile country code (0..999) operate.
 * @returns none for unassigned codes and for those of test, private and international networks
 */
export function countriesOfMcc(mcc: number): readonly string[] {
  countriesByMcc ??= loadCountriesByMcc();
  return countriesByMcc[mcc] ?? NO_COUNTRIES;
}

/** Counts crossings of a ray to the east. */
function isInside(edges: Float64Array, { start, end }: RowPart, latitude: number, longitude: number): boolean {
  let inside = false;
  for (let i = start; i < end; i += EDGE_NUMBERS) {
    if (longitude < crossingOf(edges, i, latitude)) inside = !inside;
  }
  return inside;
}

/** Looks for an edge of the country within the margin, on the plane tangent to the Earth at the point. */
function isNear(latitude: number, longitude: number, country: string, marginMetres: number): boolean {
  borders ??= loadBorders();
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return false;
  const cosine = longitudeScale(latitude * RADIANS_PER_DEGREE);
  const marginNorth = marginMetres / METRES_PER_DEGREE;
  const marginEast = marginNorth / cosine;
  for (let row = degreeRowOf(latitude - marginNorth); row <= degreeRowOf(latitude + marginNorth); row++) {
    for (const part of borders.rows[row]) {
      const { polygon } = part;
      if (
        polygon.country !== country ||
        latitude + marginNorth < polygon.south ||
        latitude - marginNorth > polygon.north
      )
        continue;
      // Polygons end at the antimeridian, so a point near it is also tried from the other side.
      for (let turn = -360; turn <= 360; turn += 360) {
        const east = longitude + turn;
        if (east + marginEast < polygon.west || east - marginEast > polygon.east) continue;
        if (hasEdgeNear(borders.edges, part, latitude, east, cosine, marginNorth)) return true;
      }
    }
  }
  return false;
}

/** @param margin degrees of latitude */
function hasEdgeNear(
  edges: Float64Array,
  { start, end }: RowPart,
  latitude: number,
  longitude: number,
  cosine: number,
  margin: number,
): boolean {
  for (let i = start; i < end; i += EDGE_NUMBERS) {
    const eastA = (edges[i] - longitude) * cosine;
    const northA = edges[i + 1] - latitude;
    const alongEast = (edges[i + 2] - longitude) * cosine - eastA;
    const alongNorth = edges[i + 3] - latitude - northA;
    const share = shareNearest(eastA, northA, alongEast, alongNorth);
    const east = eastA + share * alongEast;
    const north = northA + share * alongNorth;
    if (east * east + north * north <= margin * margin) return true;
  }
  return false;
}

/** data/mcc.csv: code, countries separated by spaces, name. */
function loadCountriesByMcc(): readonly (readonly string[])[] {
  const rows = readFileSync(new URL('../../data/mcc.csv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  const byMcc: string[][] = [];
  for (const row of rows) {
    const [mcc, countries] = row.split(',');
    if (countries !== '') byMcc[Number(mcc)] = countries.split(' ');
  }
  return byMcc;
}

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
