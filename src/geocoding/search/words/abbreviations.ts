// How else a word can be written (data/abbreviations.csv): the index holds names as they are, and a question asks for every spelling. An abbreviation that
// stands for several words (St: street, saint) asks for all of them, but these do not become each other.

import { readFileSync } from 'node:fs';
import { wordsOf } from './text.ts';

/** What stands before the ending of a compound (Land-strasse) has at least so many letters. */
const STEM_LENGTH_MIN = 3;

interface Abbreviations {
  /** By word the others that mean the same. */
  words: Map<string, string[]>;
  /** Endings of compounds, written out first, then short. */
  endings: string[][];
}

let table: Abbreviations | undefined;

/** Other spellings of a folded word, without itself. */
export function otherSpellings(word: string): string[] {
  const { words, endings } = abbreviations();
  const spellings = [...(words.get(word) ?? [])];
  for (const forms of endings) {
    for (const form of forms) {
      if (!(word.endsWith(form) && word.length - form.length >= STEM_LENGTH_MIN)) continue;
      const stem = word.slice(0, -form.length);
      for (const other of forms) if (other !== form) spellings.push(stem + other);
    }
  }
  return spellings;
}

/** True of a word that may also be written together with the one before it: Berliner Strasse, Berlinerstrasse. */
export function isCompoundEnding(word: string): boolean {
  return abbreviations().endings.some(forms => forms.includes(word));
}

function abbreviations(): Abbreviations {
  table ??= readTable(readFileSync(new URL('../../../../data/abbreviations.csv', import.meta.url), 'utf8'));
  return table;
}

/** language, kind (`word` or `ending`), forms with blanks between them. */
function readTable(csv: string): Abbreviations {
  const words = new Map<string, string[]>();
  const endings: string[][] = [];
  for (const line of csv.trim().split('\n').slice(1)) {
    const [, kind, text] = line.split(',');
    const forms = wordsOf(text);
    if (kind === 'ending') endings.push(forms);
    else for (const form of forms) addForms(words, form, forms);
  }
  return { words, endings };
}

function addForms(words: Map<string, string[]>, form: string, forms: readonly string[]): void {
  const known = words.get(form) ?? [];
  words.set(form, [...known, ...forms.filter(other => other !== form && !known.includes(other))]);
}
