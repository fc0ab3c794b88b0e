// Mistyped words. Two words within n edits of each other become equal when up to n letters are deleted from each (symmetric deletes, the idea of SymSpell).
// Only the first seven letters take part, which limits a long word to 29 entries and loses no match.
//
// The index holds hashes of each word's remainders after deletion. A query looks up the hashes of its own word's remainders and compares the few words it
// finds letter by letter. An edit is an extra, missing or different letter, or two neighbouring letters swapped.

/** Letters that take part. */
const PREFIX_LENGTH = 7;
/** Shorter words must match exactly. */
const EDITED_LENGTH_MIN = 3;
/** Words with at least this many letters may have two edits. */
const TWO_EDITS_LENGTH_MIN = 7;
const EDITS_MAX = 2;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const NONE = -1;
const DIGIT = /[0-9]/;

/** How many edits a word of a query may have. */
export function editsAllowed(word: string): number {
  if (word.length < EDITED_LENGTH_MIN || DIGIT.test(word)) return 0;
  return word.length >= TWO_EDITS_LENGTH_MIN ? 2 : 1;
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

/** Edits between two words, with a swap of neighbours as one (optimal string alignment). @returns some number above `limit` if it is exceeded */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      let edits = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) edits = Math.min(edits, beforeLast[j - 2] + 1);
      row.push(edits);
      least = Math.min(least, edits);
    }
    if (least > limit) return limit + 1;
    beforeLast = last;
    last = row;
  }
  return last[b.length];
}
