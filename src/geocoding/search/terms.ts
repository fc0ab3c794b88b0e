// The tokens that the words of a query may mean, and the cost of reading them so: the word itself, other spellings,
// other forms of a number (Second, 2nd, II), two or three words written as one (Land Strasse), the beginning of a word
// (G. Bovara), an unfinished last word, and, if nothing else helps, words a few edits away, two words in one
// (AudioDesign), and a space that has changed places with a letter. What words name beside the names of
// the layer is in area_terms.ts.

import { type AreaTerms, areaTerms } from './area_terms.ts';
import { otherLatinForms } from './latin_forms.ts';
import { tokensOfHalf } from './query_postcodes.ts';
import type { QueryWord, QueryWords } from './query_words.ts';
import { CUT, EDIT, JOINED, ORDINAL, SHIFT, SPELLING, UNFINISHED } from './rank.ts';
import type { SearchIndex, TokenRange } from './word_index/search_index.ts';
import type { WordTokens } from './word_tokens.ts';
import { EDITED_LENGTH_MIN, editDistance } from './words/edits.ts';
import { otherNameForms } from './words/given_names.ts';
import { REFERENCE_WORDS_MAX, ROAD_NUMBER, referencesCalled } from './words/road_references.ts';
import { HAS_DIGIT, unfolded } from './words/text.ts';

/** How words of the query may be read. */
export const READINGS = [
  'written',
  'spelling',
  'number',
  'joined',
  'cut',
  'unfinished',
  'edited',
  'split',
  'shifted',
  'countryName',
  'subdivision',
] as const;
/** One of them. */
export type Reading = (typeof READINGS)[number];

/** A reading of words of the query. */
export interface Term {
  /** Words that it explains. */
  mask: number;
  /** Relative to the weight of the words: 0 exact .. 1 useless. */
  cost: number;
  reading: Reading;
  /** The token that must follow: the rest of the word. */
  next?: number;
  /** It only helps names that are found by other words: house numbers are no ordinals, and half a postcode is none. */
  isWeak?: boolean;
  /** The form of a given name in another language, in which only streets and what is on them are called. */
  isNameForm?: boolean;
  /** Another spelling that is so short that the name of an area may be it as a code: Co for county. */
  isCode?: boolean;
}

/** All readings of a query's words. */
export interface Terms {
  byToken: Map<number, Term[]>;
  /** The last word, if it may be unfinished. */
  prefix: (Term & TokenRange & { text: string }) | undefined;
  /** Words that may be the beginning of another one. */
  cuts: CutWord[];
  areas: AreaTerms;
}

/** A word that may be the beginning of another one: an initial, or one with a dot behind it. */
export interface CutWord extends Term {
  text: string;
  /** It is the initials of several words: MG. */
  isInitials?: boolean;
}

/** Letters of a longer word that may stand for it, with a dot behind them. */
const CUT_MAX = 5;
/** Letters of each of two words in one. */
const SPLIT_LENGTH_MIN = 3;
const INITIALS = /^[a-z]{2,3}$/;
/** Letters of a word of which a vowel was dropped, as if it stood for an umlaut. */
const FOLDED_SHORT = 2;

/**
 * The readings of words as they are written; where all are short, none is an abbreviation. @param isUnfinished the
 * last word may be incomplete
 */
