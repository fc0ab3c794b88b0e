// Reads single values of a request leniently. Numbers may be numeric strings, flags may be booleans, and null counts as
// absent. A value of another type or out of range counts as not sent.

import { isIn, type Range } from './ranges.ts';

/** Longer texts are not read as numbers. */
const NUMBER_LENGTH_MAX = 32;
const NUMBER = /^\s*[+-]?\d+(?:\.\d*)?(?:e[+-]?\d+)?\s*$/i;
/** At most 13 digits, which are exact. */
const HEXADECIMAL = /^\s*0x[0-9a-f]{1,13}\s*$/i;

/** Reads a number; NaN if the value is not one. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && value.length <= NUMBER_LENGTH_MAX && NUMBER.test(value)) return Number(value);
  return Number.NaN;
}

/** Reads a whole number that identifies something, also in hexadecimal digits: a fraction makes it invalid. */
export function wholeIn(value: unknown, allowed: Range, absent: number): number {
  if (value === undefined || value === null) return absent;
  const number = typeof value === 'string' && HEXADECIMAL.test(value) ? Number(value) : numberOf(value);
  return isIn(number, allowed) && Number.isInteger(number) ? number : absent;
}

/** Reads a measured number that the specification wants whole. Some clients send fractions, which are rounded. */
export function roundedIn(value: unknown, allowed: Range, absent: number): number {
  if (value === undefined || value === null) return absent;
  const number = Math.round(numberOf(value));
  return isIn(number, allowed) ? number : absent;
}

/** Reads a decimal number. */
export function decimalIn(value: unknown, allowed: Range, absent: number): number {
  if (value === undefined || value === null) return absent;
  const number = numberOf(value);
  return isIn(number, allowed) ? number : absent;
}

/** Reads a 0/1 flag; undefined if it was not sent, so that the key's default decides. */
export function flagOf(value: unknown): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (value === true || value === 1 || value === '1' || value === 'true') return true;
  if (value === false || value === 0 || value === '0' || value === 'false') return false;
  return undefined;
}

/** Numbers above this are milliseconds: as seconds they would be after the year 5138. */
const SECONDS_MAX = 1e11;
/** The same instant in milliseconds. */
const MILLISECONDS_MAX = 1e14;

const DATE_LENGTH_MAX = 40;
const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s?([Zz]|[+-]\d\d:?\d\d)?)?$/;

/**
 * Reads a time as clients send it: Unix seconds as a number or as text, and dates such as 2006-01-02T15:04:05Z,
 * 2006-01-02 15:04:05 and similar forms of RFC 3339 and ISO 8601. The Mozilla family of interfaces sends milliseconds,
 * so numbers too large for seconds are read as milliseconds. A date without a zone is in UTC.
 * @returns milliseconds since 1970; NaN if the value is not a time, or is before 1970
 */
export function readTime(value: unknown): number {
  if (typeof value !== 'number' && typeof value !== 'string') return Number.NaN;
  const number = numberOf(value);
  if (Number.isNaN(number)) return typeof value === 'string' ? readDate(value) : number;
  if (number < 0 || number > MILLISECONDS_MAX) return Number.NaN;
  return Math.round(number > SECONDS_MAX ? number : number * 1000);
}

function readDate(text: string): number {
  if (text.length > DATE_LENGTH_MAX) return Number.NaN;
  const parts = DATE.exec(text.trim());
  if (parts === null) return Number.NaN;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '0', zone = 'Z'] = parts;
  // A leap second counts as the second after it.
  const wholeMinute = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`);
  // Date.parse would roll 31 February over to March.
  if (Number.isNaN(wholeMinute) || new Date(wholeMinute).getUTCDate() !== Number(day) || Number(second) > 60)
    return Number.NaN;
  const time =
    wholeMinute + Number(second) * 1000 + Math.floor(Number(`0.${fraction}`) * 1000) - zoneMilliseconds(zone);
  return time >= 0 ? time : Number.NaN;
}

function zoneMilliseconds(zone: string): number {
  if (zone === 'Z' || zone === 'z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return (zone[0] === '-' ? -minutes : minutes) * 60_000;
}
