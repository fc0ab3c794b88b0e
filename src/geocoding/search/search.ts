// Search by words, in one layer or in several:
//
//   1  coordinates, phone numbers and bracketed kinds are taken out of the text
//   2 each layer looks for the words as they are written (layer_search.ts); a layer that cannot come near the best
//   result so far is not asked
//   3 only as long as the best result of all layers leaves words unexplained, they look for what mistyped words may
//   mean: one letter first, then two
//
//   4  if still nothing explains all, a house is meant whose address names an area that nothing knows
//   5  at last words of scripts without blanks are cut (glued_words.ts), and all begins anew
//
// Short words alone are never taken for mistyped ones.
//
// So a word that one layer explains costs no search for typing errors in the others, which do not have it.

import { Budget } from './candidates.ts';
import { ungluedText } from './glued_words.ts';
import type { SearchHit } from './hits.ts';
import { LayerSearch } from './layer_search.ts';
import { QueryPostcodes } from './query_postcodes.ts';
import { type ParsedQuery, parseQuery } from './query_words.ts';
import type { SearchQuestion } from './question.ts';
import type { SearchRecord } from './search_record.ts';
import type { SearchIndex } from './word_index/search_index.ts';
import { pointInText } from './words/coordinates.ts';
import { EDITS_MAX } from './words/edits.ts';
import { withoutPhoneNumbers } from './words/phone_numbers.ts';
import { isAreaType } from './words/vocabulary.ts';

/** The results of several layers. */
interface LayersAnswer {
  /** Coordinates in the query, degrees, if it has no other words: the result is what is there. */
  point: { latitude: number; longitude: number } | undefined;
  /** For each layer best first, at most as many as requested, none twice. */
  hits: SearchHit[][];
}

/** A bracketed kind, and the text without it. */
interface KindInText {
  /** `amenity=pharmacy` */
  kind: string;
  rest: string;
}

const BRACKETS = /\[\s*([\w:]+)\s*=\s*([^\]\s]+)\s*\]/;

/**
 * Finds places by words.
 * @param indexes of the layers; those that know their area better come first
 * @param record notes what is done, for whoever asks why
 */
export function searchLayers(
  indexes: readonly SearchIndex[],
  question: SearchQuestion,
  record?: SearchRecord,
): LayersAnswer {
  const begun = begin(indexes, question, record);
  if ('hits' in begun) return begun;
  const { searches, read, open } = begun;
  const leftOut = searchExact(searches, question, record);
  if (read.needs.isShort || question.around !== undefined)
    return { point: undefined, hits: searches.map(search => search.hits()) };
  for (let edits = 1; edits <= EDITS_MAX && !isExplained(searches); edits++) {
    for (const search of searches) {
      // Several words of which one layer explains all, but for a letter, are meant so.
      if (read.words.length > 1 && isExplained(searches)) break;
      search.searchFuzzy(edits);
      record?.stage(edits === 1 ? 'oneEdit' : 'twoEdits', search);
    }
  }
  if (!isExplained(searches)) {
    for (const search of searches) {
      search.searchShortWords();
      record?.stage('shortWords', search);
    }
  }
  if (!isExplained(searches)) {
    for (const [at, index] of indexes.entries()) {
      // A layer was left out as a word is in none of its names: that may be the area, but no address begins with it,
      // unless the next word says what it is.
      const mayBeFirst = isAreaType(read.words[1]?.text ?? '', false);
      const isLeftOut = leftOut.has(searches[at]) && (mayBeFirst || (searches[at].unreadable & 1) === 0);
      const search = isLeftOut ? open(index) : searches[at];
      if (isLeftOut) search.searchExact();
      search.searchUnknownArea(indexes);
      if (search.isExplained) searches[at] = search;
      record?.stage('unknownArea', searches[at]);
    }
  }
  const unglued = isExplained(searches) ? undefined : ungluedText(indexes, question.text, read);
  if (unglued !== undefined) return searchLayers(indexes, { ...question, text: unglued }, record);
  return { point: undefined, hits: searches.map(search => search.hits()) };
}

/**
 * The same within a millisecond. @returns undefined if that takes longer: words must be read otherwise than they are
 * written, or many places compared
 */
export function searchLayersBriefly(
  indexes: readonly SearchIndex[],
  question: SearchQuestion,
): LayersAnswer | undefined {
  const budget = Budget.brief();
  const begun = begin(indexes, question, undefined, budget);
  if ('hits' in begun) return begun;
  const { searches, read } = begun;
  // A word that no layer has is probably mistyped.
  if (searches.every(({ unreadable }) => unreadable !== 0)) return undefined;
  searchExact(searches, question);
  if (budget.isSpent || !(read.needs.isShort || isExplained(searches))) return undefined;
  return { point: undefined, hits: searches.map(search => search.hits()) };
}

/** Reads a question. @returns the answer if nothing is looked for */
function begin(
  indexes: readonly SearchIndex[],
  question: SearchQuestion,
  record?: SearchRecord,
  budget = new Budget(),
): LayersAnswer | { searches: LayerSearch[]; read: ParsedQuery; open: (index: SearchIndex) => LayerSearch } {
  const point = pointInText(question.text, question.languages);
  const text = point?.rest ?? withoutPhoneNumbers(question.text);
  const kind = kindInText(text);
  const read = parseQuery(question, kind?.rest ?? text);
  if (read.words.length === 0 && kind === undefined)
    return { point: point && { latitude: point.latitude, longitude: point.longitude }, hits: indexes.map(() => []) };
  const postcodes = new QueryPostcodes(indexes, read.words, read.address);
  const open = (index: SearchIndex) =>
    new LayerSearch(index, { ...read, question, kind: kind?.kind, point, postcodes }, budget, record !== undefined);
  const searches = indexes.map(open);
  record?.begin(searches, kind?.kind, question.around ?? point);
  return searches.length === 0 ? { point: undefined, hits: [] } : { searches, read, open };
}

/** Looks for the words as they are written. @returns layers that were left out */
function searchExact(
  searches: readonly LayerSearch[],
  question: SearchQuestion,
  record?: SearchRecord,
): ReadonlySet<LayerSearch> {
  const leftOut = new Set<LayerSearch>();
  for (const search of searches) {
    const mightImprove = search.mightImprove(bestOf(searches, question));
    if (mightImprove) search.searchExact();
    else leftOut.add(search);
    record?.stage('asWritten', search, !mightImprove);
  }
  return leftOut;
}

/** True if some layer has an answer. */
function isExplained(searches: readonly LayerSearch[]): boolean {
  return searches.some(search => search.isExplained);
}

/**
 * Penalty of the best result of all layers so far. Those outside of the only view that is wanted do not count, so then
 * there is none.
 */
function bestOf(searches: readonly LayerSearch[], { isBounded }: SearchQuestion): number {
  return isBounded ? Number.POSITIVE_INFINITY : Math.min(...searches.map(({ penalty }) => penalty));
}

/** The bracketed kind in a text. */
export function kindInText(text: string): KindInText | undefined {
  const match = BRACKETS.exec(text);
  if (match === null) return undefined;
  return {
    kind: `${match[1]}=${match[2]}`,
    rest: `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`,
  };
}
