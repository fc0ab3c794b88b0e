// Areas that nothing knows, in an otherwise known address: `10, Church Lane, Thornbrook, Oxfordshire, OX9 9ZZ`, where
// the map has all but the county. House, street and town explain each other, so the house is meant, and the area only
// costs rank, as unexplained words do. So it is with a street of which the whole name and the town are said, and with a
// town whose state is named, behind the area: Reading, Berkshire, England.
//
// A house that is found by its name counts as one found by its number, if its street is named, too.
//
// One area may stand by itself, in its own part or behind the town; of a house also before its postcode and town, and
// behind its number. Further ones stand beside a word for what they are: Kel. Karet, Kec. Setiabudi; Résidence Les
// Lilas.
//
// Words that name something else contradict: another country or state; another town of the map; a city of the
// gazetteer far away; a kind of places. Then the address is none that the map has. A smaller place of the gazetteer
// elsewhere does not, as most quarters have namesakes.

import { isRoad, RANK_CITY, RANK_MUNICIPALITY, RANK_PATH, RANK_ROAD, RANK_STATE } from '../../tables/places/ranks.ts';
import { areasCalled } from './area_terms.ts';
import type { Result } from './hits.ts';
import type { Matcher } from './match.ts';
import type { QueryWord } from './query_words.ts';
import { countryNumber } from './word_index/layout.ts';
import type { SearchIndex } from './word_index/search_index.ts';
import { entriesOf } from './words/address_table.ts';
import { countryCalled } from './words/country_words.ts';
import { ordinalValue } from './words/ordinals.ts';
import { subdivisionsCalled } from './words/subdivision_words.ts';
import { HAS_DIGIT } from './words/text.ts';
import { isAreaType, kindsCalled, wordsInRole } from './words/vocabulary.ts';

/** Words that are left one behind the other. */
interface Run {
  from: number;
  /** Behind the last one. */
  to: number;
}

/** Words of the longest name of an area. */
const AREA_WORDS_MAX = 4;
const RUNS_MAX = 3;
/** Codes of states, which in other countries are something else. */
const CODE_LENGTH_MAX = 3;
/** A city nearer than this is one to which the town may belong, degrees. */
const NEAR_DEGREES = 0.5;

/**
 * True if a result is meant although it leaves words that it must explain: they name areas that nothing knows. @param
 * indexes of all layers
 */
export function isBesideUnknownArea(matcher: Matcher, indexes: readonly SearchIndex[], result: Result): boolean {
  const { words, address, needs } = matcher.asked;
  const { document, house, said, mask } = result;
  const left = needs.always & ~mask;
  if (left === 0 || !matcher.isInside(document)) return false;
  if ((left & address.digits) !== 0) return false;
  const runs = runsOf(words, left);
  if (runs === undefined) return false;
  const isBeside = (run: Run) => isBesideType(words, run);
  const alone = runs.filter(run => !isBeside(run));
  const rank = matcher.index.searchRank(document);
  const isHouse = house !== undefined || isHouseByName(matcher, result);
  if (!isHouse) {
    const isStreet = isRoad(rank);
    if (said < 1 || !(isStreet ? matcher.namedRank(document) > 0 : rank > RANK_STATE && rank < RANK_ROAD)) return false;
    if (alone.some(run => !isOwnPart(words, run, mask) || !(isStreet || isBeforeArea(matcher, result, run))))
      return false;
  }
  const mayStand = (run: Run) => mayStandAlone(matcher, result, run) || (isHouse && isInAddress(matcher, result, run));
  if (alone.length > 1 || !alone.every(mayStand)) return false;
  return !runs.some(run => contradicts(matcher, indexes, document, words.slice(run.from, run.to)));
}

/** The runs of words that are left; undefined if they are too many or too long for areas. */
function runsOf(words: readonly QueryWord[], left: number): Run[] | undefined {
  const runs: Run[] = [];
  for (let at = 0; at < words.length; at++) {
    if ((left & (1 << at)) === 0) continue;
    const last = runs.at(-1);
    if (last !== undefined && isJoined(words, last.to, at)) last.to = at + 1;
    else runs.push({ from: at, to: at + 1 });
  }
  return runs.length > RUNS_MAX || runs.some(({ from, to }) => to - from > AREA_WORDS_MAX) ? undefined : runs;
}

/** True for words with nothing between them but joining words: Les Lilas. */
function isJoined(words: readonly QueryWord[], from: number, to: number): boolean {
  if (words[to].part !== words[from - 1].part) return false;
  return words.slice(from, to).every(({ text }) => wordsInRole('stop').has(text));
}

/** True if a word for what an area or a part of a house is stands before or behind, or in it. */
function isBesideType(words: readonly QueryWord[], { from, to }: Run): boolean {
  const own = to - from > 1 ? [words[from], words[to - 1]] : [];
  return [words[from - 1], words[to], ...own].some(
    word =>
      word !== undefined &&
      word.part === words[from].part &&
      (isAreaType(word.text, word.isCut) || (word.text.length > 2 && entriesOf(word.text).some(isUnit))),
  );
}

