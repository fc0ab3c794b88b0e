// Mistyped words. Two words within n edits of each other become equal when up to n letters are deleted from each
// (symmetric deletes, the idea of SymSpell). Only the first seven letters take part, which limits a long word to 29
// entries and loses no match.
//
// The index holds hashes of each word's remainders after deletion. A query looks up the hashes of its own word's
// remainders and compares the few words it finds letter by letter. An edit is an extra, missing or different letter, or
// two neighbouring letters swapped.

import { WORD_LENGTH_MAX } from './text.ts';

/** Letters that take part. */
const PREFIX_LENGTH = 7;
/** Shorter words may only be mistyped beside other words of a name. */
export const EDITED_LENGTH_MIN = 4;
/** Words with at least this many letters may have two edits. */
const TWO_EDITS_LENGTH_MIN = 9;
/** Most edits that a word may have. */
export const EDITS_MAX = 2;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const NONE = -1;
const DIGIT = /[0-9]/;
/** The last three rows of the table of distances. */
const ROWS = [0, 1, 2].map(() => new Uint8Array(WORD_LENGTH_MAX + 1));

/**
 * How many edits a word of a query may have. @param written in the letters in which it was typed @param isAlone no
 * other word says whether it is meant so
 */
export function editsAllowed(word: string, written: string, isAlone: boolean): number {
  // A letter of another script may be several of ours, and is one to mistype.
  const length = Math.min(word.length, [...written].length);
  if (length < EDITED_LENGTH_MIN + (isAlone ? 1 : 0) || DIGIT.test(word)) return 0;
  return length >= TWO_EDITS_LENGTH_MIN ? 2 : 1;
}

/** How many letters are deleted from a word of the index. A query's word with two edits may be two letters longer. */
export function editsIndexed(word: string): number {
  if (word.length < EDITED_LENGTH_MIN - 1 || DIGIT.test(word)) return 0;
  return word.length >= TWO_EDITS_LENGTH_MIN - EDITS_MAX ? 2 : 1;
}

/** Visits a 32-bit hash of each remainder of a word after up to so many deletions; some come twice. */
export function forEachRemainder(word: string, edits: number, visit: (hash: number) => void): void {
  const length = Math.min(word.length, PREFIX_LENGTH);
  visit(hashWithout(word, length, NONE, NONE));
  if (edits === 0) return;
  for (let i = 0; i < length; i++) visit(hashWithout(word, length, i, NONE));
  if (edits === 1) return;
  for (let i = 0; i < length; i++) for (let j = i + 1; j < length; j++) visit(hashWithout(word, length, i, j));
}

function hashWithout(word: string, length: number, first: number, second: number): number {
  let hash = FNV_OFFSET;
  for (let i = 0; i < length; i++) {
    if (i !== first && i !== second) hash = Math.imul(hash ^ word.charCodeAt(i), FNV_PRIME);
  }
  // Mix so that the last letters reach the high bits.
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/**
 * Edits between two words, with a swap of neighbours as one (optimal string alignment). @returns some number above
 * `limit` if it is exceeded
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let [beforeLast, last, row] = ROWS;
  for (let j = 0; j <= b.length; j++) last[j] = j;
  for (let i = 1; i <= a.length; i++) {
    // Only fields near the diagonal can stay within the limit.
    const from = Math.max(1, i - limit);
    const to = Math.min(b.length, i + limit);
    const letter = a.charCodeAt(i - 1);
    row[from - 1] = from === 1 ? i : limit + 1;
    let least = row[from - 1];
    for (let j = from; j <= to; j++) {
      let edits = last[j - 1] + (letter === b.charCodeAt(j - 1) ? 0 : 1);
      if (j < i + limit) edits = Math.min(edits, last[j] + 1);
      edits = Math.min(edits, row[j - 1] + 1);
      if (i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1))
        edits = Math.min(edits, beforeLast[j - 2] + 1);
      row[j] = edits;
      if (edits < least) least = edits;
    }
    if (least > limit) return limit + 1;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  return last[b.length];
}
