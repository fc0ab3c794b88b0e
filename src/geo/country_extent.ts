// For each country a point well inside and a bounding box. The box is that of the borders (borders.ts), which run out
// to sea; the point is the middle of the land (world_map.ts). Of a country whose middle that map does not have, mostly
// a small island, it is on the largest polygon, halfway between its northern and southern ends, in the middle of the
// widest piece there.

import { RADIANS_PER_DEGREE } from '../../wasm/earth_constants.ts';
import { type Borders, crossingOf, degreeRowOf, EDGE_NUMBERS, loadBorders, type RowPart } from './borders.ts';
import type { Box } from './box.ts';
import { UNITS_PER_DEGREE } from './units.ts';
import { loadWorldMap, type WorldMap } from './world_map.ts';

/** A country on the map. Parts beyond the antimeridian, seen from the point inside, are not in its box, degrees. */
interface CountryExtent extends Box {
  /** ISO 3166-1 alpha-2. */
  code: string;
  /** A point inside, degrees. */
  latitude: number;
  longitude: number;
}

type Polygon = RowPart['polygon'];

/** All countries that have borders, by code. */
export function countryExtents(): CountryExtent[] {
  const borders = loadBorders();
  const polygons = new Map<string, Set<Polygon>>();
  for (const { polygon } of borders.rows.flat()) {
    const known = polygons.get(polygon.country);
    if (known === undefined) polygons.set(polygon.country, new Set([polygon]));
    else known.add(polygon);
  }
  const codes = [...polygons.keys()].sort();
  const { middles } = loadWorldMap();
  return codes.map(code => extentOf(code, [...polygons.get(code)!], borders, middles.get(code)));
}

function extentOf(
  code: string,
  polygons: readonly Polygon[],
  borders: Borders,
  middle: ReturnType<WorldMap['middles']['get']>,
): CountryExtent {
  const { latitude, longitude } = middle === undefined ? pointIn(polygons, borders) : degreesOf(middle);
  const near = polygons.filter(({ west, east }) => Math.abs((west + east) / 2 - longitude) <= 180);
  return {
    code,
    latitude,
    longitude,
    south: Math.min(...near.map(({ south }) => south)),
    north: Math.max(...near.map(({ north }) => north)),
    west: Math.min(...near.map(({ west }) => west)),
    east: Math.max(...near.map(({ east }) => east)),
  };
}

function degreesOf({ x, y }: { x: number; y: number }): Pick<CountryExtent, 'latitude' | 'longitude'> {
  return { latitude: y / UNITS_PER_DEGREE, longitude: x / UNITS_PER_DEGREE };
}

function pointIn(polygons: readonly Polygon[], borders: Borders): Pick<CountryExtent, 'latitude' | 'longitude'> {
  const largest = polygons.reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a));
  const latitude = (largest.south + largest.north) / 2;
  return { latitude, longitude: middleAt(latitude, largest, borders) };
}

/** Relative size of a polygon's box on the ground. */
function sizeOf({ south, north, west, east }: Polygon): number {
  return (east - west) * (Math.sin(north * RADIANS_PER_DEGREE) - Math.sin(south * RADIANS_PER_DEGREE));
}

/** Middle of the widest piece of a polygon on a parallel. */
function middleAt(latitude: number, polygon: Polygon, { edges, rows }: Borders): number {
  const part = rows[degreeRowOf(latitude)].find(each => each.polygon === polygon)!;
  const crossings: number[] = [];
  for (let i = part.start; i < part.end; i += EDGE_NUMBERS) {
    const crossing = crossingOf(edges, i, latitude);
    if (!Number.isNaN(crossing)) crossings.push(crossing);
  }
  crossings.sort((a, b) => a - b);
  let widest = 0;
  for (let i = 2; i < crossings.length; i += 2) {
    if (crossings[i + 1] - crossings[i] > crossings[widest + 1] - crossings[widest]) widest = i;
  }
  return (crossings[widest] + crossings[widest + 1]) / 2;
}
