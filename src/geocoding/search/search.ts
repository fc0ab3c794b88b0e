// Search by words in one layer:
//
//   1  coordinates and bracketed kinds are taken out of the text
//   2  its words become terms: tokens of the index that they may mean (terms.ts)
//   3  candidates are the documents of the rarest terms, and those of the kinds that are named
//   4  each candidate is rated (match.ts), without regard to the order of words, and the best are searched for the house number
//   5  if the best result leaves words unexplained, this is repeated with the common terms, then with what mistyped words may mean
//
// Results that explain too little of the query are dropped, and so are those far behind the best.

import { type AskedWords, askedWords, type NumberReading, namesLeft } from './asked_words.ts';
import { hitsOf, type Result, type SearchHit } from './hits.ts';
import { type Match, Matcher } from './match.ts';
import type { SearchQuestion } from './question.ts';
import { addEdited, type Terms, termsOf } from './terms.ts';
import { findHouses } from './word_index/houses.ts';
import type { SearchIndex } from './word_index/search_index.ts';
import { pointInText } from './words/coordinates.ts';
import { editsAllowed } from './words/edits.ts';
import { houseNumbersOf } from './words/house_number.ts';
import { kindInText } from './words/kinds.ts';

/** The results of one layer. */
interface SearchAnswer {
  /** Coordinates in the query, degrees, if it has no other words: the result is what is there. */
  point: { latitude: number; longitude: number } | undefined;
  /** Best first, at most as many as requested, none twice. */
  hits: SearchHit[];
}

/** Documents of the rarest terms that are rated; other terms are tried only if these do not explain the query. */
const RARE_MAX = 500;
/** Documents of one term or kind that are looked at; further ones are ignored. */
const LOOKED_AT_MAX = 200_000;
/** Of those, the ones in surroundings that the query names are rated, and at most this many others. */
const ANYWHERE_MAX = 2_000;
const NO_DOCUMENTS: ReadonlySet<number> = new Set();
/** Mask of a bracketed kind: a bit that no word has. */
const ONLY_KIND = 1 << 31;
/** A result must explain at least this share of the query. */
const SHARE_MIN = 0.34;
/** Results that are searched for the house number. */
const HOUSED_MAX = 60;
/** Results that are searched for a house with words as its number. */
const NAMED_MAX = 8;
/** Results whose record is read to compare their own house number. */
const RECORDS_MAX = 10;

/** Finds places of a layer by words. */
export function search(index: SearchIndex, question: SearchQuestion): SearchAnswer {
  const point = pointInText(question.text);
  const kind = kindInText(point?.rest ?? question.text);
  const text = kind?.rest ?? point?.rest ?? question.text;
  const asked = askedWords(index, question, text);
  if (asked.words.length === 0 && kind === undefined)
    return { point: point && { latitude: point.latitude, longitude: point.longitude }, hits: [] };
  const terms = termsOf(index, asked, question.isAutocomplete);
  const hits = new Search(index, question, asked, terms, kind?.kind, point).run();
  return { point: undefined, hits };
}

/** A query in progress. */
class Search {
  private readonly index: SearchIndex;
  private readonly question: SearchQuestion;
  private readonly asked: AskedWords;
  private readonly terms: Terms;
  private readonly onlyKind: string | undefined;
  private readonly point: { latitude: number; longitude: number } | undefined;
  /** Some terms were so common that their documents were not rated. */
  private hasPassedOver = false;

  constructor(
    index: SearchIndex,
    question: SearchQuestion,
    asked: AskedWords,
    terms: Terms,
    onlyKind: string | undefined,
    point: { latitude: number; longitude: number } | undefined,
  ) {
    this.index = index;
    this.question = question;
    this.asked = asked;
    this.terms = terms;
    this.onlyKind = onlyKind;
    this.point = point;
  }

  run(): SearchHit[] {
    let results = this.resolve(false);
    if (this.hasPassedOver && this.unexplained(results[0]).length > 0) results = this.resolve(true);
    const mistyped = this.unexplained(results[0]).filter(at => addEdited(this.index, this.terms, this.asked.words, at));
    if (mistyped.length > 0) results = this.resolve(false);
    if (mistyped.length > 0 && this.hasPassedOver && this.unexplained(results[0]).length > 0) results = this.resolve(true);
    return hitsOf(this.index, this.question, results);
  }

  /** Words that the best result leaves unexplained. Numbers are left out, since the street answers for a missing house. */
  private unexplained(best: Result | undefined): number[] {
    const explained = best?.mask ?? 0;
    return this.asked.words.flatMap(({ text }, at) => ((explained & (1 << at)) === 0 && editsAllowed(text) > 0 ? [at] : []));
  }

  /** Rates candidates and looks for houses of the best. @param withCommon also takes terms that are in many names */
  private resolve(withCommon: boolean): Result[] {
    const matcher = new Matcher(this.index, this.asked, this.terms, this.question, this.point);
    const matches = this.match(matcher, withCommon);
    return this.withHouses(matcher, matches)
      .filter(({ document, mask, house }) => matcher.share(mask) >= SHARE_MIN && (house !== undefined || this.index.place(document) !== 0))
      .sort(byPenalty);
  }

