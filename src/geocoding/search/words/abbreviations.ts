// Other ways to write a word (data/abbreviations.csv). The index holds names as they are, and a query tries every
// spelling. An abbreviation with several meanings (St: street, saint) tries all of them, but the meanings do not become
// each other.

import { readFileSync } from 'node:fs';
import { wordsOf } from './text.ts';

/** The part of a compound before its ending (Land-strasse) has at least this many letters. */
const STEM_LENGTH_MIN = 3;

interface Abbreviations {
  /** For each word the others with the same meaning. */
  words: Map<string, string[]>;
  /** Endings of compounds, the full form first, then short ones. */
  endings: string[][];
}

let table: Abbreviations | undefined;

/** Other spellings of a folded word. */
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

/** True for a word that may be joined to the one before it: Berliner Strasse, Berlinerstrasse. */
export function isCompoundEnding(word: string): boolean {
  return abbreviations().endings.some(forms => forms.includes(word));
}

function abbreviations(): Abbreviations {
  table ??= readTable(readFileSync(new URL('../../../../data/abbreviations.csv', import.meta.url), 'utf8'));
  return table;
}

/** Columns: language, `word` or `ending`, forms separated by spaces. */
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
