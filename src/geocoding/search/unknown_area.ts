// An area that nothing knows, in an otherwise known address: `10, Church Lane, Thornbrook, Oxfordshire, OX9 9ZZ`,
// where the map has all but the county. House, street and town explain each other, so the house is meant, and the area
// only costs rank, as unexplained words do.
//
// Words that name something else contradict: another area of the country, another country or a state, in any layer or
// table, or a kind of places. Then the address is none that the map has.

import { areasCalled } from './area_terms.ts';
import type { QueryWord } from './query_words.ts';
import type { SearchIndex } from './word_index/search_index.ts';
import { countryCalled } from './words/country_words.ts';
import { subdivisionsCalled } from './words/subdivision_words.ts';
import { HAS_DIGIT } from './words/text.ts';
import { kindsCalled } from './words/vocabulary.ts';

/** Words of the longest name of an area. */
const AREA_WORDS_MAX = 4;

/**
 * True if words are the name of an area that nothing knows. @param indexes of all layers @param left words that the
 * house does not explain, but must @param mask words that it explains @param country its number
 */
export function isUnknownArea(
  indexes: readonly SearchIndex[],
  words: readonly QueryWord[],
  left: number,
  mask: number,
  country: number,
): boolean {
  if (left === 0) return false;
  const from = 31 - Math.clz32(left & -left);
  const to = 32 - Math.clz32(left);
  const run = words.slice(from, to);
  // An address does not begin with the county, and one area has one name.
  if (from === 0 || (left >>> from) + 1 !== 2 ** (to - from) || run.length > AREA_WORDS_MAX) return false;
  if (run.some(({ part, text }) => part !== run[0].part || HAS_DIGIT.test(text))) return false;
  const isRest = words.some(({ part, text }, at) => part === run[0].part && !HAS_DIGIT.test(text) && mask & (1 << at));
  const hasParts = words.some(({ part }) => part !== words[0].part);
  return !(hasParts && isRest) && !namesSomething(indexes, run, country);
}

/** True if some of the words name an area, a country, a state or a kind. */
function namesSomething(indexes: readonly SearchIndex[], run: readonly QueryWord[], country: number): boolean {
  for (let from = 0; from < run.length; from++) {
    for (let to = from + 1; to <= run.length; to++) {
      const some = run.slice(from, to);
      const letters = some.map(({ typed }) => typed).join('');
      if (countryCalled(letters) !== undefined || subdivisionsCalled(letters).length > 0) return true;
      const texts = some.map(({ text }) => text);
      if (kindsCalled(texts.join(' ')).length > 0) return true;
      if (indexes.some(index => areasCalled(index, texts, country).length > 0)) return true;
    }
  }
  return false;
}
