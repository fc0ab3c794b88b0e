// Which results are answers: every rule that refuses one, in the order in which they are tried.
//
//   share         it explains too little of the query, and is not even kept to say what is mistyped
//   name          words are mistyped, and too little of its name was said
//   words         it leaves words that such a result must explain (required_words.ts)
//   way           its names say another kind or direction of a street than the query: Church Street is not Church Road,
//                 but ul. Polna is Polna, and Main Street NW is Main Street
//   kind of way   only the kind of a street was said where the query names one: Millbrook Road is none of the other
//                 roads of a quarter that is called Millbrook
//   postcode      it leaves a postcode that it must have, or that is elsewhere
//   script        the words are short, in other letters than ours, and no name of it is written so
//
// Where all are refused, words are read otherwise (search.ts). At last a result may leave words that name an area which
// nothing knows (unknown_area.ts). Most results are not rated if they would be refused for their words (reach.ts).

import type { Place } from '../../tables/places/place.ts';
import { isRoad, RANK_AREA_MAX, RANK_COUNTRY, RANK_COUNTY, RANK_PATH } from '../../tables/places/ranks.ts';
import type { Result } from './hits.ts';
import type { Matcher } from './match.ts';
import type { Outcome } from './match_record.ts';
import type { QueryPostcodes } from './query_postcodes.ts';
import type { RequiredWords } from './required_words.ts';
import { isLastSpelling, SPELLING_POSTCODE, spellingKind, spellingTokens } from './word_index/layout.ts';
import type { SearchIndex } from './word_index/search_index.ts';
import { entriesOf, wordsForWays } from './words/address_table.ts';
import { countryNames } from './words/country_words.ts';
import { isBasicLatin, isInScriptOf } from './words/scripts.ts';
import { questionWords, type Word } from './words/text.ts';
import { wordsInRole } from './words/vocabulary.ts';

/** What the rules look at. */
interface Explaining {
  /** Words that the result explains. */
  mask: number;
  /** It is a house found by its number. */
  isHouse: boolean;
  /** It is on a street that the query names. */
  isOnStreet: boolean;
  searchRank: number;
  /** Share of its name that is in the query, 0..1. */
  said: number;
}

/** Tokens of a layer. */
interface WayTokens {
  kinds: ReadonlySet<number>;
  directions: ReadonlySet<number>;
}

/** A result must explain at least this share of the query. */
export const SHARE_MIN = 0.34;
/** A name is not meant by mistyped words if less than this share of it was said. */
const MISTYPED_SAID_MIN = 0.5;
/**
 * A place other than a house or street is not meant beside a number that it does not explain if less than this share of
 * its name was said.
 */
const BESIDE_NUMBER_SAID_MIN = 0.5;
/** A street is called by its kind alone if more of its name was said: Am Markt. */
const KIND_SAID_MAX = 0.6;
/** Figures of a postcode in the part of a street. */
const LONG_FIGURES_MIN = 5;
const HAS_LETTER = /[a-z]/;

const wayTokensOf = new WeakMap<SearchIndex, WayTokens>();

/** True for a place that explains enough. @param mask words that it or its house explains */
export function isResult(matcher: Matcher, document: number, mask: number, isHouse: boolean): boolean {
  return matcher.share(mask) >= SHARE_MIN && (isHouse || matcher.index.place(document) !== 0);
}

/**
 * Why a result is no answer; undefined for an answer. @param isMistyped words are read as what they may mean @param
 * ofAreas words that name areas which nothing knows
 */
export function refusalOf(
  matcher: Matcher,
  postcodes: QueryPostcodes,
  result: Result,
  isMistyped: boolean,
  ofAreas: number,
): Outcome | undefined {
  const { index, asked } = matcher;
  const { document, said } = result;
  const isHouse = result.house !== undefined;
  if (isMistyped && !isHouse && said < MISTYPED_SAID_MIN) return 'nameUnsaid';
  const parent = index.parent(document);
  const isOnStreet = parent !== 0 && asked.needs.ofStreet !== 0 && matcher.areaCover(parent).mask !== 0;
  const searchRank = index.searchRank(document);
  const mask = result.mask | ofAreas;
  if (!isExplained(asked.needs, { mask, isHouse, isOnStreet, searchRank, said })) return 'wordsLeft';
  if (isOtherWay(matcher, isOnStreet ? parent : document, mask)) return 'wordsLeft';
  if (isOnlyKindSaid(matcher, result)) return 'wordsLeft';
  if (leavesPostcode(matcher, postcodes, result, mask)) return 'wordsLeft';
  return asked.needs.isShort && isInOtherLetters(matcher, result) ? 'otherLetters' : undefined;
}

/** True if a result explains all that it must. */
export function isExplained(needs: RequiredWords, explaining: Explaining): boolean {
  const { always, isShort } = needs;
  const { isHouse, isOnStreet, searchRank, said } = explaining;
  const isStreet = isHouse || isRoad(searchRank);
  if (needs.isLetter && searchRank > RANK_PATH) return false;
  if (needs.isDigitsAlone && (said < 1 || searchRank > RANK_AREA_MAX)) return false;
  if (isShort && said < 1 && !isHouse) return false;
  const mayLeaveNumbers = always !== 0 && searchRank > RANK_COUNTY;
  let needed = always;
  if (!isHouse) needed |= needs.ofHouse;
  if (!isStreet && !isOnStreet) needed |= needs.ofStreet;
  if (!mayLeaveNumbers || !(isStreet || said >= BESIDE_NUMBER_SAID_MIN)) needed |= needs.numbers;
  if (!mayLeaveNumbers || !isStreet) needed |= needs.codes;
  let left = needed & ~explaining.mask;
  for (const equal of needs.repeated) if ((explaining.mask & equal) !== 0) left &= ~equal;
  return left === 0;
}

