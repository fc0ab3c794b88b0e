// Names of countries, and the country of a point or of a network. The names are those of Unicode's locale data, which
// come with Node.

import { countriesOfMcc, countryAt } from '../../geo/country.ts';
import type { Country } from './address.ts';

/** Number of languages whose names are cached; the cache is cleared when it is full. */
const LANGUAGES_MAX = 256;

interface Names {
  display: Intl.DisplayNames;
  /** By code; empty if the language has no name for it. */
  known: Map<string, string>;
}

const ENGLISH = 'en';
const byLanguage = new Map<string, Names | undefined>();

/**
 * The name of a country in the first language that has one, otherwise in English.
 * @param code ISO 3166-1 alpha-2, in either case
 * @param languages BCP 47 tags, best first; invalid tags are ignored
 */
export function countryName(code: string, languages: readonly string[]): string {
  for (const language of languages) {
    const name = nameIn(language, code);
    if (name) return name;
  }
  return nameIn(ENGLISH, code) || code.toUpperCase();
}

/** The country of a point in degrees, by the borders of the world; undefined on the open sea. */
export function countryOfPoint(latitude: number, longitude: number, languages: readonly string[]): Country | undefined {
  const code = countryAt(latitude, longitude);
  return code === undefined ? undefined : { code: code.toLowerCase(), name: countryName(code, languages) };
}

/**
 * The country of the networks in a request, if all of them allow that one country only.
 * @param mccs mobile country codes, 0..999; those without a country are ignored
 */
export function countryOfNetworks(mccs: Iterable<number>, languages: readonly string[]): Country | undefined {
  const codes = new Set<string>();
  for (const mcc of mccs) for (const code of countriesOfMcc(mcc)) codes.add(code);
  if (codes.size !== 1) return undefined;
  const [code] = codes;
  return { code: code.toLowerCase(), name: countryName(code, languages) };
}

function nameIn(language: string, code: string): string | undefined {
  if (!byLanguage.has(language)) {
    if (byLanguage.size >= LANGUAGES_MAX) byLanguage.clear();
    byLanguage.set(language, namesOf(language));
  }
  const names = byLanguage.get(language);
  if (names === undefined) return undefined;
  let name = names.known.get(code);
  if (name === undefined) {
    name = names.display.of(code.toUpperCase()) ?? '';
    names.known.set(code, name);
  }
  return name;
}

/** Undefined for a language without names in Node, for which it would return those of the system's language. */
function namesOf(language: string): Names | undefined {
  try {
    if (Intl.DisplayNames.supportedLocalesOf(language).length === 0) return undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  return { display: new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }), known: new Map() };
}
