// A report: the position of a device at one moment and what it heard there. Every contribution, from a single request
// to a file of a million lines, becomes reports once the rules of intake have passed.
//
// In the observation log a report is a FlatBuffers table, so absent fields take no room and a later version can append
// fields. The schema is report.fbs. The log stores the table without its zero bytes (report.ts).

import { hash } from 'node:crypto';
import { Builder } from 'flatbuffers';
import { FLOOR_INDEX_MAX, FLOOR_INDEX_MIN } from '../../geo/floor.ts';
import { OBSERVATION_BYTES } from '../../radio/query/layout.ts';
import { CheckedTable } from '../environment/checked_table.ts';

/** One report. Numbers that were not sent are NaN. */
export interface Report {
  /** When the observations were made, milliseconds since 1970. */
  timeMs: number;
  /** The client named that time; otherwise it is the time of arrival. */
  isTimed: boolean;
  /** Degrees, WGS-84. */
  latitude: number;
  longitude: number;
  /** Radius of the position, metres. */
  accuracyMetres: number;
  /** How much older than `timeMs` the position is, milliseconds. */
  positionAgeMs: number;
  /** Metres above sea. */
  altitude: number;
  /** Index of the floor in its building, FLOOR_INDEX_MIN..FLOOR_INDEX_MAX; 0 = ground level. */
  floor: number;
  /** Degrees from north, 0..360. */
  heading: number;
  /** m/s. */
  speed: number;
  /** Account that sent it; 0 = a file that the operator imported. */
  contributor: number;
  /** Needs no second contributor to agree: the key is trusted, or the operator asks for no agreement. */
  isTrusted: boolean;
  /**
   * Pseudonym of the device, or of the batch where devices have no name: 1..2^53-1; 0 = unknown. Reports of one device
   * can contradict one another.
   */
  track: number;
  /**
   * What was heard: OBSERVATION_BYTES each (src/radio/query/layout.ts), access points, then beacons, then cells; no
   * station twice.
   */
  observations: Uint8Array;
}

/** A report among others in one buffer. */
export interface PackedReport {
  /** From `reportIdentity`. */
  identity: Uint8Array;
  /** The client named the time of the report. */
  isTimed: boolean;
  /** The report names its floor. */
  hasFloor: boolean;
  /** Account that sent it; 0 = a file that the operator imported. */
  contributor: number;
  /** From `encodeReport` and `packZeros`. */
  record: Uint8Array;
}

/** Slot numbers of the table, as in report.fbs. Never reuse one. */
const TIME_MS = 0;
const IS_TIMED = 1;
const LATITUDE = 2;
const LONGITUDE = 3;
const ACCURACY = 4;
const POSITION_AGE = 5;
const ALTITUDE = 6;
const HEADING = 7;
const SPEED = 8;
const CONTRIBUTOR = 9;
const IS_TRUSTED = 10;
const TRACK = 11;
const OBSERVATIONS = 12;
const FLOOR = 13;
const SLOTS = 14;

/** Numbers that a report may lack: slot and member. */
const OPTIONAL = [
  [ACCURACY, 'accuracyMetres'],
  [POSITION_AGE, 'positionAgeMs'],
  [ALTITUDE, 'altitude'],
  [HEADING, 'heading'],
  [SPEED, 'speed'],
] as const;

/** The record, as error messages name it. */
const RECORD = 'The record of a report';
/** Above the bytes of a record without its observations. */
const FIXED_BYTES_AT_MOST = 256;
/** Alignment of the structs: their largest members are 32-bit words. */
const OBSERVATION_ALIGNMENT = 4;

/**
 * Encodes a report as a FlatBuffers table.
 * @throws Error when the observations are no whole number of structs
 */
