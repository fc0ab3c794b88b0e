// A body of the right structure becomes a query in memory (src/radio/query.ts), and what only the reply needs becomes a small object. This stands on
// the path of every request: it makes no object for an entry and never throws on what a body holds.

import { FALLBACKS } from '../../radio/fallbacks.ts';
import { readCells } from '../../radio/query/read_cells.ts';
import { countRadios, readAccessPoints, readBeacons } from '../../radio/query/read_stations.ts';
import { type QueryWriter, queryBytes } from '../../radio/query/writer.ts';
import { CONFIDENCE, RADIUS_METRES, SPEED_LIMIT } from '../../radio/ranges.ts';
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
 * Observations that the query of this body may hold at most. Of long lists only entries that could be stations count: else a body of empty entries would
 * ask for twenty times its own size.
 */
export function observationsOf({ wifiAccessPoints, bluetoothBeacons, cellTowers }: PositionBody): number {
  const entries = (wifiAccessPoints?.length ?? 0) + (bluetoothBeacons?.length ?? 0) + (cellTowers?.length ?? 0);
  if (entries <= FEW) return entries;
  return countNamed(wifiAccessPoints) + countNamed(bluetoothBeacons) + countNamed(cellTowers);
}

/** Bytes that the query of this body may need at most. @param wants WANTS_* bits */
export function queryBytesOf(body: PositionBody, wants = 0): number {
  return queryBytes(observationsOf(body), wants);
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
  const accessPoints = body.wifiAccessPoints ? readAccessPoints(body.wifiAccessPoints, writer) : 0;
  if (accessPoints > 0) writer.setSubmittedRadios(countRadios(writer.memory, writer.at(0), accessPoints));
  if (body.bluetoothBeacons) readBeacons(body.bluetoothBeacons, writer);
  const cells = body.cellTowers ? readCells(body.cellTowers, body.radioType, writer) : 0;
  if (wants !== 0) writer.addText(wants);
  const end = writer.end();

  const timestampMs = readTime(body.timestamp);
  const speedLimit = decimalIn(body.speedLimit, SPEED_LIMIT, -1);
  const gps = body.gps ? readGps(body.gps) : undefined;
  if (gps !== undefined) writeGps(gps, writer);
  if (body.lastLocation) readLastLocation(body.lastLocation, writer);
  if (body.fallbacks) writer.setFallbacks(readFallbacks(body.fallbacks));
  return {
    end,
    observations: writer.observations,
    timestampMs: Number.isNaN(timestampMs) ? arrivalMs : timestampMs,
    indoor: flagOf(body.indoor),
    credits: flagOf(body.credits),
    expires: flagOf(body.expires),
    speedLimit: speedLimit < 0 ? undefined : speedLimit,
    confidence: decimalIn(body.confidence, CONFIDENCE, CONFIDENCE.min),
    state: body.state || undefined,
    gps,
    sensors: body.sensors ? readSensors(body.sensors) : undefined,
    contributes: gps?.ageSeconds === 0 && (accessPoints > 0 || cells > 0),
  };
}

function writeGps({ latitude, longitude, accuracyMetres, ageSeconds }: GpsFix, writer: QueryWriter): void {
  // A negative accuracy means unknown; a fix of unknown age is the latest the device has.
  writer.setFix({ latitude, longitude, accuracyMetres: accuracyMetres ?? -1, ageSeconds: ageSeconds ?? 0 });
}

/** A last location without a usable time tells nothing about speed and is left out; one without accuracy counts as exact. */
function readLastLocation(last: LastLocationBody, writer: QueryWriter): void {
  const timeMs = readTime(last.timestamp);
  if (Number.isNaN(timeMs)) return;
  const accuracyMetres = decimalIn(last.accuracy, RADIUS_METRES, 0);
  writer.setLastLocation({ latitude: numberOf(last.lat), longitude: numberOf(last.lng), accuracyMetres, timeMs });
}

/** @returns FALLBACK_* bits; a flag named itself wins over `all` */
function readFallbacks(flags: { readonly [flag: string]: unknown }): number {
  const all = flagOf(flags.all) === true;
  let bits = 0;
  for (const { name, bit, isInAll } of FALLBACKS) if (flagOf(flags[name]) ?? (all && isInAll)) bits |= bit;
  return bits;
}
