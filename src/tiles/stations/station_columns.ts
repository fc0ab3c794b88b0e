// Stations in the order of their places (place_order.ts), as columns: 12 bytes each and the bytes of their keys, 18 for
// an access point. They are filled in any order and then sorted in place, by a radix sort that swaps, because at ten
// million stations a copy would take as much memory again. Sorting yields between steps, so that the thread can answer
// others.

import { highOf, lowOf, pointOf, type WorldPoint } from './place_order.ts';

/** Buckets up to this size are sorted by insertion. */
const SMALL = 24;
/** Stations moved in one step: about two milliseconds. */
const STEP_MOVES = 20_000;
const DIGITS = 256;
/** Digits of a number: four in its high half, four in its low one. */
const DEPTH_MAX = 8;

// What is told of a station in 32 bits: the day it was last seen, the source, the samples, and what it is.
const DAY_SHIFT = 16;
const SOURCE_SHIFT = 8;
const SOURCE_MASK = 0xff;
const SAMPLES_SHIFT = 4;
const SAMPLES_MASK = 15;
const UNUSED_BIT = 8;
const RADIO_MASK = 7;
const WORD_MAX = 2 ** 32 - 1;

/** What the index tells of a station. */
export interface AboutStation {
  /** Days since 1970, 0 = unknown. */
  lastSeenDay: number;
  /** Number of the source, 0..255. */
  source: number;
  /** Binary logarithm of its samples, 0..15. */
  logSamples: number;
  /** Lookups use it. */
  isUsed: boolean;
  /** Number of the radio among those of one table of columns, 0..7. */
  radio: number;
}

/** Which stations are looked for; an absent member says nothing. */
export interface StationFilter {
  radio?: number | undefined;
  source?: number | undefined;
  /** Days since 1970: seen on this day or later. */
  seenAfterDay?: number | undefined;
}

/** Stations whose keys have one length. */
export class StationColumns {
  /** Stations in it. */
  count = 0;
  private readonly keyBytes: number;
  private high: Uint32Array;
  private low: Uint32Array;
  private about: Uint32Array;
  private keys: Uint8Array;

  /** @param keyBytes of each station, without what all have in common @param capacity stations that are expected */
  constructor(keyBytes: number, capacity: number) {
    this.keyBytes = keyBytes;
    this.high = new Uint32Array(capacity);
    this.low = new Uint32Array(capacity);
    this.about = new Uint32Array(capacity);
    this.keys = new Uint8Array(capacity * keyBytes);
  }

  /** What it takes of memory. */
  get bytes(): number {
    return this.high.byteLength + this.low.byteLength + this.about.byteLength + this.keys.byteLength;
  }

  /** Adds a station. @param key its bytes begin at `keyAt` */
  add(point: WorldPoint, about: AboutStation, key: Uint8Array, keyAt: number): void {
    if (this.count === this.high.length) this.grow();
    const at = this.count++;
    this.high[at] = highOf(point);
    this.low[at] = lowOf(point);
    this.about[at] =
      (about.lastSeenDay << DAY_SHIFT) |
      (about.source << SOURCE_SHIFT) |
      (about.logSamples << SAMPLES_SHIFT) |
      (about.isUsed ? 0 : UNUSED_BIT) |
      about.radio;
    for (let i = 0; i < this.keyBytes; i++) this.keys[at * this.keyBytes + i] = key[keyAt + i];
  }

  /** Where station `at` is. */
  point(at: number): WorldPoint {
    return pointOf(this.high[at], this.low[at]);
  }

  /** What is told of station `at`. */
  aboutOf(at: number): AboutStation {
    const about = this.about[at];
    return {
      lastSeenDay: about >>> DAY_SHIFT,
      source: (about >>> SOURCE_SHIFT) & SOURCE_MASK,
      logSamples: (about >>> SAMPLES_SHIFT) & SAMPLES_MASK,
      isUsed: (about & UNUSED_BIT) === 0,
      radio: about & RADIO_MASK,
    };
  }

  /** The bytes of station `at`'s key. */
  keyOf(at: number): Uint8Array {
    return this.keys.subarray(at * this.keyBytes, (at + 1) * this.keyBytes);
  }

  /** The first station, in the sorted columns, whose place does not come before a point. */
  firstFrom(point: WorldPoint): number {
    return this.firstNotBefore(highOf(point), lowOf(point), 0);
  }

  /** The first whose place comes after a point. @param from where to begin */
  firstAfter(point: WorldPoint, from = 0): number {
    const [high, low] = [highOf(point), lowOf(point)];
    if (low < WORD_MAX) return this.firstNotBefore(high, low + 1, from);
    return high < WORD_MAX ? this.firstNotBefore(high + 1, 0, from) : this.count;
  }

  /** What is looked for is mostly near, so the reach of the search is doubled before it is halved. */
  private firstNotBefore(high: number, low: number, from: number): number {
    let start = from;
    let end = this.count;
    for (let reach = 1; start + reach < end; reach *= 2) {
      if (this.isBefore(start + reach, high, low)) start += reach;
      else end = start + reach;
    }
    while (start < end) {
      const middle = (start + end) >>> 1;
      if (this.isBefore(middle, high, low)) start = middle + 1;
      else end = middle;
    }
    return start;
  }