export function encodeReport(report: Report): Uint8Array {
  const { observations } = report;
  if (observations.length % OBSERVATION_BYTES !== 0)
    throw new Error(`${observations.length} bytes are no whole number of observations.`);
  const builder = new Builder(FIXED_BYTES_AT_MOST + observations.length);
  builder.startVector(OBSERVATION_BYTES, observations.length / OBSERVATION_BYTES, OBSERVATION_ALIGNMENT);
  builder.pad(observations.length);
  const vector = builder.endVector();
  builder.startObject(SLOTS);
  builder.addFieldFloat64(TIME_MS, report.timeMs, null);
  builder.addFieldFloat64(LATITUDE, report.latitude, null);
  builder.addFieldFloat64(LONGITUDE, report.longitude, null);
  for (const [slot, member] of OPTIONAL)
    if (!Number.isNaN(report[member])) builder.addFieldFloat64(slot, report[member], null);
  builder.addFieldFloat64(TRACK, report.track, 0);
  if (!Number.isNaN(report.floor)) builder.addFieldInt32(FLOOR, report.floor, null);
  builder.addFieldInt32(CONTRIBUTOR, report.contributor, 0);
  builder.addFieldOffset(OBSERVATIONS, vector, 0);
  builder.addFieldInt8(IS_TIMED, report.isTimed ? 1 : 0, 0);
  builder.addFieldInt8(IS_TRUSTED, report.isTrusted ? 1 : 0, 0);
  builder.finish(builder.endObject());
  const record = builder.asUint8Array();
  record.set(observations, record.length - vector + 4);
  return record;
}

/**
 * Decodes a record. The observations are a view of it, not a copy.
 * @throws Error when the bytes are no report
 */
export function decodeReport(bytes: Uint8Array): Report {
  const table = new CheckedTable(bytes, RECORD);
  const report: Report = {
    timeMs: table.float(TIME_MS),
    isTimed: table.flag(IS_TIMED),
    latitude: table.float(LATITUDE),
    longitude: table.float(LONGITUDE),
    accuracyMetres: table.float(ACCURACY),
    positionAgeMs: table.float(POSITION_AGE),
    altitude: table.float(ALTITUDE),
    floor: table.has(FLOOR) ? table.signed(FLOOR) : Number.NaN,
    heading: table.float(HEADING),
    speed: table.float(SPEED),
    contributor: table.unsigned(CONTRIBUTOR),
    isTrusted: table.flag(IS_TRUSTED),
    track: table.has(TRACK) ? table.float(TRACK) : 0,
    observations: table.structs(OBSERVATIONS, OBSERVATION_BYTES),
  };
  if (!table.has(OBSERVATIONS)) throw table.damaged('it has no observations');
  if (!Number.isFinite(report.timeMs)) throw table.damaged('it has no time');
  if (!(Math.abs(report.latitude) <= 90 && Math.abs(report.longitude) <= 180))
    throw table.damaged('it has no position on the globe');
  if (report.floor < FLOOR_INDEX_MIN || report.floor > FLOOR_INDEX_MAX)
    throw table.damaged(`it has the floor ${report.floor}`);
  if (!(Number.isSafeInteger(report.track) && report.track >= 0)) throw table.damaged('its track is no whole number');
  return report;
}

/** Bytes of a report's identity. */
export const IDENTITY_BYTES = 16;
/** Numbers that take part in a report's identity, in this order for ever. */
const IDENTIFYING = [
  'contributor',
  'track',
  'latitude',
  'longitude',
  'accuracyMetres',
  'positionAgeMs',
  'altitude',
  'heading',
  'speed',
] as const;
const IDENTIFYING_BYTES = 8 * (IDENTIFYING.length + 1);
const FLOOR_BYTES = 8;

/**
 * The identity of a report: 16 bytes of SHA-256 over the account, the device if it has a name, the position, the
 * observations, and the time if the client named one, and the floor if it has one. So a report that is sent again has
 * the same identity, whenever it arrives.
 */
export function reportIdentity(report: Report): Uint8Array {
  const hasFloor = !Number.isNaN(report.floor);
  const bytes = new Uint8Array(IDENTIFYING_BYTES + report.observations.length + (hasFloor ? FLOOR_BYTES : 0));
  const view = new DataView(bytes.buffer);
  writeIdentifying(view, 0, report.isTimed ? report.timeMs : Number.NaN);
  for (const [i, member] of IDENTIFYING.entries()) writeIdentifying(view, i + 1, report[member]);
  if (isBatchTrack(report.track)) writeIdentifying(view, IDENTIFYING.indexOf('track') + 1, 0);
  bytes.set(report.observations, IDENTIFYING_BYTES);
  // At the end, so that reports without a floor keep the identity that they had before floors were known.
  if (hasFloor) view.setFloat64(bytes.length - FLOOR_BYTES, report.floor + 0, true);
  return hash('sha256', bytes, 'buffer').subarray(0, IDENTITY_BYTES);
}

