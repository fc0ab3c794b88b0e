// Texts that ask for what is near something, from data/near.csv:
//
//   before   pub near Eastmoor Castle; Apotheke nahe Hauptbahnhof
//   behind   Kızılay yakınında eczane; 東京駅の近くの薬局; gyógyszertár a Keleti közelében
//   weak     Apotheke bei der Kathedrale: the same words are in many names
//   here     pubs near me: the point that the request has
//
// What is asked for stands before words of `before`; before words of `behind` only if it is a kind of places.

import { kindWords } from './kind_words.ts';
import { questionWords } from './text.ts';
import { rowsOf, wordsInRole } from './vocabulary.ts';

/** What a text asks for near something. */
export interface NearText {
  what: string;
  /** What it is near to; empty for where the asker is. */
  where: string;
  /** What is asked for is a kind of places. */
  isKind: boolean;
  /** The words are a part of many names. */
  isWeak: boolean;
}

const PLACES = ['here', 'before', 'behind', 'weak'] as const;
type PhrasePlace = (typeof PLACES)[number];

/** Scripts without blanks between words. */
const WITHOUT_BLANKS = /[\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/u;
const MARKS = /\p{Mn}/gu;
const LATIN_MARKS = /^[\p{sc=Latn}\p{sc=Grek}\p{sc=Zinh}\s']+$/u;
/** Words of a kind at an end of a text. */
const KIND_WORDS_MAX = 4;
/** What separates a phrase from the rest. */
const BLANKS = /[\s,;']+/;
const BEFORE_WORD = "(?<![^\\s,;'])";
const BEHIND_WORD = "(?![^\\s,;'])";
const EDGES = /^[\s,;]+|[\s,;]+$/g;

let phrases: Map<PhrasePlace, RegExp> | undefined;
/** Finds a word with which a phrase begins, in small letters. */
let firstWords: RegExp | undefined;

/** What a text asks for near something; undefined for most texts. */
export function nearInText(text: string): NearText | undefined {
  phrases ??= readPhrases();
  const plain = text.normalize('NFC');
  // Most texts have no word with which a phrase begins.
  if (!firstWords!.test(plain.toLowerCase()) && !WITHOUT_BLANKS.test(plain)) return undefined;
  for (const [place, phrase] of phrases) {
    const match = phrase.exec(plain);
    if (match === null) continue;
    const left = plain.slice(0, match.index).replace(EDGES, '');
    const right = plain.slice(match.index + match[0].length).replace(EDGES, '');
    const found = place === 'here' ? hereIn(left, right) : sidesOf(place, left, right);
    if (found !== undefined) return { ...found, isWeak: place === 'weak' };
  }
  return undefined;
}

/** True for a text in which each word names a kind of places, or joins such words. */
function isKindText(text: string): boolean {
  const words = questionWords(text);
  const mask = kindWords(words, () => true).reduce((all, kind) => all | kind.mask, 0);
  return mask !== 0 && words.every((word, at) => (mask & (1 << at)) !== 0 || wordsInRole('stop').has(word.text));
}

function hereIn(left: string, right: string): Omit<NearText, 'isWeak'> | undefined {
  if ((left === '') === (right === '')) return undefined;
  const what = left + right;
  return { what, where: '', isKind: isKindText(what) };
}

function sidesOf(place: PhrasePlace, left: string, right: string): Omit<NearText, 'isWeak'> | undefined {
  const isBehind = place === 'behind';
  if (left === '' || right === '') return place === 'weak' ? undefined : kindAtEnd(left || right, isBehind);
  const isKind = isKindText(left);
  // An address may say what it is near to: 12 Church Road near bus stop.
  if (!isBehind || isKind) return { what: left, where: right, isKind };
  return { what: right, where: left, isKind: isKindText(right) };
}

/** A kind and a place with nothing between them: the phrase is behind both, and the kind first, or the other way. */
function kindAtEnd(text: string, isKindFirst: boolean): Omit<NearText, 'isWeak'> | undefined {
  const words = text.split(/\s+/);
  for (let count = Math.min(KIND_WORDS_MAX, words.length - 1); count >= 1; count--) {
    const at = isKindFirst ? count : words.length - count;
    const sides = [words.slice(0, at).join(' '), words.slice(at).join(' ')];
    const [what, where] = isKindFirst ? sides : sides.reverse();
    if (isKindText(what)) return { what, where, isKind: true };
  }
  return undefined;
}

/** Columns: where the phrases stand, languages, phrases separated by semicolons. */
function readPhrases(): Map<PhrasePlace, RegExp> {
  const found = new Map(PLACES.map(place => [place, new Set<string>()]));
  for (const [place, , list] of rowsOf('near.csv')) {
    for (const phrase of list.split(';')) {
      const letters = phrase.toLowerCase().normalize('NFC');
      const all = found.get(place as PhrasePlace)!;
      all.add(letters);
      // Many type no marks.
      if (LATIN_MARKS.test(letters)) all.add(letters.normalize('NFD').replace(MARKS, ''));
    }
  }
  const words = new Set([...found.values()].flatMap(list => [...list].map(phrase => phrase.split(BLANKS, 1)[0])));
  firstWords = new RegExp(`${BEFORE_WORD}(?:${[...words].join('|')})${BEHIND_WORD}`);
  return new Map([...found].map(([place, list]) => [place, expressionOf([...list])]));
}

/** The longest phrase at a position. */
function expressionOf(list: string[]): RegExp {
  const ordered = list.sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  const textOf = (phrase: string) => phrase.replaceAll(' ', '\\s+');
  const apart = ordered.filter(phrase => !WITHOUT_BLANKS.test(phrase)).map(textOf);
  const glued = ordered.filter(phrase => WITHOUT_BLANKS.test(phrase)).map(textOf);
  const any = `(?<![\\p{L}\\p{N}])(?:${apart.join('|')})(?:(?<=')|(?![\\p{L}\\p{N}]))`;
  return new RegExp(glued.length === 0 ? any : `${any}|${glued.join('|')}`, 'iu');
}
