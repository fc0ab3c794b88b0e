// Points in the order of a k-d tree (kdbush), with a nearest-neighbour search of our own.
//
// The middle point of a range splits it, by longitude and latitude in turn; short ranges are scanned. The search goes
// down the nearer side first and keeps the other on a stack, with the least distance that a point there can have. It
// allocates nothing.
//
// Each point also has four words: place, parent, traits (traits.ts), and a link, which is the word of a house node's
// number or the shape whose centroid the point is.

import KDBush from 'kdbush';
import type { Box } from '../../geo/box.ts';
import { turnOf } from '../../geo/plane.ts';
import type { ScratchFiles } from '../../tables/environment/scratch_file.ts';
import { NumberList, type SectionWriter, wordsOf, writeNumbers } from './section.ts';

/** Ranges of at most this many points are scanned. Builder and search must agree. */
const LEAF_POINTS = 8;
/** More levels than a tree of 2^32 points has. */
const DEPTH_MAX = 40;
const WORDS = 4;
/** Points whose words are put in order at a time: 64 MB. */
const PART_POINTS = 2 ** 22;

/** Collects points. */
export class PointIndexBuilder {
  private readonly coordinates: NumberList<Int32Array<ArrayBuffer>>;
  private readonly words: NumberList<Int32Array<ArrayBuffer>>;

  /** @param scratch for many points; by default they stay in memory */
  constructor(scratch?: ScratchFiles) {
    this.coordinates = new NumberList(Int32Array, scratch);
    this.words = new NumberList(Int32Array, scratch);
  }

  /** @param x longitude, units; @param y latitude, units */
  add(x: number, y: number, id: number, parent: number, traits: number, link: number): void {
    this.coordinates.push(x, y);
    this.words.push(id, parent, traits, link);
  }

  /** Writes its sections, `<name>.points` and `<name>.items`. */
  finish(name: string, writer: SectionWriter): void {
    const count = this.coordinates.length / 2;
    const tree = new KDBush(count, LEAF_POINTS, Int32Array);
    for (const part of this.coordinates.parts())
      for (let i = 0; i < part.length; i += 2) tree.add(part[i], part[i + 1]);
    tree.finish();
    const sorted = tree.coords;
    writer.section(`${name}.points`, new Uint8Array(sorted.buffer, sorted.byteOffset, sorted.byteLength));
    writeNumbers(writer, `${name}.items`, this.inOrder(tree.ids));
  }

  /**
   * The words of the points in another order: the list is read once for each part of it.
   * @param ids of the points in that order
   */
  private *inOrder(ids: ArrayLike<number>): Generator<Int32Array> {
    const places = new Uint32Array(ids.length);
    for (let i = 0; i < ids.length; i++) places[ids[i]] = i;
    const ordered = new Int32Array(Math.min(PART_POINTS, ids.length) * WORDS);
    for (let first = 0; first < ids.length; first += PART_POINTS) {
      const count = Math.min(PART_POINTS, ids.length - first);
      let id = 0;
      for (const part of this.words.parts()) {
        for (let at = 0; at < part.length; at += WORDS, id++) {
          const to = (places[id] - first) * WORDS;
          if (to < 0 || to >= count * WORDS) continue;
          for (let word = 0; word < WORDS; word++) ordered[to + word] = part[at + word];
        }
      }
      yield ordered.subarray(0, count * WORDS);
    }
  }
}

/** Points of a layer. An item is the index of a point in the tree's order. */
export class PointIndex {
  /** Distance of the last point found, units. */
  distance = 0;
  private readonly coordinates: Int32Array;
  private readonly words: Int32Array;
  private readonly ranges = new Int32Array(DEPTH_MAX * 3);
  private readonly offsets = new Float64Array(DEPTH_MAX * 2);
  private found = -1;
  private square = 0;

  constructor(name: string, sections: ReadonlyMap<string, Uint8Array>) {
    this.coordinates = wordsOf(sections, `${name}.points`);
    this.words = wordsOf(sections, `${name}.items`);
  }

  x(item: number): number {
    return this.coordinates[2 * item];
  }

  y(item: number): number {
    return this.coordinates[2 * item + 1];
  }

  id(item: number): number {
    return this.words[item * WORDS];
  }

  parent(item: number): number {
    return this.words[item * WORDS + 1];
  }

  traits(item: number): number {
    return this.words[item * WORDS + 2];
  }

  link(item: number): number {
    return this.words[item * WORDS + 3];
  }

