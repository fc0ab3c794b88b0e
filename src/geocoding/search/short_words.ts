// Short words in other letters than a to z. Replaced by our letters, almost any of them is the code of a country or the
// name of some village: ит is no Italy, and å not Armenia. So a place is meant by them only if it has a name that is
// written so, or if its country writes in these letters: Ош is Osh in Kyrgyzstan.

import type { Place } from '../../tables/places/place.ts';
import { RANK_COUNTRY } from '../../tables/places/ranks.ts';
import { countryNames } from './words/country_words.ts';
import { questionWords, type Word } from './words/text.ts';

const OURS = /^[a-z0-9]*$/;
const COUNTRY_CODE = /^[a-z]{2}$/;
const LATIN = 'Latn';
/** Scripts that are written with several alphabets, by their names in ISO 15924. */
const ALPHABETS: Readonly<Record<string, readonly string[]>> = {
  Jpan: ['Hani', 'Hira', 'Kana'],
  Kore: ['Hang', 'Hani'],
  Hans: ['Hani'],
  Hant: ['Hani'],
};

/** True for a word in the letters a to z. */
export function isOurs(written: string): boolean {
  return OURS.test(written);
}

/**
 * True if a place may be meant by words, of which some may be in other letters than ours. @param place undefined for a
 * street that only its houses name
 */
export function isWrittenSo(place: Place | undefined, words: readonly Pick<Word, 'written'>[]): boolean {
  const foreign = words.filter(({ written }) => !isOurs(written));
  if (place === undefined) return true;
  const names = Object.values(place.names);
  if (place.addressRank === RANK_COUNTRY) names.push(...countryNames(place.countryCode));
  else if (foreign.every(({ written }) => isInScriptOf(place.countryCode, written))) return true;
  const known = new Set(names.flatMap(name => questionWords(name).map(({ written }) => written)));
  return foreign.every(({ written }) => known.has(written));
}

/** True for a word in the script of a country that has not ours. */
function isInScriptOf(countryCode: string, written: string): boolean {
  if (!COUNTRY_CODE.test(countryCode)) return false;
  const script = new Intl.Locale(`und-${countryCode}`).maximize().script;
  if (script === undefined || script === LATIN) return false;
  const alphabets = (ALPHABETS[script] ?? [script]).map(alphabet => `\\p{sc=${alphabet}}`);
  return new RegExp(`^[${alphabets.join('')}\\p{M}]+$`, 'u').test(written);
}
