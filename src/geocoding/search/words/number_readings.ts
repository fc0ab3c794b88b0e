// The runs of words that may be the number of a house, in the order in which they are tried:
//
//   1  numbers with the parts of an estate that belong to them: д. 10, корп. 2 is 10к2; č.ev. 17 is ev17
//   2  runs that include a part of the house, where it may stand in the number itself: 7 lok. 3, 7/3
//   3  numbers with letters before or behind them, longest first: 12 bis, 33 A, 1-3
//   4  numbers behind words for a part of a house, where these are something else: a street called Scala, 5
//
// Of several numbers in the third group the one next to the street is the house's, and a flat is before it: 205, 4500
// Lougheed Highway. Numbers with a dash or stroke between them are one number, of which the first is meant, but for
// countries where that is how a flat is written (data/house_numbers.csv).
//
// A number before a letter is only that without the letter where something else explains the letter: 83 b is not 83.

import { entriesOf, isNumberSuffix, isNumberWord, suffixForm } from './address_table.ts';
import { type AddressWords, maskOf } from './address_words.ts';
import { houseNumberKey, unitKey } from './house_number.ts';
import type { Word } from './text.ts';
import { otherSpellings } from './vocabulary.ts';

/** A run of words that may be a house number. */
export interface NumberReading {
  /** In the form in which house numbers are compared. */
  key: string;
  mask: number;
  /** Words that must be explained otherwise. */
  besides: number;
  /** It is a number with no more than letters beside it, and none of a part of the house; undefined for other runs. */
  isPlain?: boolean;
}

const NUMBER_WORDS_MAX = 4;
const DIGITS = /^[0-9]+$/;
const LETTER = /^[a-z]$/;
const SIGNED_NUMBER = /^([a-z]{1,2})([0-9]{1,5}[a-z]?)$/;
const NUMBER_WORD = /^([0-9]{1,6}[a-z]{0,3}|[a-z]{1,2}[0-9]{1,5}[a-z]?)$/;

/** The readings of numbers. @param mayHave words of parts of a query in which addresses stand */
export function numberReadings(
  words: readonly Word[],
  address: AddressWords,
  mayHave: (at: number) => boolean,
): NumberReading[] {
  const plain: NumberReading[] = [];
  const ofParts: NumberReading[] = [];
  const { digits } = address;
  if (digits === 0) return plain;
  const numeric = maskWhere(
    words,
    ({ text }, at) => address.roles[at] !== 'postal' && (NUMBER_WORD.test(text) || isNumberSuffix(text)),
  );
  for (let length = NUMBER_WORDS_MAX; length >= 1; length--) {
    for (let from = 0; from + length <= words.length; from++) {
      const end = from + length;
      const mask = maskOf(from, end);
      if ((mask & ~numeric) !== 0 || (mask & digits) === 0 || !mayHave(from)) continue;
      if (words[end - 1].part !== words[from].part) continue;
      let besides = DIGITS.test(words[end - 1].text) ? address.suffixes & (1 << end) : 0;
      for (let at = from; at < end; at++) besides |= address.owners[at];
      const isPlain = (address.values & mask) === 0;
      const readings = isPlain ? plain : ofParts;
      readings.push({ key: keyOf(words, from, end), mask, besides, isPlain });
      const counted = length === 1 ? behindNumberWord(words[from].text) : '';
      if (counted !== '') readings.push({ key: counted, mask, besides, isPlain });
    }
  }
  if (plain.length === 0) for (const reading of ofParts) reading.besides = 0;
  if (address.besideNumber === 0) return plain;
  return [...estateNumbers(words, address, mayHave), ...unitNumbers(words, address), ...plain, ...ofParts];
}

function keyOf(words: readonly Word[], from: number, end: number): string {
  const run = words.slice(from, end);
  if (end - from > 1) run[run.length - 1] = { ...run[run.length - 1], text: suffixForm(run[run.length - 1].text) };
  return houseNumberKey(run);
}

/**
 * The readings in the order in which they are tried for one street. @param street words that its name explains @param
 * isUnitFirst a flat may be before the number, with a dash or stroke between them
 */
export function nearestFirst(
  readings: readonly NumberReading[],
  words: readonly Word[],
  { besideNumber }: AddressWords,
  street: number,
  isUnitFirst: boolean,
): readonly NumberReading[] {
  const plain = readings.filter(({ isPlain }) => isPlain);
  const last = plain.at(-1)?.mask ?? 0;
  if (street === 0 || !plain.some(({ mask }) => (mask & last) === 0)) return readings;
  const isBetween = (at: number) => (besideNumber & (1 << at)) === 0;
  const gapOf = ({ mask }: NumberReading) => {
    let [from, to] = [31 - Math.clz32(mask & -mask), 32 - Math.clz32(mask)];
    if (!isUnitFirst) while (from > 0 && words[from].glue !== ' ') from--;
    if (!isUnitFirst) while (to < words.length && words[to].glue !== ' ') to++;
    return gapBetween(from, to, street, words.length, isBetween);
  };
  const gaps = new Map(plain.map(reading => [reading, gapOf(reading)]));
  plain.sort((a, b) => gaps.get(a)! - gaps.get(b)!);
  let next = 0;
  return readings.map(reading => (reading.isPlain ? plain[next++] : reading));
}

