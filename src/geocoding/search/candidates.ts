// Which documents of a layer are rated: those of the rarest words; of common words those in the surroundings that the
// query names, which are areas smaller than a country and roads. No list of the index is long (word_index/lists.ts),
// and a budget bounds how many are read.

import { isRoad, RANK_AREA_MAX, RANK_COUNTRY } from '../../tables/places/ranks.ts';
import type { Matcher } from './match.ts';
import { type Around, boxWithin } from './question.ts';
import type { Terms } from './terms.ts';
import { cellsIn } from './word_index/cells.ts';
import { LISTED_MAX, PREFIX_TOKENS_MAX } from './word_index/layout.ts';
import type { SearchIndex } from './word_index/search_index.ts';

/**
 * What is left for one question in all layers together, as counts and not as time, so that the same question always has
 * the same answer. Usual questions need a small part of it. What is rated or read first is what promises most: rare
 * words, important places, the best results.
 */
export class Budget {
  /** Documents that may be rated. */
  rated = 2_500;
  /** Entries of lists that may be looked at, to find areas and roads that the query names. */
  looked = 4_000;
  /** Lists of documents in an area that may be asked for. */
  lists = 400;
  /** Bytes of lists of houses that may be read, once for each reading of the house number. */
  houseBytes = 200_000;

  /** What may be spent on a question where others wait for its end: less than a millisecond. */
  static brief(): Budget {
    return Object.assign(new Budget(), { rated: 600, looked: 1_000, lists: 100, houseBytes: 50_000 });
  }

  /** Something may have been left out. */
  get isSpent(): boolean {
    return this.rated <= 0 || this.looked <= 0 || this.lists <= 0 || this.houseBytes <= 0;
  }
}

/** Documents of rare terms that are rated; other terms are tried only if these do not explain the query. */
const RARE_MAX = 500;
/** Documents that are rated for the same readings of the query. */
const RATED_MAX = 1_500;
const ALL_WORDS = -1;
/** Surroundings in which common terms are looked up. */
const SURROUNDINGS_MAX = 32;

/** An area or road that the query names. */
interface Surrounding {
  document: number;
  /** Words of the query that it explains. */
  mask: number;
  share: number;
}

/** Finds candidates for one set of readings. */
export class Candidates {
  /** Some terms were so common that not all of their documents were among the candidates. */
  hasPassedOver = false;
  private readonly index: SearchIndex;
  private readonly terms: Terms;
  private readonly matcher: Matcher;
  private readonly budget: Budget;
  /** Documents of rare terms, with the words that each has. */
  readonly documents = new Map<number, number>();
  /** Words of which these are perhaps not all documents. */
  partMask = ALL_WORDS;
  private readonly tokens: readonly number[];
  /** Words that only help names which are found by other words. */
  private readonly weakMask: number = 0;
  /** Tokens of which not all documents were looked at. */
  private passedOver: readonly number[];
  private isPrefixPassedOver = false;
  private known: Surrounding[] | undefined;
  private left: number;

  constructor(matcher: Matcher, budget: Budget) {
    const { index, terms } = matcher;
    this.index = index;
    this.terms = terms;
    this.matcher = matcher;
    this.budget = budget;
    this.left = Math.min(RATED_MAX, budget.rated);
    const tokens: number[] = [];
    for (const [token, readings] of terms.byToken) {
      if (readings.every(({ isWeak }) => isWeak === true)) this.weakMask |= this.maskOf(token);
      else tokens.push(token);
    }
    this.tokens = tokens.sort((a, b) => index.count(a) - index.count(b) || a - b);
    this.passedOver = this.tokens;
  }

  /** Documents of the rare terms, or of the rarest. */
  rare(): number[] {
    const { index, terms } = this;
    const found: number[] = [];
    const add = this.adder(found, 0);
    for (const country of terms.areas.countries.keys()) add(country);
    const { prefix } = terms;
    if (prefix !== undefined) {
      const isAll = index.forEachDocumentStartingWith(prefix, add);
      // Of very many words the most important documents must do.
      this.isPrefixPassedOver = !isAll && prefix.to - prefix.from <= PREFIX_TOKENS_MAX;
    }
    let left = RARE_MAX;
    const passedOver: number[] = [];
    this.partMask = this.weakMask;
    for (const token of this.tokens) {
      left -= index.count(token);
      const isTaken = left >= 0 || this.documents.size === 0;
      if (isTaken) index.forEachDocument(token, this.adder(found, this.maskOf(token)));
      if (isTaken && !index.isCommon(token)) continue;
      passedOver.push(token);
      this.partMask |= this.maskOf(token);
    }
    this.passedOver = passedOver;
    this.hasPassedOver = passedOver.length > 0 || this.isPrefixPassedOver;
    return found;
  }

