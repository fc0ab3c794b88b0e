// The reference points of a candidate, and how they become fewer. Two points of the most represented contributor are
// merged: the two whose union loses least (Ward's criterion). So the points that say least go first, whatever their
// age, and nobody can push out what others have seen.

import { wrapE7 } from '../geo/angle.ts';
import { isCell } from '../radio/kind.ts';
import { type Heard, type ReferencePoint, SLOT_OTHERS } from '../tables/stations/learned_record.ts';
import { RADIANS_PER_E7 } from './middle.ts';

/** Other cells remembered at a point: those heard most often. */
export const HEARD_LIMIT = 8;

/** Merges points until `limit` are left. There are more points than slots. */
export function thinPoints(points: ReferencePoint[], limit: number, kind: number): void {
  const pairs = new Pairs(points);
  for (let left = points.length; left > limit; left--) pairs.mergeNearest(kind);
  points.splice(0, points.length, ...pairs.left());
}

/** Points, each with the later one of its slot with which its union loses least. */
class Pairs {
  private readonly points: readonly ReferencePoint[];
  private readonly cosine: number;
  private readonly meridianE7: number;
  private readonly north: Float64Array;
  private readonly east: Float64Array;
  /** By point: the other one, -1 = none; and what the union loses. */
  private readonly partner: Int32Array;
  private readonly loss: Float64Array;
  /** By point: its slot, -1 = merged into another. */
  private readonly slot: Int32Array;
  private readonly countBySlot = new Array<number>(SLOT_OTHERS + 1).fill(0);

  constructor(points: readonly ReferencePoint[]) {
    const count = points.length;
    this.points = points;
    this.meridianE7 = points[0].longitudeE7;
    this.cosine = Math.cos(points[0].latitudeE7 * RADIANS_PER_E7);
    this.north = new Float64Array(count);
    this.east = new Float64Array(count);
    this.partner = new Int32Array(count);
    this.loss = new Float64Array(count);
    this.slot = Int32Array.from(points, ({ slot }) => slot);
    for (let p = 0; p < count; p++) {
      this.place(p);
      this.countBySlot[this.slot[p]]++;
    }
    for (let p = 0; p < count; p++) this.pair(p);
  }

  /** Merges the two points of the most represented slot whose union loses least. */
  mergeNearest(kind: number): void {
    const { points, partner, loss, slot, countBySlot } = this;
    const common = countBySlot.indexOf(Math.max(...countBySlot));
    let first = -1;
    for (let p = 0; p < slot.length; p++) if (slot[p] === common && (first < 0 || loss[p] < loss[first])) first = p;
    const second = partner[first];
    unite(points[first], points[second], kind);
    slot[second] = -1;
    countBySlot[common]--;
    this.place(first);
    this.pair(first);
    for (let p = 0; p < second; p++) {
      if (slot[p] !== common || p === first) continue;
      if (partner[p] === first || partner[p] === second) this.pair(p);
      else if (p < first) this.compare(p, first);
    }
  }

  /** The points that were not merged into another, in their order. */
  left(): ReferencePoint[] {
    return this.points.filter((_, p) => this.slot[p] >= 0);
  }

  private place(p: number): void {
    this.north[p] = this.points[p].latitudeE7;
    this.east[p] = wrapE7(this.points[p].longitudeE7 - this.meridianE7);
  }

  private pair(p: number): void {
    const { slot } = this;
    this.partner[p] = -1;
    this.loss[p] = Number.POSITIVE_INFINITY;
    for (let other = p + 1; other < slot.length; other++) if (slot[other] === slot[p]) this.compare(p, other);
  }

  /** Takes another point as the partner of a point if their union loses less than with the present one. */
  private compare(p: number, other: number): void {
    const { points, north, east, cosine, partner, loss } = this;
    const { weight } = points[p];
    const otherWeight = points[other].weight;
    const dy = north[other] - north[p];
    const dx = (east[other] - east[p]) * cosine;
    const lost = ((weight * otherWeight) / (weight + otherWeight)) * (dy * dy + dx * dx);
    if (lost > loss[p] || (lost === loss[p] && other > partner[p])) return;
    loss[p] = lost;
    partner[p] = other;
  }
}

/**
 * Merges `other` into `point` by weighted means. The level of an access point is that of the mean amplitude, which
 * tells its distance; the level of a cell is the mean of the levels, with which the next reading is compared.
 */
export function unite(point: ReferencePoint, other: ReferencePoint, kind: number): void {
  const weight = point.weight + other.weight;
  const share = other.weight / weight;
  point.latitudeE7 = Math.round(point.latitudeE7 + share * (other.latitudeE7 - point.latitudeE7));
  point.longitudeE7 = wrapE7(Math.round(point.longitudeE7 + share * wrapE7(other.longitudeE7 - point.longitudeE7)));
  point.levelDbm = Math.fround(
    isCell(kind)
      ? point.levelDbm + share * (other.levelDbm - point.levelDbm)
      : 20 * Math.log10(amplitudeOf(point.levelDbm) * (1 - share) + amplitudeOf(other.levelDbm) * share),
  );
  point.weight = Math.fround(weight);
  mergeNeighbours(point, other);
  point.count = Math.min(point.count + other.count, 65_535);
  point.lastDay = Math.max(point.lastDay, other.lastDay);
}

/** Merges the other cells heard: their levels are means by count, and the most frequent cells stay. */
function mergeNeighbours({ heard }: ReferencePoint, other: ReferencePoint): void {
  for (const own of other.heard) {
    let known: Heard | undefined;
    for (const one of heard) if (one.neighbour === own.neighbour) known = one;
    if (known === undefined) {
      heard.push(own);
      continue;
    }
    known.levelE2 = Math.round((known.levelE2 * known.count + own.levelE2 * own.count) / (known.count + own.count));
    known.count = Math.min(known.count + own.count, 65_535);
  }
  if (heard.length <= HEARD_LIMIT) return;
  heard.sort((a, b) => b.count - a.count || b.levelE2 - a.levelE2 || a.neighbour - b.neighbour);
  heard.length = HEARD_LIMIT;
}

/** Amplitude of a level, relative to 0 dBm. */
export function amplitudeOf(levelDbm: number): number {
  return 10 ** (levelDbm / 20);
}
