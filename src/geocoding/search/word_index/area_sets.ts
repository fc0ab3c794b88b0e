// What lies around documents: sets of areas, each once, for neighbours lie in the same.

import { GrowingWords, HashTable, hashOf } from './columns.ts';

const AREAS_MAX = 24;

/** Gathers sets. A set is the place where it begins: its count, then its documents. */
export class AreaSets {
  private readonly words = new GrowingWords();
  private readonly known = new HashTable();

  constructor() {
    this.words.push(0);
  }

  /** Documents of a set, as they came. */
  areas(set: number): number[] {
    return Array.from({ length: this.words.get(set) }, (_, i) => this.words.get(set + 1 + i));
  }

  /** The set of these areas, in their order; those after the 24th are left out. @param documents 0 for none, also several times */
  numberOf(documents: readonly number[]): number {
    const areas = [...new Set(documents)].filter(area => area !== 0).slice(0, AREAS_MAX);
    if (areas.length === 0) return 0;
    const hash = hashOf(areas);
    const known = this.known.get(hash);
    if (known !== 0) return known;
    const set = this.words.length;
    this.words.push(areas.length);
    for (const area of areas) this.words.push(area);
    this.known.set(hash, set);
    return set;
  }

  /** All of them, as a section. */
  toArray(): Uint32Array {
    return this.words.toArray();
  }
}
