// What a place costs in a search, and what became of it. It goes with the place from its match to its hit, if somebody
// asks for an explanation of the search (search_record.ts); the code that decides writes it.

import { KIND, UNSAID } from './rank.ts';
import type { Reading } from './terms.ts';

/** The terms of a penalty (rank.ts). */
export const TERMS = [
  'unexplained',
  'unsaid',
  'otherName',
  'kind',
  'readings',
  'notNamed',
  'otherTown',
  'wholeName',
  'importance',
  'away',
  'outside',
  'extract',
] as const;

/** The terms of a penalty, as rank.ts has them: their sum is the penalty. What a place is worth is negative. */
export type PenaltyTerms = Record<(typeof TERMS)[number], number>;

/** The parts of a place that explain words of the query. */
export const READ_IN = ['name', 'otherName', 'kind', 'postcode', 'street', 'area', 'country', 'houseNumber'] as const;
/** One of them. */
export type ReadIn = (typeof READ_IN)[number];

/** Words of the query that a place explains, and how they were read. */
interface WordsRead {
  /** Words of the query. */
  mask: number;
  /** Token of the layer; undefined for a kind, a house number and a name that the layer does not have. */
  token: number | undefined;
  reading: Reading;
  readIn: ReadIn;
}

/**
 * What became of a place that was rated:
 *
 *   answered          it is in the answer
 *   wordsLeft         it leaves words unexplained that it must explain (answer_rules.ts)
 *   nameUnsaid        too little of its name was said for words that are mistyped
 *   otherLetters      short words in other letters than ours, in which it has no name
 *   noHouse           short words may be mistyped only in the address of a house
 *   behind            far behind the best (`BEHIND_MAX` of rank.ts)
 *   outsideView       only the view was wanted
 *   samePlace         a better one of the same name and surroundings is close by
 *   inExtract         of the gazetteer; the extract has the country around it (merge_hits.ts)
 *   samePlaceInExtract  of the gazetteer; the extract's own of the same name took its better penalty, if it was better
 *   limit             more were found than wanted
 */
export const OUTCOMES = [
  'answered',
  'wordsLeft',
  'nameUnsaid',
  'otherLetters',
  'noHouse',
  'behind',
  'outsideView',
  'samePlace',
  'inExtract',
  'samePlaceInExtract',
  'limit',
] as const;
/** One of them. */
export type Outcome = (typeof OUTCOMES)[number];

/** What goes with a place that was rated. */
export interface MatchRecord {
  terms: PenaltyTerms;
  reads: WordsRead[];
  outcome: Outcome;
  /** That by which it was ordered last. */
  penalty: number;
  /** It is a place of the extract, and has the penalty of the gazetteer's. */
  isRankOfGazetteer?: boolean;
}

/** Notes what became of a place, where that is recorded. */
export function noteOutcome(record: MatchRecord | undefined, outcome: Outcome): void {
  if (record !== undefined) record.outcome = outcome;
}

/** Notes what a place in another town costs, where that is recorded. @param penalty with that cost */
export function noteOtherTown(record: MatchRecord | undefined, otherTown: number, penalty: number): void {
  if (record !== undefined) Object.assign(record, { penalty, terms: { ...record.terms, otherTown } });
}

/**
 * Notes that a street became a house on it, where that is recorded: the names that were read are those of its street.
 */
export function noteHouse(record: MatchRecord | undefined): void {
  if (record === undefined) return;
  record.reads = record.reads.map(read =>
    read.readIn === 'name' || read.readIn === 'otherName' ? { ...read, readIn: 'street' } : read,
  );
}

/** Terms of a document's own names. */
type OwnTerms = Pick<PenaltyTerms, 'readings' | 'unsaid' | 'otherName' | 'kind'>;
/** Terms of the rest. */
type OtherTerms = Omit<PenaltyTerms, keyof OwnTerms | 'extract' | 'otherTown'>;

const NO_TERMS: OwnTerms = { readings: 0, unsaid: 0, otherName: 0, kind: 0 };

/** Keeps what one matcher does with each document it rates: the terms of its penalty, and how each word was read. */
export class MatchRecorder {
  /** Of the spelling that is read. */
  private spelling: Omit<WordsRead, 'readIn'>[] = [];
  private own: WordsRead[] = [];
  private surroundingReads: WordsRead[] = [];
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
    this.surroundingReads = [];
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
  alsoReadIn(readIn: ReadIn): void {
    this.surroundingReads.push(...this.readIn(readIn));
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
    this.surroundingReads.push(...reads.map(read => ({ ...read, readIn })));
    this.terms = { ...this.terms, readings: this.terms.readings + cost };
  }

  /** The document is a country that words name in a way that the layer does not know. */
  ownCountry(mask: number): void {
    this.own = [{ mask, token: undefined, reading: 'countryName', readIn: 'otherName' }];
  }

  /** The same of the country around documents. */
  countryName(country: number, mask: number): void {
    append(this.ofAreas, country, [{ mask, token: undefined, reading: 'countryName', readIn: 'country' }]);
  }

  /** Words name a state of the document's country, of which the layer has no area. */
  inSubdivision(mask: number, cost: number): void {
    this.surroundingReads.push({ mask, token: undefined, reading: 'subdivision', readIn: 'area' });
    this.terms = { ...this.terms, readings: this.terms.readings + cost };
  }

  /** The record of the document. */
  finish(penalty: number, others: OtherTerms): MatchRecord {
    const reads = [...this.own, ...this.surroundingReads];
    return { terms: { ...this.terms, ...others, otherTown: 0, extract: 0 }, reads, outcome: 'behind', penalty };
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
