// The bytes of a learned record:
//
//   header 20 bytes | base record 24, if any | neighbours: cell keys, 12 each
//     | candidates: header 20, contributors 4 each, points: 24 each, and 6 for each neighbour heard there
//
// A record is written whole. A reader finds damage by the length and by impossible values.
//
// The layout is hand-made, not a FlatBuffers table: nearly every field is always present, and most of a record is lists
// of numbers, where a table has nothing to leave out. A table's offsets would cost 64 bytes a record or more: 140 bytes
// instead of 76 for a station with one point. The library would take at least twice as long to write an access point:
// 1.9 microseconds instead of 0.9 with one point, 3.0 instead of 0.9 with 32 points (one core of a shared Xeon, Node
// 24). Learning rewrites the record of every station that a batch of reports has seen.

import { CODE_ABSENT } from '../../radio/query/layout.ts';
import { KEY_BYTES_CELL } from '../../radio/station_key.ts';
import { ACCOUNT_ID_MAX } from '../accounts/account_record.ts';
import { STATION_BYTES, STATION_FORMAT, STATION_STATE } from './record_layout.ts';
import { problemWithStation } from './station.ts';

export const LEARNED_FORMAT = 2;
/** Offsets that the reader of radio maps shares (radio_map.ts). */
export const HEADER_BYTES = 20;
export const HEADER_MAIN = 2;
export const HEADER_FLAGS = 12;
export const HEADER_CANDIDATES = 13;
export const HEADER_NEIGHBOURS = 14;
export const CANDIDATE_BYTES = 20;
export const POINT_BYTES = 24;
export const POINT_LEVEL = 12;
export const POINT_COUNT = 16;
export const POINT_SLOT = 20;
export const POINT_HEARD = 22;
export const HEARD_BYTES = 6;
export const HAS_BASE = 1;
export const BASE_DISOWNED = 2;
const MAIN_NONE = 255;
/** Claim that is settled. */
const CLAIM_SETTLED = 1;
const LATITUDE_E7_MAX = 900_000_000;

/** Encodes a record. */
export function encodeLearned(learned: Learned): Buffer {
  let bytes =
    HEADER_BYTES + (learned.base === undefined ? 0 : STATION_BYTES) + learned.neighbours.length * KEY_BYTES_CELL;
  for (const candidate of learned.candidates) bytes += bytesOfCandidate(candidate);
  const out = Buffer.allocUnsafe(bytes);
  out[0] = LEARNED_FORMAT;
  out[1] = learned.state;
  out[HEADER_MAIN] = learned.main < 0 ? MAIN_NONE : learned.main;
  out[3] = learned.blocks;
  out.writeUInt32LE(learned.settlingSince, 4);
  out.writeUInt16LE(learned.settlingReports, 8);
  out.writeUInt16LE(learned.code, 10);
  out[HEADER_FLAGS] = (learned.base === undefined ? 0 : HAS_BASE) | (learned.isBaseDisowned ? BASE_DISOWNED : 0);
  out[HEADER_CANDIDATES] = learned.candidates.length;
  out.writeUInt16LE(learned.neighbours.length, HEADER_NEIGHBOURS);
  out.fill(0, 16, HEADER_BYTES);
  let at = HEADER_BYTES;
  if (learned.base !== undefined) {
    out.set(learned.base, at);
    at += STATION_BYTES;
  }
  at += out.write(learned.neighbours.join(''), at, 'latin1');
  const view = new DataView(out.buffer, out.byteOffset, out.byteLength);
  for (const candidate of learned.candidates) at = writeCandidate(view, at, candidate);
  return out;
}

function bytesOfCandidate({ contributors, points }: Candidate): number {
  let bytes = CANDIDATE_BYTES + contributors.length * 4 + points.length * POINT_BYTES;
  for (const { heard } of points) bytes += heard.length * HEARD_BYTES;
  return bytes;
}