/** How many words stand between a run and the nearest of some others, on either side. */
function gapBetween(from: number, to: number, others: number, count: number, counts: (at: number) => boolean): number {
  const gapTo = (start: number, step: number) => {
    let gap = 0;
    for (let at = start; at >= 0 && at < count; at += step) {
      if ((others & (1 << at)) !== 0) return gap;
      if (counts(at)) gap++;
    }
    return count;
  };
  return Math.min(gapTo(from - 1, -1), gapTo(to, 1));
}

/** The number in a word that begins with a sign for numbers: №7, nº7. */
function behindNumberWord(text: string): string {
  const [, sign, number] = SIGNED_NUMBER.exec(text) ?? [];
  return sign !== undefined && entriesOf(sign).some(isNumberWord) ? number : '';
}

/** The words of which something is true. */
function maskWhere(words: readonly Word[], isTrue: (word: Word, at: number) => boolean): number {
  let mask = 0;
  for (let at = 0; at < words.length; at++) if (isTrue(words[at], at)) mask |= 1 << at;
  return mask;
}

/** Numbers with parts of an estate behind them, also behind commas, and those before which a word belongs to them. */
function estateNumbers(
  words: readonly Word[],
  { roles, forms }: AddressWords,
  mayHave: (at: number) => boolean,
): NumberReading[] {
  const readings: NumberReading[] = [];
  for (let at = 0; at < words.length; at++) {
    if (!NUMBER_WORD.test(words[at].text) || !mayHave(at)) continue;
    let key = words[at].text;
    let end = at + 1;
    while (end + 1 < words.length && roles[end] === 'corpus' && isEstateNumber(words[end + 1].text)) {
      key += forms[end] + words[end + 1].text;
      end += 2;
    }
    let from = at;
    while (from > 0 && roles[from - 1] === 'number' && words[from - 1].part === words[at].part) from--;
    key = forms[from] + key;
    if (key !== words[at].text) readings.push({ key, mask: maskOf(from, end), besides: 0 });
  }
  return readings;
}

function isEstateNumber(text: string): boolean {
  return NUMBER_WORD.test(text) || LETTER.test(text);
}

/** Numbers with a part of the house, as the map may have them: 7 lok. 3 and 7/3, and flat 3, 7. */
function unitNumbers(words: readonly Word[], { roles, values, owners }: AddressWords): NumberReading[] {
  const readings: NumberReading[] = [];
  const units = unitMask(roles);
  for (let at = 0, end = 0; at < words.length; at = Math.max(end, at + 1)) {
    if ((values & (1 << at)) === 0 || (owners[at] & units) === 0) continue;
    end = at;
    while (end < words.length && owners[end] === owners[at]) end++;
    const unit = houseNumberKey(words.slice(at, end));
    for (const [i, { text }] of words.entries()) {
      if (!NUMBER_WORD.test(text) || (values & (1 << i)) !== 0) continue;
      // The word for the part may be explained otherwise: Unit by the Regne Unit.
      const mask = maskOf(at, end) | (1 << i);
      if (i < at && (mask | owners[at]) === maskOf(i, end))
        readings.push({ key: houseNumberKey(words.slice(i, end)), mask, besides: 0 });
      readings.push({ key: unitKey(text, unit), mask, besides: 0 });
    }
  }
  return readings;
}

function unitMask(roles: AddressWords['roles']): number {
  return roles.reduce((mask, role, at) => (role === 'unit' ? mask | (1 << at) : mask), 0);
}

/**
 * Runs of words not yet explained, which may be a house's number, such as Block C, and Blk C. @param mask words that
 * are explained
 */
export function unexplainedRuns(words: readonly Word[], mask: number): NumberReading[] {
  const readings: NumberReading[] = [];
  for (let from = 0; from < words.length; from++) {
    let to = from;
    while (to < words.length && (mask & (1 << to)) === 0 && words[to].part === words[from].part) to++;
    if (to === from) continue;
    const run = words.slice(from, to);
    const spellings = run.length === 1 ? [] : otherSpellings(run[0].text);
    for (const text of [run[0].text, ...spellings])
      readings.push({
        key: houseNumberKey([{ ...run[0], text }, ...run.slice(1)]),
        mask: maskOf(from, to),
        besides: 0,
      });
    from = to - 1;
  }
  return readings;
}
