// The names of countries as queries use them: those of Unicode's locale data in the world's larger languages and their
// codes, which the index of a layer has, and what else people call them (data/country_names.csv): UAE, Great Britain.

import { typedWordsOf } from './text.ts';
import { rowsOf } from './vocabulary.ts';

/** Words of the longest name of a country: United Kingdom of Great Britain and Northern Ireland. */
export const COUNTRY_WORDS_MAX = 8;

/** Languages in which country names are understood, besides the names on the map. */
const LANGUAGES =
  'en de fr it es pt nl da sv nb fi pl cs sk hu ro bg hr sl sr el tr ru uk et lv lt mt ga ca eu is sq mk ar he ' +
  'fa hi th vi id ms ja ko zh af az be bn bs cy eo fo gl gu hy ka kk km ky lb lo mn mr my ne pa si sw ta te ur uz';
/** The languages in which most people write to strangers: an unfinished name may be one in these. */
const MAIN_LANGUAGES = ['en', 'de', 'fr', 'it', 'es'];
const CODE = /^[a-z]{2}$/;

let displayNames: Intl.DisplayNames[] | undefined;
let languages: Intl.DisplayNames[] | undefined;
let languagesBy: Map<string, string[]> | undefined;

/**
 * All names and short names of a country, and its code. @param code ISO 3166-1 alpha-2, lower case; none for other
 * codes
 */
export function countryNames(code: string): string[] {
  if (!CODE.test(code)) return [];
  displayNames ??= LANGUAGES.split(' ').flatMap(language =>
    (['long', 'short'] as const).map(
      style => new Intl.DisplayNames(language, { type: 'region', style, fallback: 'none' }),
    ),
  );
  const names = new Set([code]);
  for (const each of displayNames) {
    const name = each.of(code.toUpperCase());
    if (name !== undefined) names.add(name);
  }
  return [...names];
}

/**
 * The names of the language of a country. Of a language that it shares with a larger one only what is said of its own
 * kind: Swiss High, of Swiss High German. @param code as above
 */
export function languageNames(code: string): string[] {
  const region = code.toUpperCase();
  languages ??= LANGUAGES.split(' ').map(each => new Intl.DisplayNames(each, { type: 'language', fallback: 'none' }));
  languagesBy ??= languagesByRegion();
  const codes = languagesBy.get(region) ?? [];
  const { language } = new Intl.Locale(`und-${region}`).maximize();
  return languages.flatMap(each => {
    const plain = new Set(typedWordsOf(each.of(language) ?? ''));
    const own = typedWordsOf(each.of(`${language}-${region}`) ?? '').filter(word => !plain.has(word));
    return [...codes.map(of => each.of(of) ?? ''), ...own];
  });
}

/**
 * Languages by the country in which each is at home: the one that has its code and speaks it (pt: Portugal), or where
 * most people speak it. Which country English is of, its code does not say.
 */
function languagesByRegion(): Map<string, string[]> {
  const by = new Map<string, string[]>();
  for (const language of LANGUAGES.split(' ')) {
    const isOwn = new Intl.Locale(`und-${language.toUpperCase()}`).maximize().language === language;
    const region = isOwn ? language.toUpperCase() : new Intl.Locale(language).maximize().region!;
    if (language !== 'en') by.set(region, [...(by.get(region) ?? []), language]);
  }
  return by;
}

/** The names of a country in its own language and the main ones, and its code, lower case. @param code as above */
export function mainCountryNames(code: string): ReadonlySet<string> {
  if (!CODE.test(code)) return new Set();
  const { language } = new Intl.Locale(`und-${code}`).maximize();
  const names = new Set([code]);
  for (const each of [...MAIN_LANGUAGES, language]) {
    for (const style of ['long', 'short'] as const) {
      const name = new Intl.DisplayNames(each, { type: 'region', style, fallback: 'none' }).of(code.toUpperCase());
      if (name !== undefined) names.add(name);
    }
  }
  return names;
}

let otherNames: Map<string, string> | undefined;

/**
 * The country that is called so, beside its names in the index. @param letters of all words, as they were typed, in
 * Latin letters @returns its code, lower case
 */
export function countryCalled(letters: string): string | undefined {
  otherNames ??= readOtherNames();
  return otherNames.get(letters);
}

/** All letters by which a country is called so. */
export function countriesCalled(): Iterable<string> {
  otherNames ??= readOtherNames();
  return otherNames.keys();
}

/** Columns: country, names separated by semicolons. */
function readOtherNames(): Map<string, string> {
  const countries = new Map<string, string>();
  for (const [country, names] of rowsOf('country_names.csv'))
    for (const name of names.split(';')) countries.set(typedWordsOf(name).join(''), country.toLowerCase());
  return countries;
}
