// The tokens that the words of a query may mean, and the cost of reading them so: the word itself, other spellings, two
// or three words written as one (Land Strasse), an unfinished last word, and, if nothing else helps, words a few edits
// away, and a space that has changed places with a letter.

import { FIELD_STREET, type QueryWord, type QueryWords } from './query_words.ts';
import { EDIT, JOINED, SHIFT, SPELLING, UNFINISHED } from './rank.ts';
import type { SearchIndex, TokenRange } from './word_index/search_index.ts';
import { EDITED_LENGTH_MIN, editDistance } from './words/edits.ts';
import { foldedOnce, HAS_DIGIT, unfolded } from './words/text.ts';
import { KIND_WORDS_MAX, kindsCalled, otherSpellings } from './words/vocabulary.ts';

/** How words of the query may be read. */
export const READINGS = ['written', 'spelling', 'joined', 'unfinished', 'edited', 'shifted'] as const;
/** One of them. */
export type Reading = (typeof READINGS)[number];

/** A reading of words of the query. */
export interface Term {
  /** Words that it explains. */
  mask: number;
  /** Relative to the weight of the words: 0 exact .. 1 useless. */
  cost: number;
  reading: Reading;
}

/** Words that name kinds of places. */
interface KindTerm {
  mask: number;
  kinds: readonly string[];
}

/** All readings of a query's words. */
export interface Terms {
  byToken: Map<number, Term[]>;
  /** The last word, if it may be unfinished. */
  prefix: (Term & TokenRange & { text: string }) | undefined;
  kinds: KindTerm[];
}

const JOINED_WORDS_MAX = 3;

/**
 * The readings of words as they are written. @param isUnfinished the last word may be incomplete @param isShort there
 * are only short words, which are no abbreviations
 */
export function termsOf(index: SearchIndex, { words }: QueryWords, isUnfinished: boolean, isShort: boolean): Terms {
  const byToken = new Map<number, Term[]>();
  words.forEach((word, at) => {
    addTerm(byToken, word.token, { mask: 1 << at, cost: 0, reading: 'written' });
    const spellings = isShort ? [] : otherSpellings(word.text);
    for (const spelling of spellings)
      addTerm(byToken, index.find(spelling), { mask: 1 << at, cost: SPELLING, reading: 'spelling' });
    for (let count = 2; count <= JOINED_WORDS_MAX && at + count <= words.length; count++)
      addJoined(index, byToken, words, at, count);
    if (HAS_DIGIT.test(word.text)) addFoldedOnce(index, byToken, word.text, 1 << at);
  });
  const last = words.at(-1);
  const prefix =
    isUnfinished && last !== undefined
      ? {
          ...index.startingWith(last.text),
          text: last.text,
          mask: 1 << (words.length - 1),
          cost: UNFINISHED,
          reading: 'unfinished' as const,
        }
      : undefined;
  return { byToken, prefix, kinds: kindTerms(words) };
}

/** Adds the words that a mistyped word may mean. @param edits exactly so many @returns false if there are none */
export function addEdited(
  index: SearchIndex,
  { byToken }: Terms,
  words: readonly QueryWord[],
  at: number,
  edits: number,
): boolean {
  const { text, typed } = words[at];
  const similar = index.similar(text, edits);
  if (typed !== text) similar.push(...index.similar(typed, edits));
  for (const token of similar) addTerm(byToken, token, { mask: 1 << at, cost: edits * EDIT, reading: 'edited' });
  return similar.length > 0;
}

/**
 * Adds those of some tokens that words may mean with one edit, however short they are. @returns false if there are none
 */
export function addSimilar(
  index: SearchIndex,
  { byToken }: Terms,
  words: readonly (Pick<QueryWord, 'typed'> & { at: number })[],
  tokens: Iterable<number>,
): boolean {
  let isAdded = false;
  for (const token of tokens) {
    const texts = unfolded(index.text(token));
    for (const { typed, at } of words) {
      if (!texts.some(text => editDistance(typed, text, 1) === 1)) continue;
      addTerm(byToken, token, { mask: 1 << at, cost: EDIT, reading: 'edited' });
      isAdded = true;
    }
  }
  return isAdded;
}

