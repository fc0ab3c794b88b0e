// House numbers as they are compared: 12 bis, 12bis and 12 BIS are one, so are 33 A and 33a, 3/A and 3a; but 1-3, 13 and 33a, 33 are not.
//
// A house on the map may have several (`1;3`), or a range of them (`1-5`): the numbers in between then stand for it too, those of its side of the street.

import { questionWords, type Word } from './text.ts';

/** A number that a house answers to. */
interface HouseNumber {
  /** As it is compared. */
  key: string;
  /** True of one that lies inside of a range: another house with just this number goes before it. */
  isInRange: boolean;
}

/** A range with more numbers is something else: a block of flats, or a mistake. */
const RANGE_NUMBERS_MAX = 20;
const ODD_AND_EVEN = 2;
const RANGE = /^(\d{1,5})[a-z]?-(\d{1,5})[a-z]?$/;

/** A house number as it is compared. */
export function houseNumberKey(words: readonly Pick<Word, 'text' | 'glue'>[]): string {
  return words
    .map(({ text, glue }, at) => (at === 0 ? text : `${glue}${text}`))
    .join('')
    .replaceAll(/(?<=\d)[ /](?=\d)/g, '-')
    .replaceAll(/[ /]|-(?!\d)|(?<!\d)-/g, '');
}

/** The numbers that a house answers to: its own first. @param text as on the map */
export function houseNumbersOf(text: string): HouseNumber[] {
  const numbers = new Map<string, boolean>();
  for (const part of text.split(/[;,]/)) {
    const key = houseNumberKey(questionWords(part));
    if (key !== '') numbers.set(key, false);
  }
  for (const key of [...numbers.keys()]) for (const inner of numbersInRange(key)) if (!numbers.has(inner)) numbers.set(inner, true);
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
