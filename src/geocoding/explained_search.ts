// Why a search answered as it did: how its words were understood, the steps, the best places with each term of their
// rank (search/rank.ts), and what the first has over the second. It only puts into words and numbers what the search
// has recorded.

import {
  type ExplainedPoint,
  explainedPoint,
  LAYER_NAMES,
  type LayerName,
  type ShownLayers,
} from './explained_point.ts';
import type { FoundPlace } from './found_place.ts';
import { searchable } from './geocoder_layer.ts';
import { type MatchRecord, type Outcome, type PenaltyTerms, type ReadIn, TERMS } from './search/match_record.ts';
import type { QueryWord } from './search/query_words.ts';
import type { RequiredWords } from './search/required_words.ts';
import type { CrossingRecord, LayerRecord, SearchRecord } from './search/search_record.ts';
import type { Reading } from './search/terms.ts';
import type { AddressRole } from './search/words/address_table.ts';

/** An explained search. Penalties have no unit; the smallest comes first. */
export interface ExplainedSearch {
  /** Kind in brackets, such as `amenity=pharmacy`; absent if the query has none. */
  kind?: string;
  /** Coordinates beside other words, degrees; absent if the query has none. */
  near?: { latitude: number; longitude: number };
  /** Streets that it may name together, in the order in which they were tried; absent if it names none. */
  crossings?: readonly CrossingRecord[];
  words: ExplainedWord[];
  /** What words may mean beside what is written, the most frequent first. */
  readings: ExplainedReading[];
  stages: ExplainedStage[];
  /** The best places that were rated last: those of the answer first, then those that were dropped. */
  candidates: ExplainedCandidate[];
  /** The query is coordinates, and this is what is there. */
  point?: ExplainedPoint;
  /**
   * What the second place of the answer lacks to be the first: its penalty less that of the first, and the same for
   * each term that differs.
   */
  second?: { penalty: number; terms: Partial<PenaltyTerms> };
}

/**
 * What may leave a word of the query (search/required_words.ts): any result; a street and what is on one; a house; what
 * has another name in the query and is smaller than a state.
 */
export const LEAVERS = ['any', 'street', 'house', 'named'] as const;

/** A word of the query as it is compared. */
interface ExplainedWord {
  word: string;
  /** What it says besides names, itself or as the value of another word: absent for names and numbers. */
  role?: AddressRole;
  /** Results that may leave it; absent if they must explain it. */
  leftBy?: (typeof LEAVERS)[number];
  /** Places that have it in each layer, and its share of the query, 0..1. */
  layers: { layer: LayerName; places: number; share: number }[];
}

/** What words may mean beside a word of names. */
export const MEANINGS = ['kind', 'houseNumber'] as const;
type OtherReading = Exclude<Reading, 'written'> | (typeof MEANINGS)[number];

/** Something else that words may mean. */
interface ExplainedReading {
  layer: LayerName;
  words: string;
  reading: OtherReading;
  as: string;
  /** What it would cost if it were the whole query. */
  penalty: number;
  /** Places that have it; absent for unfinished words, kinds and house numbers. */
  places?: number;
}

/** A step of the search. */
interface ExplainedStage {
  stage: SearchRecord['stages'][number]['stage'];
  /** Absent for steps of all layers. */
  layer?: LayerName;
  /** Places that it rated. */
  rated?: number;
  /** The layer has answers now. */
  answered?: boolean;
  /** It was left out, as nothing of the layer could come near the best. */
  skipped?: true;
  microseconds: number;
}

/** A place that was rated. */
interface ExplainedCandidate {
  /** As in the answer. */
  placeId?: number;
  displayName: string;
  layer: LayerName;
  outcome: Outcome;
  /** The sum of the terms. */
  penalty: number;
  /** Those that are not 0. */
  terms: Partial<PenaltyTerms>;
  /** The terms are those of the same place in the gazetteer, which were better. */
  termsOfWorld?: true;
  /** The words that it explains: how they were read, and in what of it they stand. */
  words: { words: string; as?: string; reading: Reading; in: ReadIn }[];
  /** The words that it leaves. */
  left: string[];
}

/** A layer and what it has recorded. */
interface RecordedLayer extends LayerRecord {
  layer: LayerName;
}

type RecordedResult = LayerRecord['results'][number];

/** Candidates that are shown. */
const CANDIDATES_MAX = 10;
/** Readings that are shown of each layer. */
const READINGS_MAX = 12;
/** A rank has no more digits that matter. */
const DECIMALS = 6;

/** Explains a search that has been recorded. */
export function explainedSearch(record: SearchRecord, shown: ShownLayers): ExplainedSearch {
  const names = LAYER_NAMES.filter(name => searchable(shown[name]) !== undefined);
  const layers = record.layers().map((each, i): RecordedLayer => ({ ...each, layer: names[i] }));
  const found = layers.flatMap((layer, i) => layer.results.map(result => ({ result, i })));
  const isDropped = ({ result }: (typeof found)[number]) => Number(result.record.outcome !== 'answered');
  found.sort((a, b) => isDropped(a) - isDropped(b) || a.result.record.penalty - b.result.record.penalty);
  const candidates = found
    .slice(0, CANDIDATES_MAX)
    .map(({ result, i }) => explainedCandidate(layers[i], result, shown.describe(shown[names[i]]!, result)));
  const { kind, near } = record;
  return {
    ...(kind !== undefined && { kind }),
    ...(near !== undefined && { near: { latitude: near.latitude, longitude: near.longitude } }),
    ...(record.crossings.length > 0 && { crossings: record.crossings }),
    words: explainedWords(layers),
    readings: layers.flatMap(explainedReadings),
    stages: record.stages.map(each => explainedStage(each, names)),
    candidates,
    ...(record.point && { point: explainedPoint(record.point, shown) }),
    ...(candidates[1]?.outcome === 'answered' && { second: lackOf(found[0].result.record, found[1].result.record) }),
  };
}

