// One value of a request, read leniently: numbers also as numeric strings, flags also as booleans, null the same as absent, and whatever is of
// another type or out of its range as if it had not been sent.

import { isIn, type Range } from './ranges.ts';

/** Longest text taken for a number. */
const NUMBER_LENGTH_MAX = 32;
const NUMBER = /^\s*[+-]?\d+(?:\.\d*)?(?:e[+-]?\d+)?\s*$/i;

/** The number a value stands for; NaN when it stands for none. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && value.length <= NUMBER_LENGTH_MAX && NUMBER.test(value)) return Number(value);
  return Number.NaN;
}

/** A whole number that identifies something: a fraction makes it invalid. */
export function wholeIn(value: unknown, allowed: Range, absent: number): number {
  if (value === undefined || value === null) return absent;
  const number = numberOf(value);
  return isIn(number, allowed) && Number.isInteger(number) ? number : absent;
}

/** A measured number that the specification wants whole: clients send fractions too, which are rounded. */
export function roundedIn(value: unknown, allowed: Range, absent: number): number {
  if (value === undefined || value === null) return absent;
  const number = Math.round(numberOf(value));
  return isIn(number, allowed) ? number : absent;
}

/** A decimal number. */
export function decimalIn(value: unknown, allowed: Range, absent: number): number {
  if (value === undefined || value === null) return absent;
  const number = numberOf(value);
  return isIn(number, allowed) ? number : absent;
}

/** A 0/1 flag; undefined when not sent, so that the key's default decides. */
export function flagOf(value: unknown): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (value === true || value === 1 || value === '1' || value === 'true') return true;
  if (value === false || value === 0 || value === '0' || value === 'false') return false;
  return undefined;
}
