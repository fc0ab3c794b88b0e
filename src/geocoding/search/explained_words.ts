// Which words of a query something explains, at which cost, and how they were read: the value from which the penalty of
// a place, the rules that refuse it (answer_rules.ts), what may be mistyped and the explanation follow. Words are masks
// (query_words.ts). Only a search that is recorded has more than masks and costs.

import type { OwnTerms, ReadIn, TokenRead, WordsRead } from './match_record.ts';
import { KIND } from './rank.ts';
import type { Reading } from './terms.ts';

/** Words that a surrounding place explains, and the cost. */
export interface Cover {
  mask: number;
  cost: number;
  /** How they were read. */
  reads: readonly TokenRead[];
}

/** What an area or road explains. */
export interface AreaCover extends Cover {
  /** One of its names was said as a whole. */
  isWhole: boolean;
}

/** What a document itself explains. */
export interface OwnCover {
  mask: number;
  cost: number;
  /** Words that its address explains besides. */
  around: number;
  /** Share of its name that is in the query, 0..1; 1 if it is found by its kind or postcode. */
  said: number;
  /** Of a search that is recorded: what the cost is made of, and how each word was read. */
  terms: OwnTerms;
  reads: readonly WordsRead[];
}

/** What a set of areas explains. */
export interface SetCover extends Cover {
  /** Some of it is explained by an area smaller than a country. */
  isLocal: boolean;
  /** There is a state among the areas, or what is larger, but no country. */
  hasState: boolean;
}

/** No words. */
export const NOTHING: AreaCover = { mask: 0, cost: 0, reads: [], isWhole: false };
export const NO_TERMS: OwnTerms = { readings: 0, unsaid: 0, otherName: 0, kind: 0 };
/** A document of which no name was said. */
export const NAMELESS: OwnCover = { mask: 0, cost: 0, around: 0, said: 1, terms: NO_TERMS, reads: [] };
export const OF_KIND: OwnCover = { ...NAMELESS, cost: KIND, terms: { ...NO_TERMS, kind: KIND } };

/** Words that a place explains as a whole, without a token. */
export function readOutright(mask: number, reading: Reading, readIn: ReadIn): WordsRead {
  return { mask, token: undefined, reading, readIn };
}
