// Words of a query that name a country or a state in a way that the layer does not know, from tables in `data/`:
//
//   country      what people call a country: UAE, Great Britain, Holland
//   subdivision  a state or province, or its code, of which the layer has no area: NSW, Michigan, SP. It says where a
//                place is that is in that country and, as far as the layer knows, in no state.
//
// A subdivision is no evidence if the layer has an area of that name: then only that area explains the words. A country
// of that name or code is none: behind a town of Brazil SC is Santa Catarina, also where the layer has the Seychelles.

import { RANK_AREA_MAX, RANK_COUNTRY } from '../../tables/places/ranks.ts';
import { countryNumber, isLastSpelling, SPELLING_POSTCODE, spellingKind, spellingTokens } from './word_index/layout.ts';
import type { SearchIndex } from './word_index/search_index.ts';
import type { AreaName } from './words/area_names.ts';

/** What words of a query name beside the names in a layer, as masks of words. */
export interface AreaTerms {
  /** By document of the country. */
  countries: ReadonlyMap<number, number>;
  /** By number of the country: words that name one of its states, which the layer does not have. */
  subdivisions: ReadonlyMap<number, number>;
  /** The same for letters of a province, by which nothing else of the map is called. */
  provinces: ReadonlyMap<number, number>;
  /** All readings, with the codes of countries, for explanations. */
  readings: readonly { mask: number; reading: 'countryName' | 'subdivision'; countryCode: string }[];
}

/** Reads the words of a query that name areas. @param names those that the tables have */
export function areaTerms(index: SearchIndex, names: readonly AreaName[]): AreaTerms {
  if (names.length === 0) return NO_TERMS;
  const countries = new Map<number, number>();
  const subdivisions = new Map<number, number>();
  const provinces = new Map<number, number>();
  const readings: AreaTerms['readings'][number][] = [];
  for (const { from, end, text, country, statesOf, provincesOf } of names) {
    const mask = (2 ** (end - from) - 1) << from;
    if (country !== undefined) {
      add(countries, index.countryDocument(countryNumber(country)), mask);
      readings.push({ mask, reading: 'countryName', countryCode: country });
    }
    for (const code of statesOf) {
      const number = countryNumber(code);
      if (hasArea(index, text, number)) continue;
      add(subdivisions, number, mask);
      readings.push({ mask, reading: 'subdivision', countryCode: code });
    }
    for (const code of provincesOf) {
      add(provinces, countryNumber(code), mask);
      readings.push({ mask, reading: 'subdivision', countryCode: code });
    }
  }
  return { countries, subdivisions, provinces, readings };
}

/** @param key 0 for a country that the layer does not have */
function add(masks: Map<number, number>, key: number, mask: number): void {
  if (key !== 0) masks.set(key, (masks.get(key) ?? 0) | mask);
}

const NO_TERMS: AreaTerms = { countries: new Map(), subdivisions: new Map(), provinces: new Map(), readings: [] };

/** Runs of words of which is kept, for each country, whether a layer has an area called so. */
const KNOWN_MAX = 1_000;

/** By number of the country, then by the words. */
const knownAreas = new WeakMap<SearchIndex, Map<number, Map<string, boolean>>>();

/**
 * True if a layer has an area in a country that is called exactly so: Vaduz is asked for in every other query. @param
 * text the words, folded, separated by spaces
 */
function hasArea(index: SearchIndex, text: string, country: number): boolean {
  let known = knownAreas.get(index);
  if (known === undefined) {
    known = new Map();
    knownAreas.set(index, known);
  }
  let ofCountry = known.get(country);
  if (ofCountry === undefined) {
    ofCountry = new Map();
    known.set(country, ofCountry);
  }
  let isThere = ofCountry.get(text);
  if (isThere === undefined) {
    isThere = areasCalled(index, text.split(' '), country).some(area => index.searchRank(area) > RANK_COUNTRY);
    if (ofCountry.size >= KNOWN_MAX) ofCountry.clear();
    ofCountry.set(text, isThere);
  }
  return isThere;
}

/** The areas of a country in a layer, and all countries, that are called exactly so. @param country its number */
export function areasCalled(index: SearchIndex, words: readonly string[], country: number): number[] {
  const tokens = words.map(word => index.find(word));
  if (tokens.some(token => token < 0)) return [];
  const [rarest] = [...tokens].sort((a, b) => index.count(a) - index.count(b));
  const found: number[] = [];
  index.forEachDocument(rarest, document => {
    const rank = index.searchRank(document);
    const isArea = rank <= RANK_AREA_MAX && (rank <= RANK_COUNTRY || index.country(document) === country);
    if (isArea && isCalled(index, document, tokens)) found.push(document);
  });
  return found;
}

/** True for a document of which a name has exactly these tokens, in their order. */
function isCalled(index: SearchIndex, document: number, tokens: readonly number[]): boolean {
  const { names } = index;
  let at = index.spellings(document);
  for (;;) {
    const header = names[at];
    const count = spellingTokens(header);
    if (
      count === tokens.length &&
      spellingKind(header) < SPELLING_POSTCODE &&
      tokens.every((token, i) => names[at + 1 + i] === token)
    )
      return true;
    if (isLastSpelling(header)) return false;
    at += 1 + count;
  }
}
