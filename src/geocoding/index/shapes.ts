// Lines and areas of a layer, with all coordinates in one array: roads, outlines of houses, municipalities.
//
// A shape is eight words: place, parent, traits (traits.ts), link (the word of a house number, or the class of a road
// (road_class.ts)), centroid, size, first ring. Its rings end where the next shape's begin, and a ring's points end
// where the next ring's begin. A line is one ring that is not closed.

import { type Geometry, signedArea } from '../../geo/rings.ts';
import { unitsOf } from '../../geo/units.ts';
import type { ScratchFiles } from '../../tables/environment/scratch_file.ts';
import type { Place } from '../../tables/places/place.ts';
import { NumberList, type SectionWriter, wordsOf, writeNumbers } from './section.ts';

const WORDS = 8;

/** Collects shapes. */
export class ShapesBuilder {
  /** The rings of the shape added last, and its first point. */
  lastRings: readonly Int32Array[] = [];
  lastPoint = 0;
  private readonly rings: NumberList<Int32Array<ArrayBuffer>>;
  private readonly coordinates: NumberList<Int32Array<ArrayBuffer>>;
  private readonly table: NumberList<Int32Array<ArrayBuffer>>;

  /** @param scratch for many shapes; by default they stay in memory */
  constructor(scratch?: ScratchFiles) {
    this.rings = new NumberList(Int32Array, scratch);
    this.coordinates = new NumberList(Int32Array, scratch);
    this.table = new NumberList(Int32Array, scratch);
  }

  /** Adds a shape. @returns its number */
  add(id: number, place: Place, geometry: Geometry, traits: number, link: number): number {
    const x = unitsOf(place.longitude);
    const y = unitsOf(place.latitude);
    const rings =
      geometry.kind === 'area'
        ? geometry.rings
        : [geometry.kind === 'line' ? geometry.coordinates : Int32Array.of(x, y)];
    const shape = this.table.length / WORDS;
    this.table.append(
      Int32Array.of(
        id,
        place.parent,
        traits,
        link,
        x,
        y,
        geometry.kind === 'area' ? sideOf(rings) : 0,
        this.rings.length,
      ),
    );
    this.lastRings = rings;
    this.lastPoint = this.coordinates.length / 2;
    for (const ring of rings) {
      this.rings.push(this.coordinates.length / 2);
      this.coordinates.append(ring);
    }
    return shape;
  }

  /** Writes its sections; no shape can be added afterwards. */
  finish(name: string, writer: SectionWriter): void {
    this.table.push(0, 0, 0, 0, 0, 0, 0, this.rings.length);
    this.rings.push(this.coordinates.length / 2);
    writeNumbers(writer, `${name}.shapes`, this.table.parts());
    writeNumbers(writer, `${name}.rings`, this.rings.parts());
    writeNumbers(writer, `${name}.coordinates`, this.coordinates.parts());
  }
}

/** Side of a square with the total area of the rings, units, to compare areas by. Holes are counted in. */
function sideOf(rings: readonly Int32Array[]): number {
  return Math.sqrt(rings.reduce((sum, ring) => sum + Math.abs(signedArea(ring)), 0));
}

/** Shapes by number. */
export class Shapes {
  /** Pairs, longitude first, units. */
  readonly coordinates: Int32Array;
  /** First point of each ring. */
  readonly rings: Int32Array;
  private readonly table: Int32Array;

  constructor(name: string, sections: ReadonlyMap<string, Uint8Array>) {
    this.table = wordsOf(sections, `${name}.shapes`);
    this.rings = wordsOf(sections, `${name}.rings`);
    this.coordinates = wordsOf(sections, `${name}.coordinates`);
  }

  /** The shape of a place, or -1. Shapes are in the order of their places. */
  of(place: number): number {
    let first = 0;
    let end = this.table.length / WORDS - 1;
    while (first < end) {
      const middle = (first + end) >> 1;
      if (this.id(middle) < place) first = middle + 1;
      else end = middle;
    }
    return this.id(first) === place ? first : -1;
  }

  /** The rings of a shape, as views. */
  ringsOf(shape: number): Int32Array[] {
    const { coordinates, rings } = this;
    return Array.from({ length: this.firstRing(shape + 1) - this.firstRing(shape) }, (_, i) => {
      const ring = this.firstRing(shape) + i;
      return coordinates.subarray(2 * rings[ring], 2 * rings[ring + 1]);
    });
  }

  id(shape: number): number {
    return this.table[shape * WORDS];
  }

  parent(shape: number): number {
    return this.table[shape * WORDS + 1];
  }

  traits(shape: number): number {
    return this.table[shape * WORDS + 2];
  }

  link(shape: number): number {
    return this.table[shape * WORDS + 3];
  }

  x(shape: number): number {
    return this.table[shape * WORDS + 4];
  }

  y(shape: number): number {
    return this.table[shape * WORDS + 5];
  }

  size(shape: number): number {
    return this.table[shape * WORDS + 6] >>> 0;
  }

  /** First of its rings; they end where the next shape's begin. */
  firstRing(shape: number): number {
    return this.table[shape * WORDS + 7];
  }
}
