// The rooms of a floor, as they are asked which of them contain a point: thousands of times for one answer.
//
// The floor is a grid, and each cell lists the rooms whose boxes meet it. The sides of a room are listed by bands from
// south to north, so that a corridor with thousands of corners costs no more than a shop. Where shapes are so large
// that lists would be long, there are fewer cells: both are at most a few times as large as the rooms themselves.

import { type Box, boxOf, isInBox } from '../geo/box.ts';
import { crosses } from '../geo/rings.ts';
import type { Rings, Room } from './tables/buildings/building.ts';

/** Numbers by cell: those of cell c are `items[first[c]]` to before `items[first[c + 1]]`. */
interface Lists {
  first: Int32Array;
  items: Int32Array;
}

/** An outline by bands. */
interface Bands extends Lists {
  /** All rings, one behind the other. */
  coordinates: Int32Array;
  count: number;
}

/** Cells along a side of the grid, and bands of a room, at most. */
const CELLS_MAX = 256;
const BANDS_MAX = 1024;
/** Sides in a band, about. */
const SIDES_OF_BAND = 4;
/** Entries in lists, for each room or side. */
const ENTRIES_MAX = 8;

/** Which rooms of a floor contain a point. */
export class FloorRooms {
  private readonly rooms: readonly Room[];
  /** West, east, south and north of the box of each room. */
  private readonly edges: Float64Array;
  private readonly box: Box;
  private readonly cells: number;
  private readonly lists: Lists;
  /** Made when a point in the box of the room is first asked for. */
  private readonly bands: (Bands | undefined)[];

  /** @param rooms of one floor, each of at least one ring */
  constructor(rooms: readonly Room[]) {
    this.rooms = rooms;
    const spans = rooms.map(({ outline }) => boxOf(outline)).map(box => [box.west, box.east, box.south, box.north]);
    this.edges = Float64Array.from(spans.flat());
    this.box = boxOf(spans.map(([west, east, south, north]) => [west, south, east, north]));
    this.bands = new Array(rooms.length).fill(undefined);
    let cells = Math.min(CELLS_MAX, Math.ceil(2 * Math.sqrt(rooms.length)));
    const entries = (): number =>
      spans.reduce((sum, [west, east, south, north]) => {
        const wide = this.column(east, cells) - this.column(west, cells) + 1;
        return sum + wide * (this.row(north, cells) - this.row(south, cells) + 1);
      }, 0);
    while (cells > 1 && entries() > ENTRIES_MAX * rooms.length) cells >>= 1;
    this.cells = cells;
    this.lists = listsOf(rooms.length, cells * cells, (i, add) => {
      const [west, east, south, north] = spans[i];
      for (let row = this.row(south, cells); row <= this.row(north, cells); row++) {
        for (let column = this.column(west, cells); column <= this.column(east, cells); column++)
          add(row * cells + column);
      }
    });
  }

  /** Adds a weight to each room that contains the point. @param x, y units, fractions allowed @param shares by room */
  addTo(shares: Float64Array, x: number, y: number, weight: number): void {
    if (!isInBox(this.box, x, y)) return;
    const { lists, edges } = this;
    const { first, items } = lists;
    const cell = this.row(y, this.cells) * this.cells + this.column(x, this.cells);
    for (let entry = first[cell], end = first[cell + 1]; entry < end; entry++) {
      const i = items[entry];
      const isIn = x >= edges[4 * i] && x <= edges[4 * i + 1] && y >= edges[4 * i + 2] && y <= edges[4 * i + 3];
      if (isIn && this.contains(i, x, y)) shares[i] += weight;
    }
  }

  private contains(i: number, x: number, y: number): boolean {
    this.bands[i] ??= bandsOf(this.rooms[i].outline, this.edges[4 * i + 2], this.edges[4 * i + 3]);
    const { coordinates, count, first, items } = this.bands[i];
    const band = count === 1 ? 0 : slotOf(y, this.edges[4 * i + 2], this.edges[4 * i + 3], count);
    let isIn = false;
    for (let entry = first[band]; entry < first[band + 1]; entry++)
      if (crosses(coordinates, items[entry], x, y)) isIn = !isIn;
    return isIn;
  }

  private column(x: number, cells: number): number {
    return slotOf(x, this.box.west, this.box.east, cells);
  }

  private row(y: number, cells: number): number {
    return slotOf(y, this.box.south, this.box.north, cells);
  }
}

function bandsOf(outline: Rings, south: number, north: number): Bands {
  const coordinates = new Int32Array(outline.reduce((sum, ring) => sum + ring.length, 0));
  const sides: number[] = [];
  let at = 0;
  for (const ring of outline) {
    coordinates.set(ring, at);
    for (let i = 0; i + 3 < ring.length; i += 2) sides.push(at + i);
    at += ring.length;
  }
  const lowest = (side: number): number => Math.min(coordinates[side + 1], coordinates[side + 3]);
  const highest = (side: number): number => Math.max(coordinates[side + 1], coordinates[side + 3]);
  let count = Math.max(1, Math.min(BANDS_MAX, Math.floor(sides.length / SIDES_OF_BAND)));
  const band = (y: number): number => slotOf(y, south, north, count);
  const entries = (): number => sides.reduce((sum, side) => sum + band(highest(side)) - band(lowest(side)) + 1, 0);
  while (count > 1 && entries() > ENTRIES_MAX * sides.length) count >>= 1;
  const { first, items } = listsOf(sides.length, count, (i, add) => {
    for (let each = band(lowest(sides[i])); each <= band(highest(sides[i])); each++) add(each);
  });
  return { coordinates, count, first, items: items.map(i => sides[i]) };
}

/** In which of `count` equal parts of a range a value lies; rises with the value. */
function slotOf(value: number, from: number, to: number, count: number): number {
  return to > from ? Math.min(count - 1, Math.floor(((value - from) / (to - from)) * count)) : 0;
}

/** @param each calls `add` with every cell that item `i` belongs to */
function listsOf(items: number, cells: number, each: (i: number, add: (cell: number) => void) => void): Lists {
  const first = new Int32Array(cells + 1);
  for (let i = 0; i < items; i++) each(i, cell => first[cell + 1]++);
  for (let cell = 0; cell < cells; cell++) first[cell + 1] += first[cell];
  const next = first.slice();
  const lists = { first, items: new Int32Array(first[cells]) };
  for (let i = 0; i < items; i++) {
    each(i, cell => {
      lists.items[next[cell]++] = i;
    });
  }
  return lists;
}
