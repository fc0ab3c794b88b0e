// The key under which names are compared: that of a house's street with those of the roads around it.

import { wordsOf } from '../../search/words/text.ts';

const BRAND = 'brand';

/**
 * Abbreviations, and other languages' words for the same: before the last word, and as the last one. They are fewer than those that a question may have
 * (data/abbreviations.csv): here a word must become one other, and names that differ by a letter must go on doing so.
 */
const WORDS: Readonly<Record<string, string>> = {
  st: 'saint',
  sankt: 'saint',
  sint: 'saint',
  dr: 'doktor',
  prof: 'professor',
  av: 'avenue',
  bd: 'boulevard',
};
const LAST_WORDS: Readonly<Record<string, string>> = {
  st: 'street',
  rd: 'road',
  ave: 'avenue',
  av: 'avenue',
  blvd: 'boulevard',
  sq: 'square',
  pl: 'place',
  ln: 'lane',
  dr: 'drive',
};
const STREET_END = /str$/;
/** Umlauts are written with an e behind them, or without; also where words were joined. */
const UMLAUT = /([aou])e/g;
/** A house asks for the name of its street, and its neighbours for the same one. */
const MATCH_KEYS_MAX = 50_000;
const matchKeys = new Map<string, string>();

/**
 * Two texts name the same when these are equal: ASCII letters and digits only, in lower case, ae as a, usual abbreviations written out.
 * `St. Luzi-Str.` is `Sankt Luzistrasse`.
 */
export function matchKeyOf(name: string): string {
  const known = matchKeys.get(name);
  if (known !== undefined) return known;
  const words = wordsOf(name);
  const last = words.length - 1;
  const key = words
    .map((word, i) => (i === last && i > 0 ? (LAST_WORDS[word] ?? word) : (WORDS[word] ?? word)))
    .join('')
    .replace(STREET_END, 'strasse')
    .replaceAll(UMLAUT, '$1');
  if (matchKeys.size === MATCH_KEYS_MAX) matchKeys.clear();
  matchKeys.set(name, key);
  return key;
}

/** The keys of all names that a place may be called by in an address; none of its number on signs alone. */
export function matchKeysOf(names: Readonly<Record<string, string>>): string[] {
  const keys = new Set<string>();
  for (const key in names) {
    if (key === BRAND) continue;
    for (const part of names[key].split(';')) {
      const matchKey = matchKeyOf(part);
      if (matchKey !== '') keys.add(matchKey);
    }
  }
  return [...keys];
}

/** True of two different texts of which one becomes the other by one letter more, less or other. */
export function isOneEditApart(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false;
  const length = Math.min(a.length, b.length);
  let head = 0;
  while (head < length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return Math.max(a.length, b.length) - head - tail <= 1;
}
