// The tokens of an index that a word may mean, whatever stands around it.

import type { SearchIndex } from './word_index/search_index.ts';
import { ordinalForms, ordinalValue } from './words/ordinals.ts';
import { foldedOnce, HAS_DIGIT } from './words/text.ts';
import { otherSpellings } from './words/vocabulary.ts';

/** A number that is more likely that of a house than one of a name, and a letter: 2, 2a, V. */
const HOUSE_NUMBER = /^([0-9]+[a-z]?|[a-z])$/;
/** Words, and runs of them, whose tokens are kept for an index. */
const KNOWN_WORDS_MAX = 10_000;

/** What a word may mean, in any layer. */
export interface WordReadings {
  text: string;
  spellings: readonly string[];
  /** The number that it says. */
  ordinal: number | undefined;
  isWeak: boolean;
  /** A code as folders have it that were imported when ae and its like were one letter in codes, too. */
  folded: string | undefined;
}

/** The tokens of an index that a word may mean. */
export interface WordTokens {
  /** The word itself; -1 if no place has it. */
  written: number;
  spellings: readonly number[];
  /** Other forms of the number that it says. */
  numbers: readonly number[];
  isWeak: boolean;
  /** A code as folders have it that were imported when ae and its like were one letter in codes, too; -1 for none. */
  folded: number;
}

const knownReadings = new Map<string, WordReadings>();

/** What a word may mean. That of many words is kept: some are in every other query. */
export function readingsOf(text: string): WordReadings {
  const known = knownReadings.get(text);
  if (known !== undefined) return known;
  const folded = HAS_DIGIT.test(text) ? foldedOnce(text) : text;
  const readings = {
    text,
    spellings: otherSpellings(text),
    ordinal: ordinalValue(text),
    isWeak: HOUSE_NUMBER.test(text),
    folded: folded === text ? undefined : folded,
  };
  if (knownReadings.size >= KNOWN_WORDS_MAX) knownReadings.clear();
  knownReadings.set(text, readings);
  return readings;
}

const knownTokens = new WeakMap<SearchIndex, Map<string, WordTokens>>();

/** The tokens that words may mean, which are kept as well. @returns finds those of a word */
export function tokensOf(index: SearchIndex): (word: WordReadings) => WordTokens {
  const known = knownTokens.get(index) ?? new Map<string, WordTokens>();
  knownTokens.set(index, known);
  return word => {
    let tokens = known.get(word.text);
    if (tokens === undefined) {
      tokens = findTokens(index, word);
      if (known.size >= KNOWN_WORDS_MAX) known.clear();
      known.set(word.text, tokens);
    }
    return tokens;
  };
}

function findTokens(index: SearchIndex, { text, spellings, ordinal, isWeak, folded }: WordReadings): WordTokens {
  const find = (texts: readonly string[]) => texts.map(each => index.find(each)).filter(token => token >= 0);
  return {
    written: index.find(text),
    spellings: find(spellings),
    numbers: ordinal === undefined ? [] : find(ordinalForms(ordinal)),
    isWeak,
    folded: folded === undefined ? -1 : index.find(folded),
  };
}
