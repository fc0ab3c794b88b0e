// The words of a query: which part each belongs to, how much it weighs, and which runs of words may be a house number.
//
// A set of words is a 32-bit mask. Words that are in half of all names (street, saint) weigh less than rare ones,
// numbers less than words, and joining words next to nothing.

import type { SearchParts, SearchQuestion } from './question.ts';
import { NUMBER_WEIGHT, STOP_WORD_WEIGHT, weightByCount } from './rank.ts';
import { type RequiredWords, requiredWords } from './required_words.ts';
import type { SearchIndex } from './word_index/search_index.ts';
import { houseNumberKey } from './words/house_number.ts';
import { HAS_DIGIT, questionWords, type Word } from './words/text.ts';
import { wordsInRole } from './words/vocabulary.ts';

/** Part of a structured query that a word comes from. */
export const FIELD_ANY = 0;
export const FIELD_STREET = 1;
export const FIELD_AREA = 2;
export const FIELD_POSTCODE = 3;
type Field = typeof FIELD_ANY | typeof FIELD_STREET | typeof FIELD_AREA | typeof FIELD_POSTCODE;

/** A word of a query, and its part of a structured query. */
interface ParsedWord extends Word {
  field: Field;
}

/** The words of a query as every layer reads them. */
export interface ParsedQuery {
  words: ParsedWord[];
  /** Longest first. */
  numbers: NumberReading[];
  needs: RequiredWords;
}

/** A word of a query in a layer. */
export interface QueryWord extends ParsedWord {
  /** Its token; -1 if no place of the layer has it. */
  token: number;
  /** 0..1 */
  weight: number;
}

/** A run of words that may be a house number. */
export interface NumberReading {
  /** In the form in which house numbers are compared. */
  key: string;
  mask: number;
}

/**
 * Weights by mask: each mask has one slot, which it shares with others. A slot not yet used says that no words weigh
 * nothing.
 */
interface KnownWeights {
  masks: Int32Array;
  weights: Float64Array;
}

/** The words of a query in a layer. */
export interface QueryWords {
  words: QueryWord[];
  /** Sum of the weights, above 0. */
  weight: number;
  /** Weights of sets of words that were asked for. */
  known: KnownWeights;
  /** Longest first. */
  numbers: NumberReading[];
}

/** Slots of the known weights: few sets of words come up for one query. */
const KNOWN_BITS = 6;
const KNOWN_WEIGHTS = 1 << KNOWN_BITS;
const KNOWN_SHIFT = 32 - KNOWN_BITS;
/** Spreads masks over the slots: 2^32 divided by the golden ratio. */
const GOLDEN = 0x9e3779b1;
/** Bits of a mask; further words are ignored. */
const WORDS_MAX = 30;
const FIELDS: [keyof SearchParts, Field][] = [
  ['amenity', FIELD_STREET],
  ['street', FIELD_STREET],
  ['city', FIELD_AREA],
  ['county', FIELD_AREA],
  ['state', FIELD_AREA],
  ['country', FIELD_AREA],
  ['postalcode', FIELD_POSTCODE],
];
const NUMBER_WORDS_MAX = 4;
const NUMBER_SUFFIX = /^([a-z]|bis|ter|quater|quinquies)$/;
const NUMBER_WORD = /^([0-9]{1,6}[a-z]{0,3}|[a-z]{1,2}[0-9]{1,5}[a-z]?)$/;

/** Weights of words by the number of places that have them, for small numbers. */
const WEIGHTS = Float64Array.from({ length: 4_096 }, (_, count) => weightByCount(count));

/** Reads the words of a query. @param text without coordinates and bracketed kinds */
export function parseQuery(question: SearchQuestion, text: string): ParsedQuery {
  const fielded =
    question.parts === undefined ? [] : FIELDS.flatMap(([part, field]) => fieldWords(question.parts![part], field));
  const words = [...fieldWords(text, FIELD_ANY), ...fielded].slice(0, WORDS_MAX);
  return { words, numbers: numberReadings(words), needs: requiredWords(words, question.isAutocomplete) };
}

