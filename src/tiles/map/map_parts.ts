// The parts of a map: extracts that lie far from each other. A map that opens shows one of them, and the way to the
// others, rather than half of the globe between them.
//
// Roads and houses are counted by squares of a degree, a node of their index at a time, so this takes milliseconds
// however many there are. Squares that touch are one part.

import type { Box } from '../../geo/box.ts';
import { UNITS_PER_DEGREE } from '../../geo/units.ts';
import { countryName, countryOfPoint } from '../../geocoding/address/country_names.ts';
import type { GeocoderLayer } from '../../geocoding/geocoder_layer.ts';
import { nameIn } from '../../geocoding/index/names.ts';
import { readPlace } from '../../geocoding/index/place_reader.ts';
import { rankOf } from '../../geocoding/index/traits.ts';
import { RANK_COUNTRY } from '../../tables/places/ranks.ts';

/** Boxes of nodes are no larger, so few lie in two squares. */
const NODE_UNITS = UNITS_PER_DEGREE / 2;
const COLUMNS = 360;
const STEPS = [-1, 0, 1];
/** More nobody chooses among. */
const PARTS_MAX = 12;

/** West, south, east, north, degrees. */
type Bounds = readonly [number, number, number, number];

/** A part of a map. */
export interface MapPart {
  /** Of the largest area that it holds: a country, a state. */
  name: string;
  bounds: Bounds;
}

interface Square {
  box: Box;
  items: number;
}

const known = new WeakMap<GeocoderLayer, MapPart[]>();

/** The parts of an extract, those with the most roads and houses first. */
export function partsOf(layer: GeocoderLayer): MapPart[] {
  const parts = known.get(layer) ?? findParts(layer);
  known.set(layer, parts);
  return parts;
}

function findParts(layer: GeocoderLayer): MapPart[] {
  const squares = squaresOf(layer);
  const parts: Square[][] = [];
  for (const first of [...squares.keys()]) {
    const part: Square[] = [];
    const open = [first];
    for (let key = open.pop(); key !== undefined; key = open.pop()) {
      const square = squares.get(key);
      if (square === undefined) continue;
      squares.delete(key);
      part.push(square);
      for (const row of STEPS) for (const column of STEPS) open.push(key + row * COLUMNS + column);
    }
    if (part.length > 0) parts.push(part);
  }
  const sized = parts.map(part => ({ part, items: part.reduce((sum, { items }) => sum + items, 0) }));
  sized.sort((a, b) => b.items - a.items);
  return sized.slice(0, PARTS_MAX).map(({ part }) => ({
    name: nameOf(layer, part.reduce((a, b) => (b.items > a.items ? b : a)).box),
    bounds: boundsOf(part.map(({ box }) => box).reduce(joined)),
  }));
}

function squaresOf({ spatial }: GeocoderLayer): Map<number, Square> {
  const squares = new Map<number, Square>();
  spatial.groundLines.forEachNode(NODE_UNITS, (box, items) => {
    const column = Math.floor((box.west + box.east) / 2 / UNITS_PER_DEGREE);
    const key = Math.floor((box.south + box.north) / 2 / UNITS_PER_DEGREE) * COLUMNS + column;
    const square = squares.get(key);
    squares.set(
      key,
      square === undefined ? { box, items } : { box: joined(square.box, box), items: square.items + items },
    );
  });
  return squares;
}

function joined(a: Box, b: Box): Box {
  return {
    west: Math.min(a.west, b.west),
    south: Math.min(a.south, b.south),
    east: Math.max(a.east, b.east),
    north: Math.max(a.north, b.north),
  };
}

/** The name of the largest area in the middle of a box; of the country where no area is known. */
function nameOf({ spatial, places }: GeocoderLayer, { west, south, east, north }: Box): string {
  const [x, y] = [Math.round((west + east) / 2), Math.round((south + north) / 2)];
  let best = -1;
  const rank = (shape: number): number => rankOf(spatial.regions.traits(shape));
  spatial.regionAreas.forEachAround(x, y, shape => {
    if (best < 0 || rank(shape) < rank(best)) best = shape;
  });
  if (best < 0) return countryOfPoint(y / UNITS_PER_DEGREE, x / UNITS_PER_DEGREE, [])?.name ?? '';
  const { names, countryCode } = readPlace(places, spatial.regions.id(best));
  return rank(best) <= RANK_COUNTRY ? countryName(countryCode, []) : nameIn(names, []);
}

/** A box in degrees. */
export function boundsOf({ west, south, east, north }: Box): Bounds {
  return [west, south, east, north].map(each => each / UNITS_PER_DEGREE) as unknown as Bounds;
}
