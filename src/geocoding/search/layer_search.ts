// A search in one layer, step by step:
//
//   1  the words become terms: tokens of the index that they may mean (terms.ts)
//   2  candidates are the documents of the rarest terms, and those of the kinds that are named (candidates.ts)
//   3  each candidate that may be an answer (reach.ts) is rated (match.ts), without regard to the order of words, and
//      the best are searched for the house number (results.ts); the others are rated only if that yields no answer
//   4  if the best result leaves words unexplained, documents of the common terms are added
//   5  on request this is repeated with what mistyped words may mean
//
// Results that explain too little of the query are dropped, and so are those far behind the best.

import { refusalOf, SHARE_MIN } from './answer_rules.ts';
import { type Budget, Candidates } from './candidates.ts';
import { byPenalty, hitOf, hitsOf, type Result, type SearchHit } from './hits.ts';
import { type Match, Matcher } from './match.ts';
import { noteOutcome } from './match_record.ts';
import { putNamedTownFirst } from './named_town.ts';
import type { QueryPostcodes } from './query_postcodes.ts';
import { type ParsedQuery, type QueryWords, weighWords } from './query_words.ts';
import type { SearchQuestion } from './question.ts';
import { BEHIND_MAX } from './rank.ts';
import { Reach } from './reach.ts';
import { explainWords, NAMED_MAX, Results } from './results.ts';
import type { LayerRecord } from './search_record.ts';
import {
  addApart,
  addEdited,
  addNameForms,
  addShifted,
  addSimilar,
  readableWords,
  type Terms,
  termsOf,
} from './terms.ts';
import { isBesideUnknownArea } from './unknown_area.ts';
import type { SearchIndex } from './word_index/search_index.ts';
import { EDITED_LENGTH_MIN, editsAllowed } from './words/edits.ts';
import { HAS_DIGIT } from './words/text.ts';

/** A query as every layer reads it. */
interface ReadQuestion extends ParsedQuery {
  question: SearchQuestion;
  /** Kind in brackets, such as `amenity=pharmacy`. */
  kind: string | undefined;
  /** Coordinates, degrees. */
  point: { latitude: number; longitude: number } | undefined;
  postcodes: QueryPostcodes;
}

/** Documents that may be results. */
interface CandidateList {
  documents: readonly number[];
  /** Words that name their kind. */
  kindMask: number;
}

/** Mask of a bracketed kind: a bit that no word has. */
const ONLY_KIND = 1 << 31;
/** Words of a query that may be mistyped; further ones are ignored. */
const MISTYPED_MAX = 8;

/** A query in progress in one layer. */
export class LayerSearch {
  private readonly index: SearchIndex;
  private readonly read: ReadQuestion;
  private readonly asked: QueryWords;
  private readonly terms: Terms;
  private matcher: Matcher;
  private results: Result[] = [];
  /** Results of the words as they are written, which leave some of them unexplained. */
  private written: Result[] = [];
  /** All results of which the answers were taken last, where that is recorded. */
  private taken: readonly Result[] = [];
  private hasAnswers = false;
  private isMistyped = false;
  private readonly budget: Budget;
  private readonly isRecorded: boolean;
  private ratedCount = 0;

  /** @param isRecorded what is done with each place goes with it (search_record.ts) */
  constructor(index: SearchIndex, read: ReadQuestion, budget: Budget, isRecorded: boolean) {
    this.index = index;
    this.read = read;
    this.budget = budget;
    this.isRecorded = isRecorded;
    this.asked = weighWords(index, read);
    this.terms = termsOf(index, this.asked, read.question.isAutocomplete);
    this.matcher = this.newMatcher();
  }

  private newMatcher(): Matcher {
    const { question, point } = this.read;
    return new Matcher(this.index, this.asked, this.terms, question, point, this.isRecorded);
  }

  /** Finds places with the words as they are written. */
  searchExact(): void {
    this.resolve();
    if (!this.hasAnswers) this.written = this.results;
  }

  /** Finds what is in an area that nothing knows (unknown_area.ts). @param indexes of all layers */
  searchUnknownArea(indexes: readonly SearchIndex[]): void {
    const meant = this.written.filter(result => isBesideUnknownArea(this.matcher, indexes, result));
    if (meant.length > 0) this.take(meant, this.asked.needs.always);
  }

