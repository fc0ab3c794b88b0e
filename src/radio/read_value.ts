// Reads single values of a request leniently. Numbers may be numeric strings, flags may be booleans, and null counts as
// absent. A value of another type or out of range counts as not sent.

import { isIn, type Range } from './ranges.ts';

/** Longer texts are not read as numbers. */
const NUMBER_LENGTH_MAX = 32;
const NUMBER = /^\s*[+-]?\d+(?:\.\d*)?(?:e[+-]?\d+)?\s*$/i;

/** Reads a number; NaN if the value is not one. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && value.length <= NUMBER_LENGTH_MAX && NUMBER.test(value)) return Number(value);
  return Number.NaN;
}

/** Reads a whole number that identifies something: a fraction makes it invalid. */
export function wholeIn(value: unknown, allowed: Range, absent: number): number {
  if (value === undefined || value === null) return absent;
  const number = numberOf(value);
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
