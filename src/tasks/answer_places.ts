// Answers a question about places with text. The same code runs in an HTTP thread and in a compute worker; only text
// crosses between threads.

import type { ExplainedSearch } from '../geocoding/explained_search.ts';
import type { FoundPlace } from '../geocoding/found_place.ts';
import type { Geocoder } from '../geocoding/geocoder.ts';
import type { OsmObject } from '../geocoding/lookup/object_index.ts';
import type { ReverseQuestion } from '../geocoding/reverse/hit.ts';
import type { SearchQuestion } from '../geocoding/search/question.ts';
import { addressBody, reverseText, searchText, unableText } from '../protocol/answers/place_forms.ts';
import { ERRORS, errorItem } from '../protocol/errors.ts';
import { filtered } from '../protocol/requests/place_filter.ts';
import type { AnswerForm } from '../protocol/requests/place_question.ts';
import type { Point } from '../protocol/requests/points.ts';

/** A question, and the form of its answer. */
export type PlaceQuestion = { form: AnswerForm } & (
  | { reverse: ReverseQuestion }
  | { search: SearchQuestion }
  | { objects: readonly OsmObject[]; languages: readonly string[] }
  /** Part of a batch. */
  | { points: readonly Point[]; languages: readonly string[] }
);

/** The answer to a question. */
export interface PlaceAnswer {
  /** One body, or one for each point of a batch. Empty if nothing was found, which is a 404. */
  texts: string[];
  /** Price; what is not found is free. */
  credits: number;
}

/** Price of an answered question, or of an answered point. */
export const PLACE_CREDITS = 1;

/** Answers one question. */
export function answerPlaces(geocoder: Geocoder, question: PlaceQuestion): PlaceAnswer {
  if ('reverse' in question) return answerReverse(geocoder, question.reverse, question.form);
  if ('search' in question) return answerSearch(geocoder, question.search, question.form);
  if ('objects' in question) return answerLookup(geocoder, question.objects, question.languages, question.form);
  const { points, languages, form } = question;
  const answer: PlaceAnswer = { texts: [], credits: 0 };
  for (const point of points) {
    const { texts, credits } =
      'error' in point
        ? { texts: [errorItem(ERRORS.parseError, point.error)], credits: 0 }
        : answerReverse(geocoder, { ...point, languages }, form);
    answer.texts.push(texts[0] ?? errorItem(ERRORS.notFound));
    answer.credits += credits;
  }
  return answer;
}

/** Answers a search within a millisecond. @returns undefined if it takes longer */
export function answerBriefly(geocoder: Geocoder, question: SearchQuestion, form: AnswerForm): PlaceAnswer | undefined {
  const places = geocoder.searchBriefly(question);
  return places && answerFound(places, question, form);
}

function answerReverse(geocoder: Geocoder, asked: ReverseQuestion, form: AnswerForm): PlaceAnswer {
  const question = form.layers === undefined ? asked : { ...asked, layers: form.layers };
  if (form.format === undefined && form.isExplained !== true) {
    const address = geocoder.addressText(question);
    return address === undefined
      ? { texts: [], credits: 0 }
      : { texts: [addressBody(address)], credits: PLACE_CREDITS };
  }
  const { place, explained } = form.isExplained
    ? geocoder.explainReverse(question)
    : { place: geocoder.reverse(question), explained: undefined };
  if (place !== undefined) return { texts: [reverseText(place, form, explained)], credits: PLACE_CREDITS };
  return { texts: form.format === undefined ? [] : [unableText(form, explained)], credits: 0 };
}

function answerSearch(geocoder: Geocoder, question: SearchQuestion, form: AnswerForm): PlaceAnswer {
  const { places, explained } = form.isExplained
    ? geocoder.explainSearch(question)
    : { places: geocoder.search(question), explained: undefined };
  return answerFound(places, question, form, explained);
}

function answerFound(
  found: readonly FoundPlace[],
  { text, parts }: SearchQuestion,
  form: AnswerForm,
  explained?: ExplainedSearch,
): PlaceAnswer {
  const places = filtered(found, form.filter);
  const asked = parts === undefined ? text : Object.values(parts).join(', ');
  return { texts: [searchText(places, form, asked, explained)], credits: places.length === 0 ? 0 : PLACE_CREDITS };
}

function answerLookup(
  geocoder: Geocoder,
  objects: readonly OsmObject[],
  languages: readonly string[],
  form: AnswerForm,
): PlaceAnswer {
  const places = geocoder.lookup(objects, languages);
  return { texts: [searchText(places, form, undefined)], credits: places.length === 0 ? 0 : PLACE_CREDITS };
}
