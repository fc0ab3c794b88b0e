// How well a document matches a query: which words it explains, by its own name and by the areas around it, and what
// that costs.
//
// The terms of the penalty and their weights are in rank.ts. Shares are of weights (query_words.ts). What an area or a
// set of areas explains is computed once for each query.

import { RANK_AREA_MAX, RANK_CITY, RANK_COUNTRY, RANK_POSTCODE, RANK_STATE } from '../../tables/places/ranks.ts';
import {
  type AreaCover,
  type Cover,
  NAMELESS,
  NO_TERMS,
  NOTHING,
  OF_KIND,
  type OwnCover,
  readOutright,
  type SetCover,
} from './explained_words.ts';
import { type MatchRecord, type ReadIn, recordOf, type TokenRead, type WordsRead } from './match_record.ts';
import { FIELD_ANY, FIELD_AREA, FIELD_POSTCODE, FIELD_STREET, type QueryWords, weightIn } from './query_words.ts';
import { type Around, awayCost, isInView, metresFrom, type SearchQuestion } from './question.ts';
import {
  AROUND,
  FOREIGN_NAME,
  IMPORTANCE,
  KIND,
  KIND_NAMED,
  NAMED_AFTER_MAX,
  NOT_NAMED,
  OTHER_NAME,
  OUTSIDE,
  SUBDIVISION,
  UNEXPLAINED,
  UNFINISHED_OTHER,
  UNSAID,
  WHOLE_NAME,
} from './rank.ts';
import { SpellingReader } from './spelling_reader.ts';
import type { Terms } from './terms.ts';
import {
  countryNumber,
  isLastSpelling,
  languageNumber,
  SPELLING_AROUND,
  SPELLING_NAME,
  SPELLING_POSTCODE,
  spellingKind,
  spellingLanguage,
  spellingTokens,
} from './word_index/layout.ts';
import type { SearchIndex } from './word_index/search_index.ts';

/** In what of a place the words stand that the road, the areas, the country and the state around it explain. */
const READ_AROUND: readonly ReadIn[] = ['street', 'area', 'country', 'area'];

/** An area is not meant if less than this share of its name was said. */
const AREA_SHARE_MIN = 0.5;

/** A document that may be a result. */
export interface Match {
  document: number;
  /** Words that it explains. */
  mask: number;
  /** Those that its own name explains, or its kind. */
  own: number;
  penalty: number;
  /** Share of its name that is in the query, 0..1; 1 if it is found by its kind or postcode. */
  said: number;
  /** What it costs, where that is recorded. */
  record?: MatchRecord;
}

/** Rates documents for one query in one layer, with one set of readings of its words. */
export class Matcher {
  readonly index: SearchIndex;
  readonly asked: QueryWords;
  readonly terms: Terms;
  readonly question: SearchQuestion;
  private readonly near: { latitude: number; longitude: number } | undefined;
  private readonly nearTo: Around | undefined;
  private readonly countries: ReadonlySet<number>;
  /** Languages that are asked for. */
  private readonly languages: ReadonlySet<number>;
  /** All words. */
  private readonly allMask: number;
  /** Words that a document may explain: a street or house, an area, a postcode. */
  readonly ownMasks: { street: number; area: number; postcode: number };
  private readonly areaCovers = new Map<number, AreaCover>();
  private readonly setCovers = new Map<number, SetCover>();
  private readonly isRecorded: boolean;
  private readonly spelling: SpellingReader;

  /** @param isRecorded each match has what it costs, and how its words were read */
  constructor(
    index: SearchIndex,
    asked: QueryWords,
    terms: Terms,
    question: SearchQuestion,
    near: { latitude: number; longitude: number } | undefined,
    isRecorded = false,
  ) {
    this.index = index;
    this.asked = asked;
    this.terms = terms;
    this.question = question;
    this.near = near;
    this.nearTo = question.around;
    this.isRecorded = isRecorded;
    this.languages = new Set(question.languages.map(languageNumber));
    this.countries = new Set(question.countryCodes.map(countryNumber));
    const maskOf = (...fields: number[]) =>
      asked.words.reduce((mask, { field }, at) => (fields.includes(field) ? mask | (1 << at) : mask), 0);
    this.allMask = 2 ** asked.words.length - 1;
    this.spelling = new SpellingReader(index, asked, terms, isRecorded);
    this.ownMasks = {
      street: maskOf(FIELD_ANY, FIELD_STREET),
      area: maskOf(FIELD_ANY, FIELD_AREA, FIELD_STREET),
      postcode: maskOf(FIELD_ANY, FIELD_POSTCODE),
    };
  }

