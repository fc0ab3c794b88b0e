// Which areas contain a point: bounding boxes first, then the rule of geo/rings.ts. Areas with many edges keep them in
// rows.

import { type Box, boxOf } from '../../geo/box.ts';
import { edgeRowsOf, isInsideRow, rowOf } from '../../geo/edge_rows.ts';
import { isInsideRings } from '../../geo/rings.ts';
import type { ScratchFiles } from '../../tables/environment/scratch_file.ts';
import { BoxTree, packBoxes } from './boxes.ts';
import { NumberList, type SectionWriter, wordsOf, writeNumbers } from './section.ts';
import type { Shapes, ShapesBuilder } from './shapes.ts';

/** An area with fewer edges is tested edge by edge. */
const EDGES_MIN = 32;
/** Words of an item: shape, south, height, first row in `rows`. Its rows end where the next item's begin. */
const WORDS = 4;

/** Collects areas whose rings are in a `ShapesBuilder`. */
export class AreaIndexBuilder {
  private readonly shapes: ShapesBuilder;
  private readonly boxes: NumberList<Int32Array<ArrayBuffer>>;
  private readonly items: NumberList<Int32Array<ArrayBuffer>>;
  /** First edge of each row, in `edges`. */
  private readonly rows: NumberList<Int32Array<ArrayBuffer>>;
  /** Points at which edges begin. */
  private readonly edges: NumberList<Int32Array<ArrayBuffer>>;

  /** @param scratch for many areas; by default they stay in memory */
  constructor(shapes: ShapesBuilder, scratch?: ScratchFiles) {
    this.shapes = shapes;
    this.boxes = new NumberList(Int32Array, scratch);
    this.items = new NumberList(Int32Array, scratch);
    this.rows = new NumberList(Int32Array, scratch);
    this.edges = new NumberList(Int32Array, scratch);
  }

  /** Adds the area that was last added to the shapes. */
  addLast(shape: number): void {
    const { lastRings } = this.shapes;
    const { west, south, east, north } = boxOf(lastRings);
    this.boxes.push(west, south, east, north);
    this.items.push(shape, south, north - south, this.rows.length);
    const points = lastRings.reduce((sum, ring) => sum + ring.length / 2, 0);
    if (points > EDGES_MIN) this.addRows(points, south, north - south);
  }

  /** Writes its sections; no area can be added afterwards. */
  finish(name: string, writer: SectionWriter): void {
    this.items.push(0, 0, 0, this.rows.length);
    this.rows.push(this.edges.length);
    writer.section(`${name}.area-boxes`, packBoxes(this.boxes.length, this.boxes.parts()));
    writeNumbers(writer, `${name}.areas`, this.items.parts());
    writeNumbers(writer, `${name}.area-rows`, this.rows.parts());
    writeNumbers(writer, `${name}.area-edges`, this.edges.parts());
  }

  private addRows(points: number, south: number, height: number): void {
    const { lastRings, lastPoint } = this.shapes;
    const coordinates = new Int32Array(2 * points);
    const starts = new Int32Array(lastRings.length + 1);
    for (const [number, ring] of lastRings.entries()) {
      coordinates.set(ring, 2 * starts[number]);
      starts[number + 1] = starts[number] + ring.length / 2;
    }
    const sorted = edgeRowsOf(coordinates, starts, south, height);
    const before = this.edges.length;
    this.rows.append(sorted.starts.subarray(0, -1).map(start => before + start));
    this.edges.append(sorted.edges.map(point => lastPoint + point));
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
   * The best of the areas that contain a point.
   * @param x longitude, whole units
   * @param y latitude, whole units
   * @param isBetter whether a shape beats the best so far, which is -1 at first; only those that do are tested
   * @returns shape, or -1
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
   * Visits every area that contains a point.
   * @param x longitude, whole units
   * @param y latitude, whole units
   */
  forEachAround(x: number, y: number, visit: (shape: number) => void): void {
    this.boxes.around(x, y, item => {
      if (this.hasInside(item, x, y)) visit(this.items[item * WORDS]);
    });
  }

  /** Visits every area whose box meets a box. @param box units */
  forEachIn(box: Box, visit: (shape: number) => void): void {
    this.boxes.within(box, item => visit(this.items[item * WORDS]));
  }

  private hasInside(item: number, x: number, y: number): boolean {
    const { items, rows, edges, shapes } = this;
    const firstRow = items[item * WORDS + 3];
    const count = items[item * WORDS + WORDS + 3] - firstRow;
    if (count === 0) return isInside(shapes, items[item * WORDS], x, y);
    const row = firstRow + rowOf(y, items[item * WORDS + 1], items[item * WORDS + 2], count);
    return isInsideRow(shapes.coordinates, edges, rows[row], rows[row + 1], x, y);
  }
}

/** True if an area contains a point, decided by all of its edges. */
export function isInside(shapes: Shapes, shape: number, x: number, y: number): boolean {
  return isInsideRings(shapes.coordinates, shapes.rings, shapes.firstRing(shape), shapes.firstRing(shape + 1), x, y);
}
