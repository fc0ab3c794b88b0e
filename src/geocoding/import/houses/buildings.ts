// Buildings with a house number: what stands in one and has no number takes its address. Only those are kept in which
// something may stand: of a country one in some tens.

import Flatbush from 'flatbush';
import KDBush from 'kdbush';
import { boxOf } from '../../../geo/box.ts';
import { type Geometry, isInsideRings, linesOf } from '../../../geo/rings.ts';
import type { Place } from '../../../tables/places/place.ts';
import { NumberList } from '../../index/section.ts';

type OfPlace = 'houseNumber' | 'houseName' | 'street' | 'streetAsWritten' | 'postcode' | 'town' | 'parent' | 'rows';
type PartOfTown = 'quarter' | 'neighbourhood' | 'cityBlock';

/** The address of a building. */
export interface BuildingAddress extends Pick<Place, OfPlace | PartOfTown> {
  /** Match key of the street or place that it names; empty if it names none. */
  streetKey: string;
}

const BOX_NUMBERS = 4;

/** Collects buildings, then finds the one around a point. All shapes are in one array. */
export class Buildings {
  private readonly addresses: BuildingAddress[] = [];
  private readonly boxes = new NumberList(Int32Array);
  private readonly coordinates = new NumberList(Int32Array);
  /** First point of each ring, and first ring of each building; both lists end with the end. */
  private readonly ringStarts = new NumberList(Uint32Array);
  private readonly firstRings = new NumberList(Uint32Array);
  private readonly occupants: KDBush | undefined;
  private index: Flatbush | undefined;

  /** @param occupants what has no house number of its own: pairs of positions, longitude first, units */
  constructor(occupants: Int32Array) {
    if (occupants.length === 0) return;
    this.occupants = new KDBush(occupants.length / 2, undefined, Int32Array);
    for (let i = 0; i < occupants.length; i += 2) this.occupants.add(occupants[i], occupants[i + 1]);
    this.occupants.finish();
  }

  /** Adds a building, if something may be in it. @param addressOf called for its address only then */
  add(rings: readonly Int32Array[], addressOf: () => BuildingAddress): void {
    const { west, south, east, north } = boxOf(rings);
    if (this.occupants === undefined || this.occupants.range(west, south, east, north).length === 0) return;
    this.addresses.push(addressOf());
    this.boxes.push(west, south, east, north);
    this.firstRings.push(this.ringStarts.length);
    for (const ring of rings) {
      this.ringStarts.push(this.coordinates.length / 2);
      this.coordinates.append(ring);
    }
  }

  /** Builds the lookup. No building can be added afterwards. */
  finish(): void {
    this.firstRings.push(this.ringStarts.length);
    this.ringStarts.push(this.coordinates.length / 2);
    if (this.addresses.length === 0) return;
    const boxes = this.boxes.values();
    this.index = new Flatbush(this.addresses.length, 16, Int32Array);
    for (let i = 0; i < boxes.length; i += BOX_NUMBERS)
      this.index.add(boxes[i], boxes[i + 1], boxes[i + 2], boxes[i + 3]);
    this.index.finish();
  }

  /**
   * The address of the smallest building around an object.
   * @param x longitude of its centre, units
   * @param geometry the building's box contains all of it: a campus is in none of its buildings, even if its centre is
   */
  around(x: number, y: number, geometry: Geometry): BuildingAddress | undefined {
    const boxes = this.boxes.values();
    const own = geometry.kind === 'point' ? { west: x, south: y, east: x, north: y } : boxOf(linesOf(geometry));
    let smallest: BuildingAddress | undefined;
    let smallestSize = Infinity;
    for (const i of this.index?.search(x, y, x, y) ?? []) {
      const box = i * BOX_NUMBERS;
      const size = (boxes[box + 2] - boxes[box]) * (boxes[box + 3] - boxes[box + 1]);
      const isLarger =
        own.west >= boxes[box] &&
        own.south >= boxes[box + 1] &&
        own.east <= boxes[box + 2] &&
        own.north <= boxes[box + 3];
      if (size >= smallestSize || !isLarger || !this.contains(i, x, y)) continue;
      smallest = this.addresses[i];
      smallestSize = size;
    }
    return smallest;
  }

  private contains(building: number, x: number, y: number): boolean {
    const firstRings = this.firstRings.values();
    return isInsideRings(
      this.coordinates.values(),
      this.ringStarts.values(),
      firstRings[building],
      firstRings[building + 1],
      x,
      y,
    );
  }
}