/**
 * True if all names of a street say another kind or direction than the query, which says one that they do not have.
 * @param mask words that the result explains
 */
function isOtherWay({ index, asked, terms }: Matcher, street: number, mask: number): boolean {
  const { address, words } = asked;
  if ((address.besideName & ~mask) === 0) return false;
  const left = (role: string) => words.some((_, at) => (mask & (1 << at)) === 0 && address.roles[at] === role);
  const [isKindLeft, isDirectionLeft] = [left('street'), left('direction')];
  if (!isKindLeft && !isDirectionLeft) return false;
  const tokens = wayTokens(index);
  const isSaid = (token: number) => terms.byToken.get(token)?.some(term => (term.mask & ~mask) === 0) === true;
  const isOther = (token: number) =>
    ((isKindLeft && tokens.kinds.has(token)) || (isDirectionLeft && tokens.directions.has(token))) && !isSaid(token);
  const { names } = index;
  let header: number;
  let at = index.spellings(street);
  do {
    header = names[at];
    const end = at + 1 + spellingTokens(header);
    const name = names.subarray(at + 1, end);
    if (spellingKind(header) < SPELLING_POSTCODE && name.some(isSaid) && !name.some(isOther)) return false;
    at = end;
  } while (!isLastSpelling(header));
  return true;
}

function wayTokens(index: SearchIndex): WayTokens {
  const known = wayTokensOf.get(index);
  if (known !== undefined) return known;
  const { kinds, directions } = wordsForWays();
  const tokensOf = (words: readonly string[]) =>
    new Set(words.map(word => index.find(word)).filter(token => token >= 0));
  const tokens = { kinds: tokensOf(kinds), directions: tokensOf(directions) };
  wayTokensOf.set(index, tokens);
  return tokens;
}

/** True if only the kind of a street was said, next to a word that its name does not have. */
function isOnlyKindSaid({ index, asked }: Matcher, { document, own, said }: Result): boolean {
  if (said > KIND_SAID_MAX || !isRoad(index.searchRank(document))) return false;
  const { words, address } = asked;
  const isOwn = (at: number) => (own & (1 << at)) !== 0;
  const isNumber = (at: number) => (address.digits & (1 << at)) !== 0;
  // Its postcode is no name.
  if (words.some((word, at) => isOwn(at) && !isKind(word) && !isNumber(at))) return false;
  const isName = (at: number, inPart: number) =>
    words[at]?.part === inPart && !isOwn(at) && !isNumber(at) && !wordsInRole('stop').has(words[at].text);
  return words.some(({ part }, at) => isOwn(at) && isKind(words[at]) && (isName(at - 1, part) || isName(at + 1, part)));
}

function isKind({ text }: Word): boolean {
  return entriesOf(text).some(({ role }) => role === 'street' || role === 'way');
}

/**
 * True if a result leaves a postcode that it must have, or that is elsewhere: what is found by its kind alone must have
 * it (pub RG41); a town, a shop that is named and a street may leave it, but not if the map has it somewhere else.
 * Figures beside a street are the number of a house. @param mask words that it explains, or that nothing knows
 */
function leavesPostcode(
  { index, asked }: Matcher,
  postcodes: QueryPostcodes,
  { document, mask: explained, house }: Result,
  mask: number,
): boolean {
  const left = postcodes.leftBy(explained);
  if (left.length === 0) return false;
  const rank = index.searchRank(document);
  const isOnStreet = house !== undefined || isRoad(rank);
  const names = explained & ~asked.address.digits;
  const isOfKind = asked.kinds.some(kind => (kind.mask & mask) === kind.mask);
  return left.some(code => {
    const hasLetters = HAS_LETTER.test(code.text);
    if (isOfKind && rank > RANK_PATH && house === undefined) return hasLetters || postcodes.isKnown(code);
    const isBeside = asked.words.some(({ part }, at) => part === code.part && (names & (1 << at)) !== 0);
    const mayBeNumber = !hasLetters && (code.isHalf || code.text.length < LONG_FIGURES_MIN || isBeside);
    return !(isOnStreet && mayBeNumber) && postcodes.isElsewhere(code, index, document);
  });
}

/** True if words are in other letters than ours, and none of a place or of what is around its house is written so. */
function isInOtherLetters({ index, asked }: Matcher, { document, house }: Result): boolean {
  const { layer } = index;
  const place = layer.place(index.place(document));
  const around = house === undefined ? [] : (place?.rows ?? []).flatMap(id => layer.place(id) ?? []);
  // A word for a kind is in the letters of who asks.
  const names = asked.words.filter((_, at) => asked.kinds.every(({ mask }) => (mask & (1 << at)) === 0));
  return !matchesScript(place, names, around);
}

/**
 * True if a place may be meant by words, of which some may be in other letters than ours. Replaced by our letters,
 * almost any short one is the code of a country or the name of some village: ит is no Italy, and å not Armenia. So the
 * place has a name that is written so, or its country writes in these letters: Ош is Osh in Kyrgyzstan. @param place
 * undefined for a street that only its houses name
 */
export function matchesScript(
  place: Place | undefined,
  words: readonly Pick<Word, 'written'>[],
  around: readonly Place[] = [],
): boolean {
  const foreign = words.filter(({ written }) => !isBasicLatin(written));
  if (place === undefined) return true;
  const names = [place, ...around].flatMap(each => Object.values(each.names));
  if (place.addressRank === RANK_COUNTRY) names.push(...countryNames(place.countryCode));
  else if (foreign.every(({ written }) => isInScriptOf(place.countryCode, written))) return true;
  const known = new Set(names.flatMap(name => questionWords(name).map(({ written }) => written)));
  return foreign.every(({ written }) => known.has(written));
}
