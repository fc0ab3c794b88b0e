// What words may say in addresses besides names (data/address_words.csv). What they say in a query follows from what
// stands around them (address_words.ts).

import { type Folding, folded } from './folding.ts';
import { wordsOf } from './text.ts';
import { rowsOf } from './vocabulary.ts';

/** What a word says beside a number. */
const NUMBER_ROLES = [
  'number',
  'corpus',
  'between',
  'unit',
  'floor',
  'alone',
  'postal',
  'car',
  'suffix',
  'recipient',
] as const;
/** What a word says beside a name. */
export const NAME_ROLES = ['street', 'direction', 'title', 'initial'] as const;
/** What words of an address say besides names. */
export const ADDRESS_ROLES = [...NUMBER_ROLES, ...NAME_ROLES] as const;
/** One of them. */
export type AddressRole = (typeof ADDRESS_ROLES)[number];
/** One of them, beside a number. */
export type NumberRole = (typeof NUMBER_ROLES)[number];

/** A role that a phrase may have. */
export interface Entry {
  role: string;
  /**
   * Of numbers the form in which house numbers have them: `k` for корпус. Of streets the kind, where it is not just a
   * street. Of a floor `behind`: its value stands before it.
   */
  as: string;
}

/** In the table: the value of a floor stands before it. */
export const BEHIND = 'behind';
const LETTER = /^[a-z]$/;
/** A number with one mark. */
const MARKED = /^([0-9]+)([a-z]+)$/;

/** What phrases may say. Columns: role, form in house numbers, languages, phrases separated by semicolons. */
export const ADDRESS_WORDS: Folding<[words: string, entries: Entry[]][]> = {
  name: 'address_words',
  sources: ['address_words.csv'],
  fold: () => [...readTable()],
};

let table: Map<string, Entry[]> | undefined;
/** Words of the longest phrase that begins with a word. */
let phraseLengths: Map<string, number> | undefined;
/** Words behind a number that stand as they are in the form that is compared: bis. */
let suffixWords: readonly string[] | undefined;

/** Words of the longest phrase that begins with a word; 0 if there is none. */
export function phraseLength(word: string): number {
  if (phraseLengths === undefined) {
    phraseLengths = new Map();
    entriesOf('');
    for (const phrase of table!.keys()) {
      const words = phrase.split(' ');
      phraseLengths.set(words[0], Math.max(words.length, phraseLengths.get(words[0]) ?? 0));
    }
  }
  return phraseLengths.get(word) ?? 0;
}

/** What a phrase may say. @param words folded, separated by spaces */
export function entriesOf(words: string): readonly Entry[] {
  table ??= new Map(folded(ADDRESS_WORDS));
  return table.get(words) ?? [];
}

/** Words that say of what kind a way is, where it is not just a street; or where it lies. */
export function wordsForWays(): { kinds: string[]; directions: string[] } {
  return {
    kinds: phrasesWith(({ role, as }) => role === 'way' || (role === 'street' && as !== '')),
    directions: phrasesWith(({ role }) => role === 'direction'),
  };
}

/** Phrases of more than a letter that may say something. */
function phrasesWith(isMeant: (entry: Entry) => boolean): string[] {
  entriesOf('');
  return [...table!].flatMap(([words, entries]) => (words.length > 1 && entries.some(isMeant) ? [words] : []));
}

/** True for what says that something is a number. */
export function isNumberWord({ role }: Entry): boolean {
  return role === 'number';
}

/** True for what may stand behind the digits of a house number: a letter, bis. @param word folded */
export function isNumberSuffix(word: string): boolean {
  return LETTER.test(word) || entriesOf(word).some(({ role }) => role === 'suffix');
}

/** The form in which house numbers have what stands behind their digits: `r` for rosso. @param word folded */
export function suffixForm(word: string): string {
  return entriesOf(word).find(({ role }) => role === 'suffix')?.as || word;
}

/**
 * Other forms of a number with one mark behind it: a letter may stand for a word, and the word for the letter: 12b,
 * 12bis. @param number in the form that is compared
 */
export function otherMarks(number: string): string[] {
  const [, digits, mark] = MARKED.exec(number) ?? [];
  if (digits === undefined) return [];
  if (mark.length > 1) return isNumberSuffix(mark) ? [digits + mark[0]] : [];
  suffixWords ??= phrasesWith(({ role, as }) => role === 'suffix' && as === '');
  return suffixWords.filter(word => word.startsWith(mark)).map(word => digits + word);
}

function readTable(): Map<string, Entry[]> {
  const all = new Map<string, Entry[]>();
  for (const [role, as, , phrases] of rowsOf('address_words.csv')) {
    for (const phrase of phrases.split(';')) {
      const words = wordsOf(phrase).join(' ');
      const known = all.get(words) ?? [];
      if (words !== '' && !known.some(entry => entry.role === role && entry.as === as))
        all.set(words, [...known, { role, as }]);
    }
  }
  return all;
}