  /**
   * Finds places with what the words that the best result leaves unexplained may mean. @param edits letters that were
   * mistyped in each, 1 or 2
   */
  searchFuzzy(edits: number): void {
    const { words } = this.asked;
    const mistyped = this.unexplained()
      .filter(at => edits <= editsAllowed(words[at].text, words[at].written, words.length === 1))
      .slice(0, MISTYPED_MAX);
    const isAdded = mistyped.map(at => addEdited(this.index, this.terms, this.asked.words, at, edits));
    const isSimilarAdded = edits === 1 && this.addSimilar();
    if (edits === 1) isAdded.push(addNameForms(this.index, this.terms, words));
    if (edits === 1) for (const at of this.unexplained()) isAdded.push(addApart(this.index, this.terms, words, at));
    if (!isSimilarAdded && !isAdded.includes(true)) return;
    this.isMistyped = true;
    this.matcher = this.newMatcher();
    this.resolve();
  }

  /** True if there are answers: the results explain the query. */
  get isExplained(): boolean {
    return this.hasAnswers;
  }

  /** Penalty of the best answer; Infinity without any. */
  get penalty(): number {
    return this.hasAnswers ? this.results[0].penalty : Number.POSITIVE_INFINITY;
  }

  /** Best first, at most as many as requested, none twice. */
  hits(): SearchHit[] {
    return this.hasAnswers ? hitsOf(this.index, this.read.question, this.results) : [];
  }

  /** Places rated so far; one may be rated again. */
  get rated(): number {
    return this.ratedCount;
  }

  /** How the words were read, and the places that were rated last; for a search that is recorded. */
  recorded(): LayerRecord {
    const { index, asked, terms } = this;
    return {
      index,
      asked,
      terms,
      results: this.taken.map(result => ({ ...hitOf(index, result), mask: result.mask, record: result.record! })),
    };
  }

  /**
   * False if no result could be among those that are kept, whatever documents there are.
   * @param best penalty of the best result of another layer
   */
  mightImprove(best: number): boolean {
    if (this.read.kind !== undefined || this.index.hasAnyHouses) return true;
    const mask = readableWords(this.asked, this.terms);
    if (this.matcher.share(mask) < SHARE_MIN || (this.read.needs.always & ~mask) !== 0) return false;
    return this.matcher.leastPenalty(mask) <= best + BEHIND_MAX;
  }

  /** Words that must be explained and have no reading. */
  get unreadable(): number {
    return this.read.needs.always & ~readableWords(this.asked, this.terms);
  }

  /**
   * Adds what words may mean beside the others of a name: of words too short to be looked for only this. @returns false
   * if there are none
   */
  private addSimilar(): boolean {
    const tokens = new Set<number>();
    for (const { document } of this.results.slice(0, NAMED_MAX))
      this.index.forEachNameToken(document, token => tokens.add(token));
    const { words } = this.asked;
    const mistyped = this.unexplained();
    const isShifted = addShifted(this.index, this.terms, words, mistyped);
    const unexplained = mistyped.map(at => ({ ...words[at], at }));
    return addSimilar(this.index, this.terms, unexplained, tokens) || isShifted;
  }

  /** Finds houses with what short words may mean, too: a street and a place with that number are evidence enough. */
  searchShortWords(): void {
    if (this.asked.numbers.length === 0) return;
    const isAdded = this.asked.words.map(
      ({ text }, at) =>
        !HAS_DIGIT.test(text) &&
        text.length < EDITED_LENGTH_MIN &&
        addEdited(this.index, this.terms, this.asked.words, at, 1),
    );
    if (!isAdded.includes(true)) return;
    this.matcher = this.newMatcher();
    this.resolve();
    this.results = this.results.filter(({ house, record }) => {
      if (house === undefined) noteOutcome(record, 'noHouse');
      return house !== undefined;
    });
    this.hasAnswers &&= this.results.length > 0;
  }

  /**
   * Words that the best result leaves unexplained. Numbers are left out, since the street answers for a missing house.
   */
  private unexplained(): number[] {
    const { words, address } = this.asked;
    const besides = (this.results[0]?.mask ?? 0) | address.digits;
    return words.flatMap((_, at) => ((besides & (1 << at)) === 0 ? [at] : []));
  }

