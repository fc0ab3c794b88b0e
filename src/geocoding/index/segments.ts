// Distances to lines: roads, outlines of houses, lines of interpolated house numbers.
//
// A line is cut into runs of a few segments, each with a box in a packed tree. The search visits near boxes first and
// measures to each segment of a run, so the distance is exact however long the line is.

import { type Box, boxOf } from '../../geo/box.ts';
import { measure, type NearPoint } from '../../geo/line.ts';
import { turnOf } from '../../geo/plane.ts';
import type { ScratchFiles } from '../../tables/environment/scratch_file.ts';
import { BoxTree, type NearVisitor, packBoxes } from './boxes.ts';
import { NumberList, type SectionWriter, wordsOf, writeNumbers } from './section.ts';
import type { Shapes, ShapesBuilder } from './shapes.ts';

const SEGMENTS_PER_RUN = 8;
/** Words of a run: shape, first point, last point. */
const WORDS = 3;

/** Collects runs of shapes that are in a `ShapesBuilder`. */
export class SegmentIndexBuilder {
  private readonly shapes: ShapesBuilder;
  private readonly boxes: NumberList<Int32Array<ArrayBuffer>>;
  private readonly runs: NumberList<Int32Array<ArrayBuffer>>;

  /** @param scratch for many shapes; by default they stay in memory */
  constructor(shapes: ShapesBuilder, scratch?: ScratchFiles) {
    this.shapes = shapes;
    this.boxes = new NumberList(Int32Array, scratch);
    this.runs = new NumberList(Int32Array, scratch);
  }

  /** Adds the shape that was last added to the shapes. */
  addLast(shape: number): void {
    let start = this.shapes.lastPoint;
    for (const ring of this.shapes.lastRings) {
      const last = ring.length / 2 - 1;
      let first = 0;
      do {
        const end = Math.min(last, first + SEGMENTS_PER_RUN);
        const { west, south, east, north } = boxOf([ring.subarray(2 * first, 2 * end + 2)]);
        this.boxes.push(west, south, east, north);
        this.runs.push(shape, start + first, start + end);
        first = end;
      } while (first < last);
      start += last + 1;
    }
  }

  /** Writes its sections. */
  finish(name: string, writer: SectionWriter): void {
    writer.section(`${name}.run-boxes`, packBoxes(this.boxes.length, this.boxes.parts()));
    writeNumbers(writer, `${name}.runs`, this.runs.parts());
  }
}

/** Lines of a layer, over their shapes. */
export class SegmentIndex {
  /** Nearest point of the shape that the last search found. */
  readonly near: NearPoint = { square: 0, x: 0, y: 0, point: 0, share: 0 };
  private readonly shapes: Shapes;
  private readonly boxes: BoxTree;
  private readonly runs: Int32Array;
  private readonly tried: NearPoint = { square: 0, x: 0, y: 0, point: 0, share: 0 };

  constructor(name: string, sections: ReadonlyMap<string, Uint8Array>, shapes: Shapes) {
    this.shapes = shapes;
    this.boxes = new BoxTree(sections.get(`${name}.run-boxes`));
    this.runs = wordsOf(sections, `${name}.runs`);
  }

  /**
   * The shape whose line is nearest; if several are equally near, the one with the lowest id.
   * @param x longitude, units
   * @param y latitude, units
   * @param limit greatest distance, units
   * @param roles the shape must have one of these
   * @param accept may reject shapes; called only for shapes no farther than the last accepted
   * @returns shape, or -1; `near` is the point on it
   */
  nearest(x: number, y: number, limit: number, roles: number, accept?: (shape: number) => boolean): number {
    const { shapes, runs, tried } = this;
    let found = -1;
    let from = x;
    const visitor: NearVisitor = {
      square: limit * limit,
      visit: run => {
        const shape = runs[run * WORDS];
        if ((shapes.traits(shape) & roles) === 0) return;
        measure(shapes.coordinates, runs[run * WORDS + 1], runs[run * WORDS + 2], from, y, tried);
        if (tried.square > visitor.square) return;
        if (tried.square === visitor.square && found >= 0 && shapes.id(shape) >= shapes.id(found)) return;
        if (accept !== undefined && !accept(shape)) return;
        found = shape;
        visitor.square = tried.square;
        Object.assign(this.near, tried);
      },
    };
    this.boxes.walk(from, y, visitor);
    const turn = turnOf(x, limit);
    if (turn !== 0) {
      from = x + turn;
      this.boxes.walk(from, y, visitor);
    }
    return found;
  }

  /** Visits every shape that has a piece in a box, once. @param box units @param roles it must have one of these */
  forEachIn(box: Box, roles: number, visit: (shape: number) => void): void {
    const seen = new Set<number>();
    this.boxes.within(box, run => {
      const shape = this.runs[run * WORDS];
      if ((this.shapes.traits(shape) & roles) === 0 || seen.has(shape)) return;
      seen.add(shape);
      visit(shape);
    });
  }

  /** Visits boxes that hold all lines (boxes.ts). @param side units */
  forEachNode(side: number, visit: (box: Box, items: number) => void): void {
    this.boxes.forEachNode(side, visit);
  }

  /** The box around all lines, units; undefined if there are none. */
  get extent(): Box | undefined {
    return this.boxes.extent;
  }

  /**
   * Shows the pieces of lines in boxes within reach, those in near boxes first.
   * @param x longitude, units
   * @param y latitude, units
   * @param reach units
   * @param visit takes the shape of a piece and vectors from the point to both of its ends, units; false ends the
   *   search
   */
  around(
    x: number,
    y: number,
    reach: number,
    visit: (shape: number, fromX: number, fromY: number, toX: number, toY: number) => boolean,
  ): void {
    const { runs } = this;
    const { coordinates } = this.shapes;
    const walk = (from: number): void => {
      const visitor: NearVisitor = {
        square: reach * reach,
        visit: run => {
          const shape = runs[run * WORDS];
          const end = 2 * runs[run * WORDS + 2];
          for (let at = 2 * runs[run * WORDS + 1]; at < end && visitor.square >= 0; at += 2) {
            const goesOn = visit(
              shape,
              coordinates[at] - from,
              coordinates[at + 1] - y,
              coordinates[at + 2] - from,
              coordinates[at + 3] - y,
            );
            if (!goesOn) visitor.square = -1;
          }
        },
      };
      this.boxes.walk(from, y, visitor);
    };
    walk(x);
    const turn = turnOf(x, reach);
    if (turn !== 0) walk(x + turn);
  }
}

/** Distance to the lines of a shape, units. */
export function distanceToLines(shapes: Shapes, shape: number, x: number, y: number): number {
  const near: NearPoint = { square: 0, x: 0, y: 0, point: 0, share: 0 };
  let square = Number.POSITIVE_INFINITY;
  for (let ring = shapes.firstRing(shape); ring < shapes.firstRing(shape + 1); ring++) {
    measure(shapes.coordinates, shapes.rings[ring], shapes.rings[ring + 1] - 1, x, y, near);
    square = Math.min(square, near.square);
  }
  return Math.sqrt(square);
}
