// Names that stand together without a blank where their script has none, and without a word for what they are between
// them: 上海南京东路 is 上海 and 南京东路. A word that no place has is cut where all parts are words of places, the longest
// first.

import type { ParsedQuery } from './query_words.ts';
import type { SearchIndex } from './word_index/search_index.ts';
import { isWithoutBlanks } from './words/scripts.ts';

/** Letters of a part, in Latin ones. */
const PART_LENGTH_MIN = 4;
const PARTS_MAX = 4;

/**
 * The text of a query with such words apart, in Latin letters; undefined if there are none. @param text as it was typed
 */
export function ungluedText(indexes: readonly SearchIndex[], text: string, { words }: ParsedQuery): string | undefined {
  if (!isWithoutBlanks(text)) return undefined;
  const isKnown = (word: string) => indexes.some(index => index.find(word) >= 0);
  let isCut = false;
  let plain = '';
  for (const [at, word] of words.entries()) {
    const parts = isKnown(word.text) ? undefined : partsOf(word.text, isKnown, PARTS_MAX);
    isCut ||= parts !== undefined;
    if (at > 0) plain += word.part === words[at - 1].part ? word.glue : ', ';
    plain += parts?.join(' ') ?? word.text;
  }
  return isCut ? plain : undefined;
}

/** The known words that a word is made of, at least two. */
function partsOf(word: string, isKnown: (word: string) => boolean, most: number): string[] | undefined {
  for (let length = word.length - PART_LENGTH_MIN; length >= PART_LENGTH_MIN; length--) {
    const first = word.slice(0, length);
    if (!isKnown(first)) continue;
    const rest = word.slice(length);
    if (isKnown(rest)) return [first, rest];
    const more = most > 2 ? partsOf(rest, isKnown, most - 1) : undefined;
    if (more !== undefined) return [first, ...more];
  }
  return undefined;
}