  /**
   * Rates candidates of rare terms that may be answers, then those of all terms, and the others only if there is no
   * answer among these.
   */
  private resolve(): void {
    const { asked, matcher, budget } = this;
    const { kind } = this.read;
    const candidates = new Candidates(matcher, budget);
    const some: CandidateList[] = [];
    if (kind !== undefined) some.push({ documents: candidates.ofKind(kind, ONLY_KIND), kindMask: ONLY_KIND });
    else {
      some.push({ documents: candidates.rare(), kindMask: 0 });
      for (const { mask, kinds } of asked.kinds)
        for (const each of kinds) some.push({ documents: candidates.ofKind(each, mask), kindMask: mask });
    }
    const results = new Results(matcher, budget);
    const reach = new Reach(candidates, matcher);
    const matches: Match[] = [];
    const others = this.rateNear(some, reach, matches);
    this.take(results.of(matches));
    if (!this.hasAnswers && candidates.hasPassedOver) {
      const before = matches.length;
      others.push(...this.rateNear([{ documents: candidates.common(), kindMask: 0 }], reach, matches));
      if (matches.length > before) this.take(results.of(matches));
    }
    const isEnough = this.hasAnswers && this.explainsNumbers(this.results[0]);
    if (others.length === 0 || (isEnough && !this.isRecorded)) return;
    const more = isEnough ? [] : matches;
    for (const { documents, kindMask } of others) this.rate(documents, kindMask, more);
    if (isEnough) this.recordOthers(results.of(more));
    else this.take(results.of(more));
  }

  /** Rates those candidates that may be answers. @returns the others */
  private rateNear(some: readonly CandidateList[], reach: Reach, matches: Match[]): CandidateList[] {
    const others: CandidateList[] = [];
    for (const { documents, kindMask } of some) {
      const [near, far]: [number[], number[]] = [[], []];
      for (const document of documents) (reach.mayAnswer(document) ? near : far).push(document);
      this.rate(near, kindMask, matches);
      if (far.length > 0) others.push({ documents: far, kindMask });
    }
    return others;
  }

  /** Keeps results that are no answers, for whoever asks why they are none. */
  private recordOthers(results: readonly Result[]): void {
    for (const { record } of results) noteOutcome(record, 'wordsLeft');
    this.taken = [...this.taken, ...results];
  }

  /** False if a result leaves a number, which a house may have: its number may hold other words, too. */
  private explainsNumbers({ mask }: Result): boolean {
    return (this.asked.address.digits & ~mask) === 0;
  }

  /**
   * Keeps the results that are answers; if there are none, all, which say what may be mistyped. @param ofAreas words
   * that name areas which nothing knows
   */
  private take(results: Result[], ofAreas = 0): void {
    this.explainTowns(results);
    const { matcher, isMistyped } = this;
    const answers = results.filter(result => {
      const refused = refusalOf(matcher, this.read.postcodes, result, isMistyped, ofAreas);
      if (refused !== undefined) noteOutcome(result.record, refused);
      return refused === undefined;
    });
    this.hasAnswers = answers.length > 0;
    if (this.hasAnswers && answers[0].house !== undefined) putNamedTownFirst(matcher, answers);
    this.results = this.hasAnswers ? answers : results;
    if (this.isRecorded) this.taken = results;
  }

  /** A postcode beside its town is meant, also where the layer does not have it in the town. */
  private explainTowns(results: Result[]): void {
    let isChanged = false;
    for (const result of results) {
      const left = this.read.needs.always & ~result.mask;
      if (left === 0) continue;
      const town = this.read.postcodes.townBeside(this.index, result.document, left);
      if (town === 0) continue;
      isChanged = true;
      explainWords(this.matcher, result, town, 'area');
    }
    if (isChanged) results.sort(byPenalty);
  }

  /** Adds the matches among some documents. @param kindMask words that name their kind */
  private rate(documents: readonly number[], kindMask: number, matches: Match[]): void {
    this.ratedCount += documents.length;
    for (const document of documents) {
      const match = this.matcher.match(document, kindMask);
      if (match !== undefined) matches.push(match);
    }
  }
}
