// Writes data/kinds_presets.csv (`npx node lab/preset_kinds.ts`): words for kinds of places and for cuisines in many
// languages, from the presets of iD (the package @openstreetmap/id-tagging-schema, ISC licence). Words that our own
// tables have are left out: those say what is meant by them.
//
// A preset of one tag is a kind. One of two tags is that of its second, if places are found by it: a tennis court is
// sport=tennis. Cuisines are the options of that field.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SEARCHED_TAGS } from '../src/geocoding/search/word_index/builder.ts';
import { entriesOf } from '../src/geocoding/search/words/address_table.ts';
import { countryCalled, countryNames } from '../src/geocoding/search/words/country_words.ts';
import { typedWordsOf, wordsOf } from '../src/geocoding/search/words/text.ts';
import { isAreaType, rowsOf, wordsInRole } from '../src/geocoding/search/words/vocabulary.ts';

const PACKAGE = join(import.meta.dirname, '../node_modules/@openstreetmap/id-tagging-schema');
const FILE = join(import.meta.dirname, '../data/kinds_presets.csv');
/** Languages by the files of the package that have their words. */
const LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  en: ['en', 'en-GB', 'en-AU'],
  zh: ['zh', 'zh-CN', 'zh-TW'],
  pt: ['pt', 'pt-BR'],
  no: ['no', 'nb'],
  fa: ['fa', 'fa-IR'],
  ...Object.fromEntries(
    'ar bg ca cs da de el es eu fi fr gl he hr hu id it ja ko nl pl ro ru sk sl sr sv th tr uk vi'
      .split(' ')
      .map(language => [language, [language]]),
  ),
};
/** Keys of the tags that make an object a place. */
const KEYS = (
  'amenity shop tourism office leisure craft club historic healthcare man_made aeroway aerialway military railway ' +
  'natural waterway emergency landuse'
).split(' ');
/** Nobody looks for these, or their words are parts of most addresses. */
const LEFT_OUT = new Set(
  (
    'amenity=bench amenity=waste_basket amenity=parking_space amenity=parking_entrance amenity=waste_disposal ' +
    'amenity=hunting_stand amenity=clock amenity=lounger amenity=bbq amenity=loading_dock amenity=trolley_bay ' +
    'natural=tree natural=tree_row natural=shrub natural=scrub natural=grassland natural=heath ' +
    'natural=bare_rock natural=scree natural=shingle natural=sand natural=mud natural=coastline natural=wood ' +
    'natural=water natural=rock natural=stone natural=earth_bank natural=hill natural=valley natural=ridge ' +
    'natural=land natural=fell man_made=pipeline man_made=street_cabinet man_made=manhole ' +
    'man_made=utility_pole man_made=cutline man_made=embankment man_made=clearcut man_made=yes man_made=pump ' +
    'man_made=flagpole man_made=bridge railway=rail railway=subway railway=tram railway=funicular ' +
    'railway=light_rail railway=monorail railway=narrow_gauge railway=miniature railway=preserved ' +
    'railway=platform railway=abandoned railway=disused railway=razed railway=construction railway=proposed ' +
    'railway=signal railway=switch railway=milestone railway=crossing railway=buffer_stop railway=derail ' +
    'waterway=stream waterway=ditch waterway=drain waterway=river waterway=canal waterway=riverbank ' +
    'landuse=residential landuse=grass landuse=farmland landuse=meadow landuse=farmyard landuse=brownfield ' +
    'landuse=greenfield landuse=construction landuse=flowerbed landuse=garages landuse=village_green ' +
    'landuse=forest landuse=railway landuse=highway man_made=gantry man_made=carpet_hanger craft=cleaning ' +
    'aeroway=taxiway leisure=garden leisure=common leisure=track shop=yes office=yes craft=yes historic=yes'
  ).split(' '),
);
/** Values of `cuisine` of which the word says too little. */
const CUISINES_LEFT_OUT = new Set('regional western oriental european fine_dining diner bistro dessert'.split(' '));
/** Words for cuisine, which stand behind or before an adjective. */
const CUISINE_WORDS = 'cuisine|cocina|cucina|cozinha|cuina|küche|kuchnia|kuchyně|kuchyňa|kuhinja|кухня|кухиня';
const CUISINE = new RegExp(`^(?:${CUISINE_WORDS}) | (?:${CUISINE_WORDS})$`, 'iu');
/** Words of the longest name, as the search reads them. */
const WORDS_MAX = 4;
/** Shorter names mean too much else. */
const LETTERS_MIN = 4;
const NOT_LATIN = /[^\p{sc=Latn}\p{sc=Zyyy}\p{sc=Zinh}]/u;
/** Endings of adjectives by language: each stands for the others. */
const ENDINGS: Readonly<Record<string, string>> = {
  de: '- e es er en',
  es: 'a o as os',
  it: 'a o e i',
  pt: 'a o as os',
  ca: 'a - es s',
  gl: 'a o as os',
  fr: 'nne n nnes ns;e - es s',
  nl: '- e',
  pl: 'a i ie y e',
  cs: 'á é ý',
  sk: 'á é ý',
  ru: 'ая ий ое ие ой',
  uk: 'а ий е і',
  be: 'ая і ае ія',
  bg: 'а и о',
  hr: 'a i e o',
  sl: 'a i e o',
  sv: 't - a',
  da: '- e',
  no: '- e',
  fi: 'nen set sia lainen laiset',
  ro: 'ească esc ești',
};

interface Translated {
  presets: Record<string, { name?: string; aliases?: readonly string[] | string }>;
  fields: { cuisine?: { options?: Record<string, string | { title?: string }> } };
}

