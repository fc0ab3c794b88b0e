// House numbers in the form in which they are compared. 12 bis, 12bis and 12 BIS are the same, as are 33 A and 33a, 3/A
// and 3a; but 1-3, 13 and 33a, 33 are not.
//
// A house on the map may have several numbers (`1;3`) or a range (`1-5`). A range also stands for the numbers in
// between, on its side of the street.

import { questionWords, type Word } from './text.ts';

/** A number that a house answers to. */
interface HouseNumber {
  /** In the form that is compared. */
  key: string;
  /** True for a number inside a range: a house with exactly this number takes precedence. */
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

/** The numbers that a house answers to, its own first. @param text as on the map */
export function houseNumbersOf(text: string): HouseNumber[] {
  const numbers = new Map<string, boolean>();
  for (const part of text.split(/[;,]/)) {
    const key = houseNumberKey(questionWords(part));
    if (key !== '') numbers.set(key, false);
  }
  for (const key of [...numbers.keys()])
    for (const inner of numbersInRange(key)) if (!numbers.has(inner)) numbers.set(inner, true);
  return [...numbers].map(([key, isInRange]) => ({ key, isInRange }));
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
