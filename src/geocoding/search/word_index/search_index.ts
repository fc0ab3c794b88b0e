// Reads the index of words of a layer (layout.ts). Nothing is copied: an index for each thread costs only views.

import { UNITS_PER_DEGREE } from '../../../geo/units.ts';
import { numberKey } from '../../../tables/environment/row.ts';
import type { LayerReader } from '../../../tables/places/layer.ts';
import { editDistance, forEachRemainder } from '../words/edits.ts';
import {
  addressRankIn,
  DELETE_BYTES,
  DOCUMENT_COUNTRY,
  DOCUMENT_LATITUDE,
  DOCUMENT_LONGITUDE,
  DOCUMENT_NAMES,
  DOCUMENT_PARENT,
  DOCUMENT_PLACE,
  DOCUMENT_RANKS,
  DOCUMENT_SET,
  DOCUMENT_WORDS,
  HAS_HOUSES,
  IMPORTANCE_UNITS,
  IS_LISTED,
  importanceIn,
  isLastSpelling,
  kindAround,
  kindInCell,
  LISTED_MAX,
  NO_AREA,
  PREFIX_LISTED_MAX,
  PREFIX_TOKENS_MAX,
  prefixKey,
  SPELLING_POSTCODE,
  searchRankIn,
  spellingKind,
  spellingTokens,
  tokenAround,
} from './layout.ts';
import { forEachAscending } from './lists.ts';

/** A range of tokens; `to` is not included. */
export interface TokenRange {
  from: number;
  to: number;
}

const COUNTRY_MASK = 0xffff;
/** Tokens that a mistyped word is compared with, and that it may mean. */
const COMPARED_MAX = 2_000;
const SIMILAR_MAX = 48;

/** Lists of words whose documents are kept: those of towns and kinds of streets are in every other query. */
const KEPT_LISTS = 1_024;

let indexes = 0;

/** The index of words of a layer. */
export class SearchIndex {
  /** Unique in this thread. */
  readonly number = indexes++;
  readonly layer: LayerReader;
  /** Spellings of documents: header, tokens, header, tokens ... */
  readonly names: Uint32Array;
  /** Counts and documents of the sets of areas. */
  readonly sets: Uint32Array;
  private readonly documents: Uint32Array;
  private readonly counts: Uint32Array;
  private readonly texts: Uint8Array;
  private readonly starts: Uint32Array;
  private readonly countries = new Map<number, number>();
  private someHouses: boolean | undefined;
  /** The lists that were read last, each in the slot of its token. */
  private readonly kept = new Array<{ token: number; documents: readonly number[] } | undefined>(KEPT_LISTS).fill(
    undefined,
  );

  /** @param sections views of (shared) memory, each aligned to 8 bytes in its buffer */
  constructor(layer: LayerReader, sections: ReadonlyMap<string, Uint8Array>) {
    this.layer = layer;
    this.names = wordsIn(sections, 'search.names');
    this.sets = wordsIn(sections, 'search.sets');
    this.documents = wordsIn(sections, 'search.documents');
    this.counts = wordsIn(sections, 'search.counts');
    this.starts = wordsIn(sections, 'search.starts');
    this.texts = sectionOf(sections, 'search.tokens');
    const countries = wordsIn(sections, 'search.countries');
    for (let i = 0; i < countries.length; i += 2) this.countries.set(countries[i], countries[i + 1]);
  }

  /** How many tokens there are. */
  get tokens(): number {
    return this.counts.length;
  }

  /** A word's token; -1 if no place has it. */
  find(word: string): number {
    const token = this.lowerBound(word);
    return token < this.counts.length && this.compare(token, word) === 0 ? token : -1;
  }

  /** Tokens that begin with these letters. */
  startingWith(prefix: string): TokenRange {
    // No word has a letter after z.
    return { from: this.lowerBound(prefix), to: this.lowerBound(`${prefix}{`) };
  }

  /**
   * Those of some tokens that have a letter at a position. @param tokens all that have the same letters before it
   * @param letter code
   */
  withLetter({ from, to }: TokenRange, at: number, letter: number): TokenRange {
    const first = this.firstWithLetter(from, to, at, letter);
    const isThere = first < to && this.texts[this.starts[first] + at] === letter;
    return { from: first, to: isThere ? this.firstWithLetter(first, to, at, letter + 1) : first };
  }

