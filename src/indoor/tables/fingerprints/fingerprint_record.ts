// The record of a fingerprint: a FlatBuffers table, so absent fields take no room. The schema is fingerprint.fbs.

import { Builder } from 'flatbuffers';
import { FLOOR_INDEX_MAX, FLOOR_INDEX_MIN } from '../../../geo/floor.ts';
import { UNITS_PER_DEGREE, unitsOf } from '../../../geo/units.ts';
import { CheckedTable } from '../../../tables/environment/checked_table.ts';
import { IDENTITY_BYTES } from '../../../tables/observations/report.ts';

/** Slot numbers of the table, as in fingerprint.fbs. Never reuse one. */
const TIME_MS = 0;
const FLOOR = 1;
const LATITUDE = 2;
const LONGITUDE = 3;
const CONTRIBUTOR = 4;
const IS_TRUSTED = 5;
const TRACK = 6;
const IDENTITY = 7;
const READINGS = 8;
const AGES = 9;
const SLOTS = 10;

/** The record, as error messages name it. */
const RECORD = 'The record of a fingerprint';
const FIXED_BYTES = 128;
const READING_BYTES = 8;
const READING_ALIGNMENT = 4;
const MIDDLE = 2 ** 32;
const HIGH = 2 ** 48;
const RADIO_MAX = 2 ** 53;
const AGE_STEP_MS = 100;
const AGE_STEPS_MAX = 254;
const AGE_UNKNOWN = 255;

/** Encodes a fingerprint. */
export function encodeFingerprint(fingerprint: StoredFingerprint): Uint8Array {
  const { readings, identity } = fingerprint;
  const builder = new Builder(FIXED_BYTES + readings.length * READING_BYTES);
  builder.startVector(READING_BYTES, readings.length, READING_ALIGNMENT);
  // From the last member of the last struct to the first, as the library writes.
  for (let i = readings.length - 1; i >= 0; i--) {
    const { radio, levelDbm } = readings[i];
    builder.addInt8(levelDbm);
    builder.addInt8(Math.floor(radio / HIGH));
    builder.addInt16(Math.floor(radio / MIDDLE) & 0xffff);
    builder.addInt32((radio % MIDDLE) | 0);
  }
  const readingsAt = builder.endVector();
  const isAged = readings.some(({ ageMs }) => !Number.isNaN(ageMs));
  const agesAt = isAged ? builder.createByteVector(Uint8Array.from(readings, ageStepsOf)) : 0;
  const identityAt = identity.length === 0 ? 0 : builder.createByteVector(identity);
  builder.startObject(SLOTS);
  if (!Number.isNaN(fingerprint.timeMs)) builder.addFieldFloat64(TIME_MS, fingerprint.timeMs, null);
  builder.addFieldFloat64(TRACK, fingerprint.track, 0);
  builder.addFieldInt32(FLOOR, fingerprint.floor, 0);
  builder.addFieldInt32(LATITUDE, unitsOf(fingerprint.latitude), null);
  builder.addFieldInt32(LONGITUDE, unitsOf(fingerprint.longitude), null);
  builder.addFieldInt32(CONTRIBUTOR, fingerprint.contributor, 0);
  builder.addFieldOffset(IDENTITY, identityAt, 0);
  builder.addFieldOffset(READINGS, readingsAt, 0);
  builder.addFieldOffset(AGES, agesAt, 0);
  builder.addFieldInt8(IS_TRUSTED, fingerprint.isTrusted ? 1 : 0, 0);
  builder.finish(builder.endObject());
  return builder.asUint8Array();
}

/**
 * Decodes a record into a fingerprint that does not refer to the bytes.
 * @throws Error when the bytes are no fingerprint
 */
