// The words under which a place is found: its names as lists of folded words, one list for each spelling.
//
// A name that contains several (`Vaduz;Vadutz`) is each of them. One in two languages (`Bozen - Bolzano`) is the whole
// and each part. Words in brackets are optional. A separate street word may be joined to the word before it (Berliner
// Strasse, Berlinerstrasse).

import type { Place } from '../../../tables/places/place.ts';
import { RANK_STATE } from '../../../tables/places/ranks.ts';
import { lettersOfSubdivision, namesOfState } from '../words/subdivision_words.ts';
import { wordsOf } from '../words/text.ts';
import { isCompoundEnding } from '../words/vocabulary.ts';
import { languageNumber, SPELLING_AROUND, SPELLING_NAME, SPELLING_OTHER, SPELLING_POSTCODE } from './layout.ts';

/** One way to name a place. */
export interface Spelling {
  /** SPELLING_... */
  kind: number;
  words: string[];
  /** Number of its language (`languageNumber`), if it is the place's name in another language. */
  language?: number;
}

const WORDS_MAX = 16;
const BRACKETS = /\s*[([{][^)\]}]*[)\]}]/g;
/** A name in another language than English, in which people call what is far away: New York. */
const TRANSLATED = /^name:((?!en$)[a-z]{2,3}([-_].*)?)$/i;
const MAIN_NAME = /^(name|official_name)(:|$)/;
const SEPARATORS = /[;\n]/;
/** Separates a name from the same in another language. */
const TONGUES = / [/-] /;

/** The spellings of a place's names, the main name first. */
export function nameSpellings(place: Place): Spelling[] {
  const spellings = new Map<string, Spelling>();
  for (const key in place.names) {
    const name = new Map<string, Spelling>();
    addName(name, MAIN_NAME.test(key) ? SPELLING_NAME : SPELLING_OTHER, place.names[key]);
    const [, language] = TRANSLATED.exec(key) ?? [];
    for (const [words, spelling] of name) {
      const known = spellings.get(words);
      // What several languages call it is no name in another language: Moskau.
      if (known !== undefined) delete known.language;
      else if (language !== undefined && place.names.name !== undefined) spelling.language = languageNumber(language);
      if (known === undefined) spellings.set(words, spelling);
    }
    if (key === 'ref') addReference(spellings, place.names[key]);
  }
  const letters = lettersOfSubdivision(place.subdivisionCode);
  // Two letters alone are too many things: they only say where another place is.
  addName(spellings, letters.length > 2 ? SPELLING_OTHER : SPELLING_AROUND, letters);
  if (place.addressRank === RANK_STATE) {
    const code = place.subdivisionCode || `${place.countryCode.toUpperCase()}-`;
    for (const name of namesOfState(code, Object.values(place.names))) addName(spellings, SPELLING_OTHER, name);
  }
  if (place.houseName !== '') addName(spellings, SPELLING_OTHER, place.houseName);
  return [...spellings.values()];
}

/** References are one word, however they are written: A 23, A23 and A-23. */
function addReference(spellings: Map<string, Spelling>, references: string): void {
  for (const reference of references.split(SEPARATORS))
    addSpelling(spellings, SPELLING_OTHER, [wordsOf(reference).join('')]);
}

/** A postcode as one word: `SW1A 1AA` and `sw1a1aa` are the same. @returns undefined for none or for a list */
export function postcodeSpelling(postcode: string): Spelling | undefined {
  if (/[,;]/.test(postcode)) return undefined;
  const word = wordsOf(postcode).join('');
  return word === '' ? undefined : { kind: SPELLING_POSTCODE, words: [word] };
}

/** The areas of a place's address that are not among its rows. */
export function aroundSpellings({ town, alsoWritten }: Place): Spelling[] {
  return [town, ...alsoWritten.split(';')]
    .map(name => ({ kind: SPELLING_AROUND, words: wordsOf(name) }))
    .filter(({ words }) => words.length > 0);
}

/** The spellings of one name. */
export function spellingsOf(name: string): Spelling[] {
  const spellings = new Map<string, Spelling>();
  addName(spellings, SPELLING_NAME, name);
  return [...spellings.values()];
}

function addName(spellings: Map<string, Spelling>, kind: number, text: string): void {
  for (const part of text.split(SEPARATORS)) {
    addPart(spellings, kind, part);
    const tongues = part.split(TONGUES);
    if (tongues.length > 1) for (const tongue of tongues) addPart(spellings, kind, tongue);
  }
}

function addPart(spellings: Map<string, Spelling>, kind: number, text: string): void {
  const words = wordsOf(text);
  addSpelling(spellings, kind, words);
  if (/[([{]/.test(text)) addSpelling(spellings, kind, wordsOf(text.replaceAll(BRACKETS, '')));
  for (let i = 1; i < words.length; i++) {
    if (isCompoundEnding(words[i]))
      addSpelling(spellings, kind, [...words.slice(0, i - 1), words[i - 1] + words[i], ...words.slice(i + 1)]);
  }
}

function addSpelling(spellings: Map<string, Spelling>, kind: number, words: readonly string[]): void {
  const key = words.join(' ');
  if (key !== '' && !spellings.has(key)) spellings.set(key, { kind, words: words.slice(0, WORDS_MAX) });
}
