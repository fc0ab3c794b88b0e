// Which candidates can be answers, found out without rating them.
//
// An answer must explain certain words (required_words.ts). A document explains a word by a token of its own names, of
// its road, its country or the areas around it, and by nothing else, if the word is no number, no kind, no name of a
// country and no part of a longer word. So a document without such a token is no answer, whatever it would cost, and it
// is rated only if there is no answer at all, to find out what may be mistyped.
//
// The lists of rare words say which documents and areas have them. Only where that is not enough, names are read.
//
// What a house is called beside its number is not asked here: a house called after a word that names something else is
// found only if nothing else explains all words.

import { RANK_AREA_MAX } from '../../tables/places/ranks.ts';
import type { Candidates } from './candidates.ts';
import type { Matcher } from './match.ts';
import type { QueryWords } from './query_words.ts';
import { Bits } from './spelling_reader.ts';
import { readableWords, type Terms } from './terms.ts';
import { isLastSpelling, spellingTokens } from './word_index/layout.ts';
import type { SearchIndex } from './word_index/search_index.ts';

/** Tells candidates that may be answers from others, for one set of readings. */
export class Reach {
  private readonly index: SearchIndex;
  private readonly matcher: Matcher;
  private readonly candidates: Candidates;
  /** Words of which each answer has a token; none if no document has them all. */
  private readonly decisive: number;
  /** Those of which the candidates have all documents. */
  private readonly listed: number;
  /** Decisive words by token. */
  private readonly masks = new Map<number, number>();
  private readonly tokens = new Bits();
  /** Words for which a letter may stand. */
  private readonly initials: number = 0;
  /** Areas that have a listed word. */
  private readonly areas = new Bits();

  /** @param candidates those of rare terms have been found */
  constructor(candidates: Candidates, matcher: Matcher) {
    const { index, asked, terms } = matcher;
    this.index = index;
    this.matcher = matcher;
    this.candidates = candidates;
    this.decisive = decisiveWords(asked, terms);
    this.listed = this.decisive & ~candidates.partMask;
    if (this.decisive === 0) return;
    for (const [token, readings] of terms.byToken) for (const { mask } of readings) this.add(token, mask);
    const initials = initialWords(asked, this.decisive);
    for (const { text, mask } of initials) this.add(index.find(text), mask);
    this.initials = initials.reduce((all, { mask }) => all | mask, 0);
    for (const [document, mask] of candidates.documents)
      if ((mask & this.listed) !== 0 && index.searchRank(document) <= RANK_AREA_MAX) this.areas.add(document);
  }

  private add(token: number, words: number): void {
    const mask = words & this.decisive;
    if (mask === 0 || token < 0) return;
    this.masks.set(token, (this.masks.get(token) ?? 0) | mask);
    this.tokens.add(token);
  }

  /** False if a document certainly leaves words that an answer must explain. */
  mayAnswer(document: number): boolean {
    const { index, matcher, decisive } = this;
    if (decisive === 0) return true;
    const parent = index.parent(document);
    const country = index.countryDocument(index.country(document));
    if (this.lacksListed(document, parent, country)) return false;
    let left = decisive & ~this.namesMask(document);
    if (parent !== 0) left &= ~this.namesMask(parent);
    if (left !== 0 && country !== 0) left &= ~this.namesMask(country);
    return left === 0 || (left & ~matcher.areaMask(document)) === 0;
  }

  /** True if the lists tell that a document lacks a word. */
  private lacksListed(document: number, parent: number, country: number): boolean {
    const { index, listed } = this;
    if (listed === 0 || !index.isListed(document)) return false;
    let left = listed & ~this.listedMask(document);
    if (left === 0) return false;
    if (parent !== 0) {
      if (!index.isListed(parent)) return false;
      left &= ~this.listedMask(parent);
    }
    left &= ~this.areaMask(country);
    const { sets } = index;
    const set = index.set(document);
    for (let i = 1; i <= sets[set]; i++) left &= ~this.areaMask(sets[set + i]);
    return left !== 0;
  }

  private listedMask(document: number): number {
    return this.candidates.documents.get(document) ?? 0;
  }

  /** Listed words of an area. A letter in its name may be short for a word before another one that is listed. */
  private areaMask(area: number): number {
    if (!this.areas.has(area)) return 0;
    const mask = this.listedMask(area);
    return mask === 0 || this.index.isListed(area) ? mask : mask | this.initials;
  }

  /** Decisive words of which the names of a document, or what stands beside them, have a token. */
  private namesMask(document: number): number {
    const { tokens, masks } = this;
    const { names } = this.index;
    let mask = 0;
    let header: number;
    let at = this.index.spellings(document);
    do {
      header = names[at++];
      for (const end = at + spellingTokens(header); at < end; at++)
        if (tokens.has(names[at])) mask |= masks.get(names[at]) ?? 0;
    } while (!isLastSpelling(header));
    return mask;
  }
}

/** Words that an answer must explain, and that only tokens explain. */
function decisiveWords(asked: QueryWords, terms: Terms): number {
  const { address, numbers, kinds, needs } = asked;
  // Without a reading of each word there is no answer.
  if ((needs.always & ~readableWords(asked, terms)) !== 0) return 0;
  const { countries, subdivisions, provinces } = terms.areas;
  const others = [
    ...needs.repeated,
    ...[...numbers, ...kinds, ...terms.cuts].map(({ mask }) => mask),
    ...countries.values(),
    ...subdivisions.values(),
    ...provinces.values(),
    terms.prefix?.mask ?? 0,
  ];
  return needs.always & ~others.reduce((all, mask) => all | mask, address.digits);
}

/** Words for which their first letter may stand in a name: those before another word. */
function initialWords({ words }: QueryWords, decisive: number): { text: string; mask: number }[] {
  return words.flatMap(({ text, part }, at) =>
    (decisive & (1 << at)) !== 0 && words[at + 1]?.part === part ? [{ text: text[0], mask: 1 << at }] : [],
  );
}