export function decodeFingerprint(bytes: Uint8Array): StoredFingerprint {
  const table = new CheckedTable(bytes, RECORD);
  const fingerprint: StoredFingerprint = {
    timeMs: table.float(TIME_MS),
    floor: table.signed(FLOOR),
    latitude: table.has(LATITUDE) ? table.signed(LATITUDE) / UNITS_PER_DEGREE : Number.NaN,
    longitude: table.has(LONGITUDE) ? table.signed(LONGITUDE) / UNITS_PER_DEGREE : Number.NaN,
    contributor: table.unsigned(CONTRIBUTOR),
    isTrusted: table.flag(IS_TRUSTED),
    track: table.has(TRACK) ? table.float(TRACK) : 0,
    identity: new Uint8Array(table.structs(IDENTITY, 1)),
    readings: readingsIn(table),
  };
  const { floor, latitude, longitude, track, identity, readings } = fingerprint;
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) throw table.damaged('it has no position on the globe');
  if (floor < FLOOR_INDEX_MIN || floor > FLOOR_INDEX_MAX) throw table.damaged(`it has the floor ${floor}`);
  if (!(Number.isSafeInteger(track) && track >= 0)) throw table.damaged('its track is no whole number');
  if (identity.length !== 0 && identity.length !== IDENTITY_BYTES)
    throw table.damaged(`its identity has ${identity.length} bytes`);
  if (readings.length === 0) throw table.damaged('it has no readings');
  return fingerprint;
}

function ageStepsOf({ ageMs }: StoredReading): number {
  return Number.isNaN(ageMs) ? AGE_UNKNOWN : Math.min(AGE_STEPS_MAX, Math.max(0, Math.round(ageMs / AGE_STEP_MS)));
}

function readingsIn(table: CheckedTable): StoredReading[] {
  const bytes = table.structs(READINGS, READING_BYTES);
  const ages = table.structs(AGES, 1);
  if (ages.length > 0 && ages.length !== bytes.length / READING_BYTES)
    throw table.damaged(`it has ${ages.length} ages`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const readings: StoredReading[] = [];
  for (let at = 0; at < bytes.length; at += READING_BYTES) {
    const radio = view.getUint8(at + 6) * HIGH + view.getUint16(at + 4, true) * MIDDLE + view.getUint32(at, true);
    if (radio >= RADIO_MAX) throw table.damaged('it has a radio that is none');
    const age = ages.length === 0 ? AGE_UNKNOWN : ages[at / READING_BYTES];
    readings.push({
      radio,
      levelDbm: view.getInt8(at + 7),
      ageMs: age === AGE_UNKNOWN ? Number.NaN : age * AGE_STEP_MS,
    });
  }
  return readings;
}

// What is kept of fingerprints: scans at known points of known floors of buildings. An import brings them, and so do
// reports that name their floor.

/** A building of which fingerprints are known. It need not have been imported as a model. */
export interface FingerprintedBuilding {
  /** Number of its model, 0..2^53-1. */
  modelId: number | undefined;
  /** Its own number, 0..2^53-1. */
  buildingId: number | undefined;
  /** Empty = none. */
  name: string;
  /** Origin of its map, degrees. */
  latitude: number;
  longitude: number;
}

/** One radio as a device heard it. */
export interface StoredReading {
  /** `radioNumber`. */
  radio: number;
  /** Whole dBm, -128..127. */
  levelDbm: number;
  /**
   * Age at the time of the fingerprint, milliseconds, in whole tenths of a second up to 25.4 s; NaN if it is not known.
   */
  ageMs: number;
}

/** One fingerprint. */
export interface StoredFingerprint {
  /** Milliseconds since 1970; NaN if it is not known. */
  timeMs: number;
  /** FLOOR_INDEX_MIN..FLOOR_INDEX_MAX. */
  floor: number;
  /** Degrees, to seven places. */
  latitude: number;
  longitude: number;
  /** Account that sent it; 0 = a file that the operator imported. */
  contributor: number;
  /** Needs no second contributor to agree. */
  isTrusted: boolean;
  /** Pseudonym of the device or batch, as in a report; 0 = unknown. */
  track: number;
  /** Identity of the report that it was; empty where it came by an import of fingerprints. */
  identity: Uint8Array;
  /** No radio twice; at least one. */
  readings: readonly StoredReading[];
}

/** Metres: a position that is worse is no known point. */
export const FINGERPRINT_ACCURACY_MAX = 10;
/**
 * Fingerprints of a building lie this close to its origin, metres: half of what a model may measure from side to side.
 */
export const REACH_METRES = 5_000;
