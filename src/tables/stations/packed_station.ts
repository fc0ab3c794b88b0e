// Stations packed into four words, as the cache keeps them: latitude, longitude, both radius codes, and the rest.
// Several packed cells can be combined into one.

import type { Database } from 'lmdb';
import {
  ABSENT_BITS,
  AGE_SHIFT,
  EXPONENT_SHIFT,
  LEARNED_BIT,
  PACKED_LATITUDE,
  PACKED_LONGITUDE,
  PACKED_RADII,
  PACKED_STATE,
  REFERENCE_SHIFT,
  SAMPLES_SHIFT,
  STATE_BITS,
  UNTRUSTED_BIT,
} from '../../../wasm/packed_station_constants.ts';
import { PAYLOAD_WORDS } from '../../../wasm/station_cache_constants.ts';
import { wrapDegrees } from '../../geo/angle.ts';
import { distanceMetres } from '../../geo/distance.ts';
import { isCell, KIND_LTE, KIND_NBIOT, KIND_NR } from '../../radio/kind.ts';
import type { QueryReader } from '../../radio/query/reader.ts';
import { isUnknownAt, KEY_BYTES_CELL } from '../../radio/station_key.ts';
import { answeredPosition, answeredRadii, answeredStation, isAreaAlone } from './cell_area.ts';
import { isAtHome } from './home_country.ts';
import type { RadioMap } from './radio_map.ts';
import {
  STATION_EXPONENT,
  STATION_LAST_SEEN,
  STATION_LATITUDE_E7,
  STATION_LONGITUDE_E7,
  STATION_REFERENCE_DBM,
  STATION_SAMPLES,
  STATION_STATE,
} from './record_layout.ts';
import {
  decodeRadius,
  encodeRadius,
  isLearnedAt,
  isUntrustedAt,
  STATE_ACTIVE,
  STATE_BLOCKED,
  stationView,
  verifyStation,
} from './station.ts';

/** Cells of the same name give one position only when they all lie this close together. */
const SPREAD_METRES = 10_000;
/** Day 0 of the cache's age byte: 2005-01-01, in days since 1970; one step is 64 days. */
const AGE_EPOCH_DAY = 12_784;
const AGE_STEP_DAYS = 64;

/** A cell and its radio map. */
export interface CellWithMap {
  map: RadioMap;
  /** Degrees. */
  latitude: number;
  longitude: number;
  r95Metres: number;
}

/**
 * Packs a 24-byte record into the four words that the cache keeps. A cell outside its country takes no part in lookups,
 * nor does one under an identity that stands for none; that is decided here, once, so a lookup in the cache pays
 * nothing for it.
 * @param key of the station, at `keyOffset`
 * @throws Error when the record is damaged or of another format
 */
export function packStation(
  key: Uint8Array,
  keyOffset: number,
  record: DataView,
  out: Int32Array,
  outAt: number,
): void {
  verifyStation(record, 0);
  const isUsable = !isUnknownCellAt(key, keyOffset) && isHome(key, keyOffset, record);
  packRecord(key[keyOffset], record, isUsable, out, outAt);
}

function isUnknownCellAt(key: Uint8Array, keyOffset: number): boolean {
  return isCell(key[keyOffset]) && isUnknownAt(key, keyOffset);
}

/** True unless the station is a cell outside its country. */
function isHome(key: Uint8Array, keyOffset: number, record: DataView): boolean {
  if (!isCell(key[keyOffset])) return true;
  const latitude = record.getInt32(STATION_LATITUDE_E7, true) / 1e7;
  return isAtHome(key, keyOffset, latitude, record.getInt32(STATION_LONGITUDE_E7, true) / 1e7);
}