  /** How many of some neighbouring stations fit. */
  countFitting(from: number, to: number, filter: StationFilter): number {
    const { mask, bits, day } = testOf(filter);
    if (mask === 0 && day === 0) return to - from;
    const { about } = this;
    let found = 0;
    for (let at = from; at < to; at++) if ((about[at] & mask) === bits && about[at] >>> DAY_SHIFT >= day) found++;
    return found;
  }

  /** Those of some neighbouring stations that fit, at most `limit`. */
  fitting(from: number, to: number, filter: StationFilter, limit: number): number[] {
    const { mask, bits, day } = testOf(filter);
    const found: number[] = [];
    for (let at = from; at < to && found.length < limit; at++)
      if ((this.about[at] & mask) === bits && this.about[at] >>> DAY_SHIFT >= day) found.push(at);
    return found;
  }

  /** Sorts the stations in steps. Nothing is read or added before the last one. */
  *sortInSteps(): Generator<undefined, void, undefined> {
    const ranges: [from: number, to: number, depth: number][] = [[0, this.count, 0]];
    let moves = 0;
    for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
      const [from, to, depth] = range;
      if (to - from <= SMALL) {
        this.sortSmall(from, to);
        moves += to - from;
      } else if (depth < DEPTH_MAX) {
        const starts = this.startsByDigit(from, to, depth);
        for (let digit = 0; digit < DIGITS; digit++)
          if (starts[digit + 1] - starts[digit] > 1) ranges.push([starts[digit], starts[digit + 1], depth + 1]);
        moves += yield* this.partition(starts, depth);
      }
      if (moves < STEP_MOVES) continue;
      moves = 0;
      yield;
    }
  }

  /** Where the stations of each digit will begin. */
  private startsByDigit(from: number, to: number, depth: number): Uint32Array {
    const starts = new Uint32Array(DIGITS + 1);
    const column = depth < 4 ? this.high : this.low;
    const shift = 24 - 8 * (depth & 3);
    for (let at = from; at < to; at++) starts[((column[at] >>> shift) & 255) + 1]++;
    starts[0] = from;
    for (let digit = 0; digit < DIGITS; digit++) starts[digit + 1] += starts[digit];
    return starts;
  }

  /** Brings each station to those of its digit, by swaps (McIlroy, Bostic, McIlroy, 1993). @returns the moves left */
  private *partition(starts: Uint32Array, depth: number): Generator<undefined, number, undefined> {
    const column = depth < 4 ? this.high : this.low;
    const shift = 24 - 8 * (depth & 3);
    const next = starts.slice(0, DIGITS);
    let moves = 0;
    for (let digit = 0; digit < DIGITS; digit++) {
      while (next[digit] < starts[digit + 1]) {
        const at = next[digit];
        const belongs = (column[at] >>> shift) & 255;
        if (belongs === digit) next[digit]++;
        else this.swap(at, next[belongs]++);
        if (++moves < STEP_MOVES) continue;
        moves = 0;
        yield;
      }
    }
    return moves;
  }

  private sortSmall(from: number, to: number): void {
    for (let next = from + 1; next < to; next++)
      for (let at = next; at > from && this.isBefore(at, this.high[at - 1], this.low[at - 1]); at--)
        this.swap(at, at - 1);
  }

  private isBefore(at: number, high: number, low: number): boolean {
    return this.high[at] < high || (this.high[at] === high && this.low[at] < low);
  }

  private swap(a: number, b: number): void {
    const { high, low, about, keys, keyBytes } = this;
    [high[a], high[b]] = [high[b], high[a]];
    [low[a], low[b]] = [low[b], low[a]];
    [about[a], about[b]] = [about[b], about[a]];
    for (let i = a * keyBytes, j = b * keyBytes; i < (a + 1) * keyBytes; i++, j++) {
      const kept = keys[i];
      keys[i] = keys[j];
      keys[j] = kept;
    }
  }

  /** Stations came while they were read. */
  private grow(): void {
    const capacity = Math.ceil(this.count * 1.25) + 1_024;
    const larger = (column: Uint32Array): Uint32Array => {
      const copy = new Uint32Array(capacity);
      copy.set(column);
      return copy;
    };
    this.high = larger(this.high);
    this.low = larger(this.low);
    this.about = larger(this.about);
    const keys = new Uint8Array(capacity * this.keyBytes);
    keys.set(this.keys);
    this.keys = keys;
  }
}

/** The bits to compare, what they must be, and the earliest day. */
function testOf({ radio, source, seenAfterDay = 0 }: StationFilter): { mask: number; bits: number; day: number } {
  return {
    mask: (radio === undefined ? 0 : RADIO_MASK) | (source === undefined ? 0 : SOURCE_MASK << SOURCE_SHIFT),
    bits: (radio ?? 0) | ((source ?? 0) << SOURCE_SHIFT),
    day: seenAfterDay,
  };
}
