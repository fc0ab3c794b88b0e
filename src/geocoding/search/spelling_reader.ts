// Which words of a query one spelling of a name explains, with one reading for each of its tokens.
//
// A word that is cut short explains a token that begins with it (G. Bovara finds Giuseppe Bovara), and an initial in
// the name is explained by the word that stands in its place (Giuseppe Bovara finds G. Bovara), if the name is found by
// another word.

import { RANK_AREA_MAX, RANK_STATE } from '../../tables/places/ranks.ts';
import type { TokenRead } from './match_record.ts';
import { type QueryWords, stopTokens, weightIn, weightOfToken } from './query_words.ts';
import { CUT } from './rank.ts';
import type { CutWord, Term, Terms } from './terms.ts';
import type { SearchIndex } from './word_index/search_index.ts';
import { HAS_DIGIT } from './words/text.ts';

/** Reads spellings for one query. */
export class SpellingReader {
  /** Words that the spelling read last explains, and the cost. */
  mask = 0;
  cost = 0;
  /** Share of it that was said, 0..1. */
  said = 0;
  /** A word was read as the beginning of one of its own. */
  isUnfinished = false;
  /** How each word was read; empty if that is not recorded. */
  reads: TokenRead[] = [];
  private readonly index: SearchIndex;
  private readonly asked: QueryWords;
  private readonly terms: Terms;
  private readonly joining: Uint32Array;
  private readonly bits: TokenBits;
  private readonly isRecorded: boolean;

  constructor(index: SearchIndex, asked: QueryWords, terms: Terms, isRecorded: boolean) {
    this.index = index;
    this.asked = asked;
    this.terms = terms;
    this.joining = stopTokens(index);
    this.bits = new TokenBits(terms);
    this.isRecorded = isRecorded;
  }

  /** False if no token of a spelling has a reading. @param end behind the last token */
  mayCover(start: number, end: number): boolean {
    const { names } = this.index;
    for (let i = start; i < end; i++) {
      if (this.bits.mayHave(names[i])) return true;
    }
    return false;
  }

  /**
   * Finds out which words a spelling explains. @param allowed words that it may explain @param taken words that are
   * explained already @param rank that of what has the name: in names of areas digits of the query are no ordinals, and
   * in those of countries and states letters are no initials
   */
  cover(start: number, end: number, allowed: number, taken: number, rank: number): void {
    const { index, joining, bits } = this;
    const { names } = index;
    const hasCuts = this.terms.cuts.length > 0;
    const isArea = rank <= RANK_AREA_MAX;
    const first = rank <= RANK_STATE ? end : start;
    let mask = 0;
    let cost = 0;
    let said = 0;
    let all = 0;
    /** Tokens before this one are explained, or may not be. */
    let behind = first;
    let isFound = false;
    this.isUnfinished = false;
    if (this.isRecorded) this.reads = [];
    for (let i = start; i < end; i++) {
      const token = names[i];
      const weight = weightOfToken(index, joining, token);
      all += weight;
      const mayHave = bits.mayHave(token);
      if (!mayHave && !hasCuts) continue;
      const free = allowed & ~taken & ~mask;
      const next = i + 1 < end ? names[i + 1] : -1;
      let term = mayHave ? this.termOf(token, next, free, isArea) : undefined;
      // County is also written Co, and no Colorado.
      if (term?.isCode === true && isArea && end - start === 1) term = undefined;
      if (term === undefined && hasCuts) term = this.cutOf(i, end, free);
      if (term === undefined) continue;
      isFound ||= term.reading !== 'cut';
      if (term === this.terms.prefix) this.isUnfinished = true;
      mask |= term.mask;
      if (this.isRecorded) this.reads.push({ mask: term.mask, token, reading: term.reading });
      said += weight;
      cost += term.cost * weightIn(this.asked, term.mask);
      for (let back = 1; i - back >= behind && index.isLetter(names[i - back]); back++) {
        const initial = names[i - back];
        const bit = this.wordOf(initial, term.mask, back, allowed & ~taken & ~mask);
        if (bit === 0) break;
        mask |= bit;
        if (this.isRecorded) this.reads.push({ mask: bit, token: initial, reading: 'cut' });
        said += weightOfToken(index, joining, initial);
        cost += CUT * weightIn(this.asked, bit);
      }
      behind = Math.max(first, i + 1);
      for (let more = tokensBehind(term); more > 0; more--) {
        i++;
        all += weightOfToken(index, joining, names[i]);
        said += weightOfToken(index, joining, names[i]);
      }
    }
    // Beginnings of words alone say nothing.
    this.mask = isFound ? mask : 0;
    this.cost = cost / this.asked.weight;
    this.said = all === 0 || !isFound ? 0 : said / all;
  }