  /** Further documents of common terms, in surroundings that the query names. */
  common(): number[] {
    const { index, budget } = this;
    const found: number[] = [];
    const add = this.adder(found, 0);
    const roads = new Set(this.documents.keys());
    const addAround = (document: number) => {
      if (budget.looked-- > 0 && (this.matcher.isInside(document) || roads.has(index.parent(document)))) add(document);
    };
    const addToken = (token: number, mask: number) => {
      if (!index.isCommon(token)) {
        if (budget.lists-- > 0) index.forEachDocument(token, addAround);
        return;
      }
      for (const around of this.surroundings(mask))
        if (budget.lists-- > 0) index.forEachDocumentAround(token, around, add);
    };
    for (const token of this.passedOver) addToken(token, this.maskOf(token));
    const { prefix } = this.terms;
    if (this.isPrefixPassedOver && prefix !== undefined)
      for (let token = prefix.from; token < prefix.to && budget.lists > 0; token++) addToken(token, prefix.mask);
    return found;
  }

  /** Documents of a kind, whether or not they are candidates already. @param mask words that name the kind */
  ofKind(kind: string, mask: number): number[] {
    const found: number[] = [];
    const seen = new Set<number>();
    const add = (document: number) => {
      if (this.left <= 0 || seen.has(document)) return;
      seen.add(document);
      this.take(found, document);
    };
    const { around } = this.matcher.question;
    if (around !== undefined) {
      this.forEachOfKindNear(kind, around, add);
      return found;
    }
    if (this.index.forEachOfKind(kind, add) < LISTED_MAX) return found;
    for (const around of this.surroundings(mask))
      if (this.budget.lists-- > 0) this.index.forEachOfKindAround(kind, around, add);
    return found;
  }

  /** Documents of a kind near a point, and perhaps others. */
  private forEachOfKindNear(kind: string, around: Around, visit: (document: number) => void): void {
    const listed: number[] = [];
    this.index.forEachOfKind(kind, document => listed.push(document));
    const isCommon = listed.length >= LISTED_MAX;
    const near: number[] = [];
    for (const cell of isCommon ? cellsIn(boxWithin(around)) : [])
      if (this.budget.lists-- > 0) this.index.forEachOfKindInCell(kind, cell, document => near.push(document));
    for (const document of isCommon ? near : listed) visit(document);
  }

  /** Adds documents that were not found before. @param mask words by which they are found */
  private adder(found: number[], mask: number): (document: number) => void {
    return document => {
      const known = this.documents.get(document);
      if (known === undefined && this.left > 0) this.take(found, document);
      this.documents.set(document, (known ?? 0) | mask);
    };
  }

  private take(found: number[], document: number): void {
    found.push(document);
    this.left--;
    this.budget.rated--;
  }

  private maskOf(token: number): number {
    return this.terms.byToken.get(token)!.reduce((mask, term) => mask | term.mask, 0);
  }

  /** Areas and roads in which some words are worth looking up: the query names them by other words. */
  private surroundings(mask: number): number[] {
    this.known ??= this.findSurroundings();
    const found: number[] = [];
    for (const { document, mask: named } of this.known) {
      if ((mask & ~named) !== 0 && found.push(document) === SURROUNDINGS_MAX) break;
    }
    return found;
  }

  /** Areas and roads that the query names: those that explain most of it first, then the most important ones. */
  private findSurroundings(): Surrounding[] {
    const { index, matcher, budget } = this;
    const found = new Map<number, Surrounding>();
    const look = (document: number) => {
      if (budget.looked-- <= 0 || found.has(document)) return;
      const rank = index.searchRank(document);
      const isArea = rank > RANK_COUNTRY && rank <= RANK_AREA_MAX;
      // There are many roads of one name; those that are candidates must do.
      const isCandidate = isRoad(rank) && this.documents.has(document);
      const { mask } = isArea || isCandidate ? matcher.areaCover(document) : { mask: 0 };
      if (mask !== 0) found.set(document, { document, mask, share: matcher.share(mask) });
    };
    for (const [document, mask] of this.documents) if (mask !== 0) look(document);
    for (const token of this.passedOver) {
      if (budget.lists-- <= 0) break;
      if (!index.isCommon(token) || !index.forEachArea(token, look)) index.forEachDocument(token, look);
    }
    return [...found.values()].sort(
      (a, b) =>
        b.share - a.share || index.importance(b.document) - index.importance(a.document) || a.document - b.document,
    );
  }
}
