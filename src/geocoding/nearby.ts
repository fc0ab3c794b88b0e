// Places near something that the question names: `pub near Eastmoor Castle`, or near who asks: `pharmacies near me`,
// which is the middle of the view. The words for near are in data/near.csv.
//
// What it is to be near to is searched for by itself. Its best answers are tried in turn until one has such places
// within reach: of a settlement all that is in it, otherwise what is a short walk away. The nearest come first.

import { distanceMetres } from '../geo/distance.ts';
import type { FoundPlace } from './found_place.ts';
import { type Around, metresFrom, middleOf, type SearchQuestion } from './search/question.ts';
import { pointInText } from './search/words/coordinates.ts';
import type { NearText } from './search/words/near_words.ts';

/** How far away what is near may be. */
const REACH_METRES = 1_500;
/** The same of a settlement or a view, from its middle. */
const REACH_MAX_METRES = 20_000;
/** Places that the question may name, of which each is tried. */
const NAMED_MAX = 5;
/** Answers among which those nearest are. */
const FOUND_MIN = 50;

/** What places are to be near to. */
export interface PointAsked {
  around: Around;
  /** The place itself, which is no answer. */
  placeId?: number | undefined;
}

/**
 * Finds places near something. @param search answers a question @param searchWords answers the whole text, as if it
 * were a name
 */
export function findNearby(
  near: NearText,
  question: SearchQuestion,
  search: (question: SearchQuestion) => FoundPlace[],
  searchWords: () => FoundPlace[],
): FoundPlace[] {
  // A name may have such words, and is then found by them.
  const isName = near.isWeak || !near.isKind;
  const named = isName ? searchWords() : [];
  if (named.length > 0) return named;
  for (const point of pointsOf(near, question, search)) {
    const found = findAround(point, near.what, question, search);
    if (found.length > 0) return found;
  }
  return isName ? [] : searchWords();
}

/** What is within reach of a point, the nearest first. @param what is looked for there */
export function findAround(
  { around, placeId }: PointAsked,
  what: string,
  question: SearchQuestion,
  search: (question: SearchQuestion) => FoundPlace[],
): FoundPlace[] {
  const { viewbox, isBounded, limit } = question;
  const wide = { ...question, text: what, limit: Math.max(limit, FOUND_MIN), isAutocomplete: false, around };
  const found = search({ ...wide, viewbox: isBounded ? viewbox : undefined })
    .filter(place => placeId === undefined || place.placeId !== placeId)
    .map(place => ({ place, metres: metresFrom(around, place.latitude, place.longitude) }));
  return found
    .sort((a, b) => a.metres - b.metres)
    .slice(0, limit)
    .map(({ place }) => place);
}

/** What places are to be near to, best first. */
function* pointsOf(
  { where }: NearText,
  question: SearchQuestion,
  search: (question: SearchQuestion) => FoundPlace[],
): Generator<PointAsked> {
  const { viewbox, isBounded } = question;
  if (where === '') {
    const middle = middleOf(viewbox);
    if (middle === undefined || viewbox === undefined) return;
    const reachMetres = within(distanceMetres(middle.latitude, middle.longitude, viewbox.north, viewbox.east));
    yield { around: { ...middle, box: undefined, reachMetres } };
    return;
  }
  const point = pointInText(where, question.languages);
  if (point?.rest === '') {
    yield {
      around: { latitude: point.latitude, longitude: point.longitude, box: undefined, reachMetres: REACH_METRES },
    };
    return;
  }
  const places = search({ ...question, text: where, limit: NAMED_MAX, viewbox, isBounded });
  for (const place of places) yield pointOf(place);
}

/** A place as what others are to be near to. */
export function pointOf(place: FoundPlace): PointAsked {
  return { around: aroundPlace(place), placeId: place.placeId };
}

/** What is near a place. */
function aroundPlace({ latitude, longitude, south, north, west, east, category, osmType }: FoundPlace): Around {
  const point = { latitude, longitude, box: undefined };
  if (category === 'place' || category === 'boundary')
    return { ...point, reachMetres: within(distanceMetres(south, west, north, east) / 2) };
  const hasExtent = osmType !== 'node' && osmType !== undefined && west <= east;
  return { ...point, box: hasExtent ? { south, north, west, east } : undefined, reachMetres: REACH_METRES };
}

function within(metres: number): number {
  return Math.min(REACH_MAX_METRES, Math.max(REACH_METRES, metres));
}