function packRecord(kind: number, record: DataView, isUsable: boolean, out: Int32Array, outAt: number): void {
  const state = record.getUint8(STATION_STATE);
  const samples = Math.min(15, Math.floor(Math.log2(Math.max(1, record.getUint16(STATION_SAMPLES, true)))));
  const age = Math.min(
    255,
    Math.max(0, Math.floor((record.getUint16(STATION_LAST_SEEN, true) - AGE_EPOCH_DAY) / AGE_STEP_DAYS)),
  );
  const [latitude, longitude] = answeredPosition(kind, record);
  out[outAt + PACKED_LATITUDE] = latitude;
  out[outAt + PACKED_LONGITUDE] = longitude;
  out[outAt + PACKED_RADII] = answeredRadii(kind, record);
  out[outAt + PACKED_STATE] =
    (isUsable ? state & STATE_BITS : STATE_BLOCKED) |
    (isUntrustedAt(record) ? UNTRUSTED_BIT : 0) |
    (isLearnedAt(record) && !isAreaAlone(kind, record) ? LEARNED_BIT : 0) |
    (samples << SAMPLES_SHIFT) |
    (age << AGE_SHIFT) |
    (record.getUint8(STATION_REFERENCE_DBM) << REFERENCE_SHIFT) |
    (record.getUint8(STATION_EXPONENT) << EXPONENT_SHIFT);
}

/** Packs the knowledge that a station is absent. */
export function packAbsent(out: Int32Array, outAt: number): void {
  out[outAt + PACKED_LATITUDE] = 0;
  out[outAt + PACKED_LONGITUDE] = 0;
  out[outAt + PACKED_RADII] = 0;
  out[outAt + PACKED_STATE] = ABSENT_BITS;
}

/**
 * Packs the mean of `found` packed stations, with a radius that holds them, where they lie within 10 km of each other.
 * @returns false when they do not
 */
export function packMean(words: Int32Array, found: number, out: Int32Array, outAt: number): boolean {
  if (found === 0) return false;
  let latitude = 0;
  let longitude = 0;
  for (let c = 0; c < found; c++) {
    for (let other = 0; other < c; other++) if (distanceOf(words, c, other) > SPREAD_METRES) return false;
    latitude += words[c * PAYLOAD_WORDS + PACKED_LATITUDE] / found;
    // Relative to the first, so that the mean holds across the date line.
    longitude += wrapDegrees((words[c * PAYLOAD_WORDS + PACKED_LONGITUDE] - words[PACKED_LONGITUDE]) / 1e7) / found;
  }
  longitude = wrapDegrees(words[PACKED_LONGITUDE] / 1e7 + longitude);
  let radius = 0;
  for (let c = 0; c < found; c++) {
    const away = distanceMetres(
      latitude / 1e7,
      longitude,
      words[c * PAYLOAD_WORDS + PACKED_LATITUDE] / 1e7,
      words[c * PAYLOAD_WORDS + PACKED_LONGITUDE] / 1e7,
    );
    radius = Math.max(radius, away + decodeRadius(words[c * PAYLOAD_WORDS + PACKED_RADII] & 0xffff));
  }
  out[outAt + PACKED_LATITUDE] = Math.round(latitude);
  out[outAt + PACKED_LONGITUDE] = Math.round(longitude * 1e7);
  out[outAt + PACKED_RADII] = encodeRadius(radius) | (encodeRadius(radius * 2) << 16);
  out[outAt + PACKED_STATE] = words[PACKED_STATE];
  return true;
}

/**
 * Packs one of several stations of a network: the nearest to a position in degrees, within 10 km. Without a position,
 * packs the mean of all if they lie close together.
 * @param key of one of them, at `keyOffset`
 * @returns false when there is none
 */
export function packNearest(
  records: readonly Uint8Array[],
  key: Uint8Array,
  keyOffset: number,
  position: { latitude: number; longitude: number } | undefined,
  out: Int32Array,
  outAt: number,
): boolean {
  const words = new Int32Array(PAYLOAD_WORDS * records.length);
  records.forEach((record, r) => {
    // The key may be that of a neighbour known by its code alone, which has no cell id. Such records were learned, and
    // under an unknown identity none is.
    const view = stationView(record);
    verifyStation(view, 0);
    packRecord(key[keyOffset], view, isHome(key, keyOffset, view), words, r * PAYLOAD_WORDS);
    // Under its own key there is no radio map.
    words[r * PAYLOAD_WORDS + PACKED_STATE] &= ~LEARNED_BIT;
  });
  if (position === undefined) return packMean(words, records.length, out, outAt);
  const nearest = nearestPacked(words, records.length, position);
  if (nearest < 0) return false;
  out.set(words.subarray(nearest * PAYLOAD_WORDS, (nearest + 1) * PAYLOAD_WORDS), outAt);
  return true;
}

