// Streets that only sources of addresses know: those whose name no road of the map has around their houses. They are
// streets without a shape: nobody drives on a line that we have drawn. Houses find them by the houses that name them,
// one of each square of some hundred metres.

import { boxOf } from '../../../geo/box.ts';
import { linesOf } from '../../../geo/rings.ts';
import { UNITS_PER_DEGREE } from '../../../geo/units.ts';
import { OSM_NONE } from '../../../tables/places/place.ts';
import { NumberList } from '../../index/section.ts';
import { groupBy, numberIn } from '../../search/word_index/columns.ts';
import { matchKeyOf, matchKeysOf } from '../objects/match_key.ts';
import { namesOf } from '../objects/tags.ts';
import type { OsmFeature, Tags } from '../osm/features.ts';
import { IdTable } from '../osm/id_table.ts';
import { NAMED_REACH } from '../roads/known_roads.ts';

/** Side of a square of which one house is kept. */
const SQUARE_UNITS = 0.001 * UNITS_PER_DEGREE;
const ROW_SQUARES = 2 ** 22;
/** Squares of a street are numbered in 32 bits; where two have one number, one is left out. */
const SQUARES = 2 ** 32;
const POINT_NUMBERS = 3;
const NEIGHBOURS = [-1, 0, 1];

/** A name in a town. */
interface NamedStreet {
  tags: Tags;
  /** Number of its match key. */
  key: number;
  sources: number;
}

/** Collects the streets that addresses name, takes out those that roads have, and gives the others. */
export class OwnStreets {
  private readonly keys = new Map<string, number>();
  private readonly numbers = new Map<string, number>();
  private readonly streets: NamedStreet[] = [];
  private readonly squares = new IdTable();
  /** Street, longitude and latitude of each point. */
  private readonly points = new NumberList(Int32Array);
  private order: { order: Uint32Array; starts: Uint32Array } | undefined;
  private isKnown = new Uint8Array(0);

  /** @param join joins the number of a list of sources with that of another */
  note(tags: Tags, x: number, y: number, sources: number, join: (a: number, b: number) => number): void {
    const name = tags['addr:street'];
    const matchKey = name === undefined ? '' : matchKeyOf(name);
    if (matchKey === '') return;
    const city = tags['addr:city'] ?? '';
    const number = numberIn(this.numbers, `${matchKey}\n${city === '' ? '' : matchKeyOf(city)}`);
    if (number === this.streets.length) {
      const of = { ...(city !== '' && { 'addr:city': city }), highway: 'residential', name: name! };
      this.streets.push({ tags: of, key: numberIn(this.keys, matchKey), sources });
    } else this.streets[number].sources = join(this.streets[number].sources, sources);
    const id = number * SQUARES + (squareOf(x, y, SQUARE_UNITS) >>> 0);
    if (this.squares.has(id)) return;
    this.squares.set(id, 0);
    this.points.push(number, x, y);
  }

  /** A road of the map has the streets of its names around it. */
  meetRoad({ tags, geometry }: OsmFeature): void {
    const { ref: _, ...proper } = namesOf(tags, false);
    let box: ReturnType<typeof boxOf> | undefined;
    for (const matchKey of matchKeysOf(proper)) {
      const key = this.keys.get(matchKey);
      if (key === undefined) continue;
      box ??= boxOf(linesOf(geometry));
      this.markAround(key, box);
    }
  }

  private markAround(key: number, { west, south, east, north }: ReturnType<typeof boxOf>): void {
    const points = this.points.values();
    this.order ??= this.sorted(points);
    const { order, starts } = this.order;
    const latitude = (at: number) => points[order[at] * POINT_NUMBERS + 2];
    let low = starts[key];
    for (let high = starts[key + 1]; low < high; ) {
      const middle = (low + high) >>> 1;
      if (latitude(middle) < south - NAMED_REACH) low = middle + 1;
      else high = middle;
    }
    for (let at = low; at < starts[key + 1] && latitude(at) <= north + NAMED_REACH; at++) {
      const x = points[order[at] * POINT_NUMBERS + 1];
      if (x >= west - NAMED_REACH && x <= east + NAMED_REACH) this.isKnown[order[at]] = 1;
    }
  }

  /** Points by key, those of a key from south to north. */
  private sorted(points: Int32Array): { order: Uint32Array; starts: Uint32Array } {
    const count = points.length / POINT_NUMBERS;
    this.isKnown = new Uint8Array(count);
    const keyOf = (point: number) => this.streets[points[point * POINT_NUMBERS]].key;
    const grouped = groupBy(count, this.keys.size, keyOf);
    for (let key = 0; key < this.keys.size; key++)
      grouped.order
        .subarray(grouped.starts[key], grouped.starts[key + 1])
        .sort((a, b) => points[a * POINT_NUMBERS + 2] - points[b * POINT_NUMBERS + 2]);
    return grouped;
  }

  /** The streets that no road has: lines through their houses, and the numbers of the lists of their sources. */
  *left(): Generator<{ feature: OsmFeature; sources: number }> {
    const points = this.points.values();
    this.order ??= this.sorted(points);
    const streetOf = (point: number) => points[point * POINT_NUMBERS];
    const { order, starts } = groupBy(points.length / POINT_NUMBERS, this.streets.length, streetOf);
    for (const [number, { tags, sources }] of this.streets.entries()) {
      const unknown = order.subarray(starts[number], starts[number + 1]).filter(point => this.isKnown[point] === 0);
      const own = Array.from(unknown, point => points.subarray(point * POINT_NUMBERS + 1, (point + 1) * POINT_NUMBERS));
      for (const cluster of clustersOf(own)) yield { feature: streetThrough(cluster, tags), sources };
    }
  }
}

/** Points that are in reach of each other. @param points longitude and latitude */
function clustersOf(points: readonly Int32Array[]): Int32Array[][] {
  const cells = Map.groupBy(points, ([x, y]) => squareOf(x, y, NAMED_REACH));
  const clusters: Int32Array[][] = [];
  for (const first of [...cells.keys()]) {
    const cluster: Int32Array[] = [];
    for (const open = [first]; open.length > 0; ) {
      const cell = open.pop()!;
      const found = cells.get(cell);
      if (found === undefined) continue;
      cells.delete(cell);
      cluster.push(...found);
      for (const row of NEIGHBOURS) for (const column of NEIGHBOURS) open.push(cell + row * ROW_SQUARES + column);
    }
    if (cluster.length > 0) clusters.push(cluster);
  }
  return clusters;
}

/** A street through houses in their order along its longer side. */
function streetThrough(points: readonly Int32Array[], tags: Tags): OsmFeature {
  const [east, north] = [0, 1].map(axis => {
    const along = points.map(point => point[axis]);
    return Math.max(...along) - Math.min(...along);
  });
  const axis = east > north ? 0 : 1;
  const sorted = points.toSorted((a, b) => a[axis] - b[axis]);
  const [x, y] = sorted[sorted.length >> 1];
  // A line has two points.
  if (sorted.length === 1) sorted.push(sorted[0]);
  const coordinates = Int32Array.from(sorted.flatMap(point => [...point]));
  const position = { longitude: x / UNITS_PER_DEGREE, latitude: y / UNITS_PER_DEGREE };
  return { type: OSM_NONE, id: 0, tags, geometry: { kind: 'line', coordinates }, ...position, nodeIds: undefined };
}

function squareOf(x: number, y: number, side: number): number {
  return Math.floor(y / side) * ROW_SQUARES + Math.floor(x / side);
}
