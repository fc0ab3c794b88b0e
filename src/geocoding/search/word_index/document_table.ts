// The records of documents while they are collected (layout.ts).

import { unitsOf } from '../../../geo/units.ts';
import type { Place } from '../../../tables/places/place.ts';
import { RANK_COUNTRY } from '../../../tables/places/ranks.ts';
import { GrowingWords } from './columns.ts';
import { addressRankIn, DOCUMENT_RANKS, DOCUMENT_WORDS, IMPORTANCE_UNITS, packRanks, searchRankIn } from './layout.ts';

/** What a new document consists of. */
interface NewDocument {
  /** Id of the place that represents it; 0 for none. */
  id: number;
  place: Pick<Place, 'latitude' | 'longitude' | 'searchRank' | 'addressRank' | 'importance'>;
  /** Set of the areas around it. */
  set: number;
  country: number;
  /** Document of its road; 0 for none. */
  parent: number;
}

/** Document 0, and the basis of a country without a place in the layer. */
export const EMPTY_DOCUMENT: NewDocument = {
  id: 0,
  place: { latitude: 0, longitude: 0, searchRank: RANK_COUNTRY, addressRank: RANK_COUNTRY, importance: 0 },
  set: 0,
  country: 0,
  parent: 0,
};

/** Documents by number, beginning with document 0. */
export class DocumentTable {
  private readonly words = new GrowingWords();

  constructor() {
    this.add(EMPTY_DOCUMENT);
  }

  get count(): number {
    return this.words.length / DOCUMENT_WORDS;
  }

  /** @returns number of the document */
  add({ id, place, set, country, parent }: NewDocument): number {
    const document = this.count;
    this.words.push(id);
    this.words.push(unitsOf(place.latitude));
    this.words.push(unitsOf(place.longitude));
    this.words.push(parent);
    this.words.push(set);
    this.words.push(0);
    const importance = Math.round(Math.min(Math.max(place.importance, 0), 1) * IMPORTANCE_UNITS);
    this.words.push(packRanks(place.searchRank, place.addressRank, importance));
    this.words.push(country);
    return document;
  }

  /** Adds a copy of a document. @returns its number */
  copy(document: number): number {
    const copy = this.count;
    for (let word = 0; word < DOCUMENT_WORDS; word++) this.words.push(this.get(document, word));
    return copy;
  }

  /** @param word DOCUMENT_... */
  get(document: number, word: number): number {
    return this.words.get(document * DOCUMENT_WORDS + word);
  }

  /** @param word DOCUMENT_... */
  set(document: number, word: number, value: number): void {
    this.words.set(document * DOCUMENT_WORDS + word, value);
  }

  searchRank(document: number): number {
    return searchRankIn(this.get(document, DOCUMENT_RANKS));
  }

  addressRank(document: number): number {
    return addressRankIn(this.get(document, DOCUMENT_RANKS));
  }

  /** All documents, as a section. */
  toArray(): Uint32Array {
    return this.words.toArray();
  }
}
