// The radios of a scan that a map knows: virtual networks of one radio as one with their mean level, each with a weight
// by its age. The columns are reused from scan to scan.

import type { Scan } from './fingerprint.ts';
import { isLevel } from './places.ts';
import { strengthOf } from './strength.ts';

/** A reading of this age counts e times less: the device has moved on. */
const AGE_MS = 6_000;

/** The radios of the last scan read, as a map knows them. */
export class ScanRadios {
  /** Radios in the columns. */
  count = 0;
  /** Share of the scan that the map knows, by strength: 0..1. */
  share = 0;
  /** Index of the radio in the map. */
  readonly index: Int32Array;
  /** Mean level of its networks. */
  readonly levelDbm: Float64Array;
  /** 0..1, by the age of the youngest reading. */
  readonly weight: Float64Array;
  private readonly radio: Float64Array;
  private readonly networks: Int32Array;
  /** Where each radio of the map stands in the columns, plus one; 0 where it was not heard. */
  private readonly column: Int32Array;

  /** @param radio the numbers that the map knows, ascending */
  constructor(radio: Float64Array) {
    this.radio = radio;
    this.index = new Int32Array(radio.length);
    this.levelDbm = new Float64Array(radio.length);
    this.weight = new Float64Array(radio.length);
    this.networks = new Int32Array(radio.length);
    this.column = new Int32Array(radio.length);
  }

  /** Reads a scan. Readings that cannot be are ignored. */
  read({ count, radio, levelDbm, ageMs }: Scan): void {
    this.count = 0;
    let known = 0;
    let all = 0;
    for (let i = 0; i < count; i++) {
      if (!isLevel(levelDbm[i])) continue;
      const strength = strengthOf(levelDbm[i]);
      all += strength;
      const r = indexOf(this.radio, radio[i]);
      if (r < 0) continue;
      known += strength;
      this.add(r, levelDbm[i], ageMs[i] > 0 ? Math.exp(-ageMs[i] / AGE_MS) : 1);
    }
    for (let h = 0; h < this.count; h++) {
      this.levelDbm[h] /= this.networks[h];
      this.column[this.index[h]] = 0;
    }
    this.share = all > 0 ? known / all : 0;
  }

  /** Sum of the strengths, weighted. @param offsetDb added to each level */
  strength(offsetDb: number): number {
    let sum = 0;
    for (let h = 0; h < this.count; h++) sum += this.weight[h] * strengthOf(this.levelDbm[h] + offsetDb);
    return sum;
  }

  /** Sum of the weights: how many radios there would be, were all of them heard just now. */
  fresh(): number {
    let sum = 0;
    for (let h = 0; h < this.count; h++) sum += this.weight[h];
    return sum;
  }

  private add(r: number, levelDbm: number, weight: number): void {
    let h = this.column[r] - 1;
    if (h < 0) {
      h = this.count++;
      this.column[r] = this.count;
      this.index[h] = r;
      this.levelDbm[h] = 0;
      this.networks[h] = 0;
      this.weight[h] = 0;
    }
    this.levelDbm[h] += levelDbm;
    this.networks[h]++;
    if (weight > this.weight[h]) this.weight[h] = weight;
  }
}

/** Binary search. @returns -1 if the number is not there */
function indexOf(sorted: Float64Array, number: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] === number) return middle;
    if (sorted[middle] < number) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