  private match(matcher: Matcher, withCommon: boolean): Match[] {
    const best = new Map<number, Match>();
    const judge = (document: number, kindMask: number) => {
      const match = matcher.match(document, kindMask);
      if (match === undefined) return;
      const known = best.get(document);
      if (known === undefined || match.penalty < known.penalty) best.set(document, match);
    };
    if (this.onlyKind !== undefined)
      this.index.forEachOfKind(
        this.onlyKind,
        LOOKED_AT_MAX,
        this.someOf(matcher, NO_DOCUMENTS, document => judge(document, ONLY_KIND)),
      );
    else {
      const candidates = this.candidates(matcher, withCommon);
      for (const document of candidates) judge(document, 0);
      for (const { mask, kinds } of this.terms.kinds) {
        for (const kind of kinds)
          this.index.forEachOfKind(
            kind,
            LOOKED_AT_MAX,
            this.someOf(matcher, candidates, document => judge(document, mask)),
          );
      }
    }
    return [...best.values()].sort(byPenalty);
  }

  /** Documents of the rare terms, or of the rarest; of common terms only documents in surroundings that the query names. */
  private candidates(matcher: Matcher, withCommon: boolean): Set<number> {
    const { index, terms } = this;
    const documents = new Set<number>();
    const add = (document: number) => documents.add(document);
    if (terms.prefix !== undefined) index.forEachDocumentStartingWith(terms.prefix.text, add);
    let left = RARE_MAX;
    for (const token of [...terms.byToken.keys()].sort((a, b) => index.count(a) - index.count(b))) {
      left -= index.count(token);
      if (left >= 0 || documents.size === 0) index.forEachDocument(token, LOOKED_AT_MAX, this.someOf(matcher, documents, add));
      else if (withCommon)
        index.forEachDocument(token, LOOKED_AT_MAX, document => this.isAround(matcher, documents, document) && add(document));
      else this.hasPassedOver = true;
    }
    return documents;
  }

  /** Passes on documents in surroundings that the query names, and some others. */
  private someOf(matcher: Matcher, named: ReadonlySet<number>, visit: (document: number) => void): (document: number) => void {
    let left = ANYWHERE_MAX;
    return document => {
      if (left-- > 0 || this.isAround(matcher, named, document)) visit(document);
    };
  }

  /** True for a document in an area or at a road that the query names. */
  private isAround(matcher: Matcher, named: ReadonlySet<number>, document: number): boolean {
    return matcher.isInside(document) || named.has(this.index.parent(document));
  }

  private withHouses(matcher: Matcher, matches: readonly Match[]): Result[] {
    const results: Result[] = matches.map(match => ({ ...match, house: undefined }));
    const postcodes = new Set(this.terms.byToken.keys());
    let named = NAMED_MAX;
    let records = RECORDS_MAX;
    for (const result of results.slice(0, HOUSED_MAX)) {
      if (this.index.hasHouses(result.document)) {
        this.addHouse(matcher, result, postcodes, this.asked.numbers);
        if (result.house === undefined && named-- > 0) this.addHouse(matcher, result, postcodes, namesLeft(this.asked.words, result.mask));
      } else if (this.index.parent(result.document) !== 0 && records-- > 0) this.addOwnNumber(matcher, result);
    }
    return results;
  }

  /** Replaces a street by its house with the number, if there is one. */
  private addHouse(matcher: Matcher, result: Result, postcodes: ReadonlySet<number>, readings: readonly NumberReading[]): void {
    const free = readings.filter(({ mask }) => (mask & (result.mask | ~matcher.streetMask)) === 0);
    const houses = free.length === 0 ? undefined : this.index.houses(result.document);
    if (houses === undefined) return;
    for (const { key, mask } of free) {
      const [house] = findHouses(houses, key, postcodes);
      if (house === undefined) continue;
      explain(matcher, result, mask);
      result.house = house;
      return;
    }
  }

  /** Compares the house number of a place such as a shop. */
  private addOwnNumber(matcher: Matcher, result: Result): void {
    const reading = this.asked.numbers.find(({ mask }) => (mask & (result.mask | ~matcher.streetMask)) === 0);
    if (reading === undefined) return;
    const place = this.index.layer.place(this.index.place(result.document));
    const own = houseNumbersOf(place?.houseNumber ?? '');
    if (own.some(({ key }) => key === reading.key)) explain(matcher, result, reading.mask);
  }
}

function byPenalty(a: Match, b: Match): number {
  return a.penalty - b.penalty || a.document - b.document;
}

/** Adds explained words to a result. */
function explain(matcher: Matcher, result: Result, mask: number): void {
  const before = matcher.uncovered(result.mask);
  result.mask |= mask;
  result.penalty += matcher.uncovered(result.mask) - before;
}