/** Finds the words of a query in a layer, and weighs them. */
export function weighWords(index: SearchIndex, { words: read, numbers }: ParsedQuery): QueryWords {
  const words = read.map(word => {
    const token = index.find(word.text);
    return { ...word, token, weight: weightOf(word.text, token < 0 ? 0 : index.count(token)) };
  });
  const known = { masks: new Int32Array(KNOWN_WEIGHTS), weights: new Float64Array(KNOWN_WEIGHTS) };
  return { words, weight: words.reduce((sum, word) => sum + word.weight, 0) || 1, known, numbers };
}

function fieldWords(text: string | undefined, field: Field): ParsedWord[] {
  // Parts of different fields are different parts.
  return text === undefined
    ? []
    : questionWords(text).map(word => ({ ...word, part: word.part * (FIELDS.length + 1) + field, field }));
}

/** The weight of a word. @param count number of places with it in their names */
function weightOf(word: string, count: number): number {
  if (wordsInRole('stop').has(word)) return STOP_WORD_WEIGHT;
  if (HAS_DIGIT.test(word)) return NUMBER_WEIGHT;
  return weightByCount(count);
}

/** Total weight of the words in a mask; bits without a word weigh nothing. */
export function weightIn({ words, known: { masks, weights } }: QueryWords, mask: number): number {
  const slot = Math.imul(mask, GOLDEN) >>> KNOWN_SHIFT;
  if (masks[slot] === mask) return weights[slot];
  let weight = 0;
  for (let left = mask; left !== 0; left &= left - 1) weight += words[31 - Math.clz32(left & -left)]?.weight ?? 0;
  masks[slot] = mask;
  weights[slot] = weight;
  return weight;
}

const stopTokensOf = new WeakMap<SearchIndex, ReadonlySet<number>>();

/** The tokens of joining words in a layer. */
export function stopTokens(index: SearchIndex): ReadonlySet<number> {
  const known = stopTokensOf.get(index);
  if (known !== undefined) return known;
  const tokens = new Set(Array.from(wordsInRole('stop'), word => index.find(word)));
  stopTokensOf.set(index, tokens);
  return tokens;
}

/** The weight of a token in a name. @param joining the layer's tokens of joining words */
export function weightOfToken(index: SearchIndex, joining: ReadonlySet<number>, token: number): number {
  if (joining.has(token)) return STOP_WORD_WEIGHT;
  const count = index.count(token);
  return count < WEIGHTS.length ? WEIGHTS[count] : weightByCount(count);
}

function numberReadings(words: readonly ParsedWord[]): NumberReading[] {
  const readings: NumberReading[] = [];
  for (let length = NUMBER_WORDS_MAX; length >= 1; length--) {
    for (let from = 0; from + length <= words.length; from++) {
      const run = words.slice(from, from + length);
      if (!isNumber(run)) continue;
      readings.push({ key: houseNumberKey(run), mask: ((1 << length) - 1) << from });
    }
  }
  return readings;
}

/** True for numbers with letters before or after them, all in one part. */
function isNumber(run: readonly ParsedWord[]): boolean {
  if (run.some(({ part, field }) => part !== run[0].part || field > FIELD_STREET)) return false;
  return (
    run.some(({ text }) => HAS_DIGIT.test(text)) &&
    run.every(({ text }) => NUMBER_WORD.test(text) || NUMBER_SUFFIX.test(text))
  );
}

/**
 * Runs of words not yet explained, which may be a house's number, such as Block C. @param mask words that are explained
 */
export function unexplainedRuns(words: readonly QueryWord[], mask: number): NumberReading[] {
  const readings: NumberReading[] = [];
  for (let from = 0; from < words.length; from++) {
    let to = from;
    while (to < words.length && (mask & (1 << to)) === 0 && words[to].part === words[from].part) to++;
    if (to === from) continue;
    readings.push({ key: houseNumberKey(words.slice(from, to)), mask: ((1 << (to - from)) - 1) << from });
    from = to - 1;
  }
  return readings;
}
