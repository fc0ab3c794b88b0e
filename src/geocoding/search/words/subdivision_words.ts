// The states and provinces of the world by name and code, as queries use them (data/subdivisions.csv).

import { type Folding, folded } from './folding.ts';
import { typedWordsOf } from './text.ts';
import { rowsOf } from './vocabulary.ts';

/** Words of the longest name of a state that is looked for. */
export const SUBDIVISION_WORDS_MAX = 5;

/** A state, or the country's equivalent. */
interface Subdivision {
  /** Its letters in ISO 3166-2 without the country's, two or three; empty if it has digits or only one letter. */
  letters: string;
  /** Names in languages other than that of the gazetteer: `name:de`. */
  names: Readonly<Record<string, string>>;
}

/** The countries of each name. Columns: state, name, letters, names by language, others with semicolons between. */
export const SUBDIVISIONS: Folding<[letters: string, countries: string[]][]> = {
  name: 'subdivisions',
  sources: ['subdivisions.csv'],
  fold: () => [...readCountries()],
};

let countriesByName: Map<string, string[]> | undefined;

/**
 * The countries that have a state with a name or code. @param letters of all words, as they were typed, in Latin
 * letters @returns codes, lower case
 */
export function subdivisionsCalled(letters: string): readonly string[] {
  countriesByName ??= new Map(folded(SUBDIVISIONS));
  return countriesByName.get(letters) ?? [];
}

/** All letters by which a state is called so. */
export function allSubdivisions(): Iterable<string> {
  countriesByName ??= new Map(folded(SUBDIVISIONS));
  return countriesByName.keys();
}

/** The states by the code of GeoNames: `US.CA`. */
export function readSubdivisions(): Map<string, Subdivision> {
  return new Map(
    rowsOf('subdivisions.csv').map(([state, , letters, names]) => {
      const byLanguage = names
        .split('|')
        .filter(Boolean)
        .map(each => each.split('='));
      return [state, { letters, names: Object.fromEntries(byLanguage.map(([key, name]) => [`name:${key}`, name])) }];
    }),
  );
}

/** The letters of a code of ISO 3166-2 by which people name a state: SP of `BR-SP`; empty for digits and one letter. */
export function lettersOfSubdivision(code: string): string {
  return /^[A-Z]{2}-([A-Z]{2,3})$/.exec(code)?.[1] ?? '';
}

let namesByState: Map<string, string[]> | undefined;

/**
 * What a state is called, by its code of ISO 3166-2 (DE-BY) or one of its names; empty for one that the table lacks.
 * @param names as the map has them
 */
export function namesOfState(code: string, names: readonly string[]): readonly string[] {
  namesByState ??= readNamesOfStates();
  const country = code.slice(0, 2);
  const keys = [code, ...names.map(name => `${country} ${keyOf(name)}`)];
  for (const key of keys) {
    const known = namesByState.get(key);
    if (known !== undefined) return known;
  }
  return [];
}

function readNamesOfStates(): Map<string, string[]> {
  const states = new Map<string, string[]>();
  for (const [state, name, letters, byLanguage, others = ''] of rowsOf('subdivisions.csv')) {
    const country = state.slice(0, 2);
    const names = [name, ...namesIn(byLanguage), ...others.split(';')].filter(Boolean);
    if (letters !== '') states.set(`${country}-${letters}`, names);
    for (const each of [name, ...namesIn(byLanguage)]) states.set(`${country} ${keyOf(each)}`, names);
  }
  return states;
}

function namesIn(byLanguage: string): string[] {
  return byLanguage.split('|').map(each => each.slice(each.indexOf('=') + 1));
}

let provinces: Map<string, string[]> | undefined;

/** The countries that have a province with these letters, which addresses there name: MI. @param letters as above */
export function provincesCalled(letters: string): readonly string[] {
  provinces ??= readProvinces();
  return provinces.get(letters) ?? [];
}

/** The letters of all provinces. */
export function allProvinces(): Iterable<string> {
  provinces ??= readProvinces();
  return provinces.keys();
}

/** Columns: country, letters, name. */
function readProvinces(): Map<string, string[]> {
  const countries = new Map<string, string[]>();
  for (const [country, letters] of rowsOf('provinces.csv')) {
    const key = letters.toLowerCase();
    countries.set(key, [...(countries.get(key) ?? []), country.toLowerCase()]);
  }
  return countries;
}

function readCountries(): Map<string, string[]> {
  const countries = new Map<string, string[]>();
  for (const [state, name, letters, names, others = ''] of rowsOf('subdivisions.csv')) {
    const country = state.slice(0, 2).toLowerCase();
    // Most languages call a state the same.
    for (const text of new Set([name, letters, ...namesIn(names), ...others.split(';')])) {
      const key = keyOf(text);
      const known = countries.get(key) ?? [];
      if (key !== '' && !known.includes(country)) countries.set(key, [...known, country]);
    }
  }
  return countries;
}

function keyOf(text: string): string {
  const words = typedWordsOf(text);
  return words.length > SUBDIVISION_WORDS_MAX ? '' : words.join('');
}
