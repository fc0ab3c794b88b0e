// Reads and writes the answer of a query, which is in the query's own header: the status, the position found, and the
// space for text about the place; and what it carries of a device that is tracked.

import {
  LOCATE_FAILED,
  LOCATE_FOUND,
  LOCATE_NOT_FOUND,
  LOCATE_REFUSED,
  REQUEST_LENGTH,
  REQUEST_TEXT,
  REQUEST_TRACK,
  RESULT_ACCURACY,
  RESULT_ADDRESS,
  RESULT_AT_68,
  RESULT_AT_95,
  RESULT_FALLBACK,
  RESULT_GEONAME,
  RESULT_GUESSES,
  RESULT_INDOOR,
  RESULT_LATITUDE,
  RESULT_LONGITUDE,
  RESULT_SOURCES,
  RESULT_STATUS,
  RESULT_USED,
  TEXT_BYTES,
  TRACK_ACTIVITY,
  TRACK_HEADING,
  TRACK_LENGTH,
  TRACK_NEXT,
  TRACK_NEXT_LENGTH,
  TRACK_PRESSURE,
  TRACK_STATE,
  TRACK_STATE_BYTES_MAX,
  TRACK_STEPS,
  TRACK_TIME,
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

/** What is known of the place, as JSON; undefined if it was not asked for or nothing is known. */
export type PlaceTexts = Record<'geoname' | 'address' | 'indoor', string | undefined>;

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

/** True if the account may guess no more, so that nothing was located. */
export function isRefused({ i32 }: QueryMemory, offset: number): boolean {
  return i32[(offset + RESULT_STATUS) >> 2] === LOCATE_REFUSED;
}

export function markRefused({ i32 }: QueryMemory, offset: number): void {
  i32[(offset + RESULT_STATUS) >> 2] = LOCATE_REFUSED;
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

/** Writes how many guesses a query holds: see `Located`. */
export function writeGuesses({ u32 }: QueryMemory, offset: number, guesses: number): void {
  u32[(offset + RESULT_GUESSES) >> 2] = guesses;
}

/** The guesses of an answered query. */
export function readGuesses({ u32 }: QueryMemory, offset: number): number {
  return u32[(offset + RESULT_GUESSES) >> 2];
}

/** True if the request asks for text about the place. */
export function wantsTexts({ u32 }: QueryMemory, offset: number): boolean {
  return u32[(offset + REQUEST_TEXT) >> 2] !== 0;
}

/**
 * Writes text about the place into the space for it. A text that does not fit is left out: no real name is that long.
 */
export function writeTexts(memory: QueryMemory, offset: number, { geoname, address, indoor }: PlaceTexts): void {
  const geonameBytes = writeText(memory, offset, 0, geoname);
  const addressBytes = writeText(memory, offset, geonameBytes, address);
  memory.u32[(offset + RESULT_GEONAME) >> 2] = geonameBytes;
  memory.u32[(offset + RESULT_ADDRESS) >> 2] = addressBytes;
  memory.u32[(offset + RESULT_INDOOR) >> 2] = writeText(memory, offset, geonameBytes + addressBytes, indoor);
}

/** Writes behind the first `before` bytes. @returns the number of bytes written */
function writeText(memory: QueryMemory, offset: number, before: number, text: string | undefined): number {
  if (text === undefined) return 0;
  const bytes = encoder.encode(text);
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

/** What moved since the last request, as sensors tell. NaN where nothing was sent. */
export interface Motion {
  /** Air pressure. */
  pressureHpa: number;
  /** Steps along a straight line. */
  steps: number;
  /** Direction of the steps, degrees from north, 0..360. */
  headingDegrees: number;
  /** Index in the list of activities (src/protocol/requests/sensors.ts); -1 where none was sent. */
  activity: number;
}

/**
 * The part of a query for tracking: when the device asks, what its sensors say, and what its state holds of where it
 * was. The answer leaves what the next state will hold. What these bytes mean is known where they are made (src/pool/).
 */
export interface QueryTrack {
  /** Time of the request, milliseconds since 1970. */
  timeMs: number;
  motion: Motion;
  /** What the device's state holds, at most TRACK_STATE_BYTES_MAX; undefined without one. */
  state: Uint8Array | undefined;
}

/** Writes the part at byte `at` of the memory, a multiple of 8. */
export function writeTrack(
  { u8, u32, i32, f32, f64 }: QueryMemory,
  at: number,
  { timeMs, motion, state }: QueryTrack,
): void {
  f64[(at + TRACK_TIME) >> 3] = timeMs;
  f32[(at + TRACK_PRESSURE) >> 2] = motion.pressureHpa;
  f32[(at + TRACK_STEPS) >> 2] = motion.steps;
  f32[(at + TRACK_HEADING) >> 2] = motion.headingDegrees;
  i32[(at + TRACK_ACTIVITY) >> 2] = motion.activity;
  const length = state === undefined || state.length > TRACK_STATE_BYTES_MAX ? 0 : state.length;
  u32[(at + TRACK_LENGTH) >> 2] = length;
  u32[(at + TRACK_NEXT_LENGTH) >> 2] = 0;
  if (length > 0) u8.set(state!, at + TRACK_STATE);
}

/** The part for tracking of the query at `offset`; undefined if its device is not tracked. The state is a copy. */
export function readTrack(memory: QueryMemory, offset: number): QueryTrack | undefined {
  const at = placeOf(memory, offset);
  if (at === 0) return undefined;
  const { u8, u32, i32, f32, f64 } = memory;
  const length = u32[(at + TRACK_LENGTH) >> 2];
  return {
    timeMs: f64[(at + TRACK_TIME) >> 3],
    motion: {
      pressureHpa: f32[(at + TRACK_PRESSURE) >> 2],
      steps: f32[(at + TRACK_STEPS) >> 2],
      headingDegrees: f32[(at + TRACK_HEADING) >> 2],
      activity: i32[(at + TRACK_ACTIVITY) >> 2],
    },
    state: length === 0 ? undefined : u8.slice(at + TRACK_STATE, at + TRACK_STATE + length),
  };
}

/** Writes what the next state will hold into a query whose device is tracked. @throws Error when it is too long */
export function writeNextTrack(memory: QueryMemory, offset: number, state: Uint8Array): void {
  if (state.length > TRACK_STATE_BYTES_MAX)
    throw new Error(`A track has ${state.length} bytes, of at most ${TRACK_STATE_BYTES_MAX}.`);
  const at = placeOf(memory, offset);
  memory.u32[(at + TRACK_NEXT_LENGTH) >> 2] = state.length;
  memory.u8.set(state, at + TRACK_NEXT);
}

/** What the next state will hold, as a copy; undefined where nothing was written. */
export function readNextTrack(memory: QueryMemory, offset: number): Uint8Array | undefined {
  const at = placeOf(memory, offset);
  const length = at === 0 ? 0 : memory.u32[(at + TRACK_NEXT_LENGTH) >> 2];
  return length === 0 ? undefined : memory.u8.slice(at + TRACK_NEXT, at + TRACK_NEXT + length);
}

/** Byte of the memory where the part begins; 0 where there is none. */
function placeOf({ u32 }: QueryMemory, offset: number): number {
  const from = u32[(offset + REQUEST_TRACK) >> 2];
  return from === 0 ? 0 : offset + from;
}
