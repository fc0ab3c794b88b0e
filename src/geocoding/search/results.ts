// The results of a search: the best of the places that were rated, with the house whose number the query has.

import { isResult } from './answer_rules.ts';
import type { Budget } from './candidates.ts';
import { best, bestOfEach, byPenalty, type Result } from './hits.ts';
import type { Match, Matcher } from './match.ts';
import { noteHouse, type ReadIn } from './match_record.ts';
import type { QueryWords } from './query_words.ts';
import { BEHIND_MAX } from './rank.ts';
import { findHouses, findMarkedHouse, type HouseHit } from './word_index/houses.ts';
import { countryNumber } from './word_index/layout.ts';
import type { SearchIndex } from './word_index/search_index.ts';
import { otherMarks } from './words/address_table.ts';
import { countriesWith, houseNumbersOf } from './words/house_number.ts';
import { type NumberReading, nearestFirst, unexplainedRuns } from './words/number_readings.ts';
import { wordsOf } from './words/text.ts';

/** Results that are searched for the house number. */
const HOUSED_MAX = 60;
/** Results that are searched for a house with words as its number. */
export const NAMED_MAX = 8;
/** Results whose record is read to compare their own house number, and houses for what else their number says. */
const RECORDS_MAX = 10;

const DIGITS = /^[0-9]+$/;
/** Results that are searched for a house of which the number has other marks. */
const MARKED_MAX = 8;

let unitFirst: ReadonlySet<number> | undefined;

/** Makes results of matches. */
export class Results {
  private readonly index: SearchIndex;
  private readonly asked: QueryWords;
  private readonly matcher: Matcher;
  private readonly budget: Budget;

  constructor(matcher: Matcher, budget: Budget) {
    this.index = matcher.index;
    this.asked = matcher.asked;
    this.matcher = matcher;
    this.budget = budget;
  }

  /** The best results, with the houses of those that have them. */
  of(all: readonly Match[]): Result[] {
    const matches = this.asked.kinds.length === 0 ? all : bestOfEach(all);
    let least = Number.POSITIVE_INFINITY;
    for (const { document, mask, penalty } of matches)
      if (penalty < least && isResult(this.matcher, document, mask, false)) least = penalty;
    const near: Match[] = [];
    const behind: Match[] = [];
    for (const match of matches) {
      if (match.penalty <= least + BEHIND_MAX) near.push(match);
      else if (this.leastPenalty(match) <= least + BEHIND_MAX) behind.push(match);
    }
    // Those that only their house could make results come after the others.
    return this.withHouses([...near.sort(byPenalty), ...best(behind, HOUSED_MAX - near.length)], least)
      .filter(({ document, mask, house }) => isResult(this.matcher, document, mask, house !== undefined))
      .sort(byPenalty);
  }

  /** The smallest penalty that a match may have when its house is known. */
  private leastPenalty({ document, mask, penalty }: Match): number {
    const mayHaveNumber = this.index.hasHouses(document) || this.index.parent(document) !== 0;
    return mayHaveNumber ? penalty - this.matcher.unexplainedCost(mask) : penalty;
  }

  /** @param matches best first @param least penalty of the best result among them */
  private withHouses(matches: readonly Match[], least: number): Result[] {
    const results: Result[] = matches.map(match => ({ ...match, house: undefined }));
    const postcodes = new Set(this.matcher.terms.byToken.keys());
    const { words, numbers } = this.asked;
    const names = new Map<number, NumberReading[]>();
    const namesOf = (mask: number): NumberReading[] => {
      const known = names.get(mask) ?? unexplainedRuns(words, mask);
      names.set(mask, known);
      return known;
    };
    let limit = least + BEHIND_MAX;
    let named = NAMED_MAX;
    let records = RECORDS_MAX;
    let said = RECORDS_MAX;
    for (const result of results.slice(0, HOUSED_MAX)) {
      if (this.leastPenalty(result) > limit) continue;
      if (this.index.hasHouses(result.document)) {
        this.addHouse(result, postcodes, this.nearestFirst(result, this.within(limit, result, numbers)));
        if (
          result.house === undefined &&
          named > 0 &&
          this.addHouse(result, postcodes, this.within(limit, result, namesOf(result.mask)))
        )
          named--;
        if (result.house !== undefined && said > 0 && this.explainNumber(result, result.house)) said--;
      } else if (records > 0 && this.addOwnNumber(result, this.within(limit, result, numbers))) records--;
      if (isResult(this.matcher, result.document, result.mask, result.house !== undefined))
        limit = Math.min(limit, result.penalty + BEHIND_MAX);
    }
    if (numbers.length > 0 && results.every(({ house }) => house === undefined))
      for (const result of results.slice(0, MARKED_MAX)) this.addMarkedHouse(result, numbers);
    return results;
  }

