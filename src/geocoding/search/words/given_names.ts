// Names of saints, and words for saint, which people write in their own language where the map has that of the country:
// St Paul Street is Triq San Pawl. They are tried only where nothing has the words as they are written, and not in
// names of towns: São Paulo is no St. Paul.

import { wordsOf } from './text.ts';
import { rowsOf } from './vocabulary.ts';

const NONE: readonly string[] = [];
let forms: Map<string, readonly string[]> | undefined;

/** The forms of a given name in other languages, folded. @param word folded */
export function otherNameForms(word: string): readonly string[] {
  forms ??= readForms();
  return forms.get(word) ?? NONE;
}

/** Columns: the forms of one name, separated by spaces. */
function readForms(): Map<string, readonly string[]> {
  const all = new Map<string, readonly string[]>();
  for (const [list] of rowsOf('given_names.csv')) {
    const words = wordsOf(list);
    for (const word of words)
      all.set(
        word,
        [...new Set([...(all.get(word) ?? []), ...words])].filter(each => each !== word),
      );
  }
  return all;
}
