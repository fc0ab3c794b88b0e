// What words mean beside being names, from tables in `data/`, one a subject, with columns for language and words:
//
//   abbreviations.csv   other ways to write a word; endings of compounds
//   kinds.csv           names of kinds of places; those of further languages in kinds_languages.csv, and those of
//                       further kinds and of cuisines in kinds_presets.csv
//   word_roles.csv      words that a result need not explain: stop words, types of areas, units in a house
//
// The index holds names as they are, and a query tries every spelling. An abbreviation with several meanings (St:
// street, saint) tries all of them, but the meanings do not become each other. Tables are read on first use.

import { readFileSync } from 'node:fs';
import { type Folding, folded } from './folding.ts';
import { wordsOf } from './text.ts';

/** The part of a compound before its ending (Land-strasse) has at least this many letters. */
const STEM_LENGTH_MIN = 3;
/** Words of the longest name of a kind that is looked for. */
const KIND_WORDS_MAX = 4;

/**
 * Why a result may leave a word unexplained:
 *
 *   stop       it joins names (in, the)
 *   and        it joins two names
 *   areaType   it says what an area is (city, Kanton)
 *   areaCut    the same cut short, with a dot behind it (jud., gm.)
 *   unit       it says where in a house (floor, Apt.)
 *   ofPlace    it says, behind the name of a kind, that a place comes (рестораны в …)
 */
type WordRole = 'stop' | 'and' | 'areaType' | 'areaCut' | 'unit' | 'ofPlace';

interface Abbreviations {
  /** For each word the others with the same meaning. */
  words: Map<string, string[]>;
  /** Endings of compounds, the full form first, then short ones. */
  endings: string[][];
  /** The forms in their order, each with the others of its ending, by their last letter. */
  endingsBy: Map<number, { form: string; others: string[] }[]>;
}

const NO_WORDS: readonly string[] = [];

/** Columns: language, `word` or `ending`, forms separated by spaces; пр-т is one form. */
export const ABBREVIATIONS: Folding<{ kind: string; forms: string[] }[]> = {
  name: 'abbreviations',
  sources: ['abbreviations.csv'],
  fold: () =>
    rowsOf('abbreviations.csv').map(([, kind, text]) => ({
      kind,
      forms: [...new Set(text.split(' ').map(form => wordsOf(form).join('')))],
    })),
};

/** Columns: category, type, names separated by semicolons; before them the language, in all but the first table. */
export const KINDS: Folding<[kind: string, names: string[]][]> = {
  name: 'kinds',
  sources: ['kinds.csv', 'kinds_languages.csv', 'kinds_presets.csv'],
  fold: () => [...readKinds()],
};

let abbreviations: Abbreviations | undefined;
let kinds: Map<string, readonly string[]> | undefined;
/** Words of the longest name that begins with a word. */
let kindLengths: Map<string, number> | undefined;
let roles: Map<string, Set<string>> | undefined;

/** Other spellings of a folded word. */
export function otherSpellings(word: string): readonly string[] {
  abbreviations ??= readAbbreviations();
  const { words, endingsBy } = abbreviations;
  const known = words.get(word);
  const endings = endingsBy.get(word.charCodeAt(word.length - 1));
  if (endings === undefined) return known ?? NO_WORDS;
  const spellings = known === undefined ? [] : [...known];
  for (const { form, others } of endings) {
    if (!(word.endsWith(form) && word.length - form.length >= STEM_LENGTH_MIN)) continue;
    const stem = word.slice(0, -form.length);
    for (const other of others) spellings.push(stem + other);
  }
  return spellings;
}

/** True for a word that may be joined to the one before it: Berliner Strasse, Berlinerstrasse. */
export function isCompoundEnding(word: string): boolean {
  abbreviations ??= readAbbreviations();
  return abbreviations.endings.some(forms => forms.includes(word));
}

/** The kinds with a name. @param words folded, separated by spaces */
export function kindsCalled(words: string): readonly string[] {
  kinds ??= kindsByName();
  return kinds.get(words) ?? NO_WORDS;
}

/** The kinds of each name. Most have one, and share the list of it. */
function kindsByName(): Map<string, readonly string[]> {
  const byName = new Map<string, readonly string[]>();
  for (const [kind, names] of folded(KINDS)) {
    const alone = [kind];
    for (const name of names) {
      const known = byName.get(name);
      byName.set(name, known === undefined ? alone : [...known, kind]);
    }
  }
  return byName;
}

/** Words of the longest name of a kind that begins with a folded word; 0 for most. */
export function kindWordsFrom(word: string): number {
  if (kindLengths === undefined) {
    kindLengths = new Map();
    kinds ??= kindsByName();
    for (const name of kinds.keys()) {
      const words = name.split(' ');
      const length = Math.min(words.length, KIND_WORDS_MAX);
      kindLengths.set(words[0], Math.max(length, kindLengths.get(words[0]) ?? 0));
    }
  }
  return kindLengths.get(word) ?? 0;
}

/** The folded words with a role, in all languages. */
export function wordsInRole(role: WordRole): ReadonlySet<string> {
  roles ??= readRoles();
  return roles.get(role)!;
}

/** True for a word that says what an area is. @param isCut a dot follows */
export function isAreaType(word: string, isCut: boolean): boolean {
  return wordsInRole('areaType').has(word) || (isCut && wordsInRole('areaCut').has(word));
}

/** The rows of a table of `data/`, without their heads. */
export function rowsOf(file: string): string[][] {
  const csv = readFileSync(new URL(`../../../../data/${file}`, import.meta.url), 'utf8');
  return csv
    .trim()
    .split('\n')
    .slice(1)
    .map(line => line.split(','));
}

function readAbbreviations(): Abbreviations {
  const words = new Map<string, string[]>();
  const endings: string[][] = [];
  for (const { kind, forms } of folded(ABBREVIATIONS)) {
    if (kind === 'ending') endings.push(forms);
    else
      for (const form of forms)
        addDistinct(
          words,
          form,
          forms.filter(other => other !== form),
        );
  }
  const endingsBy: Abbreviations['endingsBy'] = new Map();
  for (const forms of endings) {
    for (const form of forms) {
      const last = form.charCodeAt(form.length - 1);
      const others = forms.filter(other => other !== form);
      endingsBy.set(last, [...(endingsBy.get(last) ?? []), { form, others }]);
    }
  }
  return { words, endings, endingsBy };
}

function readKinds(): Map<string, string[]> {
  const all = new Map<string, string[]>();
  const others = ['kinds_languages.csv', 'kinds_presets.csv'].flatMap(rowsOf).map(([, ...columns]) => columns);
  for (const [category, type, names] of [...rowsOf('kinds.csv'), ...others])
    addDistinct(
      all,
      `${category}=${type}`,
      names.split(';').map(name => wordsOf(name).join(' ')),
    );
  return all;
}

/** Columns: role, language, words separated by spaces. */
function readRoles(): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  for (const [role, , words] of rowsOf('word_roles.csv'))
    all.set(role, new Set([...(all.get(role) ?? []), ...wordsOf(words)]));
  return all;
}

function addDistinct(lists: Map<string, string[]>, key: string, more: readonly string[]): void {
  const known = lists.get(key) ?? [];
  lists.set(key, [...new Set([...known, ...more])]);
}
