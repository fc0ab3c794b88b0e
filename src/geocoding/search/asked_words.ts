// The words of a query: which part each belongs to, how much it weighs, and which runs of words may be a house number.
//
// A set of words is a 32-bit mask. Words that are in half of all names (street, saint) weigh less than rare ones, numbers less than words, and joining words
// next to nothing.

import type { SearchParts, SearchQuestion } from './question.ts';
import type { SearchIndex } from './word_index/search_index.ts';
import { houseNumberKey } from './words/house_number.ts';
import { questionWords, type Word } from './words/text.ts';

/** Part of a structured query that a word comes from. */
export const FIELD_ANY = 0;
export const FIELD_STREET = 1;
export const FIELD_AREA = 2;
export const FIELD_POSTCODE = 3;
type Field = typeof FIELD_ANY | typeof FIELD_STREET | typeof FIELD_AREA | typeof FIELD_POSTCODE;

/** A word of a query. */
export interface AskedWord extends Word {
  field: Field;
  /** 0..1 */
  weight: number;
}

/** A run of words that may be a house number. */
export interface NumberReading {
  /** In the form in which house numbers are compared. */
  key: string;
  mask: number;
}

/** The words of a query. */
export interface AskedWords {
  words: AskedWord[];
  /** Sum of the weights, above 0. */
  weight: number;
  /** Longest first. */
  numbers: NumberReading[];
}

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
const JOINING = new Set(
  'in im at on near by the of and de du des la le les l d am an bei beim der die das von zu a au aux da del della di il ta el y e'.split(
    ' ',
  ),
);
const JOINING_WEIGHT = 0.15;
const NUMBER_WEIGHT = 0.5;
const HAS_DIGIT = /[0-9]/;
const NUMBER_WORDS_MAX = 4;
const NUMBER_SUFFIX = /^([a-z]|bis|ter|quater|quinquies)$/;
const NUMBER_WORD = /^([0-9]{1,6}[a-z]{0,3}|[a-z]{1,2}[0-9]{1,5}[a-z]?)$/;

/** The words of a query. @param text without coordinates and bracketed kinds */
export function askedWords(index: SearchIndex, question: SearchQuestion, text: string): AskedWords {
  const fielded = question.parts === undefined ? [] : FIELDS.flatMap(([part, field]) => fieldWords(question.parts![part], field));
  const plain = [...fieldWords(text, FIELD_ANY), ...fielded].slice(0, WORDS_MAX);
  const words = plain.map(word => ({ ...word, weight: weightOf(word.text, countOf(index, word.text)) }));
  return { words, weight: words.reduce((sum, word) => sum + word.weight, 0) || 1, numbers: numberReadings(words) };
}

function fieldWords(text: string | undefined, field: Field): Omit<AskedWord, 'weight'>[] {
  // Parts of different fields are different parts.
  return text === undefined ? [] : questionWords(text).map(word => ({ ...word, part: word.part * (FIELDS.length + 1) + field, field }));
}

function countOf(index: SearchIndex, word: string): number {
  const token = index.find(word);
  return token < 0 ? 0 : index.count(token);
}

/** The weight of a word. @param count number of places with it in their names */
export function weightOf(word: string, count: number): number {
  if (JOINING.has(word)) return JOINING_WEIGHT;
  if (HAS_DIGIT.test(word)) return NUMBER_WEIGHT;
  return 1 / (1 + Math.log10(1 + count) / 3);
}

/** Total weight of the words in a mask. */
export function weightIn(words: readonly AskedWord[], mask: number): number {
  let weight = 0;
  for (let i = 0; i < words.length; i++) if ((mask & (1 << i)) !== 0) weight += words[i].weight;
  return weight;
}

function numberReadings(words: readonly AskedWord[]): NumberReading[] {
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
function isNumber(run: readonly AskedWord[]): boolean {
  if (run.some(({ part, field }) => part !== run[0].part || field > FIELD_STREET)) return false;
  return run.some(({ text }) => HAS_DIGIT.test(text)) && run.every(({ text }) => NUMBER_WORD.test(text) || NUMBER_SUFFIX.test(text));
}

/** Runs of words not yet explained, which may be a house's number, such as Block C. @param mask words that are explained */
export function namesLeft(words: readonly AskedWord[], mask: number): NumberReading[] {
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
