// How well a document matches a query: which words it explains, by its own name and by the areas around it, and what
// that costs.
//
// The terms of the penalty and their weights are in rank.ts. Shares are of weights (query_words.ts). What an area or a
// set of areas explains is computed once for each query.

import { RANK_AREA_MAX, RANK_CITY, RANK_COUNTRY, RANK_POSTCODE, RANK_STATE } from '../../tables/places/ranks.ts';
import type { AreaTerms } from './area_terms.ts';

import type { MatchRecord, MatchRecorder } from './match_record.ts';
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

/** Words that a surrounding place explains, and the cost. */
interface Cover {
  mask: number;
  cost: number;
}

/** What an area or road explains. */
interface AreaCover extends Cover {
  /** One of its names was said as a whole. */
  isWhole: boolean;
}

/** What a document itself explains. */
interface OwnCover extends Cover {
  /** Words that its address explains besides. */
  around: number;
  /** Share of its name that is in the query, 0..1; 1 if it is found by its kind or postcode. */
  said: number;
}

/** What a set of areas explains. */
interface SetCover extends Cover {
  /** Some of it is explained by an area smaller than a country. */
  isLocal: boolean;
  /** There is a state among the areas, or what is larger, but no country. */
  hasState: boolean;
}

/** No words. */
const NOTHING: AreaCover = { mask: 0, cost: 0, isWhole: false };

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
  private readonly ownMasks: { street: number; area: number; postcode: number };
  private readonly areaCovers = new Map<number, AreaCover>();
  private readonly setCovers = new Map<number, SetCover>();
  private readonly recorder: MatchRecorder | undefined;
  private readonly areas: AreaTerms;
  private readonly spelling: SpellingReader;

  constructor(
    index: SearchIndex,
    asked: QueryWords,
    terms: Terms,
    question: SearchQuestion,
    near: { latitude: number; longitude: number } | undefined,
    recorder?: MatchRecorder,
  ) {
    this.index = index;
    this.asked = asked;
    this.terms = terms;
    this.question = question;
    this.near = near;
    this.nearTo = question.around;
    this.recorder = recorder;
    this.languages = new Set(question.languages.map(languageNumber));
    this.countries = new Set(question.countryCodes.map(countryNumber));
    const maskOf = (...fields: number[]) =>
      asked.words.reduce((mask, { field }, at) => (fields.includes(field) ? mask | (1 << at) : mask), 0);
    this.allMask = 2 ** asked.words.length - 1;
    this.areas = terms.areas;
    this.spelling = new SpellingReader(index, asked, terms, recorder);
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
    for (const cover of covers) {
      if ((cover.mask & ~mask) !== 0) {
        cost += cover.cost;
        if (cover === inState) this.recorder?.inSubdivision(cover.mask & ~mask, cover.cost);
        else if (cover === onRoad) this.recorder?.surrounding('street', parent, cover.cost);
        else if (cover === inAreas) this.recorder?.surrounding('area', index.set(document), cover.cost);
        else this.recorder?.surrounding('country', country, cover.cost);
      }
      mask |= cover.mask;
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
    if (this.recorder === undefined) return { document, mask, own: own.mask, said: own.said, penalty };
    const terms = { unexplained, notNamed, wholeName: -wholeName, importance: -importance, away, outside };
    return { document, mask, own: own.mask, said: own.said, penalty, record: this.recorder.finish(penalty, terms) };
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

  /** Words that a street or a house may explain. */
  get streetMask(): number {
    return this.ownMasks.street;
  }

  /** The document's own best spelling, and its postcode. @param around words that are explained by what is around it */
  private ownCover(document: number, kindMask: number, around: number): OwnCover | undefined {
    const { index } = this;
    const rank = index.searchRank(document);
    const isArea = rank <= RANK_AREA_MAX;
    const allowed = isArea
      ? this.ownMasks.area | (index.addressRank(document) === RANK_POSTCODE ? this.ownMasks.postcode : 0)
      : this.ownMasks.street;
    this.recorder?.beginOwn(kindMask);
    const country = kindMask === 0 && isArea ? this.countryMask(document) : 0;
    if (country !== 0) this.recorder?.ownCountry(country);
    let best: Omit<OwnCover, 'around'> | undefined;
    if (kindMask !== 0) best = { mask: kindMask, cost: KIND, said: 1 };
    else if (country !== 0) best = { mask: country, cost: 0, said: 1 };
    let bestValue =
      best === undefined ? Number.POSITIVE_INFINITY : best.cost + this.unexplainedCost(best.mask | around);
    let postcodeMask = 0;
    let addressMask = 0;
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
        addressMask |= this.aroundIn(start, at);
        if (this.spelling.said >= AREA_SHARE_MIN) this.recorder?.alsoReadIn('area');
        continue;
      }
      this.spelling.cover(start, at, kind === SPELLING_POSTCODE ? this.ownMasks.postcode : allowed, kindMask, rank);
      if (this.spelling.mask === 0) continue;
      if (kind === SPELLING_POSTCODE) {
        this.recorder?.alsoReadIn('postcode');
        postcodeMask |= this.spelling.mask;
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
      best = { mask, cost, said: kindMask === 0 ? this.spelling.said : 1 };
      this.recorder?.bestOwn(kindMask, { readings, unsaid, otherName, kind: byKind });
    } while (!isLastSpelling(header));
    // An area may be found by its postcode alone.
    if (best === undefined && isArea && postcodeMask !== 0) {
      best = { mask: 0, cost: UNSAID, said: 1 };
      this.recorder?.bestOwnIsPostcode();
    }
    return best === undefined ? undefined : { ...best, mask: best.mask | postcodeMask, around: addressMask };
  }

  /** Words that a spelling of an area of the address explains. */
  private aroundIn(start: number, end: number): number {
    this.spelling.cover(start, end, this.ownMasks.area, 0, RANK_AREA_MAX);
    return this.spelling.said >= AREA_SHARE_MIN ? this.spelling.mask : 0;
  }

  /** What a surrounding place explains. */
  areaCover(area: number): AreaCover {
    const known = this.areaCovers.get(area);
    if (known !== undefined) return known;
    const { index } = this;
    let cover: Cover = { mask: this.countryMask(area), cost: 0 };
    if (cover.mask !== 0) this.recorder?.countryName(area, cover.mask);
    let isWhole = false;
    let postcodeMask = 0;
    let around = 0;
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
        around |= this.aroundIn(start, at);
        if (this.spelling.said >= AREA_SHARE_MIN) this.recorder?.area(area);
        continue;
      }
      this.spelling.cover(start, at, kind === SPELLING_POSTCODE ? this.ownMasks.postcode : allowed, 0, rank);
      const mask = this.spelling.mask;
      const isPostcode = kind === SPELLING_POSTCODE;
      // Names of an area in two languages may both be said: Floriana Health Centre, Il-Furjana.
      if (!isPostcode && (this.spelling.said < AREA_SHARE_MIN || (mask & ~cover.mask) === 0)) continue;
      this.recorder?.area(area);
      if (!isPostcode && this.spelling.said >= 1) isWhole = true;
      if (isPostcode) postcodeMask |= mask;
      else cover = { mask: cover.mask | mask, cost: Math.max(cover.cost, this.spelling.cost) };
    } while (!isLastSpelling(header));
    const whole = { mask: cover.mask | postcodeMask | around, cost: cover.cost, isWhole };
    this.areaCovers.set(area, whole);
    return whole;
  }

  /** Words that are another name of a country. */
  private countryMask(document: number): number {
    return this.areas.countries.get(document) ?? 0;
  }

  /** Words that name a state of the document's country, if the layer knows of none around it, or a province. */
  private subdivisionCover(document: number, { hasState }: SetCover): Cover {
    const { index, areas } = this;
    if (areas.subdivisions.size + areas.provinces.size === 0 || index.searchRank(document) <= RANK_STATE)
      return NOTHING;
    const country = index.country(document);
    const mask = (hasState ? 0 : (areas.subdivisions.get(country) ?? 0)) | (areas.provinces.get(country) ?? 0);
    return mask === 0 ? NOTHING : { mask, cost: SUBDIVISION * this.share(mask) };
  }

  private setCover(set: number): SetCover {
    const known = this.setCovers.get(set);
    if (known !== undefined) return known;
    const { sets } = this.index;
    const cover: SetCover = { mask: 0, cost: 0, isLocal: false, hasState: false };
    for (let i = 1; i <= sets[set]; i++) {
      const rank = this.index.searchRank(sets[set + i]);
      if (rank > RANK_COUNTRY && rank <= RANK_STATE) cover.hasState = true;
      const area = this.areaCover(sets[set + i]);
      if (area.mask !== 0 && rank > RANK_COUNTRY) cover.isLocal = true;
      if ((area.mask & ~cover.mask) === 0) continue;
      cover.mask |= area.mask;
      cover.cost += area.cost;
      this.recorder?.addToSet(set, sets[set + i]);
    }
    this.setCovers.set(set, cover);
    return cover;
  }
}
