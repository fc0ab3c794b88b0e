// Numbers in names, which have many forms (data/ordinals.csv): Second Avenue, 2nd Avenue; 3 Maja, 3-go Maja, Trzeciego
// Maja; XX Settembre, Venti Settembre; 3-я Советская, Третья Советская. A word of a query that is one of the forms of a
// number may mean all others.

import { wordsOf } from './text.ts';
import { rowsOf } from './vocabulary.ts';

/** Forms of numbers. */
interface Ordinals {
  /** What follows the digits: `nd`. */
  endings: Set<string>;
  values: Map<string, number>;
  words: Map<number, string[]>;
}

/** Greater numbers in names are no ordinals. */
const VALUE_MAX = 999;
/** Roman numerals are understood up to this one. */
const ROMAN_MAX = 39;
const DIGITS = /^([1-9][0-9]{0,2})([a-z]{0,5})$/;
/** Anything else is no number in digits. */
const NUMERAL = /^[0-9ivx]/;
const ROMAN = /^(x{0,3})(ix|iv|v?i{0,3})$/;
const ROMAN_WITH_ENDING = /^[ivx]{2,}e$/;
const ROMAN_UNITS = ['', 'i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix'];
const TEN = 10;

let table: Ordinals | undefined;

/** The number that a folded word says; undefined for any other word. */
export function ordinalValue(word: string): number | undefined {
  const { endings, values } = ordinals();
  const known = values.get(word);
  if (known !== undefined || !NUMERAL.test(word)) return known;
  const [, digits, ending] = DIGITS.exec(word) ?? [];
  if (digits !== undefined) return ending === '' || endings.has(ending) ? Number(digits) : undefined;
  const [, tens, units] = ROMAN.exec(ROMAN_WITH_ENDING.test(word) ? word.slice(0, -1) : word) ?? [];
  return tens === undefined ? undefined : TEN * tens.length + ROMAN_UNITS.indexOf(units) || undefined;
}

/** All forms of a number, folded. @param value 1..999 */
export function ordinalForms(value: number): string[] {
  if (value > VALUE_MAX) return [];
  const { endings, words } = ordinals();
  const forms = new Set([`${value}`, ...(words.get(value) ?? [])]);
  for (const ending of endings) forms.add(`${value}${ending}`);
  if (value <= ROMAN_MAX) forms.add('x'.repeat(Math.floor(value / TEN)) + ROMAN_UNITS[value % TEN]);
  return [...forms];
}

function ordinals(): Ordinals {
  table ??= readTable();
  return table;
}

/** Columns: language, `ending` or a number, forms separated by spaces. */
function readTable(): Ordinals {
  const all: Ordinals = { endings: new Set(), values: new Map(), words: new Map() };
  for (const [, kind, text] of rowsOf('ordinals.csv')) {
    for (const form of text.split(' ').map(each => wordsOf(each).join(''))) {
      if (form === '') continue;
      if (kind === 'ending') all.endings.add(form);
      else {
        const value = Number(kind);
        // Some words are numbers in two languages.
        if (!all.values.has(form)) all.values.set(form, value);
        all.words.set(value, [...(all.words.get(value) ?? []), form]);
      }
    }
  }
  return all;
}