  /** Replaces a street by a house of which the number has other marks, or more; it costs as much as the street. */
  private addMarkedHouse(result: Result, numbers: readonly NumberReading[]): void {
    if (!this.index.hasHouses(result.document)) return;
    const { mask: explained } = result;
    for (const { key, mask, besides, isPlain } of numbers) {
      const isFree = (mask & (explained | ~this.matcher.ownMasks.street)) === 0 && (besides & ~explained) === 0;
      const houses = isFree && isPlain !== undefined ? this.index.houses(result.document) : undefined;
      if (houses === undefined) continue;
      this.budget.houseBytes -= houses.length;
      if (this.budget.houseBytes < 0) return;
      const others = otherMarks(key).flatMap(other => findHouses(houses, other, new Set()).slice(0, 1));
      result.house = others[0] ?? (DIGITS.test(key) ? findMarkedHouse(houses, key) : undefined);
      if (result.house === undefined) continue;
      noteHouse(result.record);
      return;
    }
  }

  /**
   * Readings of words that a result does not explain; none if no house with one of them would bring its penalty down to
   * the limit.
   */
  private within(
    limit: number,
    { mask: explained, penalty }: Result,
    readings: readonly NumberReading[],
  ): NumberReading[] {
    const { matcher } = this;
    const free = readings.filter(
      ({ mask, besides }) => (mask & (explained | ~matcher.ownMasks.street)) === 0 && (besides & ~explained) === 0,
    );
    const before = matcher.unexplainedCost(explained);
    return free.some(({ mask }) => penalty + matcher.unexplainedCost(explained | mask) - before <= limit) ? free : [];
  }

  /** The same with the number next to the street first. */
  private nearestFirst({ document, mask }: Result, readings: readonly NumberReading[]): readonly NumberReading[] {
    if (readings.length < 2) return readings;
    const { words, address } = this.asked;
    unitFirst ??= new Set([...countriesWith('unitFirst')].map(countryNumber));
    const street = mask & ~this.matcher.areaMask(document);
    return nearestFirst(readings, words, address, street, unitFirst.has(this.index.country(document)));
  }

  /** Replaces a street by its house with the number, if there is one. @returns true if its houses were looked at */
  private addHouse(result: Result, postcodes: ReadonlySet<number>, readings: readonly NumberReading[]): boolean {
    const houses = readings.length === 0 ? undefined : this.index.houses(result.document);
    if (houses === undefined) return false;
    for (const { key, mask } of readings) {
      this.budget.houseBytes -= houses.length;
      if (this.budget.houseBytes < 0) break;
      const [house] = findHouses(houses, key, postcodes);
      if (house === undefined) continue;
      explainWords(this.matcher, result, mask, 'houseNumber');
      result.house = house;
      noteHouse(result.record);
      break;
    }
    return true;
  }

  /** The number of a house may say more than was looked for: `37, Prinjola`. @returns true if its record was read */
  private explainNumber(result: Result, { place }: HouseHit): boolean {
    if ((this.asked.needs.always & ~result.mask) === 0) return false;
    const said = new Set(wordsOf(this.index.layer.place(place)?.houseNumber ?? ''));
    this.asked.words.forEach(({ text }, at) => {
      if (said.has(text)) explainWords(this.matcher, result, 1 << at, 'houseNumber');
    });
    return true;
  }

  /** Compares the house number of a place such as a shop. @returns true if its record was read */
  private addOwnNumber(result: Result, readings: readonly NumberReading[]): boolean {
    if (readings.length === 0 || this.index.parent(result.document) === 0) return false;
    const place = this.index.layer.place(this.index.place(result.document));
    const own = place === undefined ? [] : houseNumbersOf(place.houseNumber, place.countryCode);
    const reading = readings.find(({ key }) => own.some(number => number.key === key));
    if (reading !== undefined) explainWords(this.matcher, result, reading.mask, 'houseNumber');
    return true;
  }
}

/** Adds explained words to a result. @param readIn what explains them */
export function explainWords(matcher: Matcher, result: Result, mask: number, readIn: ReadIn): void {
  const before = matcher.unexplainedCost(result.mask);
  const added = mask & ~result.mask;
  result.mask |= mask;
  const unexplained = matcher.unexplainedCost(result.mask);
  result.penalty += unexplained - before;
  const { record, penalty } = result;
  if (record === undefined) return;
  if (added !== 0) record.reads.push({ mask: added, token: undefined, reading: 'written', readIn });
  Object.assign(record, { penalty, terms: { ...record.terms, unexplained } });
}