function writeCandidate(view: DataView, start: number, candidate: Candidate): number {
  let at = start;
  view.setUint16(at, candidate.points.length, true);
  view.setUint16(at + 2, candidate.contributors.length, true);
  view.setUint32(at + 4, candidate.reports, true);
  view.setUint32(at + 8, candidate.firstSeconds, true);
  view.setUint32(at + 12, candidate.lastSeconds, true);
  view.setUint32(
    at + 16,
    candidate.claimant === 0 ? CLAIM_SETTLED : candidate.claimant * CLAIM_DAYS + candidate.claimDay,
    true,
  );
  at += CANDIDATE_BYTES;
  for (const contributor of candidate.contributors) {
    view.setUint32(at, contributor, true);
    at += 4;
  }
  for (const point of candidate.points) {
    view.setInt32(at, point.latitudeE7, true);
    view.setInt32(at + 4, point.longitudeE7, true);
    view.setFloat32(at + 8, point.weight, true);
    view.setFloat32(at + POINT_LEVEL, point.levelDbm, true);
    view.setUint16(at + POINT_COUNT, point.count, true);
    view.setUint16(at + 18, point.lastDay, true);
    view.setUint16(at + POINT_SLOT, point.slot, true);
    view.setUint16(at + POINT_HEARD, point.heard.length, true);
    at += POINT_BYTES;
    for (const { neighbour, count, levelE2 } of point.heard) {
      view.setUint16(at, neighbour, true);
      view.setUint16(at + 2, count, true);
      view.setInt16(at + 4, levelE2, true);
      at += HEARD_BYTES;
    }
  }
  return at;
}

/**
 * Decodes a record.
 * @throws Error when it is damaged or of another format
 */
export function decodeLearned(bytes: Uint8Array): Learned {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES || bytes[0] !== LEARNED_FORMAT)
    throw new Error(
      `A learned record of ${bytes.length} bytes has format ${bytes[0] ?? 'none'}; this version reads format ` +
        `${LEARNED_FORMAT}.`,
    );
  try {
    return readRecord(bytes, view);
  } catch (error) {
    if (error instanceof RangeError)
      throw new Error(`A learned record of ${bytes.length} bytes is damaged (${error.message}).`);
    throw error;
  }
}

/** @throws RangeError when no writer could have written these bytes */
function readRecord(bytes: Uint8Array, view: DataView): Learned {
  const hasBase = (bytes[HEADER_FLAGS] & HAS_BASE) !== 0;
  let at = HEADER_BYTES;
  // A copy: the buffer may be LMDB's.
  const base = hasBase ? Uint8Array.from(bytes.subarray(at, at + STATION_BYTES)) : undefined;
  if (hasBase) at += STATION_BYTES;
  const neighbourCount = view.getUint16(HEADER_NEIGHBOURS, true);
  check(at + neighbourCount * KEY_BYTES_CELL <= bytes.length, 'neighbours');
  const neighbours: string[] = [];
  if (neighbourCount > 0) {
    const end = at + neighbourCount * KEY_BYTES_CELL;
    const names = Buffer.from(bytes.buffer, bytes.byteOffset + at, end - at).toString('latin1');
    for (let n = 0; n < names.length; n += KEY_BYTES_CELL) neighbours.push(names.slice(n, n + KEY_BYTES_CELL));
    at = end;
  }
  const candidates: Candidate[] = [];
  for (let c = 0; c < bytes[HEADER_CANDIDATES]; c++) {
    const candidate = readCandidate(view, at, neighbourCount);
    at += bytesOfCandidate(candidate);
    candidates.push(candidate);
  }
  check(at === bytes.length, 'length');
  if (base !== undefined) verifyBase(base);
  check(bytes[HEADER_FLAGS] <= (HAS_BASE | BASE_DISOWNED), 'flags');
  const state = bytes[1];
  const main = bytes[HEADER_MAIN] === MAIN_NONE ? -1 : bytes[HEADER_MAIN];
  check(state >= LEARNED_NEW && state <= LEARNED_BLOCKED, 'state');
  check(main < candidates.length && (main >= 0 || (base !== undefined && state === LEARNED_KNOWN)), 'main candidate');
  return {
    state,
    main,
    blocks: bytes[3],
    settlingSince: view.getUint32(4, true),
    settlingReports: view.getUint16(8, true),
    code: view.getUint16(10, true),
    base,
    isBaseDisowned: (bytes[HEADER_FLAGS] & BASE_DISOWNED) !== 0,
    neighbours,
    candidates,
  };
}