  /**
   * Rates a document.
   * @param kindMask words that name its kind; 0 if the query does not name it
   * @returns undefined if it cannot be a result
   */
  match(document: number, kindMask: number): Match | undefined {
    const { index } = this;
    if (index.place(document) === 0 && !index.hasHouses(document)) return undefined;
    if (this.countries.size > 0 && !this.countries.has(index.country(document))) return undefined;
    const { nearTo } = this;
    const metres = nearTo === undefined ? 0 : metresFrom(nearTo, index.latitude(document), index.longitude(document));
    if (nearTo !== undefined && metres > nearTo.reachMetres) return undefined;
    const parent = index.parent(document);
    const country = index.countryDocument(index.country(document));
    const onRoad = parent === 0 || parent === document ? NOTHING : this.areaCover(parent);
    const inAreas = this.setCover(index.set(document));
    const inCountry = country === 0 || country === document ? NOTHING : this.areaCover(country);
    const inState = this.subdivisionCover(document, inAreas);
    const covers = [onRoad, inAreas, inCountry, inState];
    const surroundings = onRoad.mask | inAreas.mask | inCountry.mask | inState.mask;
    const own = this.ownCover(document, kindMask, surroundings);
    if (own === undefined) return undefined;
    const around = surroundings | own.around;
    let mask = own.mask | own.around;
    let { cost } = own;
    let { readings } = own.terms;
    const reads = this.isRecorded ? [...own.reads] : undefined;
    for (let i = 0; i < covers.length; i++) {
      const cover = covers[i];
      const added = cover.mask & ~mask;
      if (added === 0) continue;
      cost += cover.cost;
      readings += cover.cost;
      mask |= cover.mask;
      if (reads === undefined) continue;
      for (const read of cover.reads)
        reads.push({ ...read, mask: cover === inState ? added : read.mask, readIn: READ_AROUND[i] });
    }
    // A street that is not named as a whole does not explain what it is called after.
    const isByName = own.said >= 1 && !onRoad.isWhole && index.importance(document) > NAMED_AFTER_MAX;
    const inAddress = isByName ? inAreas.mask | inCountry.mask | inState.mask | own.around : around;
    const notNamed = parent !== 0 && (own.mask & ~inAddress) === 0 ? NOT_NAMED : 0;
    const wholeName = own.mask === this.allMask ? WHOLE_NAME : 0;
    const away =
      nearTo === undefined
        ? awayCost(this.near, index.latitude(document), index.longitude(document))
        : (AROUND * metres) / nearTo.reachMetres;
    const outside = isInView(this.question, index.latitude(document), index.longitude(document)) ? 0 : OUTSIDE;
    cost = cost + notNamed - wholeName + (away + outside);
    const unexplained = this.unexplainedCost(mask);
    const importance = nearTo === undefined ? IMPORTANCE * index.importance(document) : 0;
    const penalty = cost + unexplained - importance;
    if (reads === undefined) return { document, mask, own: own.mask, said: own.said, penalty };
    const others = { readings, unexplained, notNamed, wholeName: -wholeName, importance: -importance, away, outside };
    const record = recordOf(penalty, { ...own.terms, ...others }, reads);
    return { document, mask, own: own.mask, said: own.said, penalty, record };
  }

  /** True for a document in an area that the query names and that is smaller than a country. */
  isInside(document: number): boolean {
    return this.setCover(this.index.set(document)).isLocal;
  }

  /**
   * Address rank of the smallest area around a document that the query names as a whole, of those that are as large as
   * a town; 0 if there is none.
   */
  namedRank(document: number): number {
    const { index } = this;
    const set = index.set(document);
    let smallest = 0;
    for (let i = 1; i <= index.sets[set]; i++) {
      const area = index.sets[set + i];
      const rank = index.addressRank(area);
      if (rank > smallest && rank <= RANK_CITY && this.areaCover(area).isWhole) smallest = rank;
    }
    return smallest;
  }

