// Other Latin forms of words in Cyrillic letters. Names of a map are kept in one form (any-ascii: Щ is shch), and
// people write another by their country, their standard or their keyboard: sht, sch; c, z, tz for ц; h, ch, x for х
// (data/transliterations.csv). So each group of letters of a word is tried as what it may stand for, as long as some
// word of the layer begins so.

import type { SearchIndex } from './word_index/search_index.ts';
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
  const found = new Set<number>();
  let steps = STEPS_MAX;
  const visit = (at: number, form: string, changes: number) => {
    if (steps-- <= 0 || found.size >= FORMS_MAX) return;
    if (at >= word.length) {
      const token = changes === 0 ? -1 : index.find(form);
      if (token >= 0) found.add(token);
      return;
    }
    const { from, to } = index.startingWith(form);
    if (from === to) return;
    visit(at + 1, form + word[at], changes);
    if (changes >= CHANGES_MAX) return;
    for (const { typed, letters } of groups!.get(word[at]) ?? [])
      if (word.startsWith(typed, at)) visit(at + typed.length, form + letters, changes + 1);
  };
  visit(0, '', 0);
  return [...found];
}

/** By their first letter. Columns: letters as they are typed, those that a map may have in their place. */
function readGroups(): Map<string, { typed: string; letters: string }[]> {
  const byLetter = new Map<string, { typed: string; letters: string }[]>();
  for (const [typed, letters] of rowsOf('transliterations.csv'))
    for (const each of letters.split(' '))
      byLetter.set(typed[0], [...(byLetter.get(typed[0]) ?? []), { typed, letters: each }]);
  return byLetter;
}
