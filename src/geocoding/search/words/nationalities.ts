// Words for the country that sends a consulate: of Sweden, Swedish, schwedisches, de Suède. No table has adjectives of
// countries, but those are mostly called like their languages, of which Unicode's locale data has the names: Swedish
// is the language of Sweden, Swiss High German that of Switzerland. Endings differ, so beginnings are compared.

import { countryNames, languageNames } from './country_words.ts';
import { wordsOf } from './text.ts';

/** Letters that a word and the name of a country have in common at least, if they are not the same. */
const COMMON_MIN = 4;
/** Letters behind these. */
const ENDING_MAX = 4;
const CODE = /^[a-z]{2}$/;

const wordsBy = new Map<string, ReadonlySet<string>>();

/**
 * How many letters a word has in common with the name of a country or of its language; 0 if it does not mean it. @param
 * word folded @param country ISO 3166-1 alpha-2, lower case; anything else is no country @param names further names
 */
export function meansCountry(word: string, country: string, names: readonly string[]): number {
  let most = 0;
  for (const each of [...countryWords(country), ...names.flatMap(wordsOf)]) {
    let common = 0;
    while (common < word.length && word[common] === each[common]) common++;
    const isSame = common === word.length && common === each.length;
    const isBeginning = common >= COMMON_MIN && Math.max(word.length, each.length) - common <= ENDING_MAX;
    if ((isSame || isBeginning) && common > most) most = common;
  }
  return most;
}

function countryWords(country: string): ReadonlySet<string> {
  if (!CODE.test(country)) return new Set();
  let words = wordsBy.get(country);
  if (words === undefined) {
    words = new Set([...countryNames(country), ...languageNames(country)].flatMap(wordsOf));
    wordsBy.set(country, words);
  }
  return words;
}
