// A body of the right structure becomes a query in memory (src/radio/query.ts), and what only the reply needs becomes a small object. This stands on
// the path of every request: it makes no object for an entry and never throws on what a body holds.

import { FALLBACKS } from '../../radio/fallbacks.ts';
import {
  HAS_GPS,
  HAS_LAST_LOCATION,
  HAS_SPEED_LIMIT,
  HAS_TIMESTAMP,
  OBSERVATION_BYTES,
  REQUEST_BYTES,
  REQUEST_FALLBACKS,
  REQUEST_FLAGS,
  REQUEST_GPS_ACCURACY,
  REQUEST_GPS_AGE,
  REQUEST_GPS_LATITUDE,
  REQUEST_GPS_LONGITUDE,
  REQUEST_LAST_ACCURACY,
  REQUEST_LAST_LATITUDE,
  REQUEST_LAST_LONGITUDE,
  REQUEST_LAST_TIMESTAMP,
  REQUEST_SPEED_LIMIT,
  REQUEST_SUBMITTED_WIFI,
  REQUEST_TIMESTAMP,
} from '../../radio/query/layout.ts';
import { type QueryWriter, queryBytes } from '../../radio/query/writer.ts';
import { CONFIDENCE, RADIUS_METRES, SPEED_LIMIT } from '../../radio/ranges.ts';
import { readCells } from '../../radio/read_cells.ts';
import { countRadios, readAccessPoints, readBeacons } from '../../radio/read_stations.ts';
import { readTime } from '../../radio/read_time.ts';
import { decimalIn, flagOf, numberOf } from '../../radio/read_value.ts';
import { type GpsFix, readGps } from './gps.ts';
import type { LastLocationBody, PositionBody } from './schema.ts';
import { readSensors, type SensorReading } from './sensors.ts';

/** What the reply, the charge and the choice of a thread need of a request; undefined means not sent, so the key's setting decides. */
export interface ReadOutcome {
  /** Offset behind the query, a multiple of 8. */
  end: number;
  /** Observations written: the estimate of the work. */
  observations: number;
  /** Milliseconds since 1970: the time base of the request. */
  timestampMs: number;
  indoor: boolean | undefined;
  credits: boolean | undefined;
  expires: boolean | undefined;
  /** m/s, 0 = no limit. */
  speedLimit: number | undefined;
  /** Percent of the truths that the answered radius shall hold, 50..99. */
  confidence: number;
  /** Opaque token as sent; never empty. */
  state: string | undefined;
  /** The fix, when it is young enough to use. */
  gps: GpsFix | undefined;
  sensors: readonly SensorReading[] | undefined;
  /** True when the request also contributes: a fix sent with age 0, and a cell or an access point. */
  contributes: boolean;
}

/** Up to here the entries' number is bound enough for memory. */
const FEW = 256;

/**
 * Bytes that the query of this body may need at most. Of long lists only entries that could be stations count: else a body of empty entries would ask
 * for twenty times its own size.
 * @param wants WANTS_* bits
 */
export function queryBytesOf(body: PositionBody, wants = 0): number {
  const { wifiAccessPoints, bluetoothBeacons, cellTowers } = body;
  const entries = (wifiAccessPoints?.length ?? 0) + (bluetoothBeacons?.length ?? 0) + (cellTowers?.length ?? 0);
  if (entries <= FEW) return queryBytes(entries, wants);
  return queryBytes(countNamed(wifiAccessPoints) + countNamed(bluetoothBeacons) + countNamed(cellTowers), wants);
}

function countNamed(entries: readonly unknown[] | null | undefined): number {
  let named = 0;
  for (const entry of entries ?? []) {
    if (typeof entry !== 'object' || entry === null) continue;
    if ('macAddress' in entry || 'mobileNetworkCode' in entry || 'uuid' in entry || 'id1' in entry) named++;
  }
  return named;
}

/**
 * Writes the query of a body at `offset`, where `queryBytesOf(body, wants)` bytes must be free.
 * @param body has passed `checkStructure`
 * @param arrivalMs milliseconds since 1970, the time base of a request without a timestamp
 * @param offset a multiple of 8
 * @param wants WANTS_* bits: what is to be told about the place found
 */
