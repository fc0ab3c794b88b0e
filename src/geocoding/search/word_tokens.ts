// The tokens of an index that a word may mean, whatever stands around it.

import type { SearchIndex } from './word_index/search_index.ts';
import { ordinalForms, ordinalValue } from './words/ordinals.ts';
import { foldedOnce, HAS_DIGIT } from './words/text.ts';
import { otherSpellings } from './words/vocabulary.ts';

/** A number that is more likely that of a house than one of a name, and a letter: 2, 2a, V. */
const HOUSE_NUMBER = /^([0-9]+[a-z]?|[a-z])$/;
/** Words, and runs of them, whose tokens are kept for an index. */
const KNOWN_WORDS_MAX = 10_000;

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

const knownTokens = new WeakMap<SearchIndex, Map<string, WordTokens>>();

/** The tokens that a word may mean. Those of many words are kept: some are in every other query. */
export function tokensOf(index: SearchIndex, word: string): WordTokens {
  let known = knownTokens.get(index);
  if (known === undefined) {
    known = new Map();
    knownTokens.set(index, known);
  }
  let tokens = known.get(word);
  if (tokens === undefined) {
    tokens = findTokens(index, word);
    if (known.size >= KNOWN_WORDS_MAX) known.clear();
    known.set(word, tokens);
  }
  return tokens;
}

function findTokens(index: SearchIndex, word: string): WordTokens {
  const find = (texts: readonly string[]) => texts.map(text => index.find(text)).filter(token => token >= 0);
  const value = ordinalValue(word);
  const folded = HAS_DIGIT.test(word) ? foldedOnce(word) : word;
  return {
    written: index.find(word),
    spellings: find(otherSpellings(word)),
    numbers: value === undefined ? [] : find(ordinalForms(value)),
    isWeak: HOUSE_NUMBER.test(word),
    folded: folded === word ? -1 : index.find(folded),
  };
}
