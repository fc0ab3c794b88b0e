// What a place costs in a search, and what became of it. It goes with the place from its match to its hit, if somebody
// asks for an explanation of the search (search_record.ts); the code that decides writes it.

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

/** Words of the query, and how they were read. */
export interface TokenRead {
  /** Words of the query. */
  mask: number;
  /** Token of the layer; undefined for a kind, a house number and a name that the layer does not have. */
  token: number | undefined;
  reading: Reading;
}

/** The same, with the part of a place that explains them. */
export interface WordsRead extends TokenRead {
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

/** Terms of what a document itself explains. */
export type OwnTerms = Pick<PenaltyTerms, 'readings' | 'unsaid' | 'otherName' | 'kind'>;

/** The record of a place that has been rated. */
export function recordOf(
  penalty: number,
  terms: Omit<PenaltyTerms, 'extract' | 'otherTown'>,
  reads: WordsRead[],
): MatchRecord {
  return { terms: { ...terms, otherTown: 0, extract: 0 }, reads, outcome: 'behind', penalty };
}