function isUnit({ role }: { role: string }): boolean {
  return role === 'unit' || role === 'floor';
}

/** True if the result explains nothing else but numbers in the part of the query. @param mask words that it explains */
function isOwnPart(words: readonly QueryWord[], { from }: Run, mask: number): boolean {
  return words.every(
    ({ part, text }, at) => part !== words[from].part || (mask & (1 << at)) === 0 || HAS_DIGIT.test(text),
  );
}

/** True for a house or shop of which the whole name and the whole street are said. */
function isHouseByName(matcher: Matcher, { document, said }: Result): boolean {
  const { index } = matcher;
  const parent = index.parent(document);
  return said >= 1 && index.searchRank(document) > RANK_PATH && parent !== 0 && matcher.areaCover(parent).isWhole;
}

/** True for a run before the town, in a part without the street, or behind the number of the house. */
function isInAddress(matcher: Matcher, { document, mask }: Result, { from, to }: Run): boolean {
  const { words } = matcher.asked;
  const { part } = words[from];
  if (from === 0) return false;
  const before = words[from - 1];
  if (before.part === part && HAS_DIGIT.test(before.text) && words[to]?.part !== part) return true;
  // A state or country says nothing of the town.
  if (matcher.namedRank(document) < RANK_MUNICIPALITY) return false;
  const areas = matcher.areaMask(document);
  const named = words.flatMap((word, at) =>
    word.part === part && (mask & (1 << at)) !== 0 && !HAS_DIGIT.test(word.text) ? [at] : [],
  );
  return named.some(at => at >= to) && named.every(at => (areas & (1 << at)) !== 0);
}

/** True for a run between the town and an area around it, as counties are: Reading, Berkshire, England. */
function isBeforeArea(matcher: Matcher, { document, mask }: Result, { from, to }: Run): boolean {
  const isTownBefore = (mask & ((1 << from) - 1)) !== 0;
  return isTownBefore && (matcher.areaMask(document) & mask) >>> to !== 0;
}

/** True for a run by itself or behind the town; an address does not begin with the county. */
function mayStandAlone(matcher: Matcher, { document, mask }: Result, run: Run): boolean {
  const { words } = matcher.asked;
  if (run.from === 0) return false;
  const areas = matcher.areaMask(document);
  let before = run.from - 1;
  while (before > 0 && HAS_DIGIT.test(words[before].text)) before--;
  const isTownBefore = (areas & mask & (1 << before)) !== 0;
  const hasParts = words.some(({ part }) => part !== words[0].part);
  return !hasParts || isOwnPart(words, run, mask) || isTownBefore;
}

function isNumeral({ text }: QueryWord): boolean {
  return ordinalValue(text) !== undefined;
}

/** True if some of the words name a country, a state, a kind, or an area that does not go with the result. */
function contradicts(
  matcher: Matcher,
  indexes: readonly SearchIndex[],
  document: number,
  run: readonly QueryWord[],
): boolean {
  const country = matcher.index.country(document);
  for (let from = 0; from < run.length; from++) {
    for (let to = from + 1; to <= run.length; to++) {
      const some = run.slice(from, to);
      // In a longer name two letters are no code, and beside a word for a district VI is the sixth.
      if (to - from === 1 && (isNumeral(some[0]) || (run.length > 1 && some[0].text.length <= 2))) continue;
      const letters = some.map(({ typed }) => typed).join('');
      const statesOf = subdivisionsCalled(letters);
      const isState = letters.length > CODE_LENGTH_MAX || statesOf.some(code => countryNumber(code) === country);
      if (countryCalled(letters) !== undefined || (statesOf.length > 0 && isState)) return true;
      const texts = some.map(({ text }) => text);
      if (some.length === run.length && kindsCalled(texts.join(' ')).length > 0) return true;
      for (const index of indexes)
        for (const area of areasCalled(index, texts, country))
          if (isElsewhere(matcher, document, index, area)) return true;
    }
  }
  return false;
}

/** True for an area to which a result does not belong. @param index that of the area */
function isElsewhere(matcher: Matcher, document: number, index: SearchIndex, area: number): boolean {
  const own = matcher.index;
  const rank = index.searchRank(area);
  if (rank <= RANK_STATE) return true;
  // A part of the town that is named. Of the gazetteer, most counties have villages of their name elsewhere.
  if (index === own && own.hasAnyHouses) return (matcher.areaMask(area) & matcher.areaMask(document)) === 0;
  const shrink = Math.cos((own.latitude(document) * Math.PI) / 180);
  const isNear =
    Math.abs(index.latitude(area) - own.latitude(document)) < NEAR_DEGREES &&
    Math.abs(index.longitude(area) - own.longitude(document)) * shrink < NEAR_DEGREES;
  return rank <= RANK_CITY && !isNear;
}