  /** Words that areas around a document explain. */
  areaMask(document: number): number {
    return this.setCover(this.index.set(document)).mask;
  }

  /** Cost of the words that are not explained. */
  unexplainedCost(mask: number): number {
    return UNEXPLAINED * (1 - weightIn(this.asked, mask) / this.asked.weight);
  }

  /** The smallest penalty that a document could have which explains these words. */
  leastPenalty(mask: number): number {
    return this.unexplainedCost(mask) - IMPORTANCE - WHOLE_NAME;
  }

  /** Share of the query that a mask explains. */
  share(mask: number): number {
    return this.asked.words.length === 0 ? 1 : weightIn(this.asked, mask) / this.asked.weight;
  }

  /** The document's own best spelling, and its postcode. @param around words that are explained by what is around it */
  private ownCover(document: number, kindMask: number, around: number): OwnCover | undefined {
    const { index, isRecorded } = this;
    const rank = index.searchRank(document);
    const isArea = rank <= RANK_AREA_MAX;
    const allowed = isArea
      ? this.ownMasks.area | (index.addressRank(document) === RANK_POSTCODE ? this.ownMasks.postcode : 0)
      : this.ownMasks.street;
    const country = kindMask === 0 && isArea ? this.countryMask(document) : 0;
    const ofKind = isRecorded && kindMask !== 0 ? [readOutright(kindMask, 'written', 'kind')] : NAMELESS.reads;
    let best: OwnCover | undefined;
    if (kindMask !== 0) best = { ...OF_KIND, mask: kindMask, reads: ofKind };
    else if (country !== 0)
      best = { ...NAMELESS, mask: country, reads: [readOutright(country, 'countryName', 'otherName')] };
    let bestValue =
      best === undefined ? Number.POSITIVE_INFINITY : best.cost + this.unexplainedCost(best.mask | around);
    let postcodeMask = 0;
    let addressMask = 0;
    let besides = NAMELESS.reads;
    const { names } = index;
    let header: number;
    let at = index.spellings(document);
    do {
      header = names[at];
      const start = at + 1;
      at = start + spellingTokens(header);
      if (!this.spelling.mayCover(start, at)) continue;
      const kind = spellingKind(header);
      if (kind === SPELLING_AROUND) {
        if (!this.isAround(start, at)) continue;
        addressMask |= this.spelling.mask;
        besides = [...besides, ...this.readsIn('area')];
        continue;
      }
      this.spelling.cover(start, at, kind === SPELLING_POSTCODE ? this.ownMasks.postcode : allowed, kindMask, rank);
      if (this.spelling.mask === 0) continue;
      if (kind === SPELLING_POSTCODE) {
        postcodeMask |= this.spelling.mask;
        besides = [...besides, ...this.readsIn('postcode')];
        continue;
      }
      const mask = this.spelling.mask | kindMask;
      const readings = this.spelling.cost;
      const unsaid = UNSAID * (1 - this.spelling.said);
      const isUnfinished = this.spelling.isUnfinished;
      const language = spellingLanguage(header);
      let otherName = 0;
      if (language !== 0 && !this.languages.has(language)) otherName = FOREIGN_NAME * this.share(mask);
      else if (kind !== SPELLING_NAME) otherName = isUnfinished ? UNFINISHED_OTHER : OTHER_NAME;
      const byKind = kindMask === 0 ? 0 : this.spelling.said >= 1 ? KIND_NAMED : KIND;
      const cost = readings + unsaid + otherName + byKind;
      const value = cost + this.unexplainedCost(mask | around);
      if (value >= bestValue) continue;
      bestValue = value;
      const said = kindMask === 0 ? this.spelling.said : 1;
      best = { mask, cost, around: 0, said, terms: NO_TERMS, reads: ofKind };
      if (!isRecorded) continue;
      best.terms = { readings, unsaid, otherName, kind: byKind };
      best.reads = [...ofKind, ...this.readsIn(otherName === 0 ? 'name' : 'otherName')];
    } while (!isLastSpelling(header));
    // An area may be found by its postcode alone.
    if (best === undefined && isArea && postcodeMask !== 0)
      best = { ...NAMELESS, cost: UNSAID, terms: { ...NO_TERMS, unsaid: UNSAID } };
    if (best === undefined) return undefined;
    best.mask |= postcodeMask;
    best.around = addressMask;
    if (besides.length > 0) best.reads = [...best.reads, ...besides];
    return best;
  }

