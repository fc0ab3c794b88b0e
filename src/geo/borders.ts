// The borders of all countries, arranged to answer one question: which polygon contains a point?
//
// They are the data of @rapideditor/country-coder: 340 polygons with some 26,000 edges, which follow the borders on
// land and run well off the coasts. The package's code is not used. It would keep five megabytes of objects in every
// thread from start-up on, while its data alone can be read on first use and reduced to what is needed.
//
// A point is inside a polygon when a ray from it crosses the polygon's edges an odd number of times. A ray along a
// parallel crosses only edges that span its latitude, so the edges of each polygon are sorted into rows of one degree
// of latitude. A ray then meets a few dozen edges instead of up to 900. An edge that spans several rows is in each of
// them.
//
// Coordinates here are degrees, not the whole units of rings.ts. A query point is not rounded, and a point on a border
// gets the country that the package's own formula gives it.

import { readFileSync } from 'node:fs';
import { type Box, boxOf } from './box.ts';

/** Rows of one degree, counted from the south pole. */
const ROWS = 180;
/** Numbers in an edge: longitude and latitude of its two ends. */
export const EDGE_NUMBERS = 4;

/** A part of a country, with its holes. The box is in degrees. */
interface BorderPolygon extends Box {
  /** ISO 3166-1 alpha-2. */
  country: string;
}

/** The edges of a polygon in one row. */
export interface RowPart {
  polygon: BorderPolygon;
  /** Range in `edges`. */
  start: number;
  end: number;
}

/** All borders. */
export interface Borders {
  /** EDGE_NUMBERS for each edge: longitude and latitude of its later end, then of its earlier one, degrees. */
  edges: Float64Array;
  /** Parts by row. */
  rows: RowPart[][];
}

interface Feature {
  properties: { iso1A2?: string; isoStatus?: string; country?: string; wikidata: string; groups?: string[] };
  geometry: { coordinates: [number, number][][][] } | null;
}

/** A code in common use that ISO 3166-1 does not assign: Kosovo's. */
const USER_ASSIGNED = 'usrAssn';
/** Northern Cyprus has no code of its own; ISO 3166-1 counts it as Cyprus. */
const COUNTRY_OF_UNCODED: Readonly<Record<string, string>> = { Q23681: 'CY' };

/**
 * Reads the borders and sorts their edges into rows.
 * @throws Error when the data file is not where version 5 of the package keeps it
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

/**
 * The feature's own code, or that of the territory or country it belongs to; undefined for land that no state claims.
 */
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

/** Adds each edge of a ring to every row that it spans. */
function addEdges(ring: [number, number][], firstRow: number, edgesByRow: number[][]): void {
  let [lastLongitude, lastLatitude] = ring[ring.length - 1];
  for (const [longitude, latitude] of ring) {
    const southern = degreeRowOf(Math.min(latitude, lastLatitude));
    const northern = degreeRowOf(Math.max(latitude, lastLatitude));
    for (let row = southern; row <= northern; row++)
      edgesByRow[row - firstRow].push(longitude, latitude, lastLongitude, lastLatitude);
    lastLongitude = longitude;
    lastLatitude = latitude;
  }
}

/**
 * The longitude at which an edge crosses a parallel. Only the edge's southern end belongs to it, so a ray through a
 * corner crosses one of the two edges there.
 * @param i index of the edge's first number
 * @returns NaN if it does not cross
 */
export function crossingOf(edges: Float64Array, i: number, latitude: number): number {
  const latitudeA = edges[i + 1];
  const latitudeB = edges[i + 3];
  if (latitudeA > latitude === latitudeB > latitude) return Number.NaN;
  return ((edges[i + 2] - edges[i]) * (latitude - latitudeA)) / (latitudeB - latitudeA) + edges[i];
}

/** The row of a latitude in degrees; the north pole is in the last one. */
export function degreeRowOf(latitude: number): number {
  return Math.min(ROWS - 1, Math.max(0, Math.floor(latitude + 90)));
}
