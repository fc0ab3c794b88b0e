// The names of an address in one line, in the order and with the separators of its country.
//
// data/address_formats.csv has for countries the parts of a line, each of one or more members:
//
//   name       the place itself, and the name of a house
//   number     the house
//   road
//   near       what is smaller than the town: quarters, suburbs, districts
//   town       the settlement, or else the municipality
//   wide       what is larger: counties, states
//   postcode
//   country
//
// Signs between two members of a part stand only between both; parts have a comma between them. What is not known is
// left out. Where people write from large to small (Japan, in Japanese), so are the names of one member.

import { rowsOf } from '../search/words/vocabulary.ts';
import type { AddressRow } from './address.ts';
import { SETTLEMENT_KEYS } from './address_key.ts';

const NAME = 'name';
const NEAR = 'near';
const TOWN = 'town';
const WIDE = 'wide';
const ROAD = 'road';
const NUMBER = 'number';
const BETWEEN_PARTS = ', ';
/** The country of the row of the table for all others, and the language of the row for all others. */
const ANY = '*';
/** Rows that are one member wherever they stand. */
const MEMBERS: ReadonlyMap<string, string> = new Map([
  ['house_number', NUMBER],
  ['road', ROAD],
  ['postcode', 'postcode'],
  ['country', 'country'],
]);
/** Areas that are larger than a town that is not known. */
const WIDE_KEYS: ReadonlySet<string> = new Set(['county', 'state_district', 'state', 'region']);
const OTHER_LETTER = /(?!\p{sc=Latn})\p{L}/u;
/** A member of a part with the signs before it and at the end of the part behind it. */
const MEMBER = /([^a-z]*)([a-z]+)([^a-z]*$)?/g;

/** One member of a line. */
interface FormatMember {
  member: string;
  /** Between it and the member before it, if that has a name. */
  before: string;
  after: string;
  isFirstOfPart: boolean;
  /** Its names stand large to small. */
  isLargestFirst: boolean;
}

interface Format {
  /** A language, or any. */
  language: string;
  members: readonly FormatMember[];
}

let formats: ReadonlyMap<string, readonly Format[]> | undefined;

/**
 * The names of an address in one line, without immediate repetitions from small to large.
 * @param rows small to large
 * @param languages of the answer, best first; empty = names as they are at the place
 */
export function displayName(rows: readonly AddressRow[], languages: readonly string[]): string {
  const names = namesByMember(rows);
  let line = '';
  let isJoined = false;
  for (const { member, before, after, isFirstOfPart, isLargestFirst } of formatOf(rows, languages)) {
    const values = names.get(member);
    if (values !== undefined) {
      if (line !== '') line += isJoined && !isFirstOfPart ? before : BETWEEN_PARTS;
      line += (isLargestFirst ? values.reverse() : values).join(BETWEEN_PARTS) + after;
    }
    isJoined = values !== undefined;
  }
  return line;
}

/** The names of each member, small to large. */
function namesByMember(rows: readonly AddressRow[]): Map<string, string[]> {
  const townAt = townOf(rows);
  const wideAt = townAt < 0 ? rows.findIndex(({ key }) => WIDE_KEYS.has(key)) : townAt + 1;
  const houseAt = rows.findLastIndex(({ key }) => key === 'house_number' || key === 'road');
  const names = new Map<string, string[]>();
  let last = '';
  for (const [at, { key, value }] of rows.entries()) {
    if (value === last || key === 'country_code' || key.startsWith('ISO3166-2')) continue;
    last = value;
    const area = at === townAt ? TOWN : wideAt >= 0 && at >= wideAt ? WIDE : at < Math.max(houseAt, 1) ? NAME : NEAR;
    const member = MEMBERS.get(key) ?? area;
    const known = names.get(member);
    if (known === undefined) names.set(member, [value]);
    else known.push(value);
  }
  return names;
}

/** Where the town is among rows: the largest settlement, or else the municipality; negative if there is none. */
function townOf(rows: readonly AddressRow[]): number {
  const at = rows.findLastIndex(({ key }) => SETTLEMENT_KEYS.has(key));
  return at >= 0 ? at : rows.findIndex(({ key }) => key === 'municipality');
}

/**
 * The format of the first language, or that for all others. In no certain language names are as they are at the place,
 * or as the gazetteer has them: the first format is that of the country's own letters, if these are others than ours.
 */
function formatOf(rows: readonly AddressRow[], languages: readonly string[]): readonly FormatMember[] {
  formats ??= readFormats();
  const country = rows.find(({ key }) => key === 'country_code')?.value ?? ANY;
  const known = formats.get(country) ?? formats.get(ANY)!;
  if (known.length === 1) return known[0].members;
  const [asked] = languages;
  if (asked === undefined && rows.some(({ value }) => OTHER_LETTER.test(value))) return known[0].members;
  const language = asked?.split('-', 1)[0];
  const chosen = known.find(format => format.language === language) ?? known.find(format => format.language === ANY);
  return chosen!.members;
}

/** Columns of data/address_formats.csv: countries, language, parts with semicolons between them. */
function readFormats(): ReadonlyMap<string, readonly Format[]> {
  const read = new Map<string, Format[]>();
  for (const [countries, language, parts] of rowsOf('address_formats.csv')) {
    const format = { language, members: membersOf(parts) };
    for (const country of countries.split(' ')) read.set(country, [...(read.get(country) ?? []), format]);
  }
  return read;
}

function membersOf(parts: string): FormatMember[] {
  const members = parts.split(';').flatMap(part =>
    [...part.matchAll(MEMBER)].map(([, before, member, after = ''], at) => ({
      member,
      before,
      after,
      isFirstOfPart: at === 0,
      isLargestFirst: false,
    })),
  );
  const at = (name: string) => members.findIndex(({ member }) => member === name);
  const isLargestFirst: Readonly<Record<string, boolean>> = {
    [NEAR]: at(TOWN) < at(ROAD),
    [WIDE]: at(WIDE) < at(TOWN),
    [NAME]: at(ROAD) < at(NAME),
  };
  return members.map(each => ({ ...each, isLargestFirst: isLargestFirst[each.member] ?? false }));
}
