// The names and the house number of an object, as its tags give them.

import { wordsOf } from '../search/text.ts';
import type { Tags } from './osm/features.ts';

/** Keys of names, in the order in which they are kept. Each may have a language behind it: `name:de`. */
const NAME_KEYS = ['name', 'alt_name', 'old_name', 'official_name', 'short_name', 'loc_name', 'int_name'];
const LANGUAGE = /^[a-z]{2,3}([-_][A-Za-z0-9]+)*$/;
/** Names of a road or a shop that are not its name. */
const REFERENCE = 'ref';
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

const NUMBER_KEY = 'addr:housenumber';
const CONSCRIPTION_KEY = 'addr:conscriptionnumber';
const STREET_NUMBER_KEY = 'addr:streetnumber';

/** What an object is called: `name` first, then its other names, each also by language, its number on signs and, of what sells under one, its brand. */
export function namesOf(tags: Tags, hasBrand: boolean): Readonly<Record<string, string>> {
  const names: Record<string, string> = {};
  for (const key of NAME_KEYS) {
    if (tags[key] !== undefined) names[key] = tags[key];
  }
  for (const key in tags) {
    const colon = key.indexOf(':');
    if (colon < 0 || !NAME_KEYS.includes(key.slice(0, colon)) || !LANGUAGE.test(key.slice(colon + 1))) continue;
    names[key] = tags[key];
  }
  if (tags[REFERENCE] !== undefined) names[REFERENCE] = tags[REFERENCE];
  if (hasBrand && tags[BRAND] !== undefined) names[BRAND] = tags[BRAND];
  return names;
}

/** True of an object with a name; a number on signs alone is none. */
export function isNamed(tags: Tags): boolean {
  if (tags.name !== undefined) return true;
  for (const key in tags) {
    const colon = key.indexOf(':');
    if (colon < 0 ? NAME_KEYS.includes(key) : NAME_KEYS.includes(key.slice(0, colon)) && LANGUAGE.test(key.slice(colon + 1))) return true;
  }
  return false;
}

/**
 * The house number as it stands on the map, also where it is several: `1;3` and `1-5` are one place with that number. Where houses have a number of the
 * village and another of the street, both with a slash between them.
 */
export function houseNumberOf(tags: Tags): string {
  const number = tags[NUMBER_KEY];
  if (number !== undefined) return number;
  const conscription = tags[CONSCRIPTION_KEY];
  const street = tags[STREET_NUMBER_KEY];
  if (conscription === undefined) return street ?? '';
  return street === undefined ? conscription : `${conscription}/${street}`;
}

/** True of an object that says where it stands: by house number, house name, street or place. */
export function hasAddress(tags: Tags): boolean {
  return (
    tags[NUMBER_KEY] !== undefined ||
    tags['addr:street'] !== undefined ||
    tags['addr:place'] !== undefined ||
    tags['addr:housename'] !== undefined ||
    tags[CONSCRIPTION_KEY] !== undefined ||
    tags[STREET_NUMBER_KEY] !== undefined
  );
}

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
