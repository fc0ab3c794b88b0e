// From a text to words that can be compared. Names and queries both go this way, so afterwards only equality matters:
//
//   lower case; diacritics removed; other scripts written in Latin letters (any-ascii), every digit as 0..9; ß is ss
//   ae, oe, ue and aa, which replace ä, ö, ü and å where these cannot be typed, become a, o, u, a: also in words such
//   as Bauer, and not in codes, which have digits (2011AE)
//   scripts without blanks, and marks of Arabic and Hebrew, have rules of their own (scripts.ts)
//   an elided article is a word of its own (d'Ostende: d, ostende); any other apostrophe is dropped (Julian's: julians)
//
// Whatever remains between letters and digits separates words, also a pictogram, for which any-ascii has a word.

import anyAscii from 'any-ascii';
import { apartByScript, elision } from './scripts.ts';

/** A word of a query, and how it follows the one before. */
export interface Word {
  /** Folded: a..z and 0..9. */
  text: string;
  /** The same with the letters after a, o and u, as they were typed: a mistyped word may have them by mistake. */
  typed: string;
  /** The same in the letters in which it was typed, lower case. */
  written: string;
  /** Number of its part; parts are separated by commas or line breaks. */
  part: number;
  /** `-` or `/` if only that separates the word from the one before, otherwise a space. */
  glue: string;
  /** A dot follows: it may be short for a longer word, or an ordinal. */
  isCut: boolean;
}

/** Longer words are cut off; no word of a name is that long. */
export const WORD_LENGTH_MAX = 40;
const ONLY_ASCII = /^[\0-\x7f]*$/;
/** Letters of scripts for which there are rules. */
const BEYOND_OURS = /[\u0590-\u{10ffff}]/u;
const COMBINING_MARKS = /[\u0300-\u036f]/g;
const TYPED_UMLAUT = /([aou])e|aa/g;
const HAS_UMLAUT = /[aou]e|aa/;
const WORD = /[a-z0-9]+/g;
/** A number, or a code. */
export const HAS_DIGIT = /[0-9]/;
const WRITTEN_WORD = /[\p{L}\p{M}\p{N}'’]+/gu;
const DOT_OF_ORDINAL = /(?<=\d)\.(?=[ºª])/g;
const SYMBOLS = /\p{So}/gu;
const PART_BORDER = /[,;|]|[\r\n]/;

/** The words of a name, folded. */
export function wordsOf(text: string): string[] {
  return (latin(text).match(WORD) ?? []).map(foldWord);
}

/** The words of a name in Latin letters, as they are typed. */
export function typedWordsOf(text: string): string[] {
  return (latin(text).match(WORD) ?? []).map(word => word.slice(0, WORD_LENGTH_MAX));
}

/** The words of a query, with what separates them. */
export function questionWords(text: string): Word[] {
  const plain = latin(text);
  const words: Word[] = [];
  let part = 0;
  let end = 0;
  for (const match of plain.matchAll(WORD)) {
    const between = plain.slice(end, match.index);
    if (words.length > 0 && PART_BORDER.test(between)) part++;
    const typed = match[0].slice(0, WORD_LENGTH_MAX);
    end = match.index + match[0].length;
    words.push({
      text: foldWord(match[0]),
      typed,
      written: typed,
      part,
      glue: between === '-' || between === '/' ? between : ' ',
      isCut: plain[end] === '.',
    });
  }
  if (!ONLY_ASCII.test(text)) addWritten(words, text);
  return words;
}

/** Says how words were typed. A letter may become no word, or two. */
function addWritten(words: Word[], text: string): void {
  const typed = text.toLowerCase().normalize('NFC').match(WRITTEN_WORD) ?? [];
  const written = typed.flatMap(each => (latin(each).match(WORD) ?? []).map(() => each));
  if (written.length === words.length) for (const [i, word] of words.entries()) word.written = written[i];
}

/** The text in lower-case Latin letters, with punctuation. */
function latin(text: string): string {
  let plain = text.toLowerCase();
  if (!ONLY_ASCII.test(plain)) {
    // An ordinal has one sign: 3.º is 3º.
    const bare = plain
      .replaceAll(DOT_OF_ORDINAL, '')
      .normalize('NFKD')
      .replaceAll(COMBINING_MARKS, '')
      .replaceAll(SYMBOLS, ' ');
    const isOurs = ONLY_ASCII.test(bare);
    const other = isOurs ? '' : BEYOND_OURS.test(bare) ? apartByScript(bare) : bare.normalize('NFC');
    plain = (isOurs ? bare : anyAscii(other)).toLowerCase();
    // The letter ayn.
    plain = plain.replaceAll('`', '');
  }
  return plain.includes("'") ? plain.replaceAll(elision(), '$1 ').replaceAll("'", '') : plain;
}

/** A folded word, and what it may have been before: rue is folded to ru. */
export function unfolded(word: string): string[] {
  const texts = [word];
  for (let at = 1; at <= word.length; at++)
    if ('aou'.includes(word[at - 1])) texts.push(`${word.slice(0, at)}e${word.slice(at)}`);
  return texts;
}

function foldWord(word: string): string {
  const short = word.length > 2 && !HAS_DIGIT.test(word) ? foldedOnce(word) : word;
  return short.slice(0, WORD_LENGTH_MAX);
}

/** A word with one letter for ae, oe, ue and aa. */
export function foldedOnce(word: string): string {
  return HAS_UMLAUT.test(word) ? word.replaceAll(TYPED_UMLAUT, (pair, vowel) => vowel ?? pair[0]) : word;
}
