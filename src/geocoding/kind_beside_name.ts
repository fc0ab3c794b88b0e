// A kind beside a name, where nothing has the words of both: bus stop Balischguad, Rotondes bus stop, caserne des
// pompiers Fontvieille, AS Monaco shop. The name is looked for alone, and meant is, in this order:
//
//   1  what has the name and is of that kind, or at least of its group: a pub may be mapped as a restaurant
//   2  what is of that kind nearest to what has the name, unless that is a village or larger: there it was looked for
//   3  what has the name, of whatever kind, unless it is an area: nobody who asks for a hotel there wants the area
//
// Beside a word for an embassy a word may mean its country: Swedish consulate.
//
// Without a word for a kind, a name may stand before that of the landmark or hamlet beside which it is: Blue Creek Għar
// Lapsi. Larger areas are in addresses, where their names were looked for.
//
// All this is done only where there is no other answer, so what is found by its words costs nothing.

import { RANK_AREA_MAX, RANK_PATH, RANK_VILLAGE } from '../tables/places/ranks.ts';
import type { FoundPlace } from './found_place.ts';
import { findAround, type PointAsked, pointOf } from './nearby.ts';
import { metresFrom, type SearchQuestion } from './search/question.ts';
import type { SearchRecord } from './search/search_record.ts';
import { entriesOf } from './search/words/address_table.ts';
import { type KindWords, kindWords } from './search/words/kind_words.ts';
import { meansCountry } from './search/words/nationalities.ts';
import { withoutPhoneNumbers } from './search/words/phone_numbers.ts';
import { HAS_DIGIT, questionWords, type Word } from './search/words/text.ts';
import { isAreaType, rowsOf, wordsInRole } from './search/words/vocabulary.ts';

type Search = (question: SearchQuestion) => FoundPlace[];

/** Searches for one question. */
const SEARCHES_MAX = 8;
/** Words of a question; further ones are ignored. */
const WORDS_MAX = 30;
/** Words for kinds of one question, each of which is tried. */
const KINDS_MAX = 3;
/** Places of the name among which those of the kind are. */
const NAMED_MIN = 50;
/** Places near which others are looked for. */
const POINTS_MAX = 3;
/** Words of the name of a landmark behind another name. */
const LANDMARK_WORDS_MAX = 3;
/** Words beside the kind of an embassy that may say of which country it is. */
const NATION_WORDS_MAX = 3;
const EMBASSY = 'amenity=embassy';

let groups: string[][] | undefined;

/** What was found, and the question that found it. */
interface Found {
  places: readonly FoundPlace[];
  asked: SearchQuestion;
}

/**
 * Finds what a kind beside a name, or a name beside that of a landmark, may mean. @param searchOne answers a question
 * @param record notes the way of the one whose answer it is, for whoever asks why
 */
export function findBesideName(
  question: SearchQuestion,
  searchOne: (question: SearchQuestion, record?: SearchRecord) => FoundPlace[],
  record?: SearchRecord,
): FoundPlace[] {
  if (question.parts !== undefined) return [];
  let left = SEARCHES_MAX;
  const found = findIn(question, each => (left-- > 0 ? searchOne(each) : []));
  if (found === undefined) return [];
  if (record !== undefined) searchOne(found.asked, record);
  return found.places.slice(0, question.limit);
}

function findIn(question: SearchQuestion, search: Search): Found | undefined {
  const text = withoutPhoneNumbers(question.text, true);
  const asked = { ...question, text };
  const places = text === question.text || text === '' ? [] : search(asked);
  if (places.length > 0) return { places, asked };
  const words = questionWords(text).slice(0, WORDS_MAX);
  if (words.length < 2) return undefined;
  const all = kindWords(words, () => true);
  const kinds = (all.length > 1 ? all.filter(kind => !kind.kinds.every(isCuisine)) : all).slice(0, KINDS_MAX);
  for (const kind of kinds) {
    const embassy = kind.kinds.includes(EMBASSY) ? findEmbassy(kind, words, question, search) : undefined;
    if (embassy !== undefined) return embassy;
  }
  const named = kinds.map(kind => namedBeside(kind, words, question, search));
  for (const isMeant of [isOfKind, isOfGroup]) {
    for (const [at, { kinds: wanted }] of kinds.entries()) {
      const places = named[at]?.places.filter(place => wanted.some(kind => isMeant(kind, place))) ?? [];
      if (places.length > 0) return { ...named[at]!, places };
    }
  }
  const allKinds = kinds.reduce((all, { mask }) => all | mask, 0);
  if (words.every((_, at) => (allKinds & (1 << at)) !== 0)) return undefined;
  const near = kinds.flatMap((kind, at) => findNear(kind, named[at]?.places ?? [], question, search) ?? [])[0];
  if (near !== undefined) return near;
  const alone = named.find(each => each !== undefined && each.places[0].placeRank > RANK_AREA_MAX);
  return alone ?? findBesideLandmark(words, question, search);
}

