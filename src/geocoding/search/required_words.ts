// Which words of a query a result must explain. A word that nothing explains is not ignored: a query about what is not
// there has no answer. These may be left:
//
//   joining words (in, the), and words for what an area is (city, Kanton): they are in many names and distinguish none
//   a number: the street answers for a house that it does not have, and a town beside a postcode, if at least half of
//   its name was said. A country or state
//   does not, nor does a town if the query begins with the number and a comma, as it would for a postcode alone
//   what belongs to a number (Nr. 7, Top 5, second floor), as the number itself
//   what only says what a street is (ul. Polna), where it lies or whom it honours (NW, Gen.), if a street was found
//   of whose kind nothing else is known
//   the last four digits of a ZIP+4 code, and a post-office box with its number
//
// Numbers alone are a postcode: only an area answers that is called so. Short words alone are in many names by chance:
// only what is called so as a whole answers, joining words count as well (l MU is not Mauritius) except for "in", and
// words in other letters than ours must be written so. Of what a single letter names only areas and
// ways are meant: the village of Y, and no house or shop called A.

import { type AddressWords, addressWords } from './words/address_words.ts';
import { isBasicLatin } from './words/scripts.ts';
import { HAS_DIGIT, type Word } from './words/text.ts';
import { isAreaType, wordsInRole } from './words/vocabulary.ts';

/** Words of a query, as masks. */
export interface RequiredWords {
  /** They must be explained. */
  always: number;
  /** They must be explained unless the result is a street, or a place on one. */
  ofStreet: number;
  /** They must be explained unless the result is a house. */
  ofHouse: number;
  /**
   * Numbers, and what belongs to them: they must be explained unless the result has a name in the query and is smaller
   * than a state.
   */
  numbers: number;
  /** Numbers that are the first part: they must be explained unless the result is a house or a road, too. */
  codes: number;
  /** There is nothing but digits: only an area answers that is called so. */
  isDigitsAlone: boolean;
  /** There are only short words, and numbers: only what is called so as a whole answers, or a house. */
  isShort: boolean;
  /** There is one letter: only an area or a way answers that is called so. */
  isLetter: boolean;
  /** Words that are said again, with those before: São Lourenço, São Paulo. One explains all. */
  repeated: number[];
}

/** The only word that may be left where there are only short words. */
const OPTIONAL_IN_SHORT = 'in';
/** Longer words with digits are no numbers of houses and no postcodes. */
const NUMBER_LENGTH_MAX = 7;
/** Letters of a short word; words in other letters than ours are less exact, as they were replaced by ours. */
const SHORT_MAX = 2;
const SHORT_FOREIGN_MAX = 3;
/** Roles of words that are left at a street, and at no town: many are names elsewhere. */
const IN_HOUSE: ReadonlySet<string> = new Set(['unit', 'floor', 'alone']);
const DIGITS = /^[0-9]+$/;
const ZIP = /^[0-9]{5}$/;
const ZIP_EXTENSION = /^[0-9]{4}$/;

/**
 * What the words of a query need. @param isUnfinished the last word may be incomplete, so it is not known to be short
 * @param address what words say besides names
 */
export function requiredWords(
  words: readonly Word[],
  isUnfinished = false,
  address: AddressWords = addressWords(words, () => true),
): RequiredWords {
  const isOfNumber = (at: number) => (address.besideNumber & (1 << at)) !== 0;
  const isInHouse = (at: number) => IN_HOUSE.has(address.roles[at]!);
  const isCodeFirst = words.every(
    ({ text, part }, at) => part !== words[0].part || HAS_DIGIT.test(text) || isOfNumber(at),
  );
  const isDigitsAlone = words.length > 0 && words.every(({ text }) => DIGITS.test(text));
  const isShort = !isUnfinished && words.every(isShortWord) && words.some(({ text }) => !HAS_DIGIT.test(text));
  const isLetter = isShort && words.length === 1 && [...words[0].written].length === 1;
  const needs: RequiredWords = {
    always: 0,
    ofStreet: 0,
    ofHouse: 0,
    numbers: 0,
    codes: 0,
    isDigitsAlone,
    isShort,
    isLetter,
    repeated: repeatedWords(words),
  };
  words.forEach((word, at) => {
    const bit = 1 << at;
    const isNumber = HAS_DIGIT.test(word.text) && word.text.length <= NUMBER_LENGTH_MAX;
    if (isZipExtension(word, words[at - 1]) || ((address.endings | address.boxes) & bit) !== 0) return;
    else if (isNumber || (isOfNumber(at) && !isShort && !isInHouse(at)))
      needs[isCodeFirst && word.part === words[0].part ? 'codes' : 'numbers'] |= bit;
    else if ((address.within & bit) !== 0) needs.ofHouse |= bit;
    else if (isOptional(word, isShort)) return;
    else if (((address.besideNumber | address.besideName) & bit) === 0) needs.always |= bit;
    else needs[isShort ? 'ofHouse' : 'ofStreet'] |= bit;
  });
  // Where all words may be left, they are what is asked for: the village Au, the town Markt, North Street.
  if (needs.always === 0) {
    needs.always = (needs.ofStreet & address.besideName) | (isShort ? 0 : needs.ofHouse);
    needs.ofStreet &= ~address.besideName;
  }
  if ((needs.always | needs.ofHouse | needs.numbers | needs.codes) === 0) needs.always = 2 ** words.length - 1;
  return needs;
}

/** @param isShort there are only short words */
function isOptional({ text, isCut }: Word, isShort: boolean): boolean {
  if (isShort) return text === OPTIONAL_IN_SHORT;
  return wordsInRole('stop').has(text) || wordsInRole('and').has(text) || isAreaType(text, isCut);
}

function isShortWord({ text, written }: Word): boolean {
  if (HAS_DIGIT.test(text) || wordsInRole('stop').has(written)) return true;
  return [...written].length <= (isBasicLatin(written) ? SHORT_MAX : SHORT_FOREIGN_MAX);
}

/** A mask for each word that is said more than once. */
function repeatedWords(words: readonly Word[]): number[] {
  if (words.every(({ text }, at) => words.findIndex(other => other.text === text) === at)) return [];
  const masks = new Map<string, number>();
  for (const [at, { text }] of words.entries()) masks.set(text, (masks.get(text) ?? 0) | (1 << at));
  return [...masks.values()].filter(mask => (mask & (mask - 1)) !== 0);
}

function isZipExtension({ text, glue }: Word, before: Word | undefined): boolean {
  return glue === '-' && ZIP_EXTENSION.test(text) && before !== undefined && ZIP.test(before.text);
}
