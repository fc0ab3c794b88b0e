// A map of the world to draw: its land as areas, and the borders between countries as lines.
//
// Both are those of Natural Earth at 1:10,000,000 (public domain), in one TopoJSON of world-atlas: lines ("arcs") on a
// grid of about 200 by 400 metres, of which the rings of the land and of the countries are put together. What two
// countries have in common is a border; borders at sea are none of theirs. The borders of borders.ts run out to sea,
// and the coasts of coast.ts are edges without an inside, so neither can be drawn.
//
// The middle of a country is the point of its largest piece of land that is farthest from the coast and the borders,
// to the north and south, east and west: there its name is written, and nobody takes it for that of a sea.

import { readFileSync } from 'node:fs';
import { RADIANS_PER_DEGREE } from '../../wasm/earth_constants.ts';
import { cutRing } from './antimeridian.ts';
import { boxOf } from './box.ts';
import { countryAt } from './country.ts';
import { crossingsOf, signedArea } from './rings.ts';
import { UNITS_PER_DEGREE, unitsOf } from './units.ts';

const HALF_TURN = 180 * UNITS_PER_DEGREE;
const POLE = 90 * UNITS_PER_DEGREE;
/** Parallels of a country on which its middle is looked for. */
const PARALLELS = 16;

/** Numbers of arcs that make a ring, one after the other; `~n` is arc n backwards. */
type ArcRing = readonly number[];

interface Topology {
  /** Lines of steps on a grid, each from the end of the one before it. */
  arcs: [number, number][][];
  transform: { scale: [number, number]; translate: [number, number] };
  objects: {
    land: { geometries: [{ arcs: ArcRing[][] }] };
    countries: { geometries: { type: string; arcs: ArcRing[] | ArcRing[][] }[] };
  };
}

/** Lines are pairs, longitude first, units (units.ts). */
export interface WorldMap {
  /** Areas of closed rings: the coast, then its holes. */
  land: Int32Array[][];
  borders: WorldBorder[];
  /** By country (ISO 3166-1 alpha-2). */
  middles: ReadonlyMap<string, Middle>;
}

/** A line between countries. */
interface WorldBorder {
  line: Int32Array;
  /** ISO 3166-1 alpha-2; less than two where the map draws a line that borders.ts does not know. */
  countries: readonly string[];
}

/** A point on the land of a country, units. */
interface Middle {
  x: number;
  y: number;
}

/** Reads the map. @throws Error when the data file is not where version 2 of the package keeps it */
export function loadWorldMap(): WorldMap {
  const file = new URL(import.meta.resolve('world-atlas/countries-10m.json'));
  const { arcs, transform, objects }: Topology = JSON.parse(readFileSync(file, 'utf8'));
  const lines = arcs.map(arc => unitsOfArc(arc, transform));
  const owners = new Map<number, string[]>();
  const middles = new Map<string, Middle & { size: number }>();
  for (const { type, arcs } of objects.countries.geometries) {
    const polygons = (type === 'Polygon' ? [arcs] : arcs) as ArcRing[][];
    const largest = largestOf(polygons.map(rings => rings.flatMap(ring => cutRing(joined(ring, lines)))));
    const middle = middleOf(largest.rings);
    const code = countryAt(middle.y / UNITS_PER_DEGREE, middle.x / UNITS_PER_DEGREE) ?? '';
    if (code !== '' && largest.size > (middles.get(code)?.size ?? 0))
      middles.set(code, { ...middle, size: largest.size });
    for (const arc of new Set(polygons.flat(2).map(each => (each < 0 ? ~each : each))))
      owners.set(arc, [...(owners.get(arc) ?? []), code]);
  }
  return {
    land: objects.land.geometries[0].arcs.map(rings =>
      rings.flatMap(ring => cutRing(joined(ring, lines)).map(aroundPole)),
    ),
    borders: lines.flatMap((line, arc) => {
      const countries = owners.get(arc) ?? [];
      return countries.length > 1 ? [{ line, countries: [...new Set(countries)] }] : [];
    }),
    middles,
  };
}

/** The largest of some polygons on the ground. */
function largestOf(polygons: readonly Int32Array[][]): { rings: Int32Array[]; size: number } {
  const sized = polygons.map(rings => {
    const { south, north } = boxOf(rings);
    const flat = rings.reduce((sum, ring) => sum + Math.abs(signedArea(ring)), 0);
    return { rings, size: flat * widthAt((south + north) / 2) };
  });
  return sized.reduce((a, b) => (b.size > a.size ? b : a));
}

function middleOf(rings: readonly Int32Array[]): Middle {
  const { west, south, east, north } = boxOf(rings);
  const turned = rings.map(ring => ring.map((_, i) => ring[i ^ 1]));
  let best = { x: (west + east) / 2, y: (south + north) / 2, reach: 0 };
  for (let parallel = 1; parallel < PARALLELS; parallel++) {
    const y = south + ((north - south) * parallel) / PARALLELS;
    const crossings = crossingsOf(rings, y);
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const along = ((crossings[i + 1] - crossings[i]) / 2) * widthAt(y);
      if (along <= best.reach) continue;
      const x = (crossings[i] + crossings[i + 1]) / 2;
      const across = crossingsOf(turned, x).reduce((least, each) => Math.min(least, Math.abs(each - y)), along);
      if (across > best.reach) best = { x, y, reach: across };
    }
  }
  return best;
}

/** What a degree of longitude counts for, beside one of latitude. */
function widthAt(latitude: number): number {
  return Math.cos((latitude / UNITS_PER_DEGREE) * RADIANS_PER_DEGREE);
}

function unitsOfArc(arc: Topology['arcs'][number], { scale, translate }: Topology['transform']): Int32Array {
  let x = 0;
  let y = 0;
  return Int32Array.from(
    arc.flatMap(([stepX, stepY]) => {
      x += stepX;
      y += stepY;
      return [unitsOf(x * scale[0] + translate[0]), unitsOf(y * scale[1] + translate[1])];
    }),
  );
}

/** The ring of some arcs; each begins where the one before it ends. */
function joined(ring: ArcRing, lines: readonly Int32Array[]): Int32Array {
  const points: number[] = [];
  for (const arc of ring) {
    const line = lines[arc < 0 ? ~arc : arc];
    const count = line.length / 2;
    for (let i = points.length === 0 ? 0 : 1; i < count; i++) {
      const at = 2 * (arc < 0 ? count - 1 - i : i);
      points.push(line[at], line[at + 1]);
    }
  }
  return Int32Array.from(points);
}

/** A ring around the South Pole, which is all on one side of its coast, goes down to the pole and along it. */
function aroundPole(ring: Int32Array): Int32Array {
  for (let i = 2; i < ring.length; i += 2) {
    if (Math.abs(ring[i] - ring[i - 2]) <= HALF_TURN) continue;
    const edge = Math.sign(ring[i - 2]) * HALF_TURN;
    const corners = [edge, ring[i - 1], edge, -POLE, -edge, -POLE, -edge, ring[i + 1]];
    return Int32Array.from([...ring.subarray(0, i), ...corners, ...ring.subarray(i)]);
  }
  return ring;
}
