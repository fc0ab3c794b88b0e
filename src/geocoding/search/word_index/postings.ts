// The documents of each word, and of each beginning of words.

import { numberKey } from '../../../tables/environment/row.ts';
import type { LayerWriter } from '../../../tables/places/layer.ts';
import { RANK_AREA_MAX } from '../../../tables/places/ranks.ts';
import {
  addressRankIn,
  DOCUMENT_NAMES,
  DOCUMENT_RANKS,
  DOCUMENT_WORDS,
  PREFIX_DOCUMENTS,
  PREFIX_LISTED_MAX,
  PREFIX_TOKENS_MAX,
  prefixKey,
  SPELLING_KINDS,
  SPELLING_POSTCODE,
  spellingKind,
  spellingTokens,
  tokenAround,
} from './layout.ts';
import type { DocumentLists } from './lists.ts';

/** The documents of each token. */
export class Postings {
  /** Number of documents with each token. */
  readonly counts: Uint32Array;
  private readonly starts: Uint32Array;
  private readonly all: Uint32Array;

  constructor(names: Uint32Array, documents: Uint32Array, tokens: number) {
    this.counts = new Uint32Array(tokens);
    forEachPosting(names, documents, tokens, token => this.counts[token]++);
    this.starts = new Uint32Array(tokens + 1);
    for (let token = 0; token < tokens; token++) this.starts[token + 1] = this.starts[token] + this.counts[token];
    this.all = new Uint32Array(this.starts[tokens]);
    const next = this.starts.slice();
    forEachPosting(names, documents, tokens, (token, document) => {
      this.all[next[token]++] = document;
    });
  }

  /** Documents of a range of tokens. */
  between(from: number, to: number): Uint32Array {
    return this.all.subarray(this.starts[from], this.starts[to]);
  }

  /** Writes the list of each token. */
  write(writer: LayerWriter, lists: DocumentLists): void {
    for (let token = 0; token < this.counts.length; token++) {
      if (this.counts[token] === 0) continue;
      const documents = this.between(token, token + 1);
      writer.append('tokens', numberKey(token), lists.encode(documents));
      lists.writeAround(writer, documents, around => tokenAround(token, around));
    }
  }
}

/**
 * The lists have spellings of the kinds below this one: of what is around a document those of areas only, as of the
 * streets and shops with one postcode there are too many.
 */
export function kindsInLists(documents: Uint32Array, document: number): number {
  const addressRank = addressRankIn(documents[document * DOCUMENT_WORDS + DOCUMENT_RANKS]);
  return addressRank > 0 && addressRank <= RANK_AREA_MAX ? SPELLING_KINDS : SPELLING_POSTCODE;
}

/** Visits every distinct token of every document. */
function forEachPosting(
  names: Uint32Array,
  documents: Uint32Array,
  tokens: number,
  visit: (token: number, document: number) => void,
): void {
  const lastDocument = new Uint32Array(tokens);
  const count = documents.length / DOCUMENT_WORDS;
  for (let document = 1; document < count; document++) {
    const end = document + 1 < count ? documents[(document + 1) * DOCUMENT_WORDS + DOCUMENT_NAMES] : names.length;
    const inLists = kindsInLists(documents, document);
    for (let at = documents[document * DOCUMENT_WORDS + DOCUMENT_NAMES]; at < end; ) {
      const header = names[at];
      const next = at + 1 + spellingTokens(header);
      if (spellingKind(header) < inLists) {
        for (let i = at + 1; i < next; i++) {
          const token = names[i];
          if (lastDocument[token] === document) continue;
          lastDocument[token] = document;
          visit(token, document);
        }
      }
      at = next;
    }
  }
}

/**
 * Writes, for prefixes of many words or documents, the most important documents with such a word. @param texts of the
 * tokens, ascending
 */
export function writePrefixes(
  writer: LayerWriter,
  texts: readonly string[],
  postings: Postings,
  lists: DocumentLists,
): void {
  const write = (from: number, to: number, length: number) => {
    for (let start = from; start < to; ) {
      if (texts[start].length < length) {
        start++;
        continue;
      }
      const prefix = texts[start].slice(0, length);
      let end = start + 1;
      while (end < to && texts[end].startsWith(prefix)) end++;
      const documents = postings.between(start, end);
      if (end - start > PREFIX_TOKENS_MAX || documents.length > PREFIX_LISTED_MAX) {
        writer.append('tokens', prefixKey(prefix), lists.encode(distinct(documents), PREFIX_DOCUMENTS));
        // A prefix comes before the longer ones that begin with it, as keys do.
        write(start, end, length + 1);
      }
      start = end;
    }
  };
  write(0, texts.length, 1);
}

/** Documents in ascending order, each once. */
function distinct(documents: Uint32Array): Uint32Array {
  const all = documents.slice().sort();
  return all.filter((document, i) => i === 0 || all[i - 1] !== document);
}
