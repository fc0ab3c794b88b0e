// Assembles rings from the ways of a multipolygon or boundary. Ways come in any order and direction, one ring may be
// split into many ways, and roles are unreliable.
//
// So ways are taken apart into segments between points. A segment that occurs twice is not a border: it lies between
// two inner rings that touch, or the way runs back along it. Both are removed. The rest closes exactly when an even
// number of segments meets at each point. Rings are then walked. Where four or more segments meet, neighbours by
// direction are paired, so that rings touch there and never cross. A ring that returns to one of its own points is
// split in two. A point is inside where an odd number of rings contains it.

import { cutRing } from '../../../geo/antimeridian.ts';
import { depthsOf, signedArea } from '../../../geo/rings.ts';
import { UNITS_PER_DEGREE } from '../../../geo/units.ts';

/**
 * Assembles ways into rings.
 * @param ways longitude, latitude, longitude … of each way, units
 * @returns closed rings whose last point repeats the first, outer ones counter-clockwise and holes clockwise; or a
 *   sentence that says why there are none
 */
export function assembleRings(ways: readonly Int32Array[]): Int32Array[] | string {
  const net = new SegmentNet(ways);
  if (net.segments === 0) return 'Its ways enclose nothing.';
  const open = net.openPoint();
  if (open >= 0) {
    return (
      `Its border is open at ${(net.latitudes[open] / UNITS_PER_DEGREE).toFixed(5)}, ` +
      `${(net.longitudes[open] / UNITS_PER_DEGREE).toFixed(5)}.`
    );
  }
  return oriented(net.rings().flatMap(cutRing));
}

/** Distinct points and the segments between them. */
class SegmentNet {
  segments = 0;
  readonly longitudes: Int32Array;
  readonly latitudes: Int32Array;
  private points = 0;
  /** Ends of segments; the first is complemented if the segment was removed. */
  private readonly from: Int32Array;
  private readonly to: Int32Array;
  /** Hash tables of points and of segments; -1 = free. */
  private readonly pointSlots: Int32Array;
  private readonly segmentSlots: Int32Array;
  /** Segments at each point: those of point p are `ends` from `firstEnd[p]` to `firstEnd[p + 1]`. */
  private firstEnd = new Int32Array(0);
  private ends = new Int32Array(0);

  constructor(ways: readonly Int32Array[]) {
    const size = ways.reduce((sum, way) => sum + way.length / 2, 0);
    const slots = 2 ** Math.ceil(Math.log2(Math.max(size, 1) * 2));
    this.longitudes = new Int32Array(size);
    this.latitudes = new Int32Array(size);
    this.from = new Int32Array(size);
    this.to = new Int32Array(size);
    this.pointSlots = new Int32Array(slots).fill(-1);
    this.segmentSlots = new Int32Array(slots).fill(-1);
    let added = 0;
    for (const way of ways) {
      for (let i = 0, previous = -1; i < way.length; i += 2) {
        const point = this.pointAt(way[i], way[i + 1]);
        if (previous >= 0 && point !== previous) added = this.toggle(previous, point, added);
        previous = point;
      }
    }
    this.index(added);
  }

  /** A point at which an odd number of segments meets; -1 if there is none. */
  openPoint(): number {
    for (let point = 0; point < this.points; point++)
      if ((this.firstEnd[point + 1] - this.firstEnd[point]) % 2 === 1) return point;
    return -1;
  }

  /** Walks every segment once. */
  rings(): Int32Array[] {
    const rings: Int32Array[] = [];
    const isUsed = new Uint8Array(this.from.length);
    /** Position of a point on the path, from 1; 0 = not on it. */
    const onPath = new Int32Array(this.points);
    const path: number[] = [];
    const step = (point: number) => {
      if (onPath[point] > 0) {
        const loop = path.splice(onPath[point] - 1);
        for (const left of loop) onPath[left] = 0;
        rings.push(this.ring(loop));
      }
      path.push(point);
      onPath[point] = path.length;
    };
    for (const first of this.ends) {
      let point = this.from[first];
      for (let segment = first; isUsed[segment] === 0; segment = this.partner(segment, point)) {
        step(point);
        isUsed[segment] = 1;
        point = this.from[segment] === point ? this.to[segment] : this.from[segment];
      }
      // The walk is back where it began.
      if (path.length === 0) continue;
      step(point);
      onPath[point] = 0;
      path.length = 0;
    }
    return rings;
  }