  /** The first token whose letter at a position is this or a later one. */
  private firstWithLetter(from: number, to: number, at: number, letter: number): number {
    const { texts, starts } = this;
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const place = starts[middle] + at;
      // A word that ends before it comes first.
      if (place >= starts[middle + 1] || texts[place] < letter) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The first token that is a word or comes after it. */
  lowerBound(word: string): number {
    let low = 0;
    let high = this.counts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compare(middle, word) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private compare(token: number, word: string): number {
    const { texts, starts } = this;
    const start = starts[token];
    const length = starts[token + 1] - start;
    const shorter = Math.min(length, word.length);
    for (let i = 0; i < shorter; i++) {
      const difference = texts[start + i] - word.charCodeAt(i);
      if (difference !== 0) return difference;
    }
    return length - word.length;
  }

  /** True for a token of one letter. */
  isLetter(token: number): boolean {
    return this.starts[token + 1] - this.starts[token] === 1;
  }

  /** True for a token of so many letters. */
  hasLength(token: number, length: number): boolean {
    return this.starts[token + 1] - this.starts[token] === length;
  }

  /** True for a token that is longer than a word and begins with it. */
  startsWith(token: number, word: string): boolean {
    const { texts, starts } = this;
    const start = starts[token];
    if (starts[token + 1] - start <= word.length) return false;
    for (let i = 0; i < word.length; i++) if (texts[start + i] !== word.charCodeAt(i)) return false;
    return true;
  }

  text(token: number): string {
    let text = '';
    for (let at = this.starts[token]; at < this.starts[token + 1]; at++) text += String.fromCharCode(this.texts[at]);
    return text;
  }

  /** Visits the tokens of a document's names. */
  forEachNameToken(document: number, visit: (token: number) => void): void {
    let header: number;
    let at = this.spellings(document);
    do {
      header = this.names[at];
      const end = at + 1 + spellingTokens(header);
      if (spellingKind(header) < SPELLING_POSTCODE) for (let i = at + 1; i < end; i++) visit(this.names[i]);
      at = end;
    } while (!isLastSpelling(header));
  }

  /** Number of documents with a token. */
  count(token: number): number {
    return this.counts[token];
  }

  /** Visits the documents with a token: all, or the most important ones of a common token. */
  forEachDocument(token: number, visit: (document: number) => void): void {
    const slot = token % KEPT_LISTS;
    let list = this.kept[slot];
    if (list?.token !== token) {
      const documents: number[] = [];
      this.forEachListed('tokens', numberKey(token), document => documents.push(document));
      list = { token, documents };
      this.kept[slot] = list;
    }
    for (const document of list.documents) visit(document);
  }

  /** Visits the documents with a common token that are in an area, or at a road. */
  forEachDocumentAround(token: number, around: number, visit: (document: number) => void): void {
    this.forEachListed('around', tokenAround(token, around), visit);
  }

  /**
   * Visits the areas with a common token that are smaller than a country.
   * @returns false if they are not known, in folders of versions that did not list them
   */
  forEachArea(token: number, visit: (document: number) => void): boolean {
    const list = this.layer.get('around', tokenAround(token, NO_AREA));
    if (list !== undefined) forEachAscending(list, visit);
    return list !== undefined;
  }

  /** True if more documents have the token than a list holds. */
  isCommon(token: number): boolean {
    return this.counts[token] > LISTED_MAX;
  }

  /**
   * Visits documents that have a word with this prefix: all, or the most important ones if there are many.
   * @returns false if these are not all
   */
  forEachDocumentStartingWith(
    { from, to, text }: TokenRange & { text: string },
    visit: (document: number) => void,
  ): boolean {
    let documents = to - from > PREFIX_TOKENS_MAX ? Number.POSITIVE_INFINITY : 0;
    for (let token = from; token < to && documents <= PREFIX_LISTED_MAX; token++) documents += this.counts[token];
    if (documents > PREFIX_LISTED_MAX) this.forEachListed('tokens', prefixKey(text), visit);
    else for (let token = from; token < to; token++) this.forEachDocument(token, visit);
    return documents <= PREFIX_LISTED_MAX;
  }

  /**
   * Visits the documents of a kind: all, or the most important ones of a common kind. @param kind such as
   * `amenity=pharmacy` @returns how many
   */
  forEachOfKind(kind: string, visit: (document: number) => void): number {
    return this.forEachListed('kinds', Buffer.from(kind), visit);
  }

  /** Visits the documents of a common kind that are in an area, or at a road. */
  forEachOfKindAround(kind: string, around: number, visit: (document: number) => void): void {
    this.forEachListed('around', kindAround(kind, around), visit);
  }

  /** Visits the documents of a common kind that are in a square of the map (cells.ts). */
  forEachOfKindInCell(kind: string, cell: number, visit: (document: number) => void): void {
    this.forEachListed('around', kindInCell(kind, cell), visit);
  }

  private forEachListed(
    database: 'tokens' | 'kinds' | 'around',
    key: Buffer,
    visit: (document: number) => void,
  ): number {
    const list = this.layer.get(database, key);
    return list === undefined ? 0 : forEachAscending(list, visit);
  }

  /**
   * Tokens that a mistyped word may mean: of very many those that most documents have. @param edits exactly so many, 1
   * or 2
   */
  similar(word: string, edits: number): number[] {
    const compared = new Set<number>();
    const hashes = new Set<number>();
    const found: number[] = [];
    forEachRemainder(word, edits, hash => hashes.add(hash));
    const key = Buffer.alloc(2);
    for (const hash of hashes) {
      key.writeUInt16BE(hash >>> 16);
      const block = this.layer.get('deletes', key);
      if (block === undefined) continue;
      forEachToken(block, hash & 0xffff, token => {
        const length = this.starts[token + 1] - this.starts[token];
        if (Math.abs(length - word.length) > edits || compared.has(token)) return;
        compared.add(token);
        if (editDistance(word, this.text(token), edits) === edits) found.push(token);
      });
      if (compared.size > COMPARED_MAX) break;
    }
    if (found.length > SIMILAR_MAX) found.sort((a, b) => this.counts[b] - this.counts[a] || a - b);
    return found.slice(0, SIMILAR_MAX);
  }

  /** The houses of a document, to be read by houses.ts; valid until the next call. */
  houses(document: number): Buffer | undefined {
    return this.hasHouses(document) ? this.layer.get('houses', numberKey(document)) : undefined;
  }

  /** Some document has houses. */
  get hasAnyHouses(): boolean {
    this.someHouses ??= [...this.layer.range('houses', Buffer.alloc(0), 1)].length > 0;
    return this.someHouses;
  }

  hasHouses(document: number): boolean {
    return (this.documents[document * DOCUMENT_WORDS + DOCUMENT_COUNTRY] & HAS_HOUSES) !== 0;
  }

  /** The lists of tokens have the document under each word that it explains but numbers (IS_LISTED). */
  isListed(document: number): boolean {
    return (this.documents[document * DOCUMENT_WORDS + DOCUMENT_COUNTRY] & IS_LISTED) !== 0;
  }

  /** Id of the place that represents a document; 0 for a country or street without one. */
  place(document: number): number {
    return this.documents[document * DOCUMENT_WORDS + DOCUMENT_PLACE];
  }

  /** Degrees. */
  latitude(document: number): number {
    return (this.documents[document * DOCUMENT_WORDS + DOCUMENT_LATITUDE] | 0) / UNITS_PER_DEGREE;
  }

  longitude(document: number): number {
    return (this.documents[document * DOCUMENT_WORDS + DOCUMENT_LONGITUDE] | 0) / UNITS_PER_DEGREE;
  }

  /** Document of its road; 0 for none. */
  parent(document: number): number {
    return this.documents[document * DOCUMENT_WORDS + DOCUMENT_PARENT];
  }

  /** Start of its set of areas. */
  set(document: number): number {
    return this.documents[document * DOCUMENT_WORDS + DOCUMENT_SET];
  }

  /** Start of its spellings. */
  spellings(document: number): number {
    return this.documents[document * DOCUMENT_WORDS + DOCUMENT_NAMES];
  }

  searchRank(document: number): number {
    return searchRankIn(this.documents[document * DOCUMENT_WORDS + DOCUMENT_RANKS]);
  }

  /** 0 if it is in no address. */
  addressRank(document: number): number {
    return addressRankIn(this.documents[document * DOCUMENT_WORDS + DOCUMENT_RANKS]);
  }

  /** 0..1 */
  importance(document: number): number {
    return importanceIn(this.documents[document * DOCUMENT_WORDS + DOCUMENT_RANKS]) / IMPORTANCE_UNITS;
  }

  /** Number of its country; 0 for none. */
  country(document: number): number {
    return this.documents[document * DOCUMENT_WORDS + DOCUMENT_COUNTRY] & COUNTRY_MASK;
  }

  /** Document of a country; 0 if it has no places. */
  countryDocument(country: number): number {
    return this.countries.get(country) ?? 0;
  }
}

/** Visits the tokens with the lower half of a hash, by which entries are sorted. */
function forEachToken(block: Uint8Array, lower: number, visit: (token: number) => void): void {
  const lowerAt = (entry: number) => (block[entry * DELETE_BYTES] << 8) | block[entry * DELETE_BYTES + 1];
  const count = block.length / DELETE_BYTES;
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (lowerAt(middle) < lower) low = middle + 1;
    else high = middle;
  }
  for (let entry = low; entry < count && lowerAt(entry) === lower; entry++) {
    const at = entry * DELETE_BYTES + 2;
    visit(((block[at] << 24) | (block[at + 1] << 16) | (block[at + 2] << 8) | block[at + 3]) >>> 0);
  }
}

function wordsIn(sections: ReadonlyMap<string, Uint8Array>, name: string): Uint32Array {
  const { buffer, byteOffset, byteLength } = sectionOf(sections, name);
  return new Uint32Array(buffer, byteOffset, byteLength / Uint32Array.BYTES_PER_ELEMENT);
}

function sectionOf(sections: ReadonlyMap<string, Uint8Array>, name: string): Uint8Array {
  const section = sections.get(name);
  if (section === undefined) throw new Error(`The index of places has no section "${name}".`);
  return section;
}
