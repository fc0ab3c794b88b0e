// The words of a query that name a country or a state in the tables of `data/`, in whatever layer. Most words begin no
// such name, which is known by one look.

import { COUNTRY_WORDS_MAX, countriesCalled, countryCalled } from './country_words.ts';
import {
  allProvinces,
  allSubdivisions,
  provincesCalled,
  SUBDIVISION_WORDS_MAX,
  subdivisionsCalled,
} from './subdivision_words.ts';
import type { Word } from './text.ts';

/** Words of a query that are in the tables. */
export interface AreaName {
  from: number;
  /** Behind the last word. */
  end: number;
  /** The words, folded, separated by spaces. */
  text: string;
  /** Code of the country that is called so, lower case. */
  country: string | undefined;
  /** Codes of the countries that have a state called so, lower case. */
  statesOf: readonly string[];
  /** Codes of the countries of which addresses name a province so. */
  provincesOf: readonly string[];
}

/** Words of which is kept how long the names are that begin with them. */
const KNOWN_MAX = 10_000;

/** Finds the words of a query that the tables have. @param mayHave words of parts of a query that name areas */
export function areaNames(
  words: readonly Pick<Word, 'text' | 'typed' | 'part'>[],
  mayHave: (at: number) => boolean,
): AreaName[] {
  const found: AreaName[] = [];
  for (let from = 0; from < words.length; from++) {
    const longest = longestFrom(words[from].typed);
    let letters = '';
    for (let end = from + 1; end <= words.length && end - from <= COUNTRY_WORDS_MAX; end++) {
      const word = words[end - 1];
      if (letters.length + word.typed.length > longest || !mayHave(end - 1) || word.part !== words[from].part) break;
      letters += word.typed;
      const country = countryCalled(letters);
      const statesOf = end - from <= SUBDIVISION_WORDS_MAX ? subdivisionsCalled(letters) : [];
      const provincesOf = end - from === 1 ? provincesCalled(letters) : [];
      if (country === undefined && statesOf.length + provincesOf.length === 0) continue;
      const text = words
        .slice(from, end)
        .map(each => each.text)
        .join(' ');
      found.push({ from, end, text, country, statesOf, provincesOf });
    }
  }
  return found;
}

let sortedNames: string[] | undefined;
const knownLongest = new Map<string, number>();

/** Letters of the longest name in the tables that begins with a word; 0 if there is none. */
function longestFrom(word: string): number {
  const known = knownLongest.get(word);
  if (known !== undefined) return known;
  sortedNames ??= [...new Set([...countriesCalled(), ...allSubdivisions(), ...allProvinces()])].sort();
  let low = 0;
  let high = sortedNames.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sortedNames[middle] < word) low = middle + 1;
    else high = middle;
  }
  let longest = 0;
  for (; sortedNames[low]?.startsWith(word); low++) longest = Math.max(longest, sortedNames[low].length);
  if (knownLongest.size >= KNOWN_MAX) knownLongest.clear();
  knownLongest.set(word, longest);
  return longest;
}
