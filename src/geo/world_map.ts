// A map of the world to draw: its land as areas, and the borders between countries as lines.
//
// Both are those of Natural Earth at 1:10,000,000 (public domain), in one TopoJSON of world-atlas: lines ("arcs") on a
// grid of about 200 by 400 metres, of which the rings of the land and of the countries are put together. What two
// countries have in common is a border; borders at sea are none of theirs. The borders of borders.ts run out to sea,
// and the coasts of coast.ts are edges without an inside, so neither can be drawn.

import { readFileSync } from 'node:fs';
import { cutRing } from './antimeridian.ts';
import { UNITS_PER_DEGREE, unitsOf } from './units.ts';

const HALF_TURN = 180 * UNITS_PER_DEGREE;
const POLE = 90 * UNITS_PER_DEGREE;

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
  borders: Int32Array[];
}

/** Reads the map. @throws Error when the data file is not where version 2 of the package keeps it */
export function loadWorldMap(): WorldMap {
  const file = new URL(import.meta.resolve('world-atlas/countries-10m.json'));
  const { arcs, transform, objects }: Topology = JSON.parse(readFileSync(file, 'utf8'));
  const lines = arcs.map(arc => unitsOfArc(arc, transform));
  const owners = new Map<number, number>();
  for (const { arcs } of objects.countries.geometries) {
    const own = (arcs as unknown[]).flat(Number.POSITIVE_INFINITY) as number[];
    for (const arc of new Set(own.map(each => (each < 0 ? ~each : each)))) owners.set(arc, (owners.get(arc) ?? 0) + 1);
  }
  return {
    land: objects.land.geometries[0].arcs.map(rings =>
      rings.flatMap(ring => cutRing(joined(ring, lines)).map(aroundPole)),
    ),
    borders: lines.filter((_, arc) => (owners.get(arc) ?? 0) > 1),
  };
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
