// Reads and writes the answer of a query, which is in the query's own header: the status, the position found, and the
// space for text about the place.

import {
  LOCATE_FAILED,
  LOCATE_FOUND,
  LOCATE_NOT_FOUND,
  REQUEST_LENGTH,
  REQUEST_TEXT,
  RESULT_ACCURACY,
  RESULT_ADDRESS,
  RESULT_AT_68,
  RESULT_AT_95,
  RESULT_FALLBACK,
  RESULT_GEONAME,
  RESULT_INDOOR,
  RESULT_LATITUDE,
  RESULT_LONGITUDE,
  RESULT_SOURCES,
  RESULT_STATUS,
  RESULT_STRAYS,
  RESULT_USED,
  TEXT_BYTES,
} from './layout.ts';
import type { QueryMemory } from './memory.ts';

/** A position that answers a query. */
export interface FoundPosition {
  /** Degrees, WGS-84. */
  latitude: number;
  longitude: number;
  /** Radius that holds half of the truths. */
  accuracyMetres: number;
  /** Radius for 68 % of the truths, as a multiple of the 50 % radius. */
  at68: number;
  /** Radius for 95 % of the truths, as a multiple of the 50 % radius. */
  at95: number;
  /** SOURCE_* bits of the estimates behind the position. */
  sources: number;
  /** Number of stations behind the position. */
  used: number;
  /** FALLBACK_* bit; 0 for a direct match. */
  fallback: number;
}

/** What is known of the place; undefined if it was not asked for or nothing is known. */
type Described<T> = Record<'geoname' | 'address' | 'indoor', T | undefined>;
/** The same as JSON. */
export type PlaceTexts = Described<string>;

const NO_TEXTS: PlaceTexts = { geoname: undefined, address: undefined, indoor: undefined };
const encoder = new TextEncoder();

/** Length of the whole query in bytes. */
export function lengthOf({ u32 }: QueryMemory, offset: number): number {
  return u32[(offset + REQUEST_LENGTH) >> 2];
}

/** True if a position was found. */
export function isFound({ i32 }: QueryMemory, offset: number): boolean {
  return i32[(offset + RESULT_STATUS) >> 2] === LOCATE_FOUND;
}

/** True if an error ended the search for a position. */
export function isFailed({ i32 }: QueryMemory, offset: number): boolean {
  return i32[(offset + RESULT_STATUS) >> 2] === LOCATE_FAILED;
}

export function markFailed({ i32 }: QueryMemory, offset: number): void {
  i32[(offset + RESULT_STATUS) >> 2] = LOCATE_FAILED;
}

export function markNotFound({ i32 }: QueryMemory, offset: number): void {
  i32[(offset + RESULT_STATUS) >> 2] = LOCATE_NOT_FOUND;
}

/** Writes a position, and the status last. */
export function writeFound({ i32, u32, f32, f64 }: QueryMemory, offset: number, found: FoundPosition): void {
  f64[(offset + RESULT_LATITUDE) >> 3] = found.latitude;
  f64[(offset + RESULT_LONGITUDE) >> 3] = found.longitude;
  f64[(offset + RESULT_ACCURACY) >> 3] = found.accuracyMetres;
  f32[(offset + RESULT_AT_68) >> 2] = found.at68;
  f32[(offset + RESULT_AT_95) >> 2] = found.at95;
  u32[(offset + RESULT_SOURCES) >> 2] = found.sources;
  u32[(offset + RESULT_USED) >> 2] = found.used;
  u32[(offset + RESULT_FALLBACK) >> 2] = found.fallback;
  i32[(offset + RESULT_STATUS) >> 2] = LOCATE_FOUND;
}

/** The position of a query that `isFound`. */
export function readFound({ u32, f32, f64 }: QueryMemory, offset: number): FoundPosition {
  return {
    latitude: f64[(offset + RESULT_LATITUDE) >> 3],
    longitude: f64[(offset + RESULT_LONGITUDE) >> 3],
    accuracyMetres: f64[(offset + RESULT_ACCURACY) >> 3],
    at68: f32[(offset + RESULT_AT_68) >> 2],
    at95: f32[(offset + RESULT_AT_95) >> 2],
    sources: u32[(offset + RESULT_SOURCES) >> 2],
    used: u32[(offset + RESULT_USED) >> 2],
    fallback: u32[(offset + RESULT_FALLBACK) >> 2],
  };
}

/** Writes how many stations do not belong with the others, as far as that was not known before. */
export function writeStrays({ u32 }: QueryMemory, offset: number, strays: number): void {
  u32[(offset + RESULT_STRAYS) >> 2] = strays;
}

/** The strays of an answered query. */
export function readStrays({ u32 }: QueryMemory, offset: number): number {
  return u32[(offset + RESULT_STRAYS) >> 2];
}

/** True if the request asks for text about the place. */
export function wantsTexts({ u32 }: QueryMemory, offset: number): boolean {
  return u32[(offset + REQUEST_TEXT) >> 2] !== 0;
}

/**
 * Writes text about the place into the space for it. A text that does not fit is left out: no real name is that long.
 */
export function writeTexts(memory: QueryMemory, offset: number, { geoname, address, indoor }: Described<object>): void {
  const geonameBytes = writeText(memory, offset, 0, geoname);
  const addressBytes = writeText(memory, offset, geonameBytes, address);
  memory.u32[(offset + RESULT_GEONAME) >> 2] = geonameBytes;
  memory.u32[(offset + RESULT_ADDRESS) >> 2] = addressBytes;
  memory.u32[(offset + RESULT_INDOOR) >> 2] = writeText(memory, offset, geonameBytes + addressBytes, indoor);
}

/** Writes behind the first `before` bytes. @returns the number of bytes written */
function writeText(memory: QueryMemory, offset: number, before: number, value: object | undefined): number {
  if (value === undefined) return 0;
  const bytes = encoder.encode(JSON.stringify(value));
  if (before + bytes.length > TEXT_BYTES) return 0;
  memory.u8.set(bytes, offset + memory.u32[(offset + REQUEST_TEXT) >> 2] + before);
  return bytes.length;
}

/** The texts of an answered query. */
export function readTexts(memory: QueryMemory, offset: number): PlaceTexts {
  const { u32 } = memory;
  const begin = u32[(offset + REQUEST_TEXT) >> 2];
  if (begin === 0) return NO_TEXTS;
  const geonameEnd = offset + begin + u32[(offset + RESULT_GEONAME) >> 2];
  const addressEnd = geonameEnd + u32[(offset + RESULT_ADDRESS) >> 2];
  const indoorEnd = addressEnd + u32[(offset + RESULT_INDOOR) >> 2];
  return {
    geoname: textAt(memory, offset + begin, geonameEnd),
    address: textAt(memory, geonameEnd, addressEnd),
    indoor: textAt(memory, addressEnd, indoorEnd),
  };
}

function textAt({ buffer }: QueryMemory, start: number, end: number): string | undefined {
  return end === start ? undefined : Buffer.from(buffer, start, end - start).toString('utf8');
}
