// Which areas a point lies in.
//
// Boxes first, then the even-odd rule: a ray to the east crosses the rings of an area an odd number of times from inside. The arithmetic is exact for edges up
// to nine degrees long, and the rule is half open: an area has its western and southern edges and not its eastern and northern ones. So a point on a common
// border, or on its corner, lies in one of the two neighbours and never in both or none.
//
// Areas of many edges have them in rows of equal height: a ray meets only the edges of its row.

import { BoxTree, packBoxes } from './boxes.ts';
import { NumberList } from './import/number_list.ts';
import { bytesOf, type SectionWriter, wordsOf } from './section.ts';
import type { Shapes, ShapesBuilder } from './shapes.ts';

/** An area with fewer edges is looked through. */
const EDGES_MIN = 32;
const EDGES_PER_ROW = 8;
/** Of an item: shape, south, height, first row (in `rows`; as many rows as up to the next item's). */
const WORDS = 4;

/** Gathers areas whose rings are in a `ShapesBuilder`. */
export class AreaIndexBuilder {
  private readonly shapes: ShapesBuilder;
  private readonly boxes = new NumberList(Int32Array);
  private readonly items = new NumberList(Int32Array);
  /** First edge of each row, in `edges`. */
  private readonly rows = new NumberList(Int32Array);
  /** Points at which edges begin. */
  private readonly edges = new NumberList(Int32Array);

  constructor(shapes: ShapesBuilder) {
    this.shapes = shapes;
  }

  /** Takes the area that was the last one to be added to the shapes. */
  addLast(shape: number): void {
    const coordinates = this.shapes.coordinates.values();
    const first = this.shapes.rings.values()[this.shapes.firstRing(shape)];
    let west = coordinates[2 * first];
    let south = coordinates[2 * first + 1];
    let east = west;
    let north = south;
    for (let at = 2 * first; at < coordinates.length; at += 2) {
      west = Math.min(west, coordinates[at]);
      east = Math.max(east, coordinates[at]);
      south = Math.min(south, coordinates[at + 1]);
      north = Math.max(north, coordinates[at + 1]);
    }
    this.boxes.push(west, south, east, north);
    this.items.push(shape, south, north - south, this.rows.length);
    if (coordinates.length / 2 - first > EDGES_MIN) this.addRows(shape, south, north - south);
  }

  /** Adds its sections; no area can be added afterwards. */
  finish(name: string, writer: SectionWriter): void {
    this.items.push(0, 0, 0, this.rows.length);
    this.rows.push(this.edges.length);
    writer.section(`${name}.area-boxes`, packBoxes(this.boxes.values()));
    writer.section(`${name}.areas`, bytesOf(this.items.values()));
    writer.section(`${name}.area-rows`, bytesOf(this.rows.values()));
    writer.section(`${name}.area-edges`, bytesOf(this.edges.values()));
  }

  /** Sorts the edges of an area into rows, by counting. */
  private addRows(shape: number, south: number, height: number): void {
    const { shapes } = this;
    const coordinates = shapes.coordinates.values();
    const firstRing = shapes.firstRing(shape);
    const count = Math.ceil((coordinates.length / 2 - shapes.rings.values()[firstRing]) / EDGES_PER_ROW);
    const ends = new Int32Array(count + 1);
    const eachRow = (visit: (point: number, row: number) => void) => {
      for (let ring = firstRing; ring < shapes.rings.length; ring++) {
        for (let point = shapes.rings.values()[ring]; point < shapes.ringEnd(ring) - 1; point++) {
          const a = rowOf(coordinates[2 * point + 1], south, height, count);
          const b = rowOf(coordinates[2 * point + 3], south, height, count);
          for (let row = Math.min(a, b); row <= Math.max(a, b); row++) visit(point, row);
        }
      }
    };
    eachRow((_, row) => ends[row + 1]++);
    for (let row = 0; row < count; row++) ends[row + 1] += ends[row];
    const edges = new Int32Array(ends[count]);
    const next = ends.slice();
    eachRow((point, row) => {
      edges[next[row]++] = point;
    });
    for (let row = 0; row < count; row++) this.rows.push(this.edges.length + ends[row]);
    this.edges.append(edges);
  }
}

/** Areas of a layer, over their shapes. */
export class AreaIndex {
  private readonly shapes: Shapes;
  private readonly boxes: BoxTree;
  private readonly items: Int32Array;
  private readonly rows: Int32Array;
  private readonly edges: Int32Array;

  constructor(name: string, sections: ReadonlyMap<string, Uint8Array>, shapes: Shapes) {
    this.shapes = shapes;
    this.boxes = new BoxTree(sections.get(`${name}.area-boxes`));
    this.items = wordsOf(sections, `${name}.areas`);
    this.rows = wordsOf(sections, `${name}.area-rows`);
    this.edges = wordsOf(sections, `${name}.area-edges`);
  }

  /**
   * The best of the areas around a point.
   * @param x longitude, whole units
   * @param y latitude, whole units
   * @param isBetter whether a shape is better than the best so far, -1 for none yet; shapes for which it says no are not looked at
   * @returns shape, -1 for none
   */
  bestAround(x: number, y: number, isBetter: (shape: number, best: number) => boolean): number {
    let best = -1;
    this.boxes.around(x, y, item => {
      const shape = this.items[item * WORDS];
      if (isBetter(shape, best) && this.hasInside(item, x, y)) best = shape;
    });
    return best;
  }

  /**
   * Calls back with every area around a point.
   * @param x longitude, whole units
   * @param y latitude, whole units
   */
  forEachAround(x: number, y: number, visit: (shape: number) => void): void {
    this.boxes.around(x, y, item => {
      if (this.hasInside(item, x, y)) visit(this.items[item * WORDS]);
    });
  }

  private hasInside(item: number, x: number, y: number): boolean {
    const { items, rows, edges, shapes } = this;
    const firstRow = items[item * WORDS + 3];
    const count = items[item * WORDS + WORDS + 3] - firstRow;
    if (count === 0) return isInside(shapes, items[item * WORDS], x, y);
    const row = firstRow + rowOf(y, items[item * WORDS + 1], items[item * WORDS + 2], count);
    let inside = false;
    for (let at = rows[row]; at < rows[row + 1]; at++) if (crosses(shapes.coordinates, edges[at], x, y)) inside = !inside;
    return inside;
  }
}

/** Whether an area has a point inside, by all of its edges. */
export function isInside(shapes: Shapes, shape: number, x: number, y: number): boolean {
  let inside = false;
  for (let ring = shapes.firstRing(shape); ring < shapes.firstRing(shape + 1); ring++) {
    for (let point = shapes.rings[ring]; point < shapes.rings[ring + 1] - 1; point++) {
      if (crosses(shapes.coordinates, point, x, y)) inside = !inside;
    }
  }
  return inside;
}

/** Whether the edge that begins at a point lies to the east. Of its ends the lower one belongs to it. */
function crosses(coordinates: Int32Array, point: number, x: number, y: number): boolean {
  const southA = coordinates[2 * point + 1];
  const southB = coordinates[2 * point + 3];
  if (southA > y === southB > y) return false;
  const westA = coordinates[2 * point];
  const side = (coordinates[2 * point + 2] - westA) * (y - southA) - (x - westA) * (southB - southA);
  return southB > southA ? side > 0 : side < 0;
}

/** Rising with the latitude, so that the row of a point is among those of each edge beside it. */
function rowOf(y: number, south: number, height: number, count: number): number {
  return height === 0 ? 0 : Math.min(count - 1, Math.floor(((y - south) / height) * count));
}