export function readQuery(body: PositionBody, arrivalMs: number, writer: QueryWriter, offset: number, wants = 0): ReadOutcome {
  writer.begin(offset);
  const observations = offset + REQUEST_BYTES;
  const accessPoints = body.wifiAccessPoints ? readAccessPoints(body.wifiAccessPoints, writer) : 0;
  if (accessPoints > 0) writer.setInt(REQUEST_SUBMITTED_WIFI, countRadios(writer.memory, observations, accessPoints));
  const beacons = body.bluetoothBeacons ? readBeacons(body.bluetoothBeacons, writer) : 0;
  const firstCell = observations + (accessPoints + beacons) * OBSERVATION_BYTES;
  const cells = body.cellTowers ? readCells(body.cellTowers, body.radioType, writer, firstCell) : 0;
  if (wants !== 0) writer.addText(wants);
  const end = writer.end();

  const gps = body.gps ? readGps(body.gps) : undefined;
  if (gps !== undefined) writeGps(gps, writer);
  if (body.lastLocation) readLastLocation(body.lastLocation, writer);
  if (body.fallbacks) writer.setInt(REQUEST_FALLBACKS, readFallbacks(body.fallbacks));
  return {
    end,
    observations: (end - offset - queryBytes(0, wants)) / OBSERVATION_BYTES,
    timestampMs: readTimestamp(body.timestamp, arrivalMs, writer),
    indoor: flagOf(body.indoor),
    credits: flagOf(body.credits),
    expires: flagOf(body.expires),
    speedLimit: readSpeedLimit(body.speedLimit, writer),
    confidence: decimalIn(body.confidence, CONFIDENCE, CONFIDENCE.min),
    state: body.state || undefined,
    gps,
    sensors: body.sensors ? readSensors(body.sensors) : undefined,
    contributes: gps?.ageSeconds === 0 && (accessPoints > 0 || cells > 0),
  };
}

function writeGps(gps: GpsFix, writer: QueryWriter): void {
  writer.addBits(REQUEST_FLAGS, HAS_GPS);
  writer.setDouble(REQUEST_GPS_LATITUDE, gps.latitude);
  writer.setDouble(REQUEST_GPS_LONGITUDE, gps.longitude);
  // A negative accuracy means unknown; a fix of unknown age is the latest the device has.
  writer.setFloat(REQUEST_GPS_ACCURACY, gps.accuracyMetres ?? -1);
  writer.setFloat(REQUEST_GPS_AGE, gps.ageSeconds ?? 0);
}

/** A last location without a usable time tells nothing about speed and is left out; one without accuracy counts as exact. */
function readLastLocation(last: LastLocationBody, writer: QueryWriter): void {
  const timestampMs = readTime(last.timestamp);
  if (Number.isNaN(timestampMs)) return;
  writer.addBits(REQUEST_FLAGS, HAS_LAST_LOCATION);
  writer.setDouble(REQUEST_LAST_LATITUDE, numberOf(last.lat));
  writer.setDouble(REQUEST_LAST_LONGITUDE, numberOf(last.lng));
  writer.setDouble(REQUEST_LAST_TIMESTAMP, timestampMs);
  writer.setFloat(REQUEST_LAST_ACCURACY, decimalIn(last.accuracy, RADIUS_METRES, 0));
}

function readTimestamp(value: unknown, arrivalMs: number, writer: QueryWriter): number {
  const sentMs = readTime(value);
  const isSent = !Number.isNaN(sentMs);
  if (isSent) writer.addBits(REQUEST_FLAGS, HAS_TIMESTAMP);
  const timestampMs = isSent ? sentMs : arrivalMs;
  writer.setDouble(REQUEST_TIMESTAMP, timestampMs);
  return timestampMs;
}

function readSpeedLimit(value: unknown, writer: QueryWriter): number | undefined {
  const limit = decimalIn(value, SPEED_LIMIT, -1);
  if (limit < 0) return undefined;
  writer.addBits(REQUEST_FLAGS, HAS_SPEED_LIMIT);
  writer.setFloat(REQUEST_SPEED_LIMIT, limit);
  return limit;
}

/** @returns FALLBACK_* bits; a flag named itself wins over `all` */
function readFallbacks(flags: { readonly [flag: string]: unknown }): number {
  const all = flagOf(flags.all) === true;
  let bits = 0;
  for (const { name, bit, isInAll } of FALLBACKS) if (flagOf(flags[name]) ?? (all && isInAll)) bits |= bit;
  return bits;
}