/**
 * Adds the words that two words mean if the space between them is a letter too early or too late: Sa nLuqa. @returns
 * false if there are none
 */
export function addShifted(
  index: SearchIndex,
  { byToken }: Terms,
  words: readonly QueryWord[],
  mistyped: readonly number[],
): boolean {
  let isAdded = false;
  for (let at = 0; at + 1 < words.length; at++) {
    const [first, second] = [words[at], words[at + 1]];
    if (first.part !== second.part || !(mistyped.includes(at) || mistyped.includes(at + 1))) continue;
    for (const space of [first.typed.length - 1, first.typed.length + 1]) {
      const letters = first.typed + second.typed;
      if (Math.max(space, letters.length - space) < EDITED_LENGTH_MIN) continue;
      const tokens = [index.find(letters.slice(0, space)), index.find(letters.slice(space))];
      if (tokens.some(token => token < 0)) continue;
      for (const [i, token] of tokens.entries())
        addTerm(byToken, token, { mask: 1 << (at + i), cost: SHIFT, reading: 'shifted' });
      isAdded = true;
    }
  }
  return isAdded;
}

function addJoined(
  index: SearchIndex,
  byToken: Map<number, Term[]>,
  words: readonly QueryWord[],
  from: number,
  count: number,
): void {
  const run = words.slice(from, from + count);
  if (run.some(({ part }) => part !== run[0].part)) return;
  const joined = run.map(({ text }) => text).join('');
  const term: Term = { mask: ((1 << count) - 1) << from, cost: JOINED, reading: 'joined' };
  addTerm(byToken, index.find(joined), term);
  for (const spelling of otherSpellings(joined)) addTerm(byToken, index.find(spelling), term);
  if (HAS_DIGIT.test(joined)) addFoldedOnce(index, byToken, joined, term.mask);
}

/** Adds a code as folders have it that were imported when ae and its like were one letter in codes, too. */
function addFoldedOnce(index: SearchIndex, byToken: Map<number, Term[]>, code: string, mask: number): void {
  const folded = foldedOnce(code);
  if (folded !== code) addTerm(byToken, index.find(folded), { mask, cost: SPELLING, reading: 'spelling' });
}

function addTerm(byToken: Map<number, Term[]>, token: number, term: Term): void {
  if (token < 0) return;
  const terms = byToken.get(token);
  if (terms === undefined) byToken.set(token, [term]);
  else if (!terms.some(({ mask }) => mask === term.mask)) terms.push(term);
}

/** The longest runs of words that name a kind. */
function kindTerms(words: readonly QueryWord[]): KindTerm[] {
  const terms: KindTerm[] = [];
  for (let from = 0; from < words.length; from++) {
    for (let count = Math.min(KIND_WORDS_MAX, words.length - from); count >= 1; count--) {
      const run = words.slice(from, from + count);
      if (run.some(({ part, field }) => part !== run[0].part || field > FIELD_STREET)) continue;
      const kinds = kindsCalled(run.map(({ text }) => text).join(' '));
      if (kinds.length === 0) continue;
      terms.push({ mask: ((1 << count) - 1) << from, kinds });
      from += count - 1;
      break;
    }
  }
  return terms;
}

const BITS = 4_096;
const BIT_MASK = BITS - 1;

/**
 * A bit for each token that has a reading, by its lowest bits: most tokens of names have none, and are passed over by
 * one look.
 */
export class TokenBits {
  private readonly bits = new Uint32Array(BITS / 32);

  constructor({ byToken, prefix }: Terms) {
    for (const token of byToken.keys()) this.add(token);
    if (prefix !== undefined && prefix.to - prefix.from >= BITS) this.bits.fill(-1);
    else for (let token = prefix?.from ?? 0; token < (prefix?.to ?? 0); token++) this.add(token);
  }

  /** False if a token has no reading. */
  mayHave(token: number): boolean {
    return (this.bits[(token & BIT_MASK) >>> 5] & (1 << token)) !== 0;
  }

  private add(token: number): void {
    this.bits[(token & BIT_MASK) >>> 5] |= 1 << token;
  }
}
