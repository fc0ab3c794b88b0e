// Reads times as they stand in files: what clients send (radio/read_value.ts), and what recorders and spreadsheets make
// of it. All are in UTC unless they say otherwise.
//
//   2024-6-18 9:5:7, 2024/06/18, 2019-Mar-04 12:41:26    year first
//   18.06.2024 09:05, 18-Jun-2024, 18 Jun 2024           day first
//   01/02/2024 10:00:00, 1/2/2024 10:00 AM               day or month first
//   Tue Jun 18 09:05:07 2024                             as C writes it
//
// Hours and minutes may have a dot between them, and an underscore before them (2024.06.18_09.05.07).
//
// Of the last form a number above 12 is the day. Where both could be, the beginning of the file decides: the month is
// first if some date in it can only be read so, or if times are AM and PM; otherwise the day is.

import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { readTime } from '../../radio/read_value.ts';

/** Which number comes first where both could be either. */
export type DateOrder = 'day' | 'month';

const LENGTH_MAX = 40;
const MONTHS_OF_YEAR = 12;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const YEAR_FIRST = /^(?<year>\d{4})(?<mark>[-/.])(?<month>\d{1,2}|[a-z]{3,9})\k<mark>(?<day>\d{1,2})(?![\d])/i;
const DAY_FIRST = /^(?<day>\d{1,2})(?<mark>[-/. ])(?<month>[a-z]{3,9})\k<mark>(?<year>\d{4})(?!\d)/i;
const NUMBERS = /^(?<first>\d{1,2})(?<mark>[-/.])(?<second>\d{1,2})\k<mark>(?<year>\d{4})(?!\d)/;
const CLOCK =
  /^(?:T|,\s*|\s+|_)(?<hour>\d{1,2})[:.](?<minute>\d{1,2})(?:[:.](?<second>\d{1,2})(?<fraction>[.,]\d{1,9})?)?(?:\s?(?<half>[AP])M)?\s?(?<zone>Z|UTC|GMT|[+-]\d\d:?\d\d)?$/i;
const YEAR_LAST =
  /^(?:[a-z]{3} )?(?<month>[a-z]{3}) {1,2}(?<day>\d{1,2}) (?<clock>\d\d:\d\d:\d\d) (?:UTC |GMT )?(?<year>\d{4})$/i;
const DAY_IN_NAME = /(?<!\d)(?<year>20\d\d)(?<mark>[-_.]?)(?<month>\d\d)\k<mark>(?<day>\d\d)(?!\d)/;

/** The time of a file whose rows state none, in milliseconds since 1970: the day in its name, or its last change. */
export function timeOfFile(path: string): number {
  const { year, month, day } = DAY_IN_NAME.exec(basename(path))?.groups ?? {};
  const named = readTime(`${year}-${month}-${day}`);
  return Number.isNaN(named) ? Math.floor(statSync(path).mtimeMs) : named;
}

/** The order of a file's dates. @param texts of its first rows */
export function dateOrderOf(texts: readonly string[]): DateOrder {
  const dates = texts
    .map(text => NUMBERS.exec(text.trim())?.groups)
    .filter(groups => groups !== undefined)
    .filter(({ mark }) => mark !== '.');
  if (dates.some(({ second }) => Number(second) > MONTHS_OF_YEAR)) return 'month';
  if (dates.some(({ first }) => Number(first) > MONTHS_OF_YEAR)) return 'day';
  return dates.length > 0 && texts.some(text => /\d\s?[AP]M\b/i.test(text)) ? 'month' : 'day';
}

/** Milliseconds since 1970. @returns NaN if the text is no time */
export function readFileTime(text: string | undefined, order: DateOrder): number {
  const trimmed = (text?.trim() ?? '').replace(YEAR_LAST, '$<year>-$<month>-$<day> $<clock>');
  if (trimmed.length > LENGTH_MAX) return Number.NaN;
  const time = readTime(trimmed);
  if (!Number.isNaN(time)) return time;
  const date = readDate(trimmed, order);
  if (date === undefined) return Number.NaN;
  const clock = trimmed.slice(date.length);
  if (clock === '') return readTime(date.iso);
  const parts = CLOCK.exec(clock)?.groups;
  return parts === undefined ? Number.NaN : readTime(`${date.iso}T${clockOf(parts)}`);
}

/** The date that a text begins with, as ISO 8601, and its length. */
function readDate(text: string, order: DateOrder): { iso: string; length: number } | undefined {
  const match = YEAR_FIRST.exec(text) ?? DAY_FIRST.exec(text) ?? NUMBERS.exec(text);
  if (match === null) return undefined;
  const { year, mark, first, second, day, month } = match.groups!;
  const isMonthFirst =
    Number(second) > MONTHS_OF_YEAR || (order === 'month' && mark !== '.' && Number(first) <= MONTHS_OF_YEAR);
  const [days, months] =
    first === undefined ? [day, monthNumber(month)] : isMonthFirst ? [second, first] : [first, second];
  return { iso: `${year}-${two(months)}-${two(days)}`, length: match[0].length };
}

/** A number from a name, of which three letters tell; 00 is no month. */
function monthNumber(text: string): string {
  return /^\d/.test(text) ? text : String(MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1);
}

function clockOf({
  hour,
  minute,
  second = '00',
  fraction = '',
  half,
  zone = 'Z',
}: Record<string, string | undefined>): string {
  const hours = half === undefined ? hour! : hourOfHalf(Number(hour), half.toUpperCase() === 'P');
  return `${two(hours)}:${two(minute!)}:${two(second)}${fraction}${/^(?:UTC|GMT)$/i.test(zone) ? 'Z' : zone}`;
}

/** 12 is the first hour of each half; others than 1 to 12 are none. */
function hourOfHalf(hour: number, isAfternoon: boolean): string {
  return hour >= 1 && hour <= 12 ? String((hour % 12) + (isAfternoon ? 12 : 0)) : '99';
}

function two(digits: string): string {
  return digits.padStart(2, '0');
}
