// A station: where a transmitter is likely to be observed, not where it stands. One fixed-size record
// (record_layout.ts) in LMDB.

import { COARSE_METRES, FINE_STEPS, RADIUS_COARSE } from '../../../wasm/packed_station_constants.ts';
import { isCell, KIND_BEACON, KIND_BLUETOOTH, KIND_CDMA, KIND_WIFI } from '../../radio/kind.ts';
import { isGroupOrNullMac } from '../../radio/mac.ts';
import { CODE_ABSENT } from '../../radio/query/layout.ts';
import { cellRangesOfKind, isIn } from '../../radio/ranges.ts';
import {
  areaOfKey,
  cellOfKey,
  describeKey,
  KEY_BYTES_CELL,
  keyBytesOfKind,
  macOfKey,
  mccOfKey,
  mncOfKey,
} from '../../radio/station_key.ts';
import { AREA_NONE, isKnownByIdAlone } from '../../radio/unknown_cell.ts';
import {
  STATION_BYTES,
  STATION_CODE,
  STATION_EXPONENT,
  STATION_FIRST_SEEN,
  STATION_FLAGS,
  STATION_FORMAT,
  STATION_LAST_SEEN,
  STATION_LATITUDE_E7,
  STATION_LONGITUDE_E7,
  STATION_R50,
  STATION_R95,
  STATION_REFERENCE_DBM,
  STATION_SAMPLES,
  STATION_STATE,
} from './record_layout.ts';

/** Life-cycle of a station. Only active ones take part in lookups. */
export const STATE_ACTIVE = 1;
export const STATE_BLOCKED = 3;

export interface Station {
  /** Degrees, -90..90, resolution 1e-7. */
  latitude: number;
  /** Degrees, -180..180, resolution 1e-7. */
  longitude: number;
  /** Metres that hold half of the positions where it is observed. 0..131,068, see `encodeRadius`. */
  r50Metres: number;
  /** Metres that hold 95 % of those positions. */
  r95Metres: number;
  /** Observations behind the record, 1..65,535 (saturating). */
  samples: number;
  /** Days since 1970-01-01, 0 = unknown. */
  firstSeenDay: number;
  /** Days since 1970-01-01, 0 = unknown. */
  lastSeenDay: number;
  /** One of `STATE_*`. */
  state: number;
  /** Level at one metre in dBm, -127..-1; 0 = not fitted. */
  referenceDbm: number;
  /** Path-loss exponent, 0.1..25.5; 0 = not fitted. */
  exponent: number;
  /** Cells: scrambling code or physical cell id; 65,535 = unknown. */
  code: number;
  /** Learned from our own observations; otherwise imported. */
  isLearned: boolean;
  /** Known by what untrusted accounts say alone. */
  isUntrusted?: boolean;
}

/** Bits of `STATION_FLAGS`. */
const FLAG_LEARNED = 1;
const FLAG_UNTRUSTED = 2;

const RADIUS_LIMIT_METRES = 131_068;
const LATITUDE_E7_MAX = 900_000_000;
const LONGITUDE_E7_MAX = 1_800_000_000;

/** Packs metres into 16 bits: decimetres up to 3,276.7 m, then steps of 4 m up to 131,068 m (larger values are cut). */
export function encodeRadius(metres: number): number {
  if (!(metres > 0)) return 0;
  const fine = Math.round(metres * FINE_STEPS);
  return fine < RADIUS_COARSE
    ? fine
    : RADIUS_COARSE | Math.round(Math.min(metres, RADIUS_LIMIT_METRES) / COARSE_METRES);
}

/** Metres of a radius code. */
export function decodeRadius(code: number): number {
  return code < RADIUS_COARSE ? code / FINE_STEPS : (code ^ RADIUS_COARSE) * COARSE_METRES;
}

