// An area that is tested against many points. Its edges are sorted into rows at the first test.

import { type Box, boxOf, isInBox } from './box.ts';
import { type EdgeRows, edgeRowsOf, isInsideRow, rowOf } from './edge_rows.ts';

export class Polygon implements Box {
  /** Units. */
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  /** None once they are sorted. */
  private rings: readonly Int32Array[];
  private sorted: (EdgeRows & { coordinates: Int32Array }) | undefined;

  /** @param rings closed; pairs, longitude first, in units */
  constructor(rings: readonly Int32Array[]) {
    const { west, south, east, north } = boxOf(rings);
    this.west = west;
    this.south = south;
    this.east = east;
    this.north = north;
    this.rings = rings;
  }

  /** Area of the bounding box, square units. */
  get boxSize(): number {
    return (this.east - this.west) * (this.north - this.south);
  }

  contains(x: number, y: number): boolean {
    if (!isInBox(this, x, y)) return false;
    this.sorted ??= this.sort();
    const { coordinates, edges, starts } = this.sorted;
    const row = rowOf(y, this.south, this.north - this.south, starts.length - 1);
    return isInsideRow(coordinates, edges, starts[row], starts[row + 1], x, y);
  }

  private joined(firsts: Int32Array): Int32Array {
    const coordinates = new Int32Array(2 * firsts[this.rings.length]);
    for (const [ring, points] of this.rings.entries()) coordinates.set(points, 2 * firsts[ring]);
    return coordinates;
  }

  private sort(): EdgeRows & { coordinates: Int32Array } {
    const firsts = new Int32Array(this.rings.length + 1);
    for (const [ring, points] of this.rings.entries()) firsts[ring + 1] = firsts[ring] + points.length / 2;
    const coordinates = this.rings.length === 1 ? this.rings[0] : this.joined(firsts);
    this.rings = [];
    return { coordinates, ...edgeRowsOf(coordinates, firsts, this.south, this.north - this.south) };
  }
}
