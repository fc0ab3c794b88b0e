// signatures follow
import type { SearchQuestion } from '../question.ts';
import type { SearchIndex } from './search_index.ts';

/** A place of a layer that answers a question in words. */
export interface SearchHit {
  /** Place of the layer; of an interpolated house the line of house numbers. */
  id: number;
  /** Of an interpolated house; otherwise empty: the place's own is meant. */
  houseNumber: string;
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** How far it is from what was asked, less its importance: smaller is better, and comparable between layers. */
  penalty: number;
}

/** The answer of one layer. */
export interface SearchAnswer {
  /** Coordinates that stand in the question, degrees, where it has no other words: the answer is what lies there. */
  point: { latitude: number; longitude: number } | undefined;
  /** Best first, at most as many as asked for, none twice. */
  hits: SearchHit[];
}

export function search(_index: SearchIndex, _question: SearchQuestion): SearchAnswer {
  throw new Error('Signature only.');
}
