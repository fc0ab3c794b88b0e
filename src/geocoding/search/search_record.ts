// The way of one search, for whoever asks why (explained_search.ts). The code that answers fills it; a search of which
// nobody asks has none, and keeps nothing.

import type { PointRecord } from '../reverse/point_record.ts';
import type { SearchHit } from './hits.ts';
import type { MatchRecord } from './match_record.ts';
import type { QueryWords } from './query_words.ts';
import type { Terms } from './terms.ts';
import type { SearchIndex } from './word_index/search_index.ts';

/** How one layer read the words, and the places that it rated last, best first. */
export interface LayerRecord {
  index: SearchIndex;
  asked: QueryWords;
  terms: Terms;
  /** @property mask words that it explains */
  results: (SearchHit & { mask: number; record: MatchRecord })[];
}

interface SearchedLayer {
  /** Places rated so far. */
  readonly rated: number;
  /** It has answers. */
  readonly isExplained: boolean;
  recorded(): LayerRecord;
}

/** Steps of a search. */
export const SEARCH_STAGES = [
  'read',
  'asWritten',
  'oneEdit',
  'twoEdits',
  'shortWords',
  'unknownArea',
  'merge',
  'describe',
  'crossing',
] as const;

/** A step of a search, and what was found until then. */
interface SearchStage {
  stage: (typeof SEARCH_STAGES)[number];
  /** Number of the layer; undefined for a step of all. */
  layer: number | undefined;
  /** Places that the step rated. */
  rated: number;
  /** The layer has answers. */
  isAnswered: boolean;
  /** The step was left out: nothing of the layer could come near the best. */
  isSkipped: boolean;
  microseconds: number;
}

/** Two streets that the query may name, by the words of each. */
export interface CrossingRecord {
  first: string;
  second: string;
  /** How many streets each may be; absent if they were not looked for, as one place has the words of both. */
  streets?: [first: number, second: number];
  /** They cross, and that is the answer. */
  isAnswer?: true;
}

/** The way of one search. */
export class SearchRecord {
  /** The way to what is at the coordinates in the query, if it has no other words. */
  point: PointRecord | undefined;
  /** Kind in brackets; undefined if the query has none. */
  kind: string | undefined;
  /** Coordinates beside other words, degrees; undefined if the query has none. */
  near: { latitude: number; longitude: number } | undefined;
  /** Streets that it may name together, in the order in which they were tried. */
  readonly crossings: CrossingRecord[] = [];
  readonly stages: SearchStage[] = [];
  private searches: readonly SearchedLayer[] = [];
  private readonly ratedBefore = new Map<SearchedLayer, number>();
  private since = performance.now();

  /** Notes that the query is read. */
  begin(searches: readonly SearchedLayer[], kind: string | undefined, near: SearchRecord['near']): void {
    this.searches = searches;
    this.kind = kind;
    this.near = near;
    this.stage('read');
  }

  /** Notes a step that has ended now; it began when the one before it ended. */
  stage(stage: SearchStage['stage'], search?: SearchedLayer, isSkipped = false): void {
    const layer = search && this.searches.indexOf(search);
    const before = (search && this.ratedBefore.get(search)) ?? 0;
    const [rated, isAnswered] = search === undefined ? [0, false] : [search.rated - before, search.isExplained];
    if (search !== undefined) this.ratedBefore.set(search, search.rated);
    const now = performance.now();
    this.stages.push({
      stage,
      layer,
      rated,
      isAnswered,
      isSkipped,
      microseconds: Math.round((now - this.since) * 1_000),
    });
    this.since = now;
  }

  /** What each layer has done, in the order of the layers. */
  layers(): LayerRecord[] {
    return this.searches.map(search => search.recorded());
  }
}
