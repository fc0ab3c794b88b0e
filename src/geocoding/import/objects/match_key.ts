// The key by which names are compared: a house's street with the roads around it.

import { wordsOf } from '../../search/words/text.ts';
import { rowsOf } from '../../search/words/vocabulary.ts';

const BRAND = 'brand';

/** Umlauts are written with or without a following e, also where words were joined. */
const UMLAUT = /([aou])e/g;
/** Neighbouring houses ask for the name of the same street. */
const MATCH_KEYS_MAX = 50_000;
const matchKeys = new Map<string, string>();

/** Words for which others stand, as the last word of a name and before it, and ends of names. */
interface MatchWords {
  lastWords: ReadonlyMap<string, string>;
  otherWords: ReadonlyMap<string, string>;
  endings: ReadonlyMap<string, string>;
  anyEnding: RegExp;
}

let knownWords: MatchWords | undefined;

/**
 * Two names with the same key mean the same: ASCII letters and digits in lower case, ae as a, common abbreviations
 * expanded.
 * `St. Luzi-Str.` matches `Sankt Luzistrasse`.
 */
export function matchKeyOf(name: string): string {
  const known = matchKeys.get(name);
  if (known !== undefined) return known;
  const words = wordsOf(name);
  const last = words.length - 1;
  knownWords ??= readWords();
  const { lastWords, otherWords, endings, anyEnding } = knownWords;
  const key = words
    .map((word, i) => (i === last && i > 0 ? lastWords : otherWords).get(word) ?? word)
    .join('')
    .replace(anyEnding, ending => endings.get(ending)!)
    .replaceAll(UMLAUT, '$1');
  if (matchKeys.size === MATCH_KEYS_MAX) matchKeys.clear();
  matchKeys.set(name, key);
  return key;
}

/** The keys of all names that an address may use for a place; brands are left out. */
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

/** True for two different texts that one inserted, deleted or replaced letter makes equal. */
export function isOneEditApart(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false;
  const length = Math.min(a.length, b.length);
  let head = 0;
  while (head < length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return Math.max(a.length, b.length) - head - tail <= 1;
}

/**
 * Columns of data/match_words.csv: place, short form or word of another language, word. A query may use more of them
 * (data/abbreviations.csv): here each word must become exactly one other, and names that differ by a letter must keep
 * differing.
 */
function readWords(): MatchWords {
  const rows = rowsOf('match_words.csv');
  const folded = (text: string) => wordsOf(text).join('');
  const at = (place: string) =>
    new Map(rows.flatMap(([of, short, word]) => (of === place ? [[folded(short), folded(word)]] : [])));
  const endings = at('ending');
  const anyEnding = new RegExp(`(?:${[...endings.keys()].join('|')})$`);
  return { lastWords: at('last'), otherWords: at('before'), endings, anyEnding };
}