/** Index of the packed station nearest to a position in degrees, within 10 km; -1 = none. */
function nearestPacked(
  words: Int32Array,
  found: number,
  { latitude, longitude }: { latitude: number; longitude: number },
): number {
  let nearest = -1;
  let least = SPREAD_METRES;
  for (let c = 0; c < found; c++) {
    const metres = distanceMetres(
      latitude,
      longitude,
      words[c * PAYLOAD_WORDS + PACKED_LATITUDE] / 1e7,
      words[c * PAYLOAD_WORDS + PACKED_LONGITUDE] / 1e7,
    );
    if (metres > least) continue;
    least = metres;
    nearest = c;
  }
  return nearest;
}

/** Metres between two packed stations. */
function distanceOf(words: Int32Array, a: number, b: number): number {
  return distanceMetres(
    words[a * PAYLOAD_WORDS + PACKED_LATITUDE] / 1e7,
    words[a * PAYLOAD_WORDS + PACKED_LONGITUDE] / 1e7,
    words[b * PAYLOAD_WORDS + PACKED_LATITUDE] / 1e7,
    words[b * PAYLOAD_WORDS + PACKED_LONGITUDE] / 1e7,
  );
}

/**
 * Stations of a query in the order of its observations, as the strategies see them. Lookups fill them from the cache
 * and the tables (reader.ts), the learning from the moment before a track began (src/learning/calibration/).
 */
export abstract class FoundStations {
  protected payload: Int32Array = new Int32Array(1024 * PAYLOAD_WORDS);

  /** True when observation `i` is a known station that takes part in lookups. */
  isKnown(i: number): boolean {
    return (this.payload[i * PAYLOAD_WORDS + PACKED_STATE] & STATE_BITS) === STATE_ACTIVE;
  }

  /** True when observation `i` is a learned station: `radioMap` has its reference points. */
  isLearned(i: number): boolean {
    return (this.payload[i * PAYLOAD_WORDS + PACKED_STATE] & LEARNED_BIT) !== 0;
  }

  /** True when only untrusted accounts vouch for observation `i`. */
  isUntrusted(i: number): boolean {
    return (this.payload[i * PAYLOAD_WORDS + PACKED_STATE] & UNTRUSTED_BIT) !== 0;
  }

  /** Degrees. */
  latitude(i: number): number {
    return this.payload[i * PAYLOAD_WORDS + PACKED_LATITUDE] / 1e7;
  }

  /** Degrees. */
  longitude(i: number): number {
    return this.payload[i * PAYLOAD_WORDS + PACKED_LONGITUDE] / 1e7;
  }

  r50Metres(i: number): number {
    return decodeRadius(this.payload[i * PAYLOAD_WORDS + PACKED_RADII] & 0xffff);
  }

  r95Metres(i: number): number {
    return decodeRadius(this.payload[i * PAYLOAD_WORDS + PACKED_RADII] >>> 16);
  }

  /** Power of two at or below the number of samples. */
  samples(i: number): number {
    return 1 << this.logSamples(i);
  }

  /** Its binary logarithm, 0..15. */
  logSamples(i: number): number {
    return (this.payload[i * PAYLOAD_WORDS + PACKED_STATE] >> SAMPLES_SHIFT) & 15;
  }

  /** Days since 1970 of the last sighting, to 64 days; 0 when unknown. */
  lastSeenDay(i: number): number {
    const step = (this.payload[i * PAYLOAD_WORDS + PACKED_STATE] >> AGE_SHIFT) & 255;
    return step === 0 ? 0 : AGE_EPOCH_DAY + step * AGE_STEP_DAYS;
  }

  /** Fitted level at one metre in dBm, 0 when not fitted. */
  referenceDbm(i: number): number {
    return (this.payload[i * PAYLOAD_WORDS + PACKED_STATE] << (24 - REFERENCE_SHIFT)) >> 24;
  }

  /** Fitted path-loss exponent, 0 when not fitted. */
  exponent(i: number): number {
    return (this.payload[i * PAYLOAD_WORDS + PACKED_STATE] >>> EXPONENT_SHIFT) / 10;
  }

  /** Copies the packed station of observation `i` as number `to` of `out`. */
  copyPacked(i: number, out: Int32Array, to: number): void {
    for (let word = 0; word < PAYLOAD_WORDS; word++)
      out[to * PAYLOAD_WORDS + word] = this.payload[i * PAYLOAD_WORDS + word];
  }

