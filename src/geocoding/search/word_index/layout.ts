// The layout of the index of words in a layer.
//
// A **document** is what a query can find by its words: a place that has a name or a kind, or all ways of one street in
// one municipality together. Houses are not documents: they are found under their street. Documents are numbered from 1
// in the order of their places; 0 means none.
//
// Sections in memory, about 32 bytes and 5 words of names a document:
//   search.documents   DOCUMENT_WORDS words each, the first being document 0
//   search.names for each document its spellings: a header (`spellingHeader`), then that many tokens; the last header
//   of a document says so
//   search.sets for each set of areas a count, then documents, small to large: what lies around a document; set 0 is
//   empty
//   search.countries   pairs of a country (`countryNumber`) and its document
//   search.tokens the texts of all tokens one after another, in ascending order; a token is its number in this order
//   search.starts      where each token's text begins, and where the last one ends
//   search.counts      documents that each token stands in
//
// Databases, keys in big-endian:
//   tokens token u32: its documents, ascending (lists.ts), the LISTED_MAX most important ones of a common token;
//   and 0xff with letters that more than
//            PREFIX_TOKENS_MAX tokens or PREFIX_LISTED_MAX of their documents begin with: the most important of these
//            documents
//   deletes  upper half of a hash u16: lower half u16 and token u32, ascending; see words/edits.ts
//   houses   document u32: its houses, see houses.ts
//   kinds    `category=type`: documents, ascending, the LISTED_MAX most important ones of a common kind
//   around for tokens and kinds that more than LISTED_MAX documents have (`tokenAround`, `kindAround`): the documents
//   in an area smaller than a country, or
//            at a road, u32; again at most LISTED_MAX; and under NO_AREA those that are such areas themselves;
//            of kinds also those in a square of the map (`kindInCell`, cells.ts)
//
// So no list is longer than LISTED_MAX, and what a query reads does not grow with the places.

import { numberKey } from '../../../tables/environment/row.ts';

/** Number of words in a document's record. */
export const DOCUMENT_WORDS = 8;
/**
 * Id of the place that represents it; 0 for a country known only by its code and for a street known only by its houses.
 */
export const DOCUMENT_PLACE = 0;
/** Units, signed. */
export const DOCUMENT_LATITUDE = 1;
export const DOCUMENT_LONGITUDE = 2;
/** Document of its road. */
export const DOCUMENT_PARENT = 3;
/** Where its set of areas begins. */
export const DOCUMENT_SET = 4;
/** Where its spellings begin. */
export const DOCUMENT_NAMES = 5;
/** Search rank in the lowest byte, address rank in the next, importance * IMPORTANCE_UNITS in the upper half. */
export const DOCUMENT_RANKS = 6;
/** Country (`countryNumber`) in the lower half, HAS_HOUSES and IS_LISTED above it. */
export const DOCUMENT_COUNTRY = 7;

export const IMPORTANCE_UNITS = 65_535;
export const HAS_HOUSES = 0x10000;
/**
 * The lists of tokens have the document under each word that it explains but numbers: no names stand beside its own, as
 * in addresses of another town, and none has a letter that may be short for another word. Folders of versions that did
 * not know this have it nowhere, so names are read.
 */
export const IS_LISTED = 0x20000;

/** Kinds of spellings. */
export const SPELLING_NAME = 0;
/** Another name: an old one, a short one, a reference number. */
export const SPELLING_OTHER = 1;
export const SPELLING_POSTCODE = 2;
/** What its address names besides the areas around it. */
export const SPELLING_AROUND = 3;
/** How many kinds there are. */
export const SPELLING_KINDS = 4;
const KIND_SHIFT = 8;
const IS_LAST = 0x10000;
const LANGUAGE_SHIFT = 17;
const LANGUAGE_MASK = 0x3ff;
/** Number of all languages whose codes are not two letters. */
const OTHER_LANGUAGE = 0x3ff;

/** Documents in a list of the databases. */
export const LISTED_MAX = 512;
/** The most important documents are kept for prefixes of more tokens, or of tokens with more documents. */
export const PREFIX_TOKENS_MAX = 64;
export const PREFIX_LISTED_MAX = 256;
export const PREFIX_DOCUMENTS = 128;
/** Bytes of an entry of `deletes`. */
export const DELETE_BYTES = 6;

const LETTERS = 26;
const LETTER_A = 0x61;

/** Header of a spelling. @param language its number (`languageNumber`); 0 for none */
export function spellingHeader(kind: number, tokens: number, isLast: boolean, language: number): number {
  return (language << LANGUAGE_SHIFT) | (isLast ? IS_LAST : 0) | (kind << KIND_SHIFT) | tokens;
}

/** Number of the language of which a name is a translation; 0 for any other name. */
export function spellingLanguage(header: number): number {
  return (header >>> LANGUAGE_SHIFT) & LANGUAGE_MASK;
}

/** A language as a number above 0. @param tag such as `de` or `zh-Hant`, of which only the language counts */
export function languageNumber(tag: string): number {
  return countryNumber(tag.toLowerCase().split(/[-_]/, 1)[0]) || OTHER_LANGUAGE;
}

export function spellingKind(header: number): number {
  return (header >>> KIND_SHIFT) & 0xff;
}

export function spellingTokens(header: number): number {
  return header & 0xff;
}

export function isLastSpelling(header: number): boolean {
  return (header & IS_LAST) !== 0;
}

/** The word of ranks. @param importance 0..IMPORTANCE_UNITS */
export function packRanks(searchRank: number, addressRank: number, importance: number): number {
  return searchRank | (addressRank << 8) | (importance << 16);
}

/** The search rank in a word of ranks. */
export function searchRankIn(ranks: number): number {
  return ranks & 0xff;
}

/** The address rank in a word of ranks; 0 for what is in no address. */
export function addressRankIn(ranks: number): number {
  return (ranks >>> 8) & 0xff;
}

/** The importance in a word of ranks, 0..IMPORTANCE_UNITS. */
export function importanceIn(ranks: number): number {
  return ranks >>> 16;
}

/** A country code as a number above 0; 0 for none. */
export function countryNumber(code: string): number {
  if (!/^[a-z]{2}$/.test(code)) return 0;
  return (code.charCodeAt(0) - LETTER_A) * LETTERS + code.charCodeAt(1) - LETTER_A + 1;
}

/** Key of the documents whose words begin with these letters. */
export function prefixKey(prefix: string): Buffer {
  return Buffer.from(`\xff${prefix}`, 'latin1');
}

/** In the place of an area around: the documents are areas themselves. */
export const NO_AREA = 0;

/** Key of the documents with a token in an area or at a road. */
export function tokenAround(token: number, around: number): Buffer {
  const key = Buffer.alloc(8);
  key.writeUInt32BE(token);
  key.writeUInt32BE(around, 4);
  return key;
}

/** Key of the documents of a kind in an area or at a road; above those of tokens. */
export function kindAround(kind: string, around: number): Buffer {
  return Buffer.concat([Buffer.of(0xff), Buffer.from(`${kind}\0`), numberKey(around)]);
}

/** Key of the documents of a kind in a square of the map (cells.ts); above those of its areas. */
export function kindInCell(kind: string, cell: number): Buffer {
  return Buffer.concat([Buffer.of(0xff), Buffer.from(`${kind}\x01`), numberKey(cell)]);
}