function explainedWords(layers: readonly RecordedLayer[]): ExplainedWord[] {
  const [first] = layers;
  if (first === undefined) return [];
  const { roles, owners } = first.asked.address;
  return first.asked.words.map(({ text }, at) => ({
    word: text,
    ...roleOf(roles[at] ?? roles[31 - Math.clz32(owners[at] & -owners[at])]),
    ...leaverOf(first.asked.needs, 1 << at),
    layers: layers.map(({ layer, index, asked }) => {
      const { token, weight } = asked.words[at];
      return { layer, places: token < 0 ? 0 : index.count(token), share: rounded(weight / asked.weight) };
    }),
  }));
}

function roleOf(role: AddressRole | undefined): Pick<ExplainedWord, 'role'> {
  return role === undefined ? {} : { role };
}

/** @param bit of the word */
function leaverOf(
  { always, ofStreet, ofHouse, numbers, codes }: RequiredWords,
  bit: number,
): Pick<ExplainedWord, 'leftBy'> {
  if ((always & bit) !== 0) return {};
  if ((ofStreet & bit) !== 0) return { leftBy: 'street' };
  if ((ofHouse & bit) !== 0) return { leftBy: 'house' };
  return { leftBy: ((numbers | codes) & bit) !== 0 ? 'named' : 'any' };
}

function explainedReadings({ layer, index, asked, terms }: RecordedLayer): ExplainedReading[] {
  const { byToken, prefix, areas } = terms;
  const readingOf = (
    mask: number,
    reading: OtherReading,
    as: string,
    penalty: number,
    places?: number,
  ): ExplainedReading => ({
    layer,
    words: wordsOf(asked.words, mask),
    reading,
    as,
    penalty,
    ...(places !== undefined && { places }),
  });
  const others = [...byToken].flatMap(([token, readings]) =>
    readings.flatMap(({ mask, cost, reading, isWeak }) =>
      reading === 'written' || isWeak === true
        ? []
        : [readingOf(mask, reading, index.text(token), cost, index.count(token))],
    ),
  );
  others.sort((a, b) => b.places! - a.places!);
  return [
    ...asked.kinds.map(each => readingOf(each.mask, 'kind', each.kinds.join(', '), 0)),
    ...asked.numbers.map(({ mask, key }) => readingOf(mask, 'houseNumber', key, 0)),
    ...areas.readings.map(each => readingOf(each.mask, each.reading, each.countryCode, 0)),
    ...(prefix === undefined ? [] : [readingOf(prefix.mask, 'unfinished', `${prefix.text}…`, prefix.cost)]),
    ...others,
  ].slice(0, READINGS_MAX);
}

function explainedStage(
  { stage, layer, rated, isAnswered, isSkipped, microseconds }: SearchRecord['stages'][number],
  names: readonly LayerName[],
): ExplainedStage {
  if (layer === undefined) return { stage, microseconds };
  return { stage, layer: names[layer], rated, answered: isAnswered, ...(isSkipped && { skipped: true }), microseconds };
}

function explainedCandidate(
  { layer, index, asked }: RecordedLayer,
  { mask, record }: RecordedResult,
  { placeId, displayName }: FoundPlace,
): ExplainedCandidate {
  return {
    ...(placeId !== undefined && { placeId }),
    displayName,
    layer,
    outcome: record.outcome,
    penalty: rounded(record.penalty),
    terms: termsThat(record.terms, value => value !== 0),
    ...(record.isRankOfGazetteer && { termsOfWorld: true }),
    words: record.reads.map(({ mask: read, token, reading, readIn }) => ({
      words: wordsOf(asked.words, read),
      ...(token !== undefined && { as: index.text(token) }),
      reading,
      in: readIn,
    })),
    left: asked.words.filter((_, at) => (mask & (1 << at)) === 0).map(({ text }) => text),
  };
}

function lackOf(first: MatchRecord, second: MatchRecord): NonNullable<ExplainedSearch['second']> {
  const terms = Object.fromEntries(TERMS.map(name => [name, second.terms[name] - first.terms[name]])) as PenaltyTerms;
  return { penalty: rounded(second.penalty - first.penalty), terms: termsThat(terms, value => rounded(value) !== 0) };
}

function termsThat(terms: PenaltyTerms, isShown: (value: number) => boolean): Partial<PenaltyTerms> {
  return Object.fromEntries(TERMS.flatMap(name => (isShown(terms[name]) ? [[name, rounded(terms[name])]] : [])));
}

function wordsOf(words: readonly QueryWord[], mask: number): string {
  return words
    .filter((_, at) => (mask & (1 << at)) !== 0)
    .map(({ text }) => text)
    .join(' ');
}

function rounded(value: number): number {
  return Number(value.toFixed(DECIMALS));
}