/** The embassy or consulate of a country that one of the words beside its kind means. */
function findEmbassy(
  { mask }: KindWords,
  words: readonly Word[],
  question: SearchQuestion,
  search: Search,
): Found | undefined {
  const sides = words.flatMap((_, at) => ((mask & (1 << at)) === 0 ? [at] : []));
  for (const at of sides.slice(0, NATION_WORDS_MAX)) {
    const { text } = words[at];
    if (!isNamed([words[at]], words[at].part)) continue;
    const asked = { ...question, text: textOf(words.filter((_, other) => other !== at)), limit: NAMED_MIN };
    const places = search(asked)
      .filter(place => isOfGroup(EMBASSY, place))
      .map(place => ({
        place,
        common: meansCountry(text, place.tags.country?.toLowerCase() ?? '', Object.values(place.names)),
      }));
    const most = Math.max(...places.map(({ common }) => common), 1);
    const meant = places.filter(({ common }) => common === most).map(({ place }) => place);
    if (meant.length > 0) return { places: meant, asked };
  }
  return undefined;
}

/** What has the words beside those of a kind as its name. */
function namedBeside(
  { mask }: KindWords,
  words: readonly Word[],
  question: SearchQuestion,
  search: Search,
): Found | undefined {
  const rest = words.filter((_, at) => (mask & (1 << at)) === 0);
  if (!isNamed(rest, words[31 - Math.clz32(mask)].part)) return undefined;
  const asked = { ...question, text: textOf(rest), limit: Math.max(question.limit, NAMED_MIN) };
  const places = search(asked);
  return places.length > 0 ? { places, asked } : findBesideLandmark(rest, question, search);
}

/** What is of a kind nearest to the first of some places that has it near. */
function findNear(
  { kinds }: KindWords,
  places: readonly FoundPlace[],
  question: SearchQuestion,
  search: Search,
): Found | undefined {
  if (places.length === 0 || places[0].placeRank <= RANK_VILLAGE) return undefined;
  for (const point of places.slice(0, POINTS_MAX).map(pointOf)) {
    for (const kind of kinds.filter(each => !isCuisine(each))) {
      const near = findAround(point, `[${kind}]`, question, search);
      if (near.length > 0) return { places: near, asked: { ...question, text: `[${kind}]`, around: point.around } };
    }
  }
  return undefined;
}

/** Cuisines are no kinds of their own. */
function isCuisine(kind: string): boolean {
  return kind.startsWith('cuisine=');
}

/** @param kind such as `amenity=pub`; `shop=*` are all shops */
function isOfKind(kind: string, { category, type }: FoundPlace): boolean {
  return kind === `${category}=${type}` || kind === `${category}=*`;
}

function isOfGroup(kind: string, place: FoundPlace): boolean {
  groups ??= rowsOf('kind_groups.csv').map(([, kinds]) => kinds.split(' '));
  const hasKind = (list: readonly string[]) =>
    list.includes(kind) || list.some(each => each.endsWith('=*') && kind.startsWith(each.slice(0, -1)));
  return groups.some(list => hasKind(list) && list.some(each => isOfKind(each, place)));
}

/** Finds what has the first words as its name, beside what the others name. */
function findBesideLandmark(words: readonly Word[], question: SearchQuestion, search: Search): Found | undefined {
  if (words.some(({ text }) => HAS_DIGIT.test(text))) return undefined;
  for (let count = 1; count <= Math.min(LANDMARK_WORDS_MAX, words.length - 2); count++) {
    const [what, where] = [words.slice(0, -count), words.slice(-count)];
    if (![what, where].every(some => isNamed(some, some[0].part))) continue;
    const landmarks = search({ ...question, text: textOf(where), limit: POINTS_MAX })
      .filter(({ placeRank }) => placeRank > RANK_VILLAGE)
      .map(pointOf);
    if (landmarks.length === 0) continue;
    const asked = { ...question, text: textOf(what), limit: Math.max(question.limit, NAMED_MIN) };
    const places = search(asked).filter(
      place => place.placeRank > RANK_PATH && landmarks.some(point => isBeside(place, point)),
    );
    if (places.length > 0) return { places, asked };
  }
  return undefined;
}

function isBeside({ placeId, latitude, longitude }: FoundPlace, landmark: PointAsked): boolean {
  return (
    landmark.placeId !== placeId && metresFrom(landmark.around, latitude, longitude) <= landmark.around.reachMetres
  );
}

/** True for words with a name: a part of the question in which there is one more than words for a street (Lane). */
function isNamed(words: readonly Word[], part: number): boolean {
  const isName = ({ text, isCut }: Word) =>
    text.length > 1 &&
    !HAS_DIGIT.test(text) &&
    !wordsInRole('stop').has(text) &&
    !isAreaType(text, isCut) &&
    !entriesOf(text).some(({ role }) => role === 'street' || role === 'way');
  const own = words.filter(word => word.part === part);
  return words.some(isName) && (own.length === 0 || own.some(isName));
}

function textOf(words: readonly Word[]): string {
  return words.map(({ typed, part }, at) => (at > 0 && part !== words[at - 1].part ? `, ${typed}` : typed)).join(' ');
}
