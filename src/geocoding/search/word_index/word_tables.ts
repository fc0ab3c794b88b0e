// The part of the index that finds words: tokens, spellings of documents, and remainders of words for mistyped ones.
// The documents of words are in postings.ts.

import type { LayerWriter } from '../../../tables/places/layer.ts';
import { bytesOf } from '../../index/section.ts';
import { editsIndexed, forEachRemainder } from '../words/edits.ts';
import { HAS_DIGIT } from '../words/text.ts';
import { GrowingWords, groupBy, HashTable, hashOf, numberIn } from './columns.ts';
import {
  DELETE_BYTES,
  DOCUMENT_COUNTRY,
  DOCUMENT_NAMES,
  DOCUMENT_WORDS,
  IS_LISTED,
  isLastSpelling,
  SPELLING_OTHER,
  spellingHeader,
  spellingKind,
  spellingLanguage,
  spellingTokens,
} from './layout.ts';
import type { DocumentLists } from './lists.ts';
import type { Spelling } from './name_spellings.ts';
import { kindsInLists, Postings, writePrefixes } from './postings.ts';

/** Remainders are collected for this many words at a time: about 60 MB. */
const WORDS_AT_ONCE = 250_000;
/** It may be short for another word. */
const LETTER = /^[a-z]$/;

/** A spelling as the numbers of its words. */
interface TokenSpelling {
  kind: number;
  language: number;
  tokens: number[];
}

/** Collects spellings and writes the tables that find them. */
export class WordTables {
  private readonly tokens = new Map<string, number>();
  /** Document, header, tokens. */
  private readonly spellings = new GrowingWords();
  private readonly seen = new HashTable();
  /** Position of each document's first spelling, counted from 1. */
  private readonly firsts = new GrowingWords();

  /** Number of a word by order of arrival. */
  tokenOf(word: string): number {
    return numberIn(this.tokens, word);
  }

  /** Numbers of the words of a spelling. */
  tokensOf({ words }: Spelling): number[] {
    return words.map(word => this.tokenOf(word));
  }

  /** Adds a spelling that is new to the document. */
  add(document: number, spelling: Spelling): void {
    const { kind, language = 0 } = spelling;
    this.copy({ kind, language, tokens: this.tokensOf(spelling) }, document);
  }

  /** Adds another document's spelling. */
  copy({ kind, language, tokens }: TokenSpelling, document: number): void {
    while (this.firsts.length <= document) this.firsts.push(0);
    if (this.firsts.get(document) === 0) this.firsts.set(document, this.spellings.length + 1);
    this.spellings.push(document);
    this.spellings.push(spellingHeader(kind, tokens.length, false, language));
    for (const token of tokens) this.spellings.push(token);
  }

  /**
   * The spellings that were added first, in one go; for a street those of one of its ways. None if there are none yet.
   */
  firstSpellings(document: number): TokenSpelling[] {
    const found: TokenSpelling[] = [];
    let at = document < this.firsts.length ? this.firsts.get(document) : 0;
    while (at > 0 && at < this.spellings.length && this.spellings.get(at - 1) === document) {
      const header = this.spellings.get(at);
      const count = spellingTokens(header);
      found.push({
        kind: spellingKind(header),
        language: spellingLanguage(header),
        tokens: Array.from({ length: count }, (_, i) => this.spellings.get(at + 1 + i)),
      });
      at += count + 2;
    }
    return found;
  }

  /** Adds a spelling to a document unless it has it. */
  addOnce(document: number, spelling: Spelling): void {
    const kind = Math.max(spelling.kind, SPELLING_OTHER) - SPELLING_OTHER;
    const hash = hashOf([document, kind, ...this.tokensOf(spelling)]);
    if (spelling.words.length === 0 || this.seen.get(hash) !== 0) return;
    this.seen.set(hash, 1);
    this.add(document, spelling);
  }

  /**
   * Writes the tables, and sets the start of its spellings in each document.
   * @returns the final number of each token by order of arrival
   */
  finish(writer: LayerWriter, documents: Uint32Array, lists: DocumentLists): Uint32Array {
    const texts = [...this.tokens.keys()].sort();
    const rank = new Uint32Array(texts.length);
    for (let i = 0; i < texts.length; i++) rank[this.tokens.get(texts[i])!] = i;
    const names = this.orderSpellings(documents, rank);
    markListed(documents, names, texts);
    const postings = new Postings(names, documents, texts.length);
    writeTexts(writer, texts);
    writer.section('search.names', bytesOf(names));
    writer.section('search.counts', bytesOf(postings.counts));
    postings.write(writer, lists);
    writePrefixes(writer, texts, postings, lists);
    writeRemainders(writer, texts);
    return rank;
  }

