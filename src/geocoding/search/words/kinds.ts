// Kinds of places as queries name them (data/kinds.csv): by a word in one of several languages, or by a tag in
// brackets, `[amenity=pharmacy]`.

import { readFileSync } from 'node:fs';
import { wordsOf } from './text.ts';

/** A bracketed kind, and the text without it. */
interface KindInText {
  /** `amenity=pharmacy` */
  kind: string;
  rest: string;
}

/** Words of the longest name of a kind. */
export const KIND_WORDS_MAX = 4;
const BRACKETS = /\[\s*([\w:]+)\s*=\s*([^\]\s]+)\s*\]/;

let kinds: Map<string, string[]> | undefined;

/** The kinds with a name. @param words folded, separated by spaces */
export function kindsCalled(words: string): readonly string[] {
  kinds ??= readKinds(readFileSync(new URL('../../../../data/kinds.csv', import.meta.url), 'utf8'));
  return kinds.get(words) ?? [];
}

/** The bracketed kind in a text. */
export function kindInText(text: string): KindInText | undefined {
  const match = BRACKETS.exec(text);
  if (match === null) return undefined;
  return {
    kind: `${match[1]}=${match[2]}`,
    rest: `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`,
  };
}

/** Columns: category, type, names separated by semicolons. */
function readKinds(csv: string): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const line of csv.trim().split('\n').slice(1)) {
    const [category, type, names] = line.split(',');
    const kind = `${category}=${type}`;
    for (const name of names.split(';')) {
      const words = wordsOf(name).join(' ');
      const known = all.get(words) ?? [];
      if (!known.includes(kind)) all.set(words, [...known, kind]);
    }
  }
  return all;
}
