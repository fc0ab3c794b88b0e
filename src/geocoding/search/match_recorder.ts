// Keeps what the matcher does with each document it rates: the terms of its penalty, and how each word was read.

import type { MatchRecord, PenaltyTerms, ReadIn, WordsRead } from './match_record.ts';
import { KIND, UNSAID } from './rank.ts';
import type { Reading } from './terms.ts';

/** Terms of a document's own names. */
type OwnTerms = Pick<PenaltyTerms, 'readings' | 'unsaid' | 'otherName' | 'kind'>;
/** Terms of the rest. */
type OtherTerms = Omit<PenaltyTerms, keyof OwnTerms | 'extract'>;

const NO_TERMS: OwnTerms = { readings: 0, unsaid: 0, otherName: 0, kind: 0 };

/** Keeps what one matcher does. */
export class MatchRecorder {
  /** Of the spelling that is read. */
  private spelling: Omit<WordsRead, 'readIn'>[] = [];
  private own: WordsRead[] = [];
  private besides: WordsRead[] = [];
  private terms = NO_TERMS;
  private readonly ofAreas = new Map<number, WordsRead[]>();
  private readonly ofSets = new Map<number, WordsRead[]>();

  /** A spelling is about to be read. */
  beginSpelling(): void {
    this.spelling = [];
  }

  /** A token of the spelling explains words. */
  read(mask: number, token: number, reading: Reading): void {
    this.spelling.push({ mask, token, reading });
  }

  /** A document's own names are about to be read. @param kindMask words that name its kind */
  beginOwn(kindMask: number): void {
    this.own = readsOfKind(kindMask);
    this.besides = [];
    this.terms = kindMask === 0 ? NO_TERMS : { ...NO_TERMS, kind: KIND };
  }

  /** The spelling is the best of the document so far. */
  bestOwn(kindMask: number, terms: OwnTerms): void {
    this.own = [...readsOfKind(kindMask), ...this.readIn(terms.otherName === 0 ? 'name' : 'otherName')];
    this.terms = terms;
  }

  /** Nothing but a postcode of the document explains words. */
  bestOwnIsPostcode(): void {
    this.terms = { ...NO_TERMS, unsaid: UNSAID };
  }

  /** The spelling is no name of the document, and explains words besides. */
  beside(readIn: ReadIn): void {
    this.besides.push(...this.readIn(readIn));
  }

  /** The spelling is one of a road, area or country. */
  area(area: number): void {
    append(this.ofAreas, area, this.readIn('area'));
  }

  /** An area explains words of the set that it is in. */
  addToSet(set: number, area: number): void {
    append(this.ofSets, set, this.ofAreas.get(area) ?? []);
  }

  /**
   * What is around the document explains words that nothing explained before. @param at document of the road or
   * country, or the set of areas
   */
  surrounding(readIn: 'street' | 'area' | 'country', at: number, cost: number): void {
    const reads = (readIn === 'area' ? this.ofSets : this.ofAreas).get(at) ?? [];
    this.besides.push(...reads.map(read => ({ ...read, readIn })));
    this.terms = { ...this.terms, readings: this.terms.readings + cost };
  }

  /** The record of the document. */
  finish(penalty: number, others: OtherTerms): MatchRecord {
    const reads = [...this.own, ...this.besides];
    return { terms: { ...this.terms, ...others, extract: 0 }, reads, outcome: 'behind', penalty };
  }

  private readIn(readIn: ReadIn): WordsRead[] {
    return this.spelling.map(read => ({ ...read, readIn }));
  }
}

function readsOfKind(mask: number): WordsRead[] {
  return mask === 0 ? [] : [{ mask, token: undefined, reading: 'written', readIn: 'kind' }];
}

function append(reads: Map<number, WordsRead[]>, at: number, more: readonly WordsRead[]): void {
  reads.set(at, [...(reads.get(at) ?? []), ...more]);
}
