// The borders of all countries, ready for one question: which polygon holds a point?
//
// They come from the data of @rapideditor/country-coder: 340 polygons of some 26,000 edges, drawn along the borders on land and generously around
// the coasts. The package's own code is not used: it keeps five megabytes of objects in every thread that loads it, from start-up on, while its data
// alone can be read when the first question comes and cut down to what the question needs.
//
// A point is in a polygon when a ray from it crosses the polygon's edges an odd number of times. A ray along a parallel crosses only edges that
// reach its latitude, so the edges of each polygon are kept in rows of one degree of latitude: a ray then meets some tens of them instead of up to
// 900. An edge over several rows stands in each.
//
// Points here are degrees, not whole units as in rings.ts: a point of a question is not rounded, and one on a border gets the country that the package's own
// formula gives it.

import { readFileSync } from 'node:fs';
import { type Box, boxOf } from './box.ts';

/** Rows of one degree, from the south pole. */
const ROWS = 180;
/** Numbers of one edge: longitude and latitude of its two ends. */
export const EDGE_NUMBERS = 4;

/** One polygon: a part of a country, with its holes. */
interface BorderPolygon extends Box {
  /** ISO 3166-1 alpha-2. */
  country: string;
}

/** The edges that a polygon has in one row. */
export interface RowPart {
  polygon: BorderPolygon;
  /** Range of numbers in `edges`. */
  start: number;
  end: number;
}

/** All borders. */
export interface Borders {
  /** Longitude and latitude of the later end, then of the earlier one, degrees; EDGE_NUMBERS each. */
  edges: Float64Array;
  /** Parts by row of one degree, from the south pole. */
  rows: RowPart[][];
}

interface Feature {
  properties: { iso1A2?: string; isoStatus?: string; country?: string; wikidata: string; groups?: string[] };
  geometry: { coordinates: [number, number][][][] } | null;
}

/** Codes that are in common use though ISO 3166-1 does not assign them: Kosovo. */
const USER_ASSIGNED = 'usrAssn';
/** Northern Cyprus has no code of its own; for ISO 3166-1 it lies in Cyprus. */
const COUNTRY_OF_UNCODED: Readonly<Record<string, string>> = { Q23681: 'CY' };

/**
 * Reads the borders and sorts their edges into rows.
 * @throws Error when the package's data is not where its version 5 has it
 */
export function loadBorders(): Borders {
  const file = new URL('../src/data/borders.json', import.meta.resolve('@rapideditor/country-coder'));
  const { features }: { features: Feature[] } = JSON.parse(readFileSync(file, 'utf8'));
  const assigned = new Set(features.map(assignedCode).filter(code => code !== undefined));
  const edges: number[] = [];
  const rows: RowPart[][] = Array.from({ length: ROWS }, () => []);
  for (const feature of features) {
    const country = countryOf(feature, assigned);
    if (country === undefined || feature.geometry === null) continue;
    for (const rings of feature.geometry.coordinates) addPolygon(rings, country, edges, rows);
  }
  return { edges: Float64Array.from(edges), rows };
}

function assignedCode({ properties: { iso1A2, isoStatus } }: Feature): string | undefined {
  return isoStatus === undefined || isoStatus === USER_ASSIGNED ? iso1A2 : undefined;
}

/** The feature's own code, else that of the territory or the country it is a part of; undefined for land that no state claims. */
function countryOf(feature: Feature, assigned: ReadonlySet<string>): string | undefined {
  const { groups = [], country = COUNTRY_OF_UNCODED[feature.properties.wikidata] } = feature.properties;
  return assignedCode(feature) ?? groups.find(group => assigned.has(group)) ?? country;
}

function addPolygon(rings: [number, number][][], country: string, edges: number[], rows: RowPart[][]): void {
  const polygon: BorderPolygon = { country, ...boxOf([rings[0].flat()]) };
  const first = degreeRowOf(polygon.south);
  const edgesByRow: number[][] = Array.from({ length: degreeRowOf(polygon.north) - first + 1 }, () => []);
  for (const ring of rings) addEdges(ring, first, edgesByRow);
  for (let i = 0; i < edgesByRow.length; i++) {
    const start = edges.length;
    for (const number of edgesByRow[i]) edges.push(number);
    rows[first + i].push({ polygon, start, end: edges.length });
  }
}

/** Adds each edge of a ring to every row that it reaches into. */
function addEdges(ring: [number, number][], firstRow: number, edgesByRow: number[][]): void {
  let [lastLongitude, lastLatitude] = ring[ring.length - 1];
  for (const [longitude, latitude] of ring) {
    const southern = degreeRowOf(Math.min(latitude, lastLatitude));
    const northern = degreeRowOf(Math.max(latitude, lastLatitude));
    for (let row = southern; row <= northern; row++) edgesByRow[row - firstRow].push(longitude, latitude, lastLongitude, lastLatitude);
    lastLongitude = longitude;
    lastLatitude = latitude;
  }
}

/**
 * The longitude at which an edge crosses a parallel. Of its ends the southern one belongs to the edge, so that a ray through a corner crosses one of the two
 * edges there.
 * @param i first of the edge's numbers
 * @returns not a number where it does not cross
 */
export function crossingOf(edges: Float64Array, i: number, latitude: number): number {
  const latitudeA = edges[i + 1];
  const latitudeB = edges[i + 3];
  if (latitudeA > latitude === latitudeB > latitude) return Number.NaN;
  return ((edges[i + 2] - edges[i]) * (latitude - latitudeA)) / (latitudeB - latitudeA) + edges[i];
}

/** Row of a latitude in degrees; the north pole belongs to the last. */
export function degreeRowOf(latitude: number): number {
  return Math.min(ROWS - 1, Math.max(0, Math.floor(latitude + 90)));
}
