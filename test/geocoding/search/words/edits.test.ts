import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  editDistance,
  editsAllowed,
  editsIndexed,
  forEachRemainder,
} from '../../../../src/geocoding/search/words/edits.ts';

test.each([
  ['vaduz', 'vaduz', 0],
  ['vaduz', 'vadz', 1],
  ['vaduz', 'vadduz', 1],
  ['vaduz', 'vafuz', 1],
  ['vaduz', 'vaudz', 1],
  ['landstrasse', 'ladnstrase', 2],
  ['vaduz', 'schan', 3],
])('%s and %s', (a, b, edits) => {
  expect(editDistance(a, b, 2)).toBe(edits);
  expect(editDistance(b, a, 2)).toBe(edits);
});

test('short words have one edit, long ones two, numbers and very short ones none', () => {
  const allowed = (isAlone: boolean) =>
    ['abc', 'abcd', 'abcdefgh', 'abcdefghi', '9494'].map(word => editsAllowed(word, word, isAlone));
  expect(allowed(false)).toEqual([0, 1, 1, 2, 0]);
  expect(allowed(true)).toEqual([0, 0, 1, 2, 0]);
});

test('a letter of another script is one, however many of ours replace it', () => {
  expect(editsAllowed('masaso', 'やあに', false)).toBe(0);
  expect(editsAllowed('shemurshae', 'ሸሙቄሐ', false)).toBe(1);
});

test('a word within the allowed edits of another shares a remainder with it', () => {
  const letter = fc.constantFrom(...'abcde');
  const edit = fc.tuple(fc.nat(3), fc.nat(12), letter);
  fc.assert(
    fc.property(
      fc.array(letter, { minLength: 3, maxLength: 12 }),
      fc.array(edit, { maxLength: 2 }),
      (letters, edits) => {
        const word = letters.join('');
        const typed = edits.reduce((text, [kind, at, other]) => edited(text, kind, at % text.length, other), word);
        const allowed = editsAllowed(typed, typed, false);
        if (typed.length === 0 || editDistance(word, typed, allowed) > allowed) return;
        const indexed = new Set<number>();
        forEachRemainder(word, editsIndexed(word), hash => indexed.add(hash));
        let isFound = false;
        forEachRemainder(typed, allowed, hash => {
          isFound ||= indexed.has(hash);
        });
        expect(isFound).toBe(true);
      },
    ),
    { numRuns: 2_000 },
  );
});

/** 0 leaves a letter out, 1 puts one in, 2 replaces one, 3 swaps two. */
function edited(word: string, kind: number, at: number, letter: string): string {
  const [before, behind] = [word.slice(0, at), word.slice(at + 1)];
  if (kind === 0 && word.length > 1) return before + behind;
  if (kind === 1) return before + letter + word[at] + behind;
  if (kind === 2) return before + letter + behind;
  return before + (behind[0] ?? '') + word[at] + behind.slice(1);
}