  /**
   * The nearest point; if several are equally near, the one with the lowest id.
   * @param x longitude, units, within the ends of the plane
   * @param y latitude, units
   * @param scale length of a unit of longitude in units of latitude
   * @param limit greatest distance, units
   * @param roles the point must have one of these; 0 = any point
   * @param accept may reject points; called only for points no farther than the last accepted; must not search this
   *   index
   * @returns item, or -1; `distance` is its distance
   */
  nearest(
    x: number,
    y: number,
    scale: number,
    limit: number,
    roles: number,
    accept?: (item: number) => boolean,
  ): number {
    this.found = -1;
    this.square = limit * limit;
    this.descend(x, y, scale, roles, accept);
    const turn = turnOf(x, limit / scale);
    if (turn !== 0) this.descend(x + turn, y, scale, roles, accept);
    this.distance = Math.sqrt(this.square);
    return this.found;
  }

  /** Visits every point in a box, in the order of the tree. @param box units */
  forEachIn({ west, south, east, north }: Box, visit: (item: number) => void): void {
    const { coordinates } = this;
    const ranges = [0, (coordinates.length >> 1) - 1, 0];
    const offer = (item: number): void => {
      const [x, y] = [coordinates[2 * item], coordinates[2 * item + 1]];
      if (x >= west && x <= east && y >= south && y <= north) visit(item);
    };
    while (ranges.length > 0) {
      const axis = ranges.pop()!;
      const right = ranges.pop()!;
      const left = ranges.pop()!;
      if (right - left <= LEAF_POINTS) {
        for (let i = left; i <= right; i++) offer(i);
        continue;
      }
      const middle = (left + right) >> 1;
      offer(middle);
      const at = coordinates[2 * middle + axis];
      if ((axis === 0 ? east : north) >= at) ranges.push(middle + 1, right, 1 - axis);
      if ((axis === 0 ? west : south) <= at) ranges.push(left, middle - 1, 1 - axis);
    }
  }

  private descend(
    x: number,
    y: number,
    scale: number,
    roles: number,
    accept: ((item: number) => boolean) | undefined,
  ): void {
    const { coordinates, ranges, offsets } = this;
    let depth = 1;
    ranges[0] = 0;
    ranges[1] = (coordinates.length >> 1) - 1;
    ranges[2] = 0;
    offsets[0] = 0;
    offsets[1] = 0;
    while (depth > 0) {
      depth--;
      const offsetX = offsets[2 * depth];
      const offsetY = offsets[2 * depth + 1];
      if (offsetX * offsetX + offsetY * offsetY > this.square) continue;
      const left = ranges[3 * depth];
      const right = ranges[3 * depth + 1];
      if (right - left <= LEAF_POINTS) {
        for (let i = left; i <= right; i++) {
          const dx = (coordinates[2 * i] - x) * scale;
          const dy = coordinates[2 * i + 1] - y;
          const square = dx * dx + dy * dy;
          if (square <= this.square) this.offer(i, square, roles, accept);
        }
        continue;
      }
      const axis = ranges[3 * depth + 2];
      const middle = (left + right) >> 1;
      const dx = (coordinates[2 * middle] - x) * scale;
      const dy = coordinates[2 * middle + 1] - y;
      const square = dx * dx + dy * dy;
      if (square <= this.square) this.offer(middle, square, roles, accept);
      const beyond = axis === 0 ? dx : dy;
      // The farther side goes under the nearer one on the stack.
      ranges[3 * depth] = beyond > 0 ? middle + 1 : left;
      ranges[3 * depth + 1] = beyond > 0 ? right : middle - 1;
      ranges[3 * depth + 2] = 1 - axis;
      offsets[2 * depth] = axis === 0 ? beyond : offsetX;
      offsets[2 * depth + 1] = axis === 0 ? offsetY : beyond;
      depth++;
      ranges[3 * depth] = beyond > 0 ? left : middle + 1;
      ranges[3 * depth + 1] = beyond > 0 ? middle - 1 : right;
      ranges[3 * depth + 2] = 1 - axis;
      offsets[2 * depth] = offsetX;
      offsets[2 * depth + 1] = offsetY;
      depth++;
    }
  }

  private offer(item: number, square: number, roles: number, accept: ((item: number) => boolean) | undefined): void {
    if (square === this.square && this.found >= 0 && this.id(item) >= this.id(this.found)) return;
    if (roles !== 0 && (this.traits(item) & roles) === 0) return;
    if (accept !== undefined && !accept(item)) return;
    this.found = item;
    this.square = square;
  }
}
