// The words of a query that name kinds of places, in whatever layer: restaurants in Vaduz. Most words begin no such
// name, which is known by one look.

import type { Word } from './text.ts';
import { kindsCalled, kindWordsFrom, wordsInRole } from './vocabulary.ts';

/** Words that name kinds of places, and join them to a place. */
export interface KindWords {
  mask: number;
  kinds: readonly string[];
}

type WordInPart = Pick<Word, 'text' | 'part'>;

/** The longest runs of words that name a kind, with those that join it to a place. @param mayHave words that may */
export function kindWords(words: readonly WordInPart[], mayHave: (at: number) => boolean): KindWords[] {
  const found: KindWords[] = [];
  for (let from = 0; from < words.length; from++) {
    const { text, part } = words[from];
    const longest = kindWordsFrom(text);
    let run = 0;
    while (run < longest && words[from + run]?.part === part && mayHave(from + run)) run++;
    for (let count = run; count >= 1; count--) {
      const kinds = kindsCalled(textOf(words, from, from + count));
      if (kinds.length === 0) continue;
      const end = from + count + joinsToPlace(words, from + count);
      found.push({ mask: ((1 << (end - from)) - 1) << from, kinds });
      from = end - 1;
      break;
    }
  }
  return withCuisines(found);
}

/** Kinds of places that have a cuisine. */
const EATING: ReadonlySet<string> = new Set(
  ['restaurant', 'fast_food', 'cafe', 'bar', 'pub', 'food_court', 'biergarten'].map(type => `amenity=${type}`),
);

/** A cuisine and a word for where one eats, side by side, are a place with that cuisine: indisches Restaurant. */
function withCuisines(found: readonly KindWords[]): KindWords[] {
  const joined: KindWords[] = [];
  for (const each of found) {
    const last = joined.at(-1);
    const isBeside = last !== undefined && (last.mask | each.mask) === runOf(last.mask | each.mask);
    if (!isBeside || !(isCuisine(last) !== isCuisine(each) && (isEating(last) || isEating(each)))) joined.push(each);
    else joined[joined.length - 1] = { mask: last.mask | each.mask, kinds: isCuisine(last) ? last.kinds : each.kinds };
  }
  return joined;
}

/** All bits from the lowest of a mask to the highest. */
function runOf(mask: number): number {
  const [low, high] = [31 - Math.clz32(mask & -mask), 31 - Math.clz32(mask)];
  return ((2 << (high - low)) - 1) << low;
}

function isCuisine({ kinds }: KindWords): boolean {
  return kinds.every(kind => kind.startsWith('cuisine='));
}

function isEating({ kinds }: KindWords): boolean {
  return kinds.some(kind => EATING.has(kind));
}

function textOf(words: readonly WordInPart[], from: number, end: number): string {
  let text = words[from].text;
  for (let at = from + 1; at < end; at++) text += ` ${words[at].text}`;
  return text;
}

/** How many words at a position join a kind to a place behind them. */
function joinsToPlace(words: readonly WordInPart[], from: number): number {
  const { part } = words[from - 1];
  let end = from;
  while (end < words.length - 1 && words[end].part === part && wordsInRole('ofPlace').has(words[end].text)) end++;
  return end - from;
}
