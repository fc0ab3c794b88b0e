// Boxes in a packed R-tree (flatbush), with two walks of our own through its arrays: all boxes that meet a box
// or a point, and boxes from near to far.

import Flatbush from 'flatbush';
import type { Box } from '../../geo/box.ts';

const BOX_WORDS = 4;

/** Visits boxes from near to far. */
export interface NearVisitor {
  /** Squared distance of the farthest box still wanted. */
  square: number;
  /** Called for an item whose box is no farther; may lower `square`. */
  visit(item: number): void;
}

/**
 * Packs boxes into a tree.
 * @param numbers how many the boxes have
 * @param parts west, south, east, north of each, units; several whole boxes at a time
 * @returns empty if there are no boxes
 */
export function packBoxes(numbers: number, parts: Iterable<Int32Array>): Uint8Array {
  if (numbers === 0) return new Uint8Array(0);
  const tree = new Flatbush(numbers / BOX_WORDS, undefined, Int32Array);
  for (const boxes of parts) {
    for (let at = 0; at < boxes.length; at += BOX_WORDS)
      tree.add(boxes[at], boxes[at + 1], boxes[at + 2], boxes[at + 3]);
  }
  tree.finish();
  return new Uint8Array(tree.data);
}

/** A packed tree in a section. */
export class BoxTree {
  private readonly boxes: Int32Array;
  private readonly indices: Uint16Array | Uint32Array;
  /** End of each level in `boxes`, items first. */
  private readonly ends: readonly number[];
  private readonly nodeWords: number;
  /** Offsets in `boxes` of nodes still to be opened, and the squared distances of their boxes. */
  private readonly stack: Int32Array;
  private readonly squares: Float64Array;

  /** @param bytes of `packBoxes` */
  constructor(bytes: Uint8Array | undefined) {
    const tree = bytes === undefined || bytes.length === 0 ? undefined : Flatbush.from(bytes.buffer, bytes.byteOffset);
    this.boxes = tree === undefined ? new Int32Array(0) : (tree._boxes as Int32Array);
    this.indices = tree === undefined ? new Uint32Array(0) : tree._indices;
    this.ends = tree === undefined ? [] : tree._levelBounds;
    this.nodeWords = (tree?.nodeSize ?? 0) * BOX_WORDS;
    this.stack = new Int32Array(this.ends.length * this.nodeWords + 1);
    this.squares = new Float64Array(this.stack.length);
  }

  /** The box around all boxes; undefined if there are none. */
  get extent(): Box | undefined {
    if (this.boxes.length === 0) return undefined;
    const [west, south, east, north] = this.boxes.subarray(-BOX_WORDS);
    return { west, south, east, north };
  }

  /**
   * Visits boxes that hold all items, each the box of a node with all that is in it, or of an item.
   * @param side boxes of nodes are no wider and no higher
   * @param visit takes a box, and about how many items it holds
   */
  forEachNode(side: number, visit: (box: Box, items: number) => void): void {
    const { boxes, indices } = this;
    const open = boxes.length === 0 ? [] : [boxes.length - BOX_WORDS];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const [west, south, east, north] = boxes.subarray(at, at + BOX_WORDS);
      const level = this.ends.findIndex(end => at! < end);
      if (level === 0 || (east - west <= side && north - south <= side)) {
        visit({ west, south, east, north }, (this.nodeWords / BOX_WORDS) ** level);
        continue;
      }
      const start = indices[at >> 2];
      for (let child = start, end = this.endOf(start); child < end; child += BOX_WORDS) open.push(child);
    }
  }

  /** Visits every item whose box contains the point. */
  around(x: number, y: number, visit: (item: number) => void): void {
    this.within({ west: x, south: y, east: x, north: y }, visit);
  }

  /** Visits every item whose box meets another box. */
  within({ west, south, east, north }: Box, visit: (item: number) => void): void {
    const { boxes, indices, stack } = this;
    if (boxes.length === 0) return;
    let depth = 0;
    stack[depth++] = boxes.length - BOX_WORDS;
    while (depth > 0) {
      const start = stack[--depth];
      const isLeaf = start < this.ends[0];
      for (let at = start, end = this.endOf(start); at < end; at += BOX_WORDS) {
        if (east < boxes[at] || north < boxes[at + 1] || west > boxes[at + 2] || south > boxes[at + 3]) continue;
        if (isLeaf) visit(indices[at >> 2]);
        else stack[depth++] = indices[at >> 2];
      }
    }
  }

  /** Shows a visitor the items it still wants, those in near nodes first. */
  walk(x: number, y: number, visitor: NearVisitor): void {
    const { boxes, indices, stack, squares } = this;
    if (boxes.length === 0) return;
    let depth = 0;
    stack[depth] = boxes.length - BOX_WORDS;
    squares[depth++] = 0;
    while (depth > 0) {
      depth--;
      if (squares[depth] > visitor.square) continue;
      const start = stack[depth];
      const isLeaf = start < this.ends[0];
      const bottom = depth;
      for (let at = start, end = this.endOf(start); at < end; at += BOX_WORDS) {
        const dx = x < boxes[at] ? boxes[at] - x : x > boxes[at + 2] ? x - boxes[at + 2] : 0;
        const dy = y < boxes[at + 1] ? boxes[at + 1] - y : y > boxes[at + 3] ? y - boxes[at + 3] : 0;
        const square = dx * dx + dy * dy;
        if (square > visitor.square) continue;
        if (isLeaf) {
          visitor.visit(indices[at >> 2]);
          continue;
        }
        // Sorted insertion: the nearest of these nodes ends on top of the stack.
        let slot = depth++;
        for (; slot > bottom && squares[slot - 1] < square; slot--) {
          stack[slot] = stack[slot - 1];
          squares[slot] = squares[slot - 1];
        }
        stack[slot] = indices[at >> 2];
        squares[slot] = square;
      }
    }
  }

  private endOf(start: number): number {
    let level = 0;
    while (this.ends[level] <= start) level++;
    return Math.min(start + this.nodeWords, this.ends[level]);
  }
}