/** Writes a station's 24 bytes. */
export function encodeStation(view: DataView, offset: number, station: Station): void {
  view.setInt32(offset + STATION_LATITUDE_E7, Math.round(station.latitude * 1e7), true);
  view.setInt32(offset + STATION_LONGITUDE_E7, Math.round(station.longitude * 1e7), true);
  view.setUint16(offset + STATION_R50, encodeRadius(station.r50Metres), true);
  view.setUint16(offset + STATION_R95, encodeRadius(station.r95Metres), true);
  view.setUint16(offset + STATION_SAMPLES, Math.min(Math.max(station.samples, 1), 65_535), true);
  view.setUint16(offset + STATION_FIRST_SEEN, station.firstSeenDay, true);
  view.setUint16(offset + STATION_LAST_SEEN, station.lastSeenDay, true);
  view.setUint8(offset + STATION_STATE, station.state | (STATION_FORMAT << 4));
  view.setUint8(
    offset + STATION_FLAGS,
    (station.isLearned ? FLAG_LEARNED : 0) | (station.isUntrusted ? FLAG_UNTRUSTED : 0),
  );
  view.setInt8(offset + STATION_REFERENCE_DBM, station.referenceDbm);
  view.setUint8(offset + STATION_EXPONENT, Math.round(station.exponent * 10));
  view.setUint16(offset + STATION_CODE, station.code, true);
}

/**
 * A view of a record as LMDB gave it, verified.
 * @throws Error when it is damaged or of another format
 */
export function stationView(record: Uint8Array): DataView {
  if (record.length !== STATION_BYTES)
    throw new Error(`A station record is damaged: it has ${record.length} bytes instead of ${STATION_BYTES}.`);
  const view = new DataView(record.buffer, record.byteOffset, STATION_BYTES);
  verifyStation(view, 0);
  return view;
}

/** @throws Error when the 24 bytes are damaged or of another format */
export function verifyStation(view: DataView, offset: number): void {
  const format = view.getUint8(offset + STATION_STATE) >> 4;
  if (format !== STATION_FORMAT)
    throw new Error(`A station record has format ${format}; this version reads format ${STATION_FORMAT}.`);
  const problem = problemWithStation(view, offset);
  if (problem !== undefined) throw new Error(`A station record is damaged: ${problem}.`);
}

/** What is wrong with the 24 bytes of a station of this format; undefined when nothing is. */
export function problemWithStation(view: DataView, offset: number): string | undefined {
  const state = view.getUint8(offset + STATION_STATE) & 15;
  if (state < STATE_ACTIVE || state > STATE_BLOCKED) return `its state ${state} is none`;
  const latitudeE7 = view.getInt32(offset + STATION_LATITUDE_E7, true);
  const longitudeE7 = view.getInt32(offset + STATION_LONGITUDE_E7, true);
  if (!isOnGlobe(latitudeE7, longitudeE7))
    return `its position ${latitudeE7 / 1e7}, ${longitudeE7 / 1e7} is not on the globe`;
  if (view.getUint16(offset + STATION_SAMPLES, true) === 0) return 'it rests on no observation';
  const flags = view.getUint8(offset + STATION_FLAGS);
  if (flags > (FLAG_LEARNED | FLAG_UNTRUSTED)) return `its flags ${flags} have no meaning`;
  const referenceDbm = view.getInt8(offset + STATION_REFERENCE_DBM);
  return referenceDbm > 0 || referenceDbm === -128 ? `its level at one metre is ${referenceDbm} dBm` : undefined;
}

/** True for a position in degrees times 1e7. */
export function isOnGlobe(latitudeE7: number, longitudeE7: number): boolean {
  return Math.abs(latitudeE7) <= LATITUDE_E7_MAX && Math.abs(longitudeE7) <= LONGITUDE_E7_MAX;
}

/**
 * Reads a station's 24 bytes.
 * @throws Error when the record is damaged or of another format
 */
export function decodeStation(view: DataView, offset: number): Station {
  verifyStation(view, offset);
  return {
    latitude: view.getInt32(offset + STATION_LATITUDE_E7, true) / 1e7,
    longitude: view.getInt32(offset + STATION_LONGITUDE_E7, true) / 1e7,
    r50Metres: decodeRadius(view.getUint16(offset + STATION_R50, true)),
    r95Metres: decodeRadius(view.getUint16(offset + STATION_R95, true)),
    samples: view.getUint16(offset + STATION_SAMPLES, true),
    firstSeenDay: view.getUint16(offset + STATION_FIRST_SEEN, true),
    lastSeenDay: view.getUint16(offset + STATION_LAST_SEEN, true),
    state: view.getUint8(offset + STATION_STATE) & 15,
    referenceDbm: view.getInt8(offset + STATION_REFERENCE_DBM),
    exponent: view.getUint8(offset + STATION_EXPONENT) / 10,
    code: view.getUint16(offset + STATION_CODE, true),
    isLearned: isLearnedAt(view, offset),
    isUntrusted: isUntrustedAt(view, offset),
  };
}

