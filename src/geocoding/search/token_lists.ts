// The documents of words as one question reads them: each list once, although rare words, surroundings and typing
// errors each look at them.

import type { SearchIndex } from './word_index/search_index.ts';

/** Lists of a layer, kept for one question. */
export class TokenLists {
  readonly index: SearchIndex;
  private readonly known = new Map<number, number[]>();

  constructor(index: SearchIndex) {
    this.index = index;
  }

  /** Visits the documents with a token: all, or the most important ones of a common token. */
  forEachDocument(token: number, visit: (document: number) => void): void {
    let documents = this.known.get(token);
    if (documents === undefined) {
      documents = [];
      this.known.set(token, documents);
      const list = documents;
      this.index.forEachDocument(token, document => list.push(document));
    }
    for (const document of documents) visit(document);
  }
}
