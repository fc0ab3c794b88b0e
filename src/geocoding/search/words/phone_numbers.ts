// Phone numbers, which people leave in what they copy: Pembroke Food Store, +356 2137 8606. No place is found by them,
// so they are left out. Certain ones have the sign or zeros of international numbers, or a word for a phone
// (data/phone_words.csv); other long numbers are only taken for one where nothing is found with them.

import { rowsOf } from './vocabulary.ts';

/** Digits of a number after a word for a phone, of an international one, and of any other. */
const [CALLED_MIN, INTERNATIONAL_MIN, OTHER_MIN] = [5, 8, 8];
const NUMBER = '[\\d\\s()./\\-\u2013]*\\d';
const OTHER = new RegExp(`\\(?(?<![\\p{L}\\p{N}.+])\\d${NUMBER}(?![\\p{L}\\p{N}])`, 'gu');
/** Most texts have fewer digits side by side. */
const DIGITS = /\d(?:[^\da-z]{0,3}\d){4}/i;
/** Degrees have as many digits. */
const DECIMAL = /^\D*\d{1,3}\.\d{3,}/;
const EDGES = /^[\s,;]+|[\s,;]+$/g;

let certain: RegExp | undefined;

/** A text without phone numbers. @param isLoose also without long numbers that may be such */
export function withoutPhoneNumbers(text: string, isLoose = false): string {
  if (!DIGITS.test(text)) return text;
  certain ??= readCertain();
  const least = (word: string | undefined) => (word === undefined ? INTERNATIONAL_MIN : CALLED_MIN);
  const rest = text.replace(certain, (all, word) => (isNumber(all, least(word)) ? ' ' : all));
  const left = isLoose ? rest.replace(OTHER, all => (isNumber(all, OTHER_MIN) ? ' ' : all)) : rest;
  return left === text ? text : left.replace(EDGES, '');
}

function isNumber(text: string, least: number): boolean {
  return text.replace(/\D/g, '').length >= least && !DECIMAL.test(text);
}

/** Columns: languages, words separated by semicolons. */
function readCertain(): RegExp {
  const words = rowsOf('phone_words.csv').flatMap(([, list]) => list.split(';'));
  const longestFirst = [...new Set(words)].sort((a, b) => b.length - a.length).join('|');
  const called = `(?<![\\p{L}\\p{N}])(${longestFirst})[.:\\s]*[(+]*`;
  return new RegExp(`(?:${called}|\\(?(?<![\\p{L}\\p{N}])(?:\\+|00)\\s?\\(?)\\d${NUMBER}\\)?`, 'giu');
}