/** True for a record that follows from observations of our own. */
export function isLearned(record: Uint8Array): boolean {
  return (record[STATION_FLAGS] & FLAG_LEARNED) !== 0;
}

/** The same for the record at byte `offset` of a view. */
export function isLearnedAt(view: DataView, offset = 0): boolean {
  return (view.getUint8(offset + STATION_FLAGS) & FLAG_LEARNED) !== 0;
}

/** True for the record at byte `offset` of a view if only untrusted accounts vouch for it. */
export function isUntrustedAt(view: DataView, offset = 0): boolean {
  return (view.getUint8(offset + STATION_FLAGS) & FLAG_UNTRUSTED) !== 0;
}

/** A station of which only position and radii are known: for imports that have no more. */
export function stationAt(latitude: number, longitude: number, r50Metres: number, r95Metres: number): Station {
  return {
    latitude,
    longitude,
    r50Metres,
    r95Metres,
    samples: 1,
    firstSeenDay: 0,
    lastSeenDay: 0,
    state: STATE_ACTIVE,
    referenceDbm: 0,
    exponent: 0,
    code: CODE_ABSENT,
    isLearned: false,
    isUntrusted: false,
  };
}

/** Bytes of one record, for buffers. */
export const RECORD_BYTES = STATION_BYTES;

// Checks a station's key and record by themselves.

/** True for the kinds that a station can be. */
export function isKind(kind: number): boolean {
  return kind === KIND_WIFI || kind === KIND_BLUETOOTH || kind === KIND_BEACON || isCell(kind);
}

/** A station's key for people; one that is none by its bytes. */
export function nameStation(key: Buffer): string {
  return key.length > 0 && isKind(key[0]) && key.length === keyBytesOfKind(key[0])
    ? describeKey(key)
    : `key ${key.toString('hex')}`;
}

/** What is wrong with a station's key; undefined when nothing is. */
export function problemWithKey(key: Buffer): string | undefined {
  if (key.length === 0 || !isKind(key[0])) return 'its first byte names no kind of station';
  const kind = key[0];
  if (key.length !== keyBytesOfKind(kind)) return `its key has ${key.length} bytes instead of ${keyBytesOfKind(kind)}`;
  if (isCell(kind)) return problemWithCell(key, kind);
  if (kind === KIND_WIFI && isGroupOrNullMac(macOfKey(key, 0))) return 'no access point sends from this address';
  return undefined;
}

function problemWithCell(key: Buffer, kind: number): string | undefined {
  const ranges = cellRangesOfKind(kind);
  if (kind !== KIND_CDMA && !isIn(mccOfKey(key, 0), ranges.mobileCountryCode))
    return `its country code ${mccOfKey(key, 0)} is out of range`;
  if (!isIn(mncOfKey(key, 0), ranges.mobileNetworkCode)) return `its network code ${mncOfKey(key, 0)} is out of range`;
  const isWithoutArea = areaOfKey(key, 0) === AREA_NONE && isKnownByIdAlone(kind);
  if (!isWithoutArea && !isIn(areaOfKey(key, 0), ranges.locationAreaCode))
    return `its area code ${areaOfKey(key, 0)} is out of range`;
  return isIn(cellOfKey(key, 0), ranges.cellId) ? undefined : `its cell id ${cellOfKey(key, 0)} is out of range`;
}

/** What is wrong with the record of a station or of an area; undefined when nothing is. */
export function problemWithRecord(record: Buffer): string | undefined {
  if (record.length !== STATION_BYTES) return `its record has ${record.length} bytes instead of ${STATION_BYTES}`;
  const format = record[STATION_STATE] >> 4;
  if (format !== STATION_FORMAT) return `its record has format ${format} instead of ${STATION_FORMAT}`;
  const view = new DataView(record.buffer, record.byteOffset, STATION_BYTES);
  const problem = problemWithStation(view, 0);
  if (problem !== undefined) return problem;
  const { r50Metres, r95Metres } = decodeStation(view, 0);
  return r50Metres > r95Metres
    ? `its radius for half of the places (${r50Metres} m) is above the one for 95 % (${r95Metres} m)`
    : undefined;
}

/** True for a key whose record takes part in an area. */
export function isCellKey(key: Buffer): boolean {
  return key.length === KEY_BYTES_CELL && isCell(key[0]);
}
