// Words before the number of a road, and how references on the map begin that they say (data/road_references.csv):
// Interstate 70 is I 70, Autobahn 23 is A 23.

import { wordsOf } from './text.ts';
import { rowsOf } from './vocabulary.ts';

/** The number of a road, and how its reference begins, if that stands before it. */
export const ROAD_NUMBER = /^([a-z]{0,3})([0-9]{1,4}[a-z]?)$/;
/** Words of the longest phrase. */
export const REFERENCE_WORDS_MAX = 3;

let table: Map<string, readonly string[]> | undefined;

/** How references begin, folded. @param words before the number, folded, separated by spaces */
export function referencesCalled(words: string): readonly string[] {
  table ??= readTable();
  return table.get(words) ?? [];
}

/** Columns: language, phrases separated by semicolons, references separated by spaces. */
function readTable(): Map<string, readonly string[]> {
  const all = new Map<string, readonly string[]>();
  for (const [, phrases, references] of rowsOf('road_references.csv')) {
    for (const phrase of phrases.split(';')) {
      const words = wordsOf(phrase).join(' ');
      all.set(words, [...(all.get(words) ?? []), ...wordsOf(references)]);
    }
  }
  return all;
}