  /**
   * Reads the radio map of observation `i`, a learned cell of the last lookup.
   * @returns the map, valid until the next call; undefined when the cell was forgotten since
   * @throws Error when the record is damaged
   */
  abstract radioMap(query: QueryReader, i: number): RadioMap | undefined;

  /**
   * The radio map of a learned cell that the query does not name, and where the cell is.
   * @param key of the cell
   * @returns the map, valid until the next call; undefined when the cell is not known, or not learned
   * @throws Error when a record is damaged
   */
  abstract radioMapOf(key: Uint8Array): CellWithMap | undefined;

  /**
   * Finds cells known by their code alone, among those learned near a known station or, without one, anywhere. Cells
   * found are known like any other.
   * @param near index of a known observation, -1 = none
   * @returns how many were found
   */
  abstract findByCode(query: QueryReader, near: number): number;

  /** The cell site of observation `i`, a cell of the last lookup; undefined when it is unknown. */
  abstract siteOf(query: QueryReader, i: number): CellSite | undefined;
}

// The sectors of one cell site. An lte or nr cell id ends with the sector and begins with the eNodeB or gNodeB, so the
// sectors of one cell site are a short range of keys. Their mean is roughly where the antennas stand.

/** Lowest byte of the cell id in a key. */
const SECTOR_AT = 8;
/** Most sectors of a cell site that are read, and the fewest that locate it. */
const SECTORS_LIMIT = 64;
const SECTORS_MIN = 3;

/** Position of a cell site. */
export interface CellSite {
  /** Degrees. */
  latitude: number;
  longitude: number;
  sectors: number;
  /** Root mean square distance of the sectors' middles from it, metres. */
  spreadMetres: number;
}

/**
 * Finds the cell site of a cell, in the open transaction.
 * @param key of the cell, at byte `at`
 * @param near degrees: sectors further than `reachMetres` from it belong elsewhere under the same id
 * @returns undefined for kinds whose ids do not name a cell site, and for fewer than three sectors
 */
export function siteOfCell(
  stations: Database<Buffer, Buffer>,
  key: Uint8Array,
  at: number,
  near: { latitude: number; longitude: number },
  reachMetres: number,
): CellSite | undefined {
  const bits = sectorBits(key[at]);
  if (bits === 0) return undefined;
  const start = Buffer.from(key.subarray(at, at + KEY_BYTES_CELL)).fill(0, SECTOR_AT);
  const end = Buffer.alloc(KEY_BYTES_CELL + 1, 0xff);
  start.copy(end, 0, 0, SECTOR_AT);
  if (bits > 8) {
    start[SECTOR_AT - 1] &= 0xf0;
    end[SECTOR_AT - 1] |= 0x0f;
  }
  const sectors: { latitude: number; longitude: number }[] = [];
  for (const { value } of stations.getRange({ start, end, limit: SECTORS_LIMIT })) {
    const { latitude, longitude, state } = answeredStation(key[at], stationView(value));
    if (state !== STATE_ACTIVE || distanceMetres(near.latitude, near.longitude, latitude, longitude) > reachMetres)
      continue;
    sectors.push({ latitude, longitude });
  }
  return sectors.length < SECTORS_MIN ? undefined : middleOfSectors(sectors);
}

function middleOfSectors(sectors: readonly { latitude: number; longitude: number }[]): CellSite {
  const count = sectors.length;
  const first = sectors[0].longitude;
  const latitude = sectors.reduce((sum, sector) => sum + sector.latitude, 0) / count;
  const longitude = wrapDegrees(
    first + sectors.reduce((sum, sector) => sum + wrapDegrees(sector.longitude - first), 0) / count,
  );
  const squares = sectors.reduce(
    (sum, sector) => sum + distanceMetres(latitude, longitude, sector.latitude, sector.longitude) ** 2,
    0,
  );
  return { latitude, longitude, sectors: count, spreadMetres: Math.sqrt(squares / count) };
}

/**
 * Low bits of a cell id that name the sector, 0 = the id names no cell site. A gNodeB has 4 to 14 of them, mostly 12.
 */
function sectorBits(kind: number): number {
  if (kind === KIND_LTE || kind === KIND_NBIOT) return 8;
  return kind === KIND_NR ? 12 : 0;
}