/** Writes one form of NaN and of zero, of which there are several. */
function writeIdentifying(view: DataView, index: number, value: number): void {
  if (Number.isNaN(value)) view.setBigUint64(index * 8, ABSENT_BITS, true);
  else view.setFloat64(index * 8, value + 0, true);
}
const ABSENT_BITS = 0x7ff8_0000_0000_0000n;

/** The first pseudonym of batches. */
const FIRST_BATCH_TRACK = 2 ** 52;

/**
 * A stable pseudonym of a device, for `Report.track`.
 * @param device id of the device, as the account sends it
 * @returns 1..2^52-1; the same device id of another account has another one
 */
export function trackOf(contributor: number, device: string): number {
  const digest = hash('sha256', `${contributor} ${device}`, 'buffer');
  return Math.max(1, (digest.readUInt32LE(0) & 0xf_ffff) * 4_294_967_296 + digest.readUInt32LE(4));
}

/**
 * A stable pseudonym of a batch or file whose device has no name, for `Report.track`. It is no part of a report's
 * identity, so a report has the same identity in every batch.
 * @param mark what tells the batch from others
 * @returns 2^52..2^53-1
 */
export function trackOfBatch(contributor: number, mark: string): number {
  return FIRST_BATCH_TRACK + trackOf(contributor, mark);
}

/** True for the pseudonym of a batch or file, whose device has no name. */
export function isBatchTrack(track: number): boolean {
  return track >= FIRST_BATCH_TRACK;
}

// A packed report: a header of 24 bytes, the record, and zeros up to whole 8 bytes.
const PACKED_LENGTH = 0; // u32, bytes of the record
const PACKED_FLAGS = 4; // u32, with the contributor in its upper 20 bits
const PACKED_IDENTITY = 8; // u8[16]
const PACKED_HEADER_BYTES = 24;
const FLAG_TIMED = 1;
const FLAG_FLOOR = 2;
const CONTRIBUTOR_SHIFT = 12;

/**
 * Encodes reports, with their identities, into one buffer that is theirs alone and can be transferred to another
 * thread.
 */
export function packReports(reports: readonly Report[]): Uint8Array<ArrayBuffer> {
  const records = reports.map(report => packZeros(encodeReport(report)));
  const packed = new Uint8Array(records.reduce((bytes, record) => bytes + packedBytes(record.length), 0));
  const view = new DataView(packed.buffer);
  let at = 0;
  for (const [i, record] of records.entries()) {
    view.setUint32(at + PACKED_LENGTH, record.length, true);
    const { isTimed, floor, contributor } = reports[i];
    const flags =
      (isTimed ? FLAG_TIMED : 0) | (Number.isNaN(floor) ? 0 : FLAG_FLOOR) | (contributor << CONTRIBUTOR_SHIFT);
    view.setUint32(at + PACKED_FLAGS, flags, true);
    packed.set(reportIdentity(reports[i]), at + PACKED_IDENTITY);
    packed.set(record, at + PACKED_HEADER_BYTES);
    at += packedBytes(record.length);
  }
  return packed;
}

/**
 * The reports of a buffer, as views of it.
 * @throws Error when the buffer is not from `packReports`
 */
export function* unpackReports(packed: Uint8Array): Generator<PackedReport> {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  for (let at = 0; at < packed.length; ) {
    const length =
      at + PACKED_HEADER_BYTES > packed.length ? Number.POSITIVE_INFINITY : view.getUint32(at + PACKED_LENGTH, true);
    const end = at + packedBytes(length);
    if (!(end <= packed.length)) throw new Error(`Packed reports are damaged at byte ${at} of ${packed.length}.`);
    const record = at + PACKED_HEADER_BYTES;
    const flags = view.getUint32(at + PACKED_FLAGS, true);
    yield {
      identity: packed.subarray(at + PACKED_IDENTITY, record),
      isTimed: (flags & FLAG_TIMED) !== 0,
      hasFloor: (flags & FLAG_FLOOR) !== 0,
      contributor: flags >>> CONTRIBUTOR_SHIFT,
      record: packed.subarray(record, record + length),
    };
    at = end;
  }
}