/** The imported record inside is a station's, and not one that was learned. */
function verifyBase(base: Uint8Array): void {
  const problem = problemWithStation(new DataView(base.buffer, base.byteOffset, STATION_BYTES), 0);
  check(
    base[STATION_STATE] >> 4 === STATION_FORMAT && problem === undefined,
    `imported record: ${problem ?? 'format'}`,
  );
}

function check(isGood: boolean, what: string): void {
  if (!isGood) throw new RangeError(what);
}

function readCandidate(view: DataView, start: number, neighbourCount: number): Candidate {
  const pointCount = view.getUint16(start, true);
  const contributorCount = view.getUint16(start + 2, true);
  let at = start + CANDIDATE_BYTES;
  const contributors: number[] = [];
  for (let c = 0; c < contributorCount; c++, at += 4) contributors.push(view.getUint32(at, true));
  check(pointCount > 0 && contributorCount <= SLOTS, 'counts of a candidate');
  check(
    contributors.every(contributor => contributor <= ACCOUNT_ID_MAX),
    'contributor of a candidate',
  );
  const points: ReferencePoint[] = [];
  for (let p = 0; p < pointCount; p++) {
    const point = readPoint(view, at, contributorCount, neighbourCount);
    points.push(point);
    at += POINT_BYTES + point.heard.length * HEARD_BYTES;
  }
  return {
    points,
    contributors,
    reports: view.getUint32(start + 4, true),
    firstSeconds: view.getUint32(start + 8, true),
    lastSeconds: view.getUint32(start + 12, true),
    ...readClaim(view.getUint32(start + 16, true)),
  };
}

function readClaim(claim: number): Pick<Candidate, 'claimant' | 'claimDay'> {
  check(claim === CLAIM_SETTLED || claim >= CLAIM_DAYS, 'claim on a candidate');
  if (claim === CLAIM_SETTLED) return { claimant: 0, claimDay: 0 };
  return { claimant: Math.floor(claim / CLAIM_DAYS), claimDay: claim % CLAIM_DAYS };
}

function readPoint(view: DataView, at: number, contributors: number, neighbourCount: number): ReferencePoint {
  const point: ReferencePoint = {
    latitudeE7: view.getInt32(at, true),
    longitudeE7: view.getInt32(at + 4, true),
    weight: view.getFloat32(at + 8, true),
    levelDbm: view.getFloat32(at + POINT_LEVEL, true),
    count: view.getUint16(at + POINT_COUNT, true),
    lastDay: view.getUint16(at + 18, true),
    slot: view.getUint16(at + POINT_SLOT, true),
    heard: readHeard(view, at, neighbourCount),
  };
  const { latitudeE7, longitudeE7, weight, levelDbm, count, slot } = point;
  check(count > 0, 'observations of a reference point');
  check(
    Math.abs(latitudeE7) <= LATITUDE_E7_MAX && Math.abs(longitudeE7) <= 2 * LATITUDE_E7_MAX,
    'position of a reference point',
  );
  check(weight > 0 && Number.isFinite(weight) && Number.isFinite(levelDbm), 'weight or level of a reference point');
  check(slot <= contributors || slot === SLOT_OTHERS, 'slot of a reference point');
  return point;
}

function readHeard(view: DataView, point: number, neighbourCount: number): Heard[] {
  const heard: Heard[] = [];
  let at = point + POINT_BYTES;
  for (let n = view.getUint16(point + POINT_HEARD, true); n > 0; n--, at += HEARD_BYTES) {
    const neighbour = view.getUint16(at, true);
    check(neighbour < neighbourCount, 'neighbour of a reference point');
    check(view.getUint16(at + 2, true) > 0, 'observations of a neighbour');
    heard.push({ neighbour, count: view.getUint16(at + 2, true), levelE2: view.getInt16(at + 4, true) });
  }
  return heard;
}

