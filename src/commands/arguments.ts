// Reads values on the command line and checks them against their range. Commander puts the name of the flag in front of
// the error message.

import { InvalidArgumentError } from 'commander';
import type { Box } from '../geo/box.ts';
import { readTime } from '../radio/read_value.ts';

/** A reader of whole numbers in a range. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return text => {
    const value = Number(text);
    if (!/^\d{1,16}$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    return value;
  };
}

/** A reader of decimal numbers in a range. */
export function decimal(least: number, most: number): (text: string) => number {
  return text => {
    const value = Number(text);
    if (!/^\d+(\.\d+)?$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`It must be a number from ${least} to ${most}.`);
    return value;
  };
}

/** Reads a day of the calendar, `YYYY-MM-DD`. */
export function day(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text)
    throw new InvalidArgumentError('It must be a day as YYYY-MM-DD.');
  return text;
}

/** The same for a day that is not over yet, UTC. */
export function dayToCome(text: string): string {
  if (day(text) < new Date().toISOString().slice(0, 10))
    throw new InvalidArgumentError('It must be today (UTC) or later.');
  return text;
}

const SECONDS_OF_UNIT = { m: 60, h: 3_600, d: 86_400 };
/** Entries of a list. */
const LIST_MAX = 50;
const SPAN_SECONDS_MAX = 366 * SECONDS_OF_UNIT.d;

/** Reads a span of time as minutes, hours or days: `90m`, `12h`, `7d`, or `0`. @returns seconds */
export function span(text: string): number {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const seconds = text === '0' ? 0 : Number(count) * SECONDS_OF_UNIT[unit as keyof typeof SECONDS_OF_UNIT];
  if (!(seconds <= SPAN_SECONDS_MAX))
    throw new InvalidArgumentError('It must be minutes, hours or days such as 90m, 12h or 7d, at most 366d, or 0.');
  return seconds;
}

/** Reads a name of 1 to 100 printable characters. */
export function name(text: string): string {
  if (!/^\P{Cc}{1,100}$/u.test(text)) throw new InvalidArgumentError('It must have 1 to 100 printable characters.');
  return text;
}

/** Reads a position as latitude and longitude in degrees: `47.14,9.52`. */
export function position(text: string): { latitude: number; longitude: number } {
  const [, latitude, longitude] = (/^(-?\d{1,3}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)$/.exec(text) ?? []).map(Number);
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180))
    throw new InvalidArgumentError('It must be latitude and longitude in degrees, such as 47.14,9.52.');
  return { latitude, longitude };
}

/**
 * Reads a moment as a date, a date with a time (UTC unless it names a zone), or Unix seconds. @returns milliseconds
 * since 1970
 */
export function moment(text: string): number {
  const time = readTime(text);
  if (Number.isNaN(time)) throw new InvalidArgumentError('It must be a date, a date with a time, or Unix seconds.');
  return time;
}

/**
 * A reader of a list, separated by commas: at most 50 entries, each once.
 * @param entry gives an entry the form in which it is kept; undefined if it is none
 * @param must what is read when it is not, as "It must be …"
 */
export function listOf(entry: (text: string) => string | undefined, must: string): (text: string) => string[] {
  return text => {
    const entries = text.split(',').map(each => entry(each.trim()));
    if (entries.length > LIST_MAX || entries.includes(undefined))
      throw new InvalidArgumentError(`It must be ${must}, with commas between.`);
    return [...new Set(entries as string[])];
  };
}

const SECONDS_OF: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** The same, or how long ago: `90s`, `15m`, `2h`, `1d`. @returns milliseconds since 1970 */
export function momentOrAge(text: string): number {
  const [, count, unit] = /^(\d{1,7})([smhd])$/.exec(text) ?? [];
  return count === undefined ? moment(text) : Math.max(0, Date.now() - Number(count) * SECONDS_OF[unit] * 1000);
}

/** Reads the code of a country (ISO 3166-1 alpha-2). */
export function countryCode(text: string): string {
  if (!/^[a-z]{2}$/i.test(text)) throw new InvalidArgumentError('It must be a code of two letters, such as AU.');
  return text.toUpperCase();
}

/** Reads a box in degrees, `west,south,east,north`. */
export function box(text: string): Box {
  const sides = text.split(',').map(side => (side.trim() === '' ? Number.NaN : Number(side)));
  const [west, south, east, north] = sides;
  const isBox = sides.length === 4 && west >= -180 && west < east && east <= 180 && south >= -90 && south < north;
  if (!isBox || !(north <= 90))
    throw new InvalidArgumentError('It must be west,south,east,north in degrees, such as 9.47,47.04,9.64,47.28.');
  return { west, south, east, north };
}
