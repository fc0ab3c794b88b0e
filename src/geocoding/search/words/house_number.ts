// House numbers in the form in which they are compared. 12 bis, 12bis and 12 BIS are the same, as are 33 A and 33a, 3/A
// and 3a; but 1-3, 13 and 33a, 33 are not.
//
// A house on the map may have several numbers (`1;3`) or a range (`1-5`). A range also stands for the numbers in
// between, on its side of the street. Where houses have a number in their municipality and one in their street
// (data/house_numbers.csv), `2531/80` stands for either. Words for parts of an estate have one form: 10 корпус 2 is
// 10к2.

import { addressWords } from './address_words.ts';
import { questionWords, type Word } from './text.ts';
import { rowsOf } from './vocabulary.ts';

/** A number that a house answers to. */
interface HouseNumber {
  /** In the form that is compared. */
  key: string;
  /** True for a number inside a range, or one of two: a house with exactly this number takes precedence. */
  isInRange: boolean;
}

/** A range with more numbers means something else: a block of flats, or a mistake. */
const RANGE_NUMBERS_MAX = 20;
const ODD_AND_EVEN = 2;
const RANGE = /^(\d{1,5})[a-z]?-(\d{1,5})[a-z]?$/;

/** The form of a house number that is compared. */
export function houseNumberKey(words: readonly Pick<Word, 'text' | 'glue'>[]): string {
  return words
    .map(({ text, glue }, at) => (at === 0 ? text : `${glue}${text}`))
    .join('')
    .replaceAll(/(?<=\d)[ /](?=\d)/g, '-')
    .replaceAll(/[ /]|-(?!\d)|(?<!\d)-/g, '');
}

/**
 * The numbers that a house answers to, its own first. @param text as on the map @param countryCode lower case @param
 * unit part of the house, as on the map
 */
export function houseNumbersOf(text: string, countryCode = '', unit = ''): HouseNumber[] {
  const numbers = new Map<string, boolean>();
  const others: string[] = [];
  for (const part of text.split(/[;,]/)) {
    const words = questionWords(part);
    const key = houseNumberKey(inOneForm(words));
    if (key !== '') numbers.set(key, false);
    // Flat 2 of 4 is 4-2, and in some countries 2/4.
    const inHouse = unit === '' ? '' : houseNumberKey(questionWords(unit));
    if (inHouse !== '') others.push(unitKey(key, inHouse), unitKey(inHouse, key));
    const isTwo = words.length === 2 && words[1].glue === '/' && hasTwoNumbers(countryCode);
    others.push(...(isTwo ? words.map(({ text }) => text) : numbersInRange(key)));
  }
  for (const inner of others) if (!numbers.has(inner)) numbers.set(inner, true);
  return [...numbers].map(([key, isInRange]) => ({ key, isInRange }));
}

/** The form in which a house number and a part of the house are compared together, as if they were joined by a dash. */
export function unitKey(number: string, unit: string): string {
  return houseNumberKey([
    { text: number, glue: ' ' },
    { text: unit, glue: '-' },
  ]);
}

/** A number without words that only say that it is one, and with one form of words for the parts of an estate. */
function inOneForm(words: readonly Word[]): readonly Pick<Word, 'text' | 'glue'>[] {
  if (words.length < 2) return words;
  const { roles, forms } = addressWords(words, () => true);
  return words.flatMap((word, at) => {
    const isWord = roles[at] === 'corpus' || (roles[at] === 'number' && (forms[at] !== '' || word.text.length > 1));
    if (!isWord) return [word];
    return forms[at] === '' ? [] : [{ text: forms[at], glue: ' ' }];
  });
}

let countriesBy: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** True where a house has a number in its municipality, and one in its street. */
function hasTwoNumbers(countryCode: string): boolean {
  return countriesWith('two').has(countryCode);
}

/** The countries in which numbers are written so: `two`, `unitFirst`. Codes, lower case. */
export function countriesWith(numbers: string): ReadonlySet<string> {
  countriesBy ??= new Map(rowsOf('house_numbers.csv').map(([codes, kind]) => [kind, new Set(codes.split(' '))]));
  return countriesBy.get(numbers)!;
}

function numbersInRange(key: string): string[] {
  const match = RANGE.exec(key);
  if (match === null) return [];
  const [start, end] = [Number(match[1]), Number(match[2])];
  const step = (end - start) % ODD_AND_EVEN === 0 ? ODD_AND_EVEN : 1;
  const count = (end - start) / step + 1;
  if (count < ODD_AND_EVEN || count > RANGE_NUMBERS_MAX) return [];
  return Array.from({ length: count }, (_, i) => `${start + i * step}`);
}
