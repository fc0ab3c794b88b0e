// Turns the results of a search into hits: places with positions. Parts of one thing, with the same name and
// surroundings, are one hit; of what is as fine as a house only those of one kind.

import { RANK_HOUSE } from '../../tables/places/ranks.ts';
import type { Match } from './match.ts';
import { type MatchRecord, noteOutcome } from './match_record.ts';
import { isInView, type SearchQuestion } from './question.ts';
import { BEHIND_MAX } from './rank.ts';
import type { HouseHit } from './word_index/houses.ts';
import { spellingTokens } from './word_index/layout.ts';
import type { SearchIndex } from './word_index/search_index.ts';

/** A place of a layer that matches a search. */
export interface SearchHit {
  /** Id in the layer; for an interpolated house that of the line of house numbers. */
  id: number;
  /** Number of an interpolated house; otherwise empty, and the place's own applies. */
  houseNumber: string;
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** Mismatch with the query, less importance. Smaller is better; comparable between layers. */
  penalty: number;
  /** What it costs, where that is recorded. */
  record?: MatchRecord;
}

/** A match with its house. */
export interface Result extends Match {
  house: HouseHit | undefined;
}

/** Results with the same name and surroundings within this distance are one, degrees: about 200 m. */
const SAME_DEGREES = 0.002;

/**
 * The best results, each place once.
 * @param results best first
 * @returns at most as many as requested; none far behind the best
 */
export function hitsOf(index: SearchIndex, question: SearchQuestion, results: readonly Result[]): SearchHit[] {
  const hits: SearchHit[] = [];
  const kept: Result[] = [];
  for (const result of results) {
    if (result.penalty > results[0].penalty + BEHIND_MAX) break;
    if (hits.length === question.limit) {
      if (result.record === undefined) break;
      noteOutcome(result.record, 'limit');
      continue;
    }
    const hit = hitOf(index, result);
    if (question.isBounded && !isInView(question, hit.latitude, hit.longitude)) {
      noteOutcome(result.record, 'outsideView');
      continue;
    }
    if (
      hits.some((other, i) => isClose(other, hit) && isAlike(index, kept[i], result) && isOfOneKind(index, other, hit))
    ) {
      noteOutcome(result.record, 'samePlace');
      continue;
    }
    kept.push(result);
    hits.push(hit);
    noteOutcome(result.record, 'answered');
  }
  return hits;
}

/** True for places with the same name and surroundings; a house and what has no name are only like themselves. */
function isAlike(index: SearchIndex, a: Result, b: Result): boolean {
  if (a.document === b.document) return a.house?.place === b.house?.place;
  if (a.house !== undefined || b.house !== undefined) return false;
  const [one, other] = [index.spellings(a.document), index.spellings(b.document)];
  const count = spellingTokens(index.names[one]);
  if (count === 0 || count !== spellingTokens(index.names[other])) return false;
  for (let i = 1; i <= count; i++) if (index.names[one + i] !== index.names[other + i]) return false;
  return (
    index.searchRank(a.document) === index.searchRank(b.document) &&
    index.parent(a.document) === index.parent(b.document) &&
    index.set(a.document) === index.set(b.document)
  );
}

/** The place of a result. Its id is 0 for a street that is known only by its houses. */
export function hitOf(index: SearchIndex, result: Result): SearchHit {
  const { penalty, record } = result;
  const hit = { ...placeOf(index, result), penalty };
  return record === undefined ? hit : { ...hit, record };
}

function placeOf(index: SearchIndex, { document, house }: Result): Omit<SearchHit, 'penalty'> {
  if (house === undefined)
    return {
      id: index.place(document),
      houseNumber: '',
      latitude: index.latitude(document),
      longitude: index.longitude(document),
    };
  const { place, houseNumber } = house;
  if (houseNumber !== '') return { id: place, houseNumber, latitude: house.latitude, longitude: house.longitude };
  const record = index.layer.place(place);
  if (record === undefined) throw new Error(`House ${place} of the index is not among the places.`);
  return { id: place, houseNumber: '', latitude: record.latitude, longitude: record.longitude };
}

function isClose(a: SearchHit, b: SearchHit): boolean {
  return Math.abs(a.latitude - b.latitude) < SAME_DEGREES && Math.abs(a.longitude - b.longitude) < SAME_DEGREES;
}

/** Ways of a street and areas are of one kind; of finer places a stop and a museum of one name are two. */
function isOfOneKind({ layer }: SearchIndex, a: SearchHit, b: SearchHit): boolean {
  const [first, second] = [layer.place(a.id), layer.place(b.id)];
  if (first === undefined || second === undefined || first.searchRank < RANK_HOUSE) return true;
  return first.category === second.category && first.type === second.type;
}

/** The best match of each document, which may be found by its name and by its kind. */
export function bestOfEach(matches: readonly Match[]): Match[] {
  const best = new Map<number, Match>();
  for (const match of matches) {
    const known = best.get(match.document);
    if (known === undefined || match.penalty < known.penalty) best.set(match.document, match);
  }
  return [...best.values()];
}

/** The best so many matches, best first. */
export function best(matches: readonly Match[], most: number): Match[] {
  const found: Match[] = [];
  for (const match of matches) {
    if (found.length >= most && (most <= 0 || byPenalty(match, found[most - 1]) >= 0)) continue;
    let at = Math.min(found.length, most - 1);
    for (; at > 0 && byPenalty(match, found[at - 1]) < 0; at--) found[at] = found[at - 1];
    found[at] = match;
  }
  return found;
}

/** Orders matches, the better first. */
export function byPenalty(a: Match, b: Match): number {
  return a.penalty - b.penalty || a.document - b.document;
}