export function termsOf(
  index: SearchIndex,
  { words, address, areaNames, needs: { isShort } }: QueryWords,
  isUnfinished: boolean,
): Terms {
  const byToken = new Map<number, Term[]>();
  words.forEach((word, at) => {
    addTerm(byToken, word.token, writtenTerm(word, at));
    const [tokens] = word.tokens;
    const term: Term = { mask: 1 << at, cost: SPELLING, reading: 'spelling' };
    if (!isShort) {
      for (const token of tokens.spellings)
        addTerm(byToken, token, tokens.codes.includes(token) ? { ...term, isCode: true } : term);
      addNumbers(byToken, tokens, term.mask);
    }
    for (let run = 1; run < word.tokens.length; run++) addJoined(byToken, word.tokens[run], at, run + 1);
    addTerm(byToken, tokens.folded, term);
    if (words.length > 1 && HAS_DIGIT.test(word.text)) {
      addReferences(index, byToken, words, at);
      for (const token of tokensOfHalf(index, word.text))
        addTerm(byToken, token, { mask: 1 << at, cost: UNFINISHED, reading: 'unfinished', isWeak: true });
    }
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
  const cuts = isShort ? [] : cutWords(words, address.besideNumber);
  return { byToken, prefix, cuts, areas: areaTerms(index, areaNames) };
}

/** Words that have a reading. */
export function readableWords({ kinds }: QueryWords, { byToken, prefix, areas }: Terms): number {
  let mask = prefix === undefined || prefix.from === prefix.to ? 0 : prefix.mask;
  for (const terms of byToken.values()) for (const term of terms) mask |= term.mask;
  for (const kind of kinds) mask |= kind.mask;
  for (const each of areas.countries.values()) mask |= each;
  // A state that the layer does not have is no place of it.
  if (mask !== 0)
    for (const named of [areas.subdivisions, areas.provinces]) for (const each of named.values()) mask |= each;
  return mask;
}

/** A word as it is written. Three letters that are folded to two (UAE) rather mean something else than these two. */
function writtenTerm({ text, typed }: QueryWord, at: number): Term {
  const isOther = text.length < typed.length && text.length === FOLDED_SHORT;
  return { mask: 1 << at, cost: isOther ? SPELLING : 0, reading: isOther ? 'spelling' : 'written' };
}

/** Letters, and short words with a dot and no other spelling. @param besideNumber words that belong to a number */
function cutWords(words: readonly QueryWord[], besideNumber: number): CutWord[] {
  const cuts: CutWord[] = [];
  for (let at = 0; at < words.length; at++) {
    const { text, isCut, tokens } = words[at];
    const isMeant = text.length === 1 || (isCut && text.length <= CUT_MAX && tokens[0].spellings.length === 0);
    if (!isMeant || (besideNumber & (1 << at)) !== 0 || HAS_DIGIT.test(text)) continue;
    cuts.push({ text, mask: 1 << at, cost: CUT, reading: 'cut' });
  }
  return cuts;
}

/**
 * Adds the words that a mistyped word may mean, and one in another Latin form. @param edits exactly so many @returns
 * false if there are none
 */
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
  const forms = edits === 1 ? otherLatinForms(index, text) : [];
  for (const token of forms) addTerm(byToken, token, { mask: 1 << at, cost: SPELLING, reading: 'spelling' });
  for (const token of similar) addTerm(byToken, token, { mask: 1 << at, cost: edits * EDIT, reading: 'edited' });
  return similar.length + forms.length > 0;
}

/** Adds the forms of given names in other languages. @returns false if there are none */
export function addNameForms(index: SearchIndex, { byToken }: Terms, words: readonly QueryWord[]): boolean {
  let isAdded = false;
  for (const [at, { text }] of words.entries()) {
    for (const form of otherNameForms(text)) {
      const token = index.find(form);
      addTerm(byToken, token, { mask: 1 << at, cost: SPELLING, reading: 'spelling', isNameForm: true });
      isAdded ||= token >= 0;
    }
  }
  return isAdded;
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

/** @param tokens of so many words from one on, read as one */
function addJoined(byToken: Map<number, Term[]>, tokens: WordTokens, from: number, count: number): void {
  const term: Term = { mask: ((1 << count) - 1) << from, cost: JOINED, reading: 'joined' };
  addTerm(byToken, tokens.written, term);
  for (const token of tokens.spellings) addTerm(byToken, token, term);
  addNumbers(byToken, tokens, term.mask);
  addTerm(byToken, tokens.folded, term);
}

/**
 * Adds the road whose number stands beside words for it: Interstate 70, Autobahn A23, M25 motorway. @param at of the
 * number
 */
function addReferences(
  index: SearchIndex,
  byToken: Map<number, Term[]>,
  words: readonly QueryWord[],
  at: number,
): void {
  const [, own, number] = ROAD_NUMBER.exec(words[at].text) ?? [];
  if (number === undefined) return;
  const before = own === '' && at > 0 && words[at].glue === '-' ? words[at - 1].text : own;
  const from = before === own ? at : at - 1;
  // A reference in full is no less written with the words than without.
  const cost = before === '' ? JOINED : 0;
  const add = (start: number, end: number, phrase: readonly QueryWord[]) => {
    const mask = ((1 << (end - start)) - 1) << start;
    for (const reference of referencesCalled(phrase.map(({ text }) => text).join(' ')))
      if (before === '' || before === reference)
        addTerm(byToken, index.find(reference + number), { mask, cost, reading: 'joined' });
  };
  for (let count = 1; count <= REFERENCE_WORDS_MAX; count++) {
    if (count <= from) add(from - count, at + 1, words.slice(from - count, from));
    if (at + count < words.length) add(from, at + 1 + count, words.slice(at + 1, at + 1 + count));
  }
}

/** Adds the other forms of a number that words say. */
function addNumbers(byToken: Map<number, Term[]>, { numbers, isWeak }: WordTokens, mask: number): void {
  if (numbers.length === 0) return;
  // Where another word says the number, digits are the house's: 2 Second Avenue.
  const term: Term = { mask, cost: isWeak ? 2 * ORDINAL : ORDINAL, reading: 'number', isWeak };
  for (const token of numbers) addTerm(byToken, token, term);
}

function addTerm(byToken: Map<number, Term[]>, token: number, term: Term): void {
  if (token < 0) return;
  const terms = byToken.get(token);
  if (terms === undefined) byToken.set(token, [term]);
  else if (!terms.some(({ mask, isNameForm }) => mask === term.mask && isNameForm !== true)) terms.push(term);
}

/** Adds the words that one word may be: AudioDesign; MG for Mahatma Gandhi. @returns false if there are none */
export function addApart(index: SearchIndex, terms: Terms, words: readonly QueryWord[], at: number): boolean {
  const isSplit = addSplit(index, terms, words, at);
  return addInitials(terms, words, at) || isSplit;
}

/** Adds a word that may be the initials of several. @returns false for any other word */
function addInitials({ cuts }: Terms, words: readonly QueryWord[], at: number): boolean {
  const { text } = words[at];
  if (words.length === 1 || !INITIALS.test(text) || cuts.some(({ isInitials, mask }) => isInitials && mask === 1 << at))
    return false;
  cuts.push({ text, mask: 1 << at, cost: CUT, reading: 'cut', isInitials: true });
  return true;
}

/** Adds two words that one word may be. @returns false if there are none */
function addSplit(index: SearchIndex, { byToken }: Terms, words: readonly QueryWord[], at: number): boolean {
  const { text } = words[at];
  let isAdded = false;
  for (let length = SPLIT_LENGTH_MIN; length <= text.length - SPLIT_LENGTH_MIN; length++) {
    const first = index.find(text.slice(0, length));
    const next = first < 0 ? -1 : index.find(text.slice(length));
    if (next < 0) continue;
    const terms = byToken.get(first) ?? [];
    byToken.set(first, [...terms, { mask: 1 << at, cost: JOINED, reading: 'split', next }]);
    isAdded = true;
  }
  return isAdded;
}
