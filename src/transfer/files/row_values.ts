// Reads values of a row: strictly when a value identifies or locates a station, leniently when it is additional.

import type { Refusal } from './refused_lines.ts';

const DAY_SECONDS = 86_400;
const DAY_MAX = 65_535;
/** Numbers above this are milliseconds: as seconds they would lie in the year 5138. */
const SECONDS_MAX = 1e11;
/** Degrees around 0, 0 without any land: such positions come from broken receivers and empty columns. */
const NULL_ISLAND_DEGREES = 1;

/** A whole number, digits with an optional minus sign; NaN for anything else. */
export function readInteger(text: string): number {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

/** A decimal number; NaN for anything else, the empty text too. */
export function readDecimal(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

/** Days since 1970-01-01 of a Unix time in seconds or milliseconds or an ISO 8601 date; 0 where there is none. */
export function readDay(text: string | undefined): number {
  if (text === undefined || text === '') return 0;
  const number = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text.slice(0, 10)) / 1000 : readDecimal(text);
  const seconds = number > SECONDS_MAX ? number / 1000 : number;
  const day = Math.floor(seconds / DAY_SECONDS);
  return day > 0 && day <= DAY_MAX ? day : 0;
}

/** Observations behind a row: a whole number from 1; 1 where there is none. */
export function readSamples(text: string | undefined): number {
  return Math.max(readInteger(text ?? '') || 1, 1);
}

/** Why a position is not usable; undefined when it is. Degrees. */
export function refusePosition(latitude: number, longitude: number): Refusal | undefined {
  if (!(latitude >= -90 && latitude <= 90))
    return { rule: 'position', why: 'the latitude is not a number from -90 to 90' };
  if (!(longitude >= -180 && longitude <= 180))
    return { rule: 'position', why: 'the longitude is not a number from -180 to 180' };
  if (Math.abs(latitude) < NULL_ISLAND_DEGREES && Math.abs(longitude) < NULL_ISLAND_DEGREES) {
    return {
      rule: 'null island',
      why: `the position ${latitude}, ${longitude} is within a degree of 0, 0, where no land is`,
    };
  }
  return undefined;
}