  /** The cheapest reading of a token among the free words. */
  private termOf(token: number, next: number, free: number, isArea: boolean): Term | undefined {
    let best: Term | undefined;
    const terms = this.terms.byToken.get(token);
    if (terms !== undefined) {
      for (const term of terms) {
        if (isArea && term.isNameForm === true) continue;
        if (isArea && term.reading === 'number' && (term.isWeak === true || this.index.isLetter(token))) continue;
        if ((term.mask & ~free) !== 0 || (term.next !== undefined && term.next !== next)) continue;
        if (best === undefined || term.cost < best.cost || isMore(term, best)) best = term;
      }
    }
    const { prefix } = this.terms;
    if (
      best === undefined &&
      prefix !== undefined &&
      token >= prefix.from &&
      token < prefix.to &&
      (prefix.mask & ~free) === 0
    )
      best = prefix;
    return best;
  }

  /** The free word that is the beginning of a token, or of it and those behind. @param end behind the last token */
  private cutOf(at: number, end: number, free: number): Term | undefined {
    for (const cut of this.terms.cuts) if ((cut.mask & ~free) === 0 && this.begins(at, end, cut)) return cut;
    return undefined;
  }

  private begins(at: number, end: number, { text, isInitials }: CutWord): boolean {
    const { index } = this;
    if (!isInitials) return index.startsWith(index.names[at], text);
    if (at + text.length > end) return false;
    return [...text].every((letter, i) => index.startsWith(index.names[at + i], letter));
  }

  /**
   * The word that an initial stands for. @param mask words of the token behind it @param back so many words before them
   * @returns its bit; 0 if there is none
   */
  private wordOf(initial: number, mask: number, back: number, free: number): number {
    const behind = 31 - Math.clz32(mask & -mask);
    const at = behind - back;
    if (at < 0 || (free & (1 << at)) === 0) return 0;
    const { text, part } = this.asked.words[at];
    const next = this.asked.words[behind];
    const isName = text.length > 1 && !HAS_DIGIT.test(next.text) && next.text.length > 2;
    const isMeant = isName && part === next.part && text[0] === this.index.text(initial);
    return isMeant ? 1 << at : 0;
  }
}

/** How many tokens behind its own a reading takes with it. */
function tokensBehind(term: Term | CutWord): number {
  if (term.next !== undefined) return 1;
  return 'isInitials' in term ? term.text.length - 1 : 0;
}

/** True for a reading of more words at the same cost: P.za is no P. */
function isMore(term: Term, best: Term): boolean {
  return term.cost === best.cost && term.mask !== best.mask && (term.mask & best.mask) === best.mask;
}

/**
 * The tokens that have a reading: most tokens of names have none, and are passed over by one look. Those that an
 * unfinished word may be are a range, as they would be too many bits.
 */
class TokenBits {
  private readonly bits = new Bits();
  private readonly from: number;
  private readonly to: number;

  constructor({ byToken, prefix }: Terms) {
    for (const token of byToken.keys()) this.bits.add(token);
    this.from = prefix?.from ?? 0;
    this.to = prefix?.to ?? 0;
  }

  /** False if a token has no reading. */
  mayHave(token: number): boolean {
    return this.bits.has(token) || (token >= this.from && token < this.to);
  }
}

/** Memory of V8's own, which is ten times as cheap to get as that of a larger array: a search has ten of these. */
const WORDS = 16;
const BIT_MASK = 32 * WORDS - 1;

/** A bit for each of some numbers, by their lowest bits: most others are told apart by one look. */
export class Bits {
  private readonly bits = new Uint32Array(WORDS);

  add(number: number): void {
    this.bits[(number & BIT_MASK) >>> 5] |= 1 << number;
  }

  /** False if a number was not added. */
  has(number: number): boolean {
    return (this.bits[(number & BIT_MASK) >>> 5] & (1 << number)) !== 0;
  }
}
