// Lists of documents as the databases hold them. A list is never longer than LISTED_MAX: of a common word or kind it
// has the most important documents, and there is another list for each area and each road around them. So "Main Street"
// in a town of a large country is found by one look.

import { UNITS_PER_DEGREE } from '../../../geo/units.ts';
import type { LayerWriter } from '../../../tables/places/layer.ts';
import { RANK_AREA_MAX, RANK_COUNTRY } from '../../../tables/places/ranks.ts';
import { ByteReader, ByteWriter } from '../../index/varint.ts';
import { cellOf } from './cells.ts';
import {
  DOCUMENT_LATITUDE,
  DOCUMENT_LONGITUDE,
  DOCUMENT_PARENT,
  DOCUMENT_RANKS,
  DOCUMENT_SET,
  DOCUMENT_WORDS,
  importanceIn,
  LISTED_MAX,
  NO_AREA,
  searchRankIn,
} from './layout.ts';

const IMPORTANCES = 65_536;
const DOCUMENTS_MAX = 2 ** 32;

/** Encodes lists of the documents of one layer. */
export class DocumentLists {
  private readonly documents: Uint32Array;
  private readonly sets: Uint32Array;
  private readonly bytes = new ByteWriter();
  private readonly importances = new Uint32Array(IMPORTANCES);

  /** @param documents as in `search.documents` @param sets as in `search.sets` */
  constructor(documents: Uint32Array, sets: Uint32Array) {
    this.documents = documents;
    this.sets = sets;
  }

  /**
   * Encodes documents, the most important ones if there are more than a list may have. @param some ascending, none
   * twice
   */
  encode(some: Uint32Array, most = LISTED_MAX): Buffer {
    return encodeAscending(this.bytes, some.length <= most ? some : this.mostImportant(some, most));
  }

  /** The most important of them; of equal ones those that come first. */
  private mostImportant(some: Uint32Array, most: number): Uint32Array {
    const { importances } = this;
    importances.fill(0);
    for (const document of some) importances[this.importance(document)]++;
    let least = IMPORTANCES - 1;
    let above = 0;
    while (above + importances[least] < most) above += importances[least--];
    let equal = most - above;
    return some.filter(document => {
      const importance = this.importance(document);
      return importance > least || (importance === least && equal-- > 0);
    });
  }

  private importance(document: number): number {
    return importanceIn(this.documents[document * DOCUMENT_WORDS + DOCUMENT_RANKS]);
  }

  /**
   * Writes the lists of areas and roads, and of those documents that are areas, if one list does not hold all.
   * @param some ascending, none twice
   */
  writeAround(writer: LayerWriter, some: Uint32Array, keyOf: (around: number) => Buffer): void {
    if (some.length <= LISTED_MAX) return;
    writer.append('around', keyOf(NO_AREA), this.encode(some.filter(document => this.isArea(document))));
    const pairs = this.pairsAround(some);
    for (let from = 0; from < pairs.length; ) {
      const around = Math.floor(pairs[from] / DOCUMENTS_MAX);
      let to = from + 1;
      while (to < pairs.length && pairs[to] < (around + 1) * DOCUMENTS_MAX) to++;
      const documents = Uint32Array.from(pairs.subarray(from, to), pair => pair % DOCUMENTS_MAX);
      writer.append('around', keyOf(around), this.encode(documents));
      from = to;
    }
  }

  /** Writes the lists of squares of the map, if one list does not hold all. @param some ascending, none twice */
  writeCells(writer: LayerWriter, some: Uint32Array, keyOf: (cell: number) => Buffer): void {
    if (some.length <= LISTED_MAX) return;
    const cells = Uint32Array.from(some, document => this.cell(document));
    const order = Uint32Array.from(some, (_, i) => i).sort((a, b) => cells[a] - cells[b] || a - b);
    for (let from = 0; from < order.length; ) {
      const cell = cells[order[from]];
      let to = from + 1;
      while (to < order.length && cells[order[to]] === cell) to++;
      writer.append('around', keyOf(cell), this.encode(order.subarray(from, to).map(i => some[i])));
      from = to;
    }
  }

  /** The square of the map with a document. */
  private cell(document: number): number {
    const at = document * DOCUMENT_WORDS;
    const degrees = (word: number) => (this.documents[at + word] | 0) / UNITS_PER_DEGREE;
    return cellOf(degrees(DOCUMENT_LATITUDE), degrees(DOCUMENT_LONGITUDE));
  }

  private rank(document: number): number {
    return searchRankIn(this.documents[document * DOCUMENT_WORDS + DOCUMENT_RANKS]);
  }

  /** True for an area smaller than a country. */
  private isArea(document: number): boolean {
    const rank = this.rank(document);
    return rank > RANK_COUNTRY && rank <= RANK_AREA_MAX;
  }

  /** What is around each document, in the upper half of a number, and the document; ascending. */
  private pairsAround(some: Uint32Array): Float64Array {
    const { documents, sets } = this;
    let count = 0;
    for (const document of some) count += 1 + sets[documents[document * DOCUMENT_WORDS + DOCUMENT_SET]];
    const pairs = new Float64Array(count);
    let at = 0;
    for (const document of some) {
      const parent = documents[document * DOCUMENT_WORDS + DOCUMENT_PARENT];
      if (parent !== 0) pairs[at++] = parent * DOCUMENTS_MAX + document;
      const set = documents[document * DOCUMENT_WORDS + DOCUMENT_SET];
      for (let i = 1; i <= sets[set]; i++) {
        const area = sets[set + i];
        if (this.rank(area) > RANK_COUNTRY) pairs[at++] = area * DOCUMENTS_MAX + document;
      }
    }
    return pairs.subarray(0, at).sort();
  }
}

/** Encodes ascending numbers. @param writer empty, before and after */
export function encodeAscending(writer: ByteWriter, numbers: Uint32Array): Buffer {
  let last = 0;
  for (const number of numbers) {
    writer.unsigned(number - last);
    last = number;
  }
  return writer.take();
}

/** Visits the encoded numbers. @returns how many there are */
export function forEachAscending(bytes: Buffer, visit: (number: number) => void): number {
  const reader = new ByteReader(bytes);
  let last = 0;
  let count = 0;
  for (; reader.at < reader.end; count++) {
    last += reader.unsigned();
    visit(last);
  }
  return count;
}