function packedBytes(recordBytes: number): number {
  return PACKED_HEADER_BYTES + Math.ceil(recordBytes / 8) * 8;
}

// Packs bytes by leaving out zeros. Half of an observation's struct is zeros: keys are shorter than their field, and
// most values are small. Each word of eight bytes becomes a tag, whose bit i says that byte i is not zero, and the
// bytes that are not zero. A tag of 0 is followed by the number of further words that are all zero.
//
// Bytes of a record, and bytes of disk for a report with its identity:
//
//                                          record   packed   disk   packed
//   report of the benchmark's town,
//   12.7 access points and 3.5 cells          775      442   1028      623
//   scan of 40 access points                 1728     1004   2159     1473
//   scan of 60 access points                 2528     1460   4240     2159
//   one access point                          168      114    318      265
//
// Packing a report of the town takes 2.2 microseconds and unpacking 2.4; encoding takes 2.5, and compressing it by zstd
// would take 45 (one core of a shared Xeon, Node 24). No lookup reads a report in place: aggregation and exports read
// each one once, in the order of the log, and use its observations as a view of the unpacked bytes.
//
// Source: the packing of Cap'n Proto (capnproto.org/encoding.html#packing), without its runs of words that have no
// zero.

const WORD = 8;
const RUN_MAX = 255;

/** @returns the bytes without their zeros, at most one eighth longer than they were */
export function packZeros(bytes: Uint8Array): Uint8Array {
  const packed = new Uint8Array(bytes.length + Math.ceil(bytes.length / WORD) + 1);
  let end = 0;
  for (let at = 0; at < bytes.length; at += WORD) {
    const tagAt = end++;
    const wordEnd = Math.min(at + WORD, bytes.length);
    let tag = 0;
    for (let i = at; i < wordEnd; i++) {
      if (bytes[i] === 0) continue;
      tag |= 1 << (i - at);
      packed[end++] = bytes[i];
    }
    packed[tagAt] = tag;
    if (tag !== 0) continue;
    let run = 0;
    while (run < RUN_MAX && isZeroWord(bytes, at + WORD)) {
      run++;
      at += WORD;
    }
    packed[end++] = run;
  }
  return packed.subarray(0, end);
}

function isZeroWord(bytes: Uint8Array, at: number): boolean {
  if (at + WORD > bytes.length) return false;
  for (let i = at; i < at + WORD; i++) if (bytes[i] !== 0) return false;
  return true;
}

/**
 * The inverse, with zeros up to a whole word at the end.
 * @throws Error when the bytes end within a word
 */
export function unpackZeros(packed: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(unpackedLength(packed));
  let word = 0;
  for (let at = 0; at < packed.length; word += WORD) {
    const tag = packed[at++];
    if (tag === 0) word += packed[at++] * WORD;
    for (let bit = 0; bit < WORD; bit++) if ((tag & (1 << bit)) !== 0) bytes[word + bit] = packed[at++];
  }
  return bytes;
}

function unpackedLength(packed: Uint8Array): number {
  let words = 0;
  let at = 0;
  while (at < packed.length) {
    const tag = packed[at++];
    words += tag === 0 ? 1 + packed[at] : 1;
    at += tag === 0 ? 1 : bitCount(tag);
  }
  if (at !== packed.length)
    throw new Error(`Packed bytes are damaged: they end after ${packed.length} bytes, within a word.`);
  return words * WORD;
}

function bitCount(tag: number): number {
  const pairs = tag - ((tag >> 1) & 0x55);
  const nibbles = (pairs & 0x33) + ((pairs >> 2) & 0x33);
  return (nibbles + (nibbles >> 4)) & 0x0f;
}
