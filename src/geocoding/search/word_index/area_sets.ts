// Sets of areas around documents. Each set is stored once, because neighbours share theirs.

import { GrowingWords, HashTable, hashOf } from './columns.ts';

const AREAS_MAX = 24;

/** Collects sets. A set is known by its offset, where its count and then its documents are. */
export class AreaSets {
  private readonly words = new GrowingWords();
  private readonly known = new HashTable();

  constructor() {
    this.words.push(0);
  }

  /** Documents of a set, in their order. */
  areas(set: number): number[] {
    return Array.from({ length: this.words.get(set) }, (_, i) => this.words.get(set + 1 + i));
  }

  /**
   * The set of these areas, in their order; those after the 24th are left out. @param documents may repeat; 0 is
   * ignored
   */
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

  /** All sets, as a section. */
  toArray(): Uint32Array {
    return this.words.toArray();
  }
}
