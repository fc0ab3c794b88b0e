// The part of the index that finds kinds of places: the documents of each.

import type { LayerWriter } from '../../../tables/places/layer.ts';
import { GrowingWords, groupBy, numberIn } from './columns.ts';
import { kindAround } from './layout.ts';
import type { DocumentLists } from './lists.ts';

/** Collects kinds and writes the table that finds them. */
export class KindTables {
  private readonly kinds = new Map<string, number>();
  /** Pairs of a kind and a document. */
  private readonly entries = new GrowingWords();

  /** Adds a document. @param kind such as `amenity=pharmacy` @param document not below the last one */
  add(kind: string, document: number): void {
    this.entries.push(numberIn(this.kinds, kind));
    this.entries.push(document);
  }

  /** Writes the list of each kind, after those of the tokens. */
  write(writer: LayerWriter, lists: DocumentLists): void {
    const { order, starts } = groupBy(this.entries.length / 2, this.kinds.size, entry => this.entries.get(2 * entry));
    const keys = [...this.kinds].map(([kind, number]) => ({ kind, number, key: Buffer.from(kind) }));
    for (const { kind, number, key } of keys.sort((a, b) => Buffer.compare(a.key, b.key))) {
      const documents = order
        .subarray(starts[number], starts[number + 1])
        .map(entry => this.entries.get(2 * entry + 1));
      writer.append('kinds', key, lists.encode(documents));
      lists.writeAround(writer, documents, around => kindAround(kind, around));
    }
  }
}
