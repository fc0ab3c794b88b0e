// The tokens of an index that a word may mean, whatever stands around it.

import type { SearchIndex } from './word_index/search_index.ts';
import { ordinalForms, ordinalValue } from './words/ordinals.ts';
import { foldedOnce, HAS_DIGIT } from './words/text.ts';
import { otherSpellings } from './words/vocabulary.ts';

/** A number that is more likely that of a house than one of a name, and a letter: 2, 2a, V. */
const HOUSE_NUMBER = /^([0-9]+[a-z]?|[a-z])$/;
/** Letters of the longest code of an area. */
const CODE_LENGTH_MAX = 3;
/** Words whose readings and tokens are kept. */
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
  /** Its tokens, by number of the index that was asked. */
  tokens: WordTokens[];
}

const NO_TOKENS: readonly number[] = [];

/** The tokens of an index that a word may mean. */
export interface WordTokens {
  /** The word itself; -1 if no place has it. */
  written: number;
  spellings: readonly number[];
  /** Those of the spellings that may be codes of areas. */
  codes: readonly number[];
  /** Other forms of the number that it says. */
  numbers: readonly number[];
  isWeak: boolean;
  /** A code as folders have it that were imported when ae and its like were one letter in codes, too; -1 for none. */
  folded: number;
}

const knownWords = new Map<string, WordReadings>();
/** Apart from words, which recur more often. */
const knownJoined = new Map<string, WordReadings>();

/** What a word may mean. That of many words is kept: some are in every other query. */
export function readingsOf(text: string): WordReadings {
  return knownWords.get(text) ?? keep(knownWords, readingsOfNew(text, HAS_DIGIT.test(text)));
}

/** What several words may mean, read as one. @param hasDigit one of them has a digit */
export function readingsOfJoined(text: string, hasDigit: boolean): WordReadings {
  return knownJoined.get(text) ?? keep(knownJoined, readingsOfNew(text, hasDigit));
}

function keep(known: Map<string, WordReadings>, readings: WordReadings): WordReadings {
  if (known.size >= KNOWN_WORDS_MAX) known.clear();
  known.set(readings.text, readings);
  return readings;
}

function readingsOfNew(text: string, hasDigit: boolean): WordReadings {
  const folded = hasDigit ? foldedOnce(text) : text;
  return {
    text,
    spellings: otherSpellings(text),
    ordinal: ordinalValue(text),
    isWeak: (hasDigit || text.length === 1) && HOUSE_NUMBER.test(text),
    folded: folded === text ? undefined : folded,
    tokens: [],
  };
}

/** The tokens of an index that a word may mean. */
export function tokensOf(index: SearchIndex, word: WordReadings): WordTokens {
  const known = word.tokens[index.number];
  if (known !== undefined) return known;
  const tokens = findTokens(index, word);
  word.tokens[index.number] = tokens;
  return tokens;
}

function findTokens(index: SearchIndex, { text, spellings, ordinal, isWeak, folded }: WordReadings): WordTokens {
  return {
    written: index.find(text),
    spellings: tokensOfAll(index, spellings),
    codes: tokensOfAll(
      index,
      spellings.filter(({ length }) => length <= CODE_LENGTH_MAX),
    ),
    numbers: ordinal === undefined ? NO_TOKENS : tokensOfAll(index, ordinalForms(ordinal)),
    isWeak,
    folded: folded === undefined ? -1 : index.find(folded),
  };
}

/** The tokens of those words that some place has. */
function tokensOfAll(index: SearchIndex, words: readonly string[]): readonly number[] {
  if (words.length === 0) return NO_TOKENS;
  return words.map(word => index.find(word)).filter(token => token >= 0);
}
