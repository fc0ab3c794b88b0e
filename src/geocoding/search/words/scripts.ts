// What other scripts than ours need before their letters become Latin ones (text.ts), from data/scripts.csv:
//
//   Han, kana, Hangul, Thai and other scripts without blanks: digits are words of their own (테헤란로 152), kanji before
//   a counter are digits (二丁目), and what says what a place is stands apart: 大阪 市 中央 区, ถนน สุขุมวิท
//   Arabic and Hebrew: marks of vowels are left out, and letters that are written in two ways become one
//
// Names and queries go the same way. The rules see only the letters before them, so a name is cut in the middle of a
// query as it is alone. A segmenter by dictionary cuts otherwise there: of 大手前二丁目 ICU makes other words than of
// 大阪市中央区大手前二丁目.

import { readFileSync } from 'node:fs';

type Role = 'suffix' | 'prefix' | 'numeral' | 'counter' | 'numberJoin' | 'numberEnd' | 'elided' | 'letter' | 'dropped';

interface Rules {
  /** An article that has lost its vowel, with its apostrophe. */
  elision: RegExp;
  /** Letters that become others; '' for those that are left out. */
  letters: ReadonlyMap<string, string>;
  anyLetter: RegExp;
  numeral: RegExp;
  numeralsOf: (text: string) => string;
  numberJoin: RegExp;
  numberEnd: RegExp;
  suffix: RegExp;
  eachSuffix: RegExp;
  prefix: RegExp;
}

const WITHOUT_BLANKS =
  '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}';
const IS_WITHOUT_BLANKS = new RegExp(`[${WITHOUT_BLANKS}]`, 'u');
const BESIDE_DIGIT = new RegExp(`(?<=[${WITHOUT_BLANKS}\\p{M}])(?=[0-9])|(?<=[0-9])(?=[${WITHOUT_BLANKS}])`, 'gu');
const IDEOGRAPH = '[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}ー]';
const TEN = 10;

const BASIC_LATIN = /^[a-z0-9]*$/;
const COUNTRY_CODE = /^[a-z]{2}$/;
const LATIN = 'Latn';
/** Scripts that are written with several alphabets, by their names in ISO 15924. */
const ALPHABETS: Readonly<Record<string, readonly string[]>> = {
  Jpan: ['Hani', 'Hira', 'Kana'],
  Kore: ['Hang', 'Hani'],
  Hans: ['Hani'],
  Hant: ['Hani'],
};

let rules: Rules | undefined;

/**
 * A text whose words are apart and whose letters are written in one way. @param text lower case, decomposed, with
 * letters of other scripts than ours
 */
export function apartByScript(text: string): string {
  rules ??= readRules();
  const { letters, anyLetter, numeral, numeralsOf, numberJoin, numberEnd, suffix, eachSuffix, prefix } = rules;
  const plain = text.replaceAll(anyLetter, letter => letters.get(letter)!).normalize('NFC');
  if (!IS_WITHOUT_BLANKS.test(plain)) return plain;
  return plain
    .replaceAll(numeral, numeralsOf)
    .replaceAll(numberJoin, '-')
    .replaceAll(numberEnd, ' ')
    .replaceAll(BESIDE_DIGIT, ' ')
    .replaceAll(suffix, (_, stem, suffixes) => `${stem}${suffixes.replaceAll(eachSuffix, ' $&')} `)
    .replaceAll(prefix, '$& ');
}

/** Articles that are words of their own although they are written with the next: d', dell'. */
export function elision(): RegExp {
  rules ??= readRules();
  return rules.elision;
}

/** True for a text with letters of a script without blanks. */
export function isWithoutBlanks(text: string): boolean {
  return IS_WITHOUT_BLANKS.test(text);
}

/** True for a word in the letters a to z. */
export function isBasicLatin(written: string): boolean {
  return BASIC_LATIN.test(written);
}

/** True for a word in the script of a country that has not ours. */
export function isInScriptOf(countryCode: string, written: string): boolean {
  if (!COUNTRY_CODE.test(countryCode)) return false;
  const script = new Intl.Locale(`und-${countryCode}`).maximize().script;
  if (script === undefined || script === LATIN) return false;
  const alphabets = (ALPHABETS[script] ?? [script]).map(alphabet => `\\p{sc=${alphabet}}`);
  return new RegExp(`^[${alphabets.join('')}\\p{M}]+$`, 'u').test(written);
}

function readRules(): Rules {
  const items = new Map<string, string[]>();
  const csv = readFileSync(new URL('../../../../data/scripts.csv', import.meta.url), 'utf8');
  for (const line of csv.trim().split('\n').slice(1)) {
    const [role, , text] = line.split(',');
    items.set(role, [
      ...(items.get(role) ?? []),
      ...text.split(' ').map(item => item.normalize('NFKD').normalize('NFC')),
    ]);
  }
  const of = (role: Role) => items.get(role)!;
  /** The longest comes first. */
  const oneOf = (role: Role) =>
    `(?:${of(role)
      .toSorted((a, b) => b.length - a.length)
      .join('|')})`;
  const letters = new Map([
    ...of('letter').map(pair => [...pair] as [string, string]),
    ...of('dropped').map(letter => [letter, ''] as [string, string]),
  ]);
  const numerals = of('numeral');
  return {
    elision: new RegExp(`\\b([a-z]{1,2}|${of('elided').join('|')})'(?=[a-z])`, 'g'),
    letters,
    anyLetter: new RegExp(`[${[...letters.keys()].join('')}]`, 'gu'),
    numeral: new RegExp(`[${numerals.join('')}]+(?=${oneOf('counter')})`, 'gu'),
    numeralsOf: text => numberOf([...text].map(each => numerals.indexOf(each))),
    numberJoin: new RegExp(`(?<=[0-9])${oneOf('numberJoin')}(?=[0-9])`, 'gu'),
    numberEnd: new RegExp(`(?<=[0-9])${oneOf('numberEnd')}`, 'gu'),
    suffix: new RegExp(`(${IDEOGRAPH}+?)(${oneOf('suffix')}+)`, 'gu'),
    eachSuffix: new RegExp(oneOf('suffix'), 'gu'),
    prefix: new RegExp(`(?<![\\p{sc=Thai}\\p{M}])${oneOf('prefix')}(?=\\p{sc=Thai})`, 'gu'),
  };
}

/** The number of its figures: 12 of ten and two, or of one and two; 20 of two and ten. */
function numberOf(figures: readonly number[]): string {
  if (!figures.includes(TEN)) return figures.join('');
  const at = figures.indexOf(TEN);
  const tens = at === 0 ? 1 : Number(figures.slice(0, at).join(''));
  return String(tens * TEN + Number(figures.slice(at + 1).join('') || 0));
}
