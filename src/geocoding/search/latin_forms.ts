// Other Latin forms of words in Cyrillic letters. Names of a map are kept in one form (any-ascii: Щ is shch), and
// people write another by their country, their standard or their keyboard: sht, sch; c, z, tz for ц; h, ch, x for х
// (data/transliterations.csv). So each group of letters of a word is tried as what it may stand for, as long as some
// word of the layer begins so.

import type { SearchIndex, TokenRange } from './word_index/search_index.ts';
import { rowsOf } from './words/vocabulary.ts';

/** Letters of a word that is long enough to be told from others. */
const LENGTH_MIN = 4;
/** Groups of letters of one word that stand for others. */
const CHANGES_MAX = 6;
/** Beginnings of words that are looked up for one word, and words that it may mean. */
const STEPS_MAX = 600;
const FORMS_MAX = 8;

let groups: Map<string, { typed: string; letters: string }[]> | undefined;

/** Tokens of a layer that a word may be in another Latin form. @param word folded */
export function otherLatinForms(index: SearchIndex, word: string): number[] {
  if (word.length < LENGTH_MIN) return [];
  groups ??= readGroups();
  const last = lastGroup(word);
  if (last < 0) return [];
  const found = new Set<number>();
  let steps = STEPS_MAX;
  /** @param tokens those that begin with the letters that the word may be so far @param length of these */
  const visit = (at: number, tokens: TokenRange, length: number, changes: number) => {
    if (changes === 0 && at > last) return;
    if (steps-- <= 0 || found.size >= FORMS_MAX || tokens.from === tokens.to) return;
    if (at >= word.length) {
      // The shortest comes first.
      if (index.hasLength(tokens.from, length)) found.add(tokens.from);
      return;
    }
    visit(at + 1, index.withLetter(tokens, length, word.charCodeAt(at)), length + 1, changes);
    if (changes >= CHANGES_MAX) return;
    for (const { typed, letters } of groups!.get(word[at]) ?? [])
      if (word.startsWith(typed, at))
        visit(at + typed.length, withLetters(index, tokens, length, letters), length + letters.length, changes + 1);
  };
  visit(0, { from: 0, to: index.tokens }, 0, 0);
  return [...found];
}

/** Where the last group of letters that stand for others begins; -1 if there is none. */
function lastGroup(word: string): number {
  let at = word.length - 1;
  while (at >= 0 && !groups!.get(word[at])?.some(({ typed }) => word.startsWith(typed, at))) at--;
  return at;
}

/** Those of some tokens that go on with some letters. @param at how many letters these tokens have in common */
function withLetters(index: SearchIndex, tokens: TokenRange, at: number, letters: string): TokenRange {
  let left = tokens;
  for (let i = 0; i < letters.length; i++) left = index.withLetter(left, at + i, letters.charCodeAt(i));
  return left;
}

/** By their first letter. Columns: letters as they are typed, those that a map may have in their place. */
function readGroups(): Map<string, { typed: string; letters: string }[]> {
  const byLetter = new Map<string, { typed: string; letters: string }[]>();
  for (const [typed, letters] of rowsOf('transliterations.csv'))
    for (const each of letters.split(' '))
      byLetter.set(typed[0], [...(byLetter.get(typed[0]) ?? []), { typed, letters: each }]);
  return byLetter;
}