  /** The segment by which a walk leaves the point that another segment led to. */
  private partner(segment: number, point: number): number {
    const first = this.firstEnd[point];
    for (let end = first; ; end++) if (this.ends[end] === segment) return this.ends[first + ((end - first) ^ 1)];
  }

  private ring(points: readonly number[]): Int32Array {
    const ring = new Int32Array((points.length + 1) * 2);
    for (let i = 0; i <= points.length; i++) {
      const point = points[i % points.length];
      ring[i * 2] = this.longitudes[point];
      ring[i * 2 + 1] = this.latitudes[point];
    }
    return ring;
  }

  private pointAt(longitude: number, latitude: number): number {
    const mask = this.pointSlots.length - 1;
    for (let slot = hash(longitude, latitude) & mask; ; slot = (slot + 1) & mask) {
      const point = this.pointSlots[slot];
      if (point >= 0 && (this.longitudes[point] !== longitude || this.latitudes[point] !== latitude)) continue;
      if (point >= 0) return point;
      this.longitudes[this.points] = longitude;
      this.latitudes[this.points] = latitude;
      this.pointSlots[slot] = this.points;
      return this.points++;
    }
  }

  /** Adds a segment, or removes it if it is there. @returns segments added so far */
  private toggle(a: number, b: number, added: number): number {
    const from = Math.min(a, b);
    const to = Math.max(a, b);
    const mask = this.segmentSlots.length - 1;
    let slot = hash(from, to) & mask;
    for (; this.segmentSlots[slot] >= 0; slot = (slot + 1) & mask) {
      const segment = this.segmentSlots[slot];
      // A removed segment keeps its slot, complemented, so that it can come back.
      if (this.from[segment] === from && this.to[segment] === to) {
        this.from[segment] = ~from;
        this.segments--;
        return added;
      }
      if (this.from[segment] === ~from && this.to[segment] === to) {
        this.from[segment] = from;
        this.segments++;
        return added;
      }
    }
    this.segmentSlots[slot] = added;
    this.from[added] = from;
    this.to[added] = to;
    this.segments++;
    return added + 1;
  }

  private index(added: number): void {
    this.firstEnd = new Int32Array(this.points + 1);
    for (let segment = 0; segment < added; segment++) {
      if (this.from[segment] < 0) continue;
      this.firstEnd[this.from[segment]]++;
      this.firstEnd[this.to[segment]]++;
    }
    for (let point = 0, sum = 0; point <= this.points; point++) {
      const count = this.firstEnd[point];
      this.firstEnd[point] = sum;
      sum += count;
    }
    this.ends = new Int32Array(this.segments * 2);
    const next = this.firstEnd.slice();
    for (let segment = 0; segment < added; segment++) {
      if (this.from[segment] < 0) continue;
      this.ends[next[this.from[segment]]++] = segment;
      this.ends[next[this.to[segment]]++] = segment;
    }
    for (let point = 0; point < this.points; point++) {
      if (this.firstEnd[point + 1] - this.firstEnd[point] > 2) this.sortAround(point);
    }
  }

  /** Orders the ends of a point by direction. */
  private sortAround(point: number): void {
    const direction = (segment: number) => {
      const other = this.from[segment] === point ? this.to[segment] : this.from[segment];
      return Math.atan2(this.latitudes[other] - this.latitudes[point], this.longitudes[other] - this.longitudes[point]);
    };
    this.ends.subarray(this.firstEnd[point], this.firstEnd[point + 1]).sort((a, b) => direction(a) - direction(b));
  }
}

function hash(a: number, b: number): number {
  const mixed = Math.imul(Math.imul(a, 0x9e3779b1) ^ b, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

/** Turns outer rings counter-clockwise and holes clockwise, so that signed areas add up. */
function oriented(rings: Int32Array[]): Int32Array[] {
  const depths = depthsOf(rings);
  for (const [number, ring] of rings.entries()) {
    const isHole = depths[number] % 2 === 1;
    if (signedArea(ring) > 0 === isHole) turn(ring);
  }
  return rings;
}

function turn(ring: Int32Array): void {
  for (let i = 0, j = ring.length - 2; i < j; i += 2, j -= 2) {
    [ring[i], ring[i + 1], ring[j], ring[j + 1]] = [ring[j], ring[j + 1], ring[i], ring[i + 1]];
  }
}