  /** Reads a spelling of an area of the address. @returns false if it is not meant */
  private isAround(start: number, end: number): boolean {
    this.spelling.cover(start, end, this.ownMasks.area, 0, RANK_AREA_MAX);
    return this.spelling.said >= AREA_SHARE_MIN;
  }

  /** How the words of the spelling were read. @param readIn what it is */
  private readsIn(readIn: ReadIn): WordsRead[] {
    return this.spelling.reads.map(read => ({ ...read, readIn }));
  }

  /** What a surrounding place explains. */
  areaCover(area: number): AreaCover {
    const known = this.areaCovers.get(area);
    if (known !== undefined) return known;
    const { index } = this;
    let named = this.countryMask(area);
    let cost = 0;
    let isWhole = false;
    /** Its postcodes, and the areas of its address. */
    let besides = 0;
    const reads: TokenRead[] = named === 0 ? [] : [{ mask: named, token: undefined, reading: 'countryName' }];
    const rank = index.searchRank(area);
    const allowed = rank <= RANK_AREA_MAX ? this.ownMasks.area : this.ownMasks.street;
    const { names } = index;
    let header: number;
    let at = index.spellings(area);
    do {
      header = names[at];
      const start = at + 1;
      at = start + spellingTokens(header);
      if (!this.spelling.mayCover(start, at)) continue;
      const kind = spellingKind(header);
      if (kind === SPELLING_AROUND) {
        if (!this.isAround(start, at)) continue;
        besides |= this.spelling.mask;
        reads.push(...this.spelling.reads);
        continue;
      }
      this.spelling.cover(start, at, kind === SPELLING_POSTCODE ? this.ownMasks.postcode : allowed, 0, rank);
      const mask = this.spelling.mask;
      const isPostcode = kind === SPELLING_POSTCODE;
      // Names of an area in two languages may both be said: Floriana Health Centre, Il-Furjana.
      if (!isPostcode && (this.spelling.said < AREA_SHARE_MIN || (mask & ~named) === 0)) continue;
      reads.push(...this.spelling.reads);
      if (isPostcode) besides |= mask;
      else {
        isWhole ||= this.spelling.said >= 1;
        named |= mask;
        cost = Math.max(cost, this.spelling.cost);
      }
    } while (!isLastSpelling(header));
    const cover = { mask: named | besides, cost, reads, isWhole };
    this.areaCovers.set(area, cover);
    return cover;
  }

  /** Words that are another name of a country. */
  private countryMask(document: number): number {
    return this.terms.areas.countries.get(document) ?? 0;
  }

  /** Words that name a state of the document's country, if the layer knows of none around it, or a province. */
  private subdivisionCover(document: number, { hasState }: SetCover): Cover {
    const { index } = this;
    const { areas } = this.terms;
    if (areas.subdivisions.size + areas.provinces.size === 0 || index.searchRank(document) <= RANK_STATE)
      return NOTHING;
    const country = index.country(document);
    const mask = (hasState ? 0 : (areas.subdivisions.get(country) ?? 0)) | (areas.provinces.get(country) ?? 0);
    if (mask === 0) return NOTHING;
    return { mask, cost: SUBDIVISION * this.share(mask), reads: [{ mask, token: undefined, reading: 'subdivision' }] };
  }

  private setCover(set: number): SetCover {
    const known = this.setCovers.get(set);
    if (known !== undefined) return known;
    const { sets } = this.index;
    const reads: TokenRead[] = [];
    const cover: SetCover = { mask: 0, cost: 0, reads, isLocal: false, hasState: false };
    for (let i = 1; i <= sets[set]; i++) {
      const rank = this.index.searchRank(sets[set + i]);
      if (rank > RANK_COUNTRY && rank <= RANK_STATE) cover.hasState = true;
      const area = this.areaCover(sets[set + i]);
      if (area.mask !== 0 && rank > RANK_COUNTRY) cover.isLocal = true;
      if ((area.mask & ~cover.mask) === 0) continue;
      cover.mask |= area.mask;
      cover.cost += area.cost;
      reads.push(...area.reads);
    }
    this.setCovers.set(set, cover);
    return cover;
  }
}