// What is learned about one station from observations: its life-cycle and its candidates. The station record is derived
// from it. A candidate is a possible location of the station: a set of reference points, each with a position and a
// mean level. A station has one candidate, and others only while reports contradict each other. The reference points of
// the main candidate are the station's radio map.
//
// All numbers have the precision in which they are stored (learned_record.ts). So a record read back from disk
// continues exactly like one that stayed in memory, and replaying a log gives the same tables wherever it was
// interrupted.
//
// A cell's reference points also keep which other cells were heard there, and how strongly, because what a device hears
// tells the points of one cell apart. A record names the other cells once; its points refer to them by index.

/** Another cell heard at a reference point. */
export interface Heard {
  /** Index among the neighbours of the record. */
  neighbour: number;
  /** Observations of the point in which it was heard, 1..65,535 (saturating). */
  count: number;
  /** Its mean level there, hundredths of dBm. */
  levelE2: number;
}

/** A reference point: observations at one position, all by one contributor or all by trusted ones. */
export interface ReferencePoint {
  /** Mean position, degrees times 1e7. */
  latitudeE7: number;
  longitudeE7: number;
  /** Sum of the observations' weights, single precision. */
  weight: number;
  /** Level of the mean amplitude, of cells the mean level, in dBm, single precision. */
  levelDbm: number;
  /** Observations, 1..65,535 (saturating). */
  count: number;
  /** Day of the last one, since 1970-01-01. */
  lastDay: number;
  /** 0 = trusted, 1.. = contributor `slot - 1` of the candidate, `SLOT_OTHERS` = a contributor without a slot. */
  slot: number;
  /** Cells: the other cells heard here. */
  heard: Heard[];
}

/** Slot of trusted contributors. */
export const SLOT_TRUSTED = 0;
/** Number of contributors that a candidate tells apart. */
export const SLOTS = 6;
/** Slot that all further contributors share. */
export const SLOT_OTHERS = SLOTS + 1;

/** Days of arrival that a claim tells apart: eleven years. */
export const CLAIM_DAYS = 4_096;

/** A candidate location of a station: sightings that agree on where the station is. */
export interface Candidate {
  points: ReferencePoint[];
  /** Accounts that are not trusted, in order of appearance, at most `SLOTS`. */
  contributors: number[];
  /** Reports behind it, saturating at 65,535. */
  reports: number;
  /** Seconds since 1970 of the earliest and the latest report. */
  firstSeconds: number;
  lastSeconds: number;
  /** Account that has seen it first and waits for a confirmation, by which it earns credits; 0 = nobody waits. */
  claimant: number;
  /** Day on which that report arrived, since 1970-01-01, modulo `CLAIM_DAYS`; 0 where nobody waits. */
  claimDay: number;
}

/** Life-cycle of a station; `src/learning/life_cycle.ts` has the transitions. */
export const LEARNED_NEW = 1;
export const LEARNED_KNOWN = 2;
export const LEARNED_BLOCKED = 3;

/** What is known of one station. */
export interface Learned {
  /** `LEARNED_*`. */
  state: number;
  /**
   * Index of the main candidate, where the station is taken to be (blocked: where it was seen last); -1 while only the
   * base tells.
   */
  main: number;
  /** How often it was blocked, saturating at 255. */
  blocks: number;
  /**
   * Blocked stations: since when they have been seen at one candidate only, seconds since 1970, and in how many
   * reports.
   */
  settlingSince: number;
  settlingReports: number;
  /** Scrambling code or physical cell id last heard, CODE_ABSENT = none. */
  code: number;
  /** Station record of 24 bytes that was imported, not learned. */
  base: Uint8Array | undefined;
  /** The base contradicts what was learned since and no longer counts. */
  isBaseDisowned: boolean;
  /** Cells: keys of the others that were heard with it, each a string of 12 bytes (latin1). */
  neighbours: string[];
  candidates: Candidate[];
}

/** A station of which nothing is known except, perhaps, an imported record. */
export function newLearned(base: Uint8Array | undefined): Learned {
  return {
    state: base === undefined ? LEARNED_NEW : LEARNED_KNOWN,
    main: -1,
    blocks: 0,
    settlingSince: 0,
    settlingReports: 0,
    code: CODE_ABSENT,
    base,
    isBaseDisowned: false,
    neighbours: [],
    candidates: [],
  };
}