  /** Puts the spellings of each document together, in order of arrival. */
  private orderSpellings(documents: Uint32Array, rank: Uint32Array): Uint32Array {
    const { spellings } = this;
    const ends = new Uint32Array(documents.length / DOCUMENT_WORDS + 1);
    const forEach = (visit: (document: number, at: number, count: number) => void) => {
      for (let at = 0; at < spellings.length; ) {
        const count = spellingTokens(spellings.get(at + 1));
        visit(spellings.get(at), at + 1, count);
        at += 2 + count;
      }
    };
    forEach((document, _, count) => {
      ends[document + 1] += 1 + count;
    });
    // A document without a name has one spelling without words.
    for (let document = 0; document + 1 < ends.length; document++)
      ends[document + 1] = ends[document] + (ends[document + 1] || 1);
    const names = new Uint32Array(ends[ends.length - 1]).fill(spellingHeader(0, 0, true, 0));
    for (let document = 0; document + 1 < ends.length; document++)
      documents[document * DOCUMENT_WORDS + DOCUMENT_NAMES] = ends[document];
    const next = ends.slice();
    forEach((document, at, count) => {
      const start = next[document];
      const isLast = start + 1 + count === ends[document + 1];
      const header = spellings.get(at);
      names[start] = spellingHeader(spellingKind(header), count, isLast, spellingLanguage(header));
      for (let i = 1; i <= count; i++) names[start + i] = rank[spellings.get(at + i)];
      next[document] = start + 1 + count;
    });
    return names;
  }
}

/** Marks the documents whose words the lists have (IS_LISTED). @param texts of the tokens */
function markListed(documents: Uint32Array, names: Uint32Array, texts: readonly string[]): void {
  const isLetter = Uint8Array.from(texts, text => Number(LETTER.test(text)));
  const hasDigit = Uint8Array.from(texts, text => Number(HAS_DIGIT.test(text)));
  for (let document = 1; document < documents.length / DOCUMENT_WORDS; document++) {
    const inLists = kindsInLists(documents, document);
    let isListed = true;
    let header: number;
    let at = documents[document * DOCUMENT_WORDS + DOCUMENT_NAMES];
    do {
      header = names[at++];
      const isInLists = spellingKind(header) < inLists;
      for (const end = at + spellingTokens(header); at < end; at++)
        isListed &&= isLetter[names[at]] === 0 && (isInLists || hasDigit[names[at]] === 1);
    } while (!isLastSpelling(header));
    if (isListed) documents[document * DOCUMENT_WORDS + DOCUMENT_COUNTRY] |= IS_LISTED;
  }
}

function writeTexts(writer: LayerWriter, texts: readonly string[]): void {
  const starts = new Uint32Array(texts.length + 1);
  for (let token = 0; token < texts.length; token++) starts[token + 1] = starts[token] + texts[token].length;
  const bytes = Buffer.alloc(starts[texts.length]);
  for (let token = 0; token < texts.length; token++) bytes.write(texts[token], starts[token], 'latin1');
  writer.section('search.tokens', bytes);
  writer.section('search.starts', bytesOf(starts));
}

/** Writes the remainders of each word, in blocks with the same upper half of the hash. */
function writeRemainders(writer: LayerWriter, texts: readonly string[]): void {
  // Each pass takes one range of hashes, to limit memory.
  const passes = Math.max(1, Math.ceil(texts.length / WORDS_AT_ONCE));
  for (let pass = 0; pass < passes; pass++) {
    const first = Math.ceil((pass * 0x10000) / passes);
    const end = Math.ceil(((pass + 1) * 0x10000) / passes);
    const hashes = new GrowingWords();
    const tokens = new GrowingWords();
    for (let token = 0; token < texts.length; token++) {
      const edits = editsIndexed(texts[token]);
      if (edits === 0) continue;
      forEachRemainder(texts[token], edits, hash => {
        if (hash >>> 16 < first || hash >>> 16 >= end) return;
        hashes.push(hash);
        tokens.push(token);
      });
    }
    writeBlocks(writer, hashes, tokens, first, end);
  }
}

function writeBlocks(
  writer: LayerWriter,
  hashes: GrowingWords,
  tokens: GrowingWords,
  first: number,
  end: number,
): void {
  const { order, starts } = groupBy(hashes.length, end - first, i => (hashes.get(i) >>> 16) - first);
  for (let block = first; block < end; block++) {
    const members = order.subarray(starts[block - first], starts[block - first + 1]);
    if (members.length === 0) continue;
    // Tokens with the same hash keep their order.
    const sorted = [...members].sort((a, b) => (hashes.get(a) & 0xffff) - (hashes.get(b) & 0xffff) || a - b);
    const value = Buffer.alloc(sorted.length * DELETE_BYTES);
    sorted.forEach((i, at) => {
      value.writeUInt16BE(hashes.get(i) & 0xffff, at * DELETE_BYTES);
      value.writeUInt32BE(tokens.get(i), at * DELETE_BYTES + 2);
    });
    const key = Buffer.alloc(2);
    key.writeUInt16BE(block);
    writer.append('deletes', key, value);
  }
}
