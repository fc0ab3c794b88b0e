// Words that are mistyped. Two words within n edits of each other become equal when up to n letters are left out of each (symmetric deletes; the idea is that
// of SymSpell). Only the first seven letters take part: that bounds the entries of a long word to 29, and finds everything still.
//
// The index holds, for each word, the hashes of what is left of it; a question looks up the hashes of what is left of its own word, and compares the few words
// that it finds letter by letter. An edit is a letter too many, too few or another, or two neighbours swapped.

/** Letters that take part. */
const PREFIX_LENGTH = 7;
/** Shorter words are taken as they are written. */
const EDITED_LENGTH_MIN = 3;
/** From so many letters on a word may have two edits. */
const TWO_EDITS_LENGTH_MIN = 7;
const EDITS_MAX = 2;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const NONE = -1;
const DIGIT = /[0-9]/;

/** How many edits a word of a question may have. */
export function editsAllowed(word: string): number {
  if (word.length < EDITED_LENGTH_MIN || DIGIT.test(word)) return 0;
  return word.length >= TWO_EDITS_LENGTH_MIN ? 2 : 1;
}

/** How many letters are left out of a word of the index: a question's word with two edits may be longer by two. */
export function editsIndexed(word: string): number {
  if (word.length < EDITED_LENGTH_MIN - 1 || DIGIT.test(word)) return 0;
  return word.length >= TWO_EDITS_LENGTH_MIN - EDITS_MAX ? 2 : 1;
}

/** Calls back with a 32-bit hash of what is left of a word without up to so many letters; some come twice. */
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
  // The last letters reach the high bits.
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Edits between two words, two neighbours swapped being one (optimal string alignment). @returns more than `limit` where it is above that */
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
