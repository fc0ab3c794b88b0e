// The words of a query: which part each belongs to, what it says and how much it weighs.
//
// A set of words is a 32-bit mask. Words that are in half of all names (street, saint) weigh less than rare ones,
// numbers less than words, and joining words and what belongs to a number (Nr., Top 5) next to nothing.

import type { SearchParts, SearchQuestion } from './question.ts';
import { NUMBER_WEIGHT, STOP_WORD_WEIGHT, weightByCount } from './rank.ts';
import { type RequiredWords, requiredWords } from './required_words.ts';
import type { SearchIndex } from './word_index/search_index.ts';
import { readingsOf, readingsOfJoined, tokensOf, type WordReadings, type WordTokens } from './word_tokens.ts';
import { type AddressWords, addressWords } from './words/address_words.ts';
import { type AreaName, areaNames } from './words/area_names.ts';
import { type KindWords, kindWords } from './words/kind_words.ts';
import { type NumberReading, numberReadings } from './words/number_readings.ts';
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
  /** What it may mean, and what it may together with the next word, and the next two, read as one. */
  runs: readonly WordReadings[];
}

/** The words of a query as every layer reads them. */
export interface ParsedQuery {
  words: ParsedWord[];
  /** What they say besides names. */
  address: AddressWords;
  /** In the order in which they are tried. */
  numbers: NumberReading[];
  areaNames: AreaName[];
  kinds: KindWords[];
  needs: RequiredWords;
}

/** A word of a query in a layer. */
export interface QueryWord extends ParsedWord {
  /** Its token; -1 if no place of the layer has it. */
  token: number;
  /** Those that each of its runs may mean. */
  tokens: readonly WordTokens[];
  /** 0..1 */
  weight: number;
}

/**
 * Weights by mask: each mask has one slot, which it shares with others. A slot not yet used says that no words weigh
 * nothing.
 */
interface KnownWeights {
  masks: number[];
  weights: number[];
}

/** The words of a query in a layer. */
export interface QueryWords extends ParsedQuery {
  words: QueryWord[];
  /** Sum of the weights, above 0. */
  weight: number;
  /** Weights of sets of words that were asked for. */
  known: KnownWeights;
}

/** Slots of the known weights: few sets of words come up for one query. */
const KNOWN_BITS = 5;
const KNOWN_WEIGHTS = 1 << KNOWN_BITS;
const KNOWN_SHIFT = 32 - KNOWN_BITS;
/** Spreads masks over the slots: 2^32 divided by the golden ratio. */
const GOLDEN = 0x9e3779b1;
/** Bits of a mask; further words are ignored. */
const WORDS_MAX = 30;
/** Words that may be written as one. */
const JOINED_WORDS_MAX = 3;
const FIELDS: [keyof SearchParts, Field][] = [
  ['amenity', FIELD_STREET],
  ['street', FIELD_STREET],
  ['city', FIELD_AREA],
  ['county', FIELD_AREA],
  ['state', FIELD_AREA],
  ['country', FIELD_AREA],
  ['postalcode', FIELD_POSTCODE],
];
/** Weights of words by the number of places that have them, for small numbers. */
const WEIGHTS = Float64Array.from({ length: 4_096 }, (_, count) => weightByCount(count));

/** Reads the words of a query. @param text without coordinates and bracketed kinds */
export function parseQuery(question: SearchQuestion, text: string): ParsedQuery {
  const fielded =
    question.parts === undefined ? [] : FIELDS.flatMap(([part, field]) => fieldWords(question.parts![part], field));
  const words = withRuns([...fieldWords(text, FIELD_ANY), ...fielded].slice(0, WORDS_MAX));
  const address = addressWords(words, at => words[at].field <= FIELD_STREET);
  const numbers = numberReadings(words, address, at => words[at].field <= FIELD_STREET);
  const names = areaNames(words, at => words[at].field === FIELD_ANY || words[at].field === FIELD_AREA);
  const kinds = kindWords(words, at => words[at].field <= FIELD_STREET);
  const needs = requiredWords(words, question.isAutocomplete, address);
  return { words, address, numbers, areaNames: names, kinds, needs };
}

/** Finds the words of a query in a layer, and weighs them. */
export function weighWords(index: SearchIndex, query: ParsedQuery): QueryWords {
  const { address, numbers, areaNames, kinds, needs } = query;
  const words = query.words.map((word, at) => {
    const tokens = word.runs.map(run => tokensOf(index, run));
    const token = tokens[0].written;
    // Of what says nothing but that something is a street nothing is missed where no place has it.
    const isAnd = token < 0 && wordsInRole('and').has(word.text);
    const besides =
      address.besideNumber | address.endings | (token < 0 ? address.besideName : 0) | (isAnd ? 1 << at : 0);
    const weight =
      (besides & (1 << at)) !== 0 ? STOP_WORD_WEIGHT : weightOf(word.text, token < 0 ? 0 : index.count(token));
    return { ...word, token, tokens, weight };
  });
  const known = { masks: new Array<number>(KNOWN_WEIGHTS).fill(0), weights: new Array<number>(KNOWN_WEIGHTS).fill(0) };
  const weight = words.reduce((sum, word) => sum + word.weight, 0) || 1;
  return { words, weight, known, address, numbers, areaNames, kinds, needs };
}

/** Joined texts are made once for all layers: each looks them up. */
function withRuns(words: readonly Omit<ParsedWord, 'runs'>[]): ParsedWord[] {
  return words.map((word, at) => {
    const runs = [readingsOf(word.text)];
    let joined = word.text;
    let hasDigit = HAS_DIGIT.test(joined);
    for (let next = at + 1; next < at + JOINED_WORDS_MAX && words[next]?.part === word.part; next++) {
      const { text } = words[next];
      joined += text;
      hasDigit ||= HAS_DIGIT.test(text);
      runs.push(readingsOfJoined(joined, hasDigit));
    }
    return { ...word, runs };
  });
}

function fieldWords(text: string | undefined, field: Field): Omit<ParsedWord, 'runs'>[] {
  // Parts of different fields are different parts.
  return text === undefined
    ? []
    : questionWords(text).map(({ text, typed, written, part, glue, isCut }) => ({
        text,
        typed,
        written,
        part: part * (FIELDS.length + 1) + field,
        glue,
        isCut,
        field,
      }));
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

const stopTokensOf = new WeakMap<SearchIndex, Uint32Array>();

/** A bit for each token of a layer: those of joining words have it set. */
export function stopTokens(index: SearchIndex): Uint32Array {
  let bits = stopTokensOf.get(index);
  if (bits !== undefined) return bits;
  bits = new Uint32Array(Math.ceil(index.tokens / 32));
  for (const word of wordsInRole('stop')) {
    const token = index.find(word);
    if (token >= 0) bits[token >>> 5] |= 1 << token;
  }
  stopTokensOf.set(index, bits);
  return bits;
}

/** The weight of a token in a name. @param joining of `stopTokens` */
export function weightOfToken(index: SearchIndex, joining: Uint32Array, token: number): number {
  if ((joining[token >>> 5] & (1 << token)) !== 0) return STOP_WORD_WEIGHT;
  const count = index.count(token);
  return count < WEIGHTS.length ? WEIGHTS[count] : weightByCount(count);
}