const presets: Record<string, { tags: Record<string, string>; searchable?: boolean }> = read('dist/presets.min.json');
const own = ownWords();
const countries = allCountries();
const rows = Object.keys(LANGUAGES).sort().flatMap(rowsIn);
writeFileSync(FILE, ['language,category,type,words', ...rows, ''].join('\n'));

function read<T>(path: string): T {
  return JSON.parse(readFileSync(join(PACKAGE, path), 'utf8')) as T;
}

/** Folded words of our own tables. */
function ownWords(): ReadonlySet<string> {
  const lists = [...rowsOf('kinds.csv').map(row => row[2]), ...rowsOf('kinds_languages.csv').map(row => row[3])];
  return new Set(lists.flatMap(list => list.split(';')).map(name => wordsOf(name).join(' ')));
}

/** Letters of the names of all countries. */
function allCountries(): ReadonlySet<string> {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const codes = letters.flatMap(first => letters.map(second => first + second));
  const names = codes.flatMap(code => countryNames(code));
  return new Set(names.flatMap(name => [typedWordsOf(name).join(''), wordsOf(name).join('')]));
}

/** Rows of one language, by kind. */
function rowsIn(language: string): string[] {
  const kinds = new Map<string, Map<string, string>>();
  const add = (kind: string, text: string) => {
    for (const name of namesIn(text)) {
      const words = wordsOf(name).join(' ');
      if (!isKept(words, name) || own.has(words)) continue;
      const known = kinds.get(kind) ?? new Map<string, string>();
      if (!known.has(words)) known.set(words, name);
      kinds.set(kind, known);
    }
  };
  for (const file of LANGUAGES[language]) {
    const { presets: texts, fields } = read<Record<string, { presets: Translated }>>(`dist/translations/${file}.json`)[
      file
    ].presets;
    for (const [id, text] of Object.entries(texts ?? {})) {
      const kind = kindOf(id);
      if (kind === undefined) continue;
      for (const name of [text.name ?? '', ...[text.aliases ?? []].flat().flatMap(each => each.split('\n'))])
        for (const each of language === 'en' ? inEnglish(name) : [name]) add(kind, each);
    }
    for (const [value, option] of Object.entries(fields?.cuisine?.options ?? {})) {
      if (CUISINES_LEFT_OUT.has(value)) continue;
      const title = typeof option === 'string' ? option : (option.title ?? '');
      for (const name of new Set([title, title.replace(CUISINE, '')]))
        for (const form of formsOf(name.toLowerCase(), ENDINGS[language])) add(`cuisine=${value}`, form);
    }
  }
  return [...kinds]
    .map(([kind, names]) => `${language},${kind.replace('=', ',')},${[...names.values()].join(';')}`)
    .sort();
}

/** The kind of a preset; undefined if it is none. */
function kindOf(id: string): string | undefined {
  const preset = presets[id];
  if (preset === undefined || preset.searchable === false) return undefined;
  const tags = Object.entries(preset.tags);
  if (tags.some(([, value]) => value === '*')) return undefined;
  const [[key, value]] = tags.length === 0 ? [['', '']] : tags;
  if (!KEYS.includes(key) || LEFT_OUT.has(`${key}=${value}`)) return undefined;
  if (tags.length === 1) return `${key}=${value}`;
  const second = tags.find(([each]) => SEARCHED_TAGS.includes(each));
  return second === undefined || tags.length > 2 ? undefined : second.join('=');
}

/** What a text names: without what stands in brackets, and what strokes separate. */
function namesIn(text: string): string[] {
  return text
    .toLowerCase()
    .replaceAll(/\([^)]*\)|（[^）]*）/g, ' ')
    .split(/[/,;／、]/)
    .map(name => name.trim().replaceAll(/\s+/g, ' '));
}

function isKept(words: string, name: string): boolean {
  const list = words.split(' ');
  if (words === '' || list.length > WORDS_MAX) return false;
  if (words.length < LETTERS_MIN && !NOT_LATIN.test(name)) return false;
  const letters = typedWordsOf(name).join('');
  if (countries.has(letters) || countries.has(list.join('')) || countryCalled(letters) !== undefined) return false;
  const isRole = (word: string) =>
    isAreaType(word, false) || (['stop', 'and', 'ofPlace', 'unit'] as const).some(role => wordsInRole(role).has(word));
  return list.length > 1 || !(isRole(words) || entriesOf(words).length > 0);
}

/** A name in the plural as well; a shop is a store. */
function inEnglish(name: string): string[] {
  const both = [name, name.replace(/ store$/i, ' shop'), name.replace(/ shop$/i, ' store')];
  return [...new Set(both)].flatMap(each => [each, pluralOf(each)]);
}

function pluralOf(name: string): string {
  if (/(?:ss|x|ch|sh)$/i.test(name)) return `${name}es`;
  if (/s$/i.test(name)) return name;
  return /[^aeiou]y$/i.test(name) ? `${name.slice(0, -1)}ies` : `${name}s`;
}

/** A word with each of the endings of which it has one. */
function formsOf(word: string, endings: string | undefined): string[] {
  const forms = [word];
  if (word.includes(' ')) return forms;
  for (const group of endings?.split(';') ?? []) {
    const all = group.split(' ').map(ending => (ending === '-' ? '' : ending));
    const has = all.filter(ending => ending !== '' && word.endsWith(ending)).sort((a, b) => b.length - a.length)[0];
    if (has === undefined && !all.includes('')) continue;
    const stem = has === undefined ? word : word.slice(0, -has.length);
    if (stem.length >= LETTERS_MIN) forms.push(...all.map(ending => stem + ending));
    break;
  }
  return forms;
}
