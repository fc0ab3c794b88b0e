// Reads the bytes of a positioning body (`PositionParser`), and writes a body of the right structure as a query in
// memory (src/radio/query/layout.ts). What only the reply needs becomes a small object. Every request takes this path,
// so entries get no objects, and no content of a body makes it throw.

import { BodyScanner } from '../../core/body_scanner.ts';
import { FALLBACKS } from '../../radio/fallbacks.ts';
import { WANTS_TEXTS, WANTS_TRACK } from '../../radio/query/layout.ts';
import type { LeftOut } from '../../radio/query/left_out.ts';
import { readCells } from '../../radio/query/read_cells.ts';
import { countRadios, readAccessPoints, readBeacons } from '../../radio/query/read_stations.ts';
import { type QueryWriter, queryBytes } from '../../radio/query/writer.ts';
import { CONFIDENCE, GPS_RANGES, isNoPosition, RADIUS_METRES, SPEED_LIMIT } from '../../radio/ranges.ts';
import { decimalIn, flagOf, numberOf, readTime, roundedIn } from '../../radio/read_value.ts';
import { parseChecked } from './body.ts';
import type { GpsBody, LastLocationBody, PositionBody } from './schema.ts';
import { motionOf, readSensors } from './sensors.ts';

/**
 * What the reply, the charge and the choice of a thread need. Undefined means not sent, so the setting of the key
 * decides.
 */
export interface ReadOutcome {
  /** Offset of the end of the query, a multiple of 8. */
  end: number;
  /** Observations written: the estimate of the work. */
  observations: number;
  /** Milliseconds since 1970: the time base of the request. */
  timestampMs: number;
  credits: boolean | undefined;
  expires: boolean | undefined;
  /** m/s, 0 = no limit. */
  speedLimit: number | undefined;
  /** Percentage of true positions that the radius should hold, 50..99. */
  confidence: number;
  /** Opaque token as sent; never empty. */
  state: string | undefined;
  /** The fix, if it is recent enough. */
  gps: GpsFix | undefined;
  /** True when the request also contributes: a fix sent with age 0, and a cell or an access point. */
  contributes: boolean;
}

/** An entry without any of these is no station. */
const IDENTIFYING = ['macAddress', 'mobileCountryCode', 'mobileNetworkCode', 'uuid', 'id1'];
/** Up to this many entries, their number alone is a good enough bound for the memory. */
const FEW = 256;

/**
 * Upper bound of the observations in the query of this body. In long lists only entries that could be stations count;
 * otherwise a body of empty entries would need twenty times its own size.
 */
export function observationsOf({ wifiAccessPoints, bluetoothBeacons, cellTowers }: PositionBody): number {
  const entries = (wifiAccessPoints?.length ?? 0) + (bluetoothBeacons?.length ?? 0) + (cellTowers?.length ?? 0);
  if (entries <= FEW) return entries;
  return countNamed(wifiAccessPoints) + countNamed(bluetoothBeacons) + countNamed(cellTowers);
}

/** Upper bound of the bytes of this body's query. @param wants WANTS_* bits */
export function queryBytesOf(body: PositionBody, wants = 0): number {
  return queryBytes(observationsOf(body), wants);
}

function countNamed(entries: readonly unknown[] | null | undefined): number {
  let named = 0;
  for (const entry of entries ?? []) {
    if (typeof entry !== 'object' || entry === null) continue;
    if (IDENTIFYING.some(member => member in entry)) named++;
  }
  return named;
}

/** What a query holds besides its body. */
interface ReadOptions {
  /** WANTS_* bits: which texts to add to the position, and whether the device is tracked; none by default. */
  wants?: number;
  /** What the state of a tracked device holds of where it was. */
  track?: Uint8Array | undefined;
  /** Where entries are noted that are left out, of a body that is not scanned. */
  leftOut?: LeftOut[] | undefined;
  /** Who asks, from `askerOf`; nobody who might guess by default. */
  asker?: number;
}

/**
 * Writes the query of a body at `offset`, where `queryBytesOf(body, wants)` bytes must be free.
 * @param body has passed `checkStructure`
 * @param arrivalMs milliseconds since 1970, the time base of a request without a timestamp
 * @param offset a multiple of 8
 */
export function readQuery(
  body: PositionBody,
  arrivalMs: number,
  writer: QueryWriter,
  offset: number,
  options: ReadOptions = {},
): ReadOutcome {
  const { leftOut } = options;
  writer.begin(offset);
  const accessPoints = body.wifiAccessPoints ? readAccessPoints(body.wifiAccessPoints, writer, leftOut) : 0;
  if (body.bluetoothBeacons) readBeacons(body.bluetoothBeacons, writer, leftOut);
  const cells = body.cellTowers ? readCells(body.cellTowers, body.radioType, writer, leftOut) : 0;
  return readRest(body, arrivalMs, writer, { accessPoints, cells }, options);
}

/** Like `readQuery`, for a body that the core has scanned. @param body its `rest` has passed `checkStructure` */
export function readScanned(
  body: ScannedBody,
  arrivalMs: number,
  writer: QueryWriter,
  offset: number,
  options: ReadOptions = {},
): ReadOutcome {
  writer.begin(offset);
  body.writeObservations(writer);
  // A body that may contribute is not scanned, so its number of identified cells does not matter.
  return readRest(body.rest, arrivalMs, writer, { accessPoints: body.accessPoints, cells: 0 }, options);
}

/** What a key has for members that a request does not name. */
export interface BodyDefaults {
  /** 50..99. */
  confidence?: number | undefined;
  /** Names of fallbacks, perhaps `all`. */
  fallbacks?: readonly string[] | undefined;
}

/** A body with the defaults of its key; the body itself where there are none. */
export function withDefaults(body: PositionBody, { confidence, fallbacks }: BodyDefaults): PositionBody {
  if (confidence === undefined && fallbacks === undefined) return body;
  const filled = { ...body };
  if (confidence !== undefined) filled.confidence ??= confidence;
  if (fallbacks !== undefined) filled.fallbacks ??= Object.fromEntries(fallbacks.map(name => [name, true]));
  return filled;
}

/** Writes and reads all but the observations, which have been written. */
function readRest(
  body: PositionBody,
  arrivalMs: number,
  writer: QueryWriter,
  { accessPoints, cells }: { accessPoints: number; cells: number },
  { wants = 0, track, asker = 0 }: ReadOptions,
): ReadOutcome {
  if (accessPoints > 0) writer.setSubmittedRadios(countRadios(writer.memory, writer.at(0), accessPoints));
  const timestampMs = timeOf(body, arrivalMs);
  writer.setLoneBeacons(wants);
  writer.setAsker(asker);
  if (wants & WANTS_TRACK)
    writer.addTrack({ timeMs: timestampMs, motion: motionOf(readSensors(body.sensors ?? [])), state: track }, wants);
  if (wants & WANTS_TEXTS) writer.addText(wants);
  const end = writer.end();

  const speedLimit = decimalIn(body.speedLimit, SPEED_LIMIT, -1);
  const gps = body.gps ? readGps(body.gps) : undefined;
  if (gps !== undefined) writeGps(gps, writer);
  if (body.lastLocation) readLastLocation(body.lastLocation, writer);
  if (body.fallbacks) writer.setFallbacks(readFallbacks(body.fallbacks));
  return {
    end,
    observations: writer.observations,
    timestampMs,
    credits: flagOf(body.credits),
    expires: flagOf(body.expires),
    speedLimit: speedLimit < 0 ? undefined : speedLimit,
    confidence: decimalIn(body.confidence, CONFIDENCE, CONFIDENCE.min),
    state: body.state || undefined,
    gps,
    contributes: gps?.ageSeconds === 0 && (accessPoints > 0 || cells > 0),
  };
}

/** The time base of a request: its timestamp, or else its arrival; both in milliseconds since 1970. */
export function timeOf({ timestamp }: PositionBody, arrivalMs: number): number {
  const timeMs = readTime(timestamp);
  return Number.isNaN(timeMs) ? arrivalMs : timeMs;
}

function writeGps({ latitude, longitude, accuracyMetres, ageSeconds }: GpsFix, writer: QueryWriter): void {
  // A negative accuracy means unknown. A fix of unknown age is the device's latest.
  writer.setFix({ latitude, longitude, accuracyMetres: accuracyMetres ?? -1, ageSeconds: ageSeconds ?? 0 });
}

/**
 * A last location that is none, or without a valid time, says nothing about speed and is left out. Without an accuracy
 * it counts as exact.
 */
function readLastLocation(last: LastLocationBody, writer: QueryWriter): void {
  const timeMs = readTime(last.timestamp);
  if (Number.isNaN(timeMs)) return;
  const accuracyMetres = decimalIn(last.accuracy, RADIUS_METRES, 0);
  const [latitude, longitude] = [numberOf(last.lat), numberOf(last.lng)];
  if (!isNoPosition(latitude, longitude, accuracyMetres))
    writer.setLastLocation({ latitude, longitude, accuracyMetres, timeMs });
}

/** @returns FALLBACK_* bits; a flag of its own wins over `all` */
function readFallbacks(flags: { readonly [flag: string]: unknown }): number {
  const all = flagOf(flags.all) === true;
  let bits = 0;
  for (const { name, bit, isInAll } of FALLBACKS) if (flagOf(flags[name]) ?? (all && isInAll)) bits |= bit;
  return bits;
}

const NOTHING: PositionBody = Object.freeze({});

/**
 * Reads the positioning bodies of one thread: by a scan of the core, straight into observations, or as JSON where the
 * scan declines. Both give the same query; the scan takes a third of the time.
 */
export class PositionParser {
  private readonly scanner = new BodyScanner();

  /**
   * Parses a body.
   * @param bytes must stay as they are until the request is answered
   * @returns a ScannedBody, or the value of the JSON
   * @throws ApiError parseError, as `parseChecked`
   */
  parse(bytes: Buffer): unknown {
    return this.scan(bytes) ?? parseChecked(bytes);
  }

  /** Scans a body. @returns undefined if it must be parsed as JSON */
  scan(bytes: Buffer): ScannedBody | undefined {
    const { scanner } = this;
    if (!scanner.scan(bytes)) return undefined;
    const rest: PositionBody = scanner.isRestEmpty ? NOTHING : JSON.parse(scanner.rest);
    // What may contribute is stored as it was sent, so all of it is needed.
    if (mayContribute(rest)) return undefined;
    return new ScannedBody(scanner, bytes, rest);
  }
}

/** True if a request may contribute: its fix was made now. */
export function mayContribute(body: PositionBody): boolean {
  return numberOf(body.gps?.age) === 0;
}

/** A scanned body. It is JSON, its lists are lists, and it cannot contribute. */
export class ScannedBody {
  /**
   * Members other than the lists of stations and `radioType`, as sent, and then with the defaults of the key; members
   * that mean nothing are left out.
   */
  rest: PositionBody;
  readonly accessPoints: number;
  readonly beacons: number;
  readonly observations: number;
  private readonly scanner: BodyScanner;
  private readonly bytes: Buffer;
  private scan: number;

  /** @param scanner has just scanned these bytes */
  constructor(scanner: BodyScanner, bytes: Buffer, rest: PositionBody) {
    this.scanner = scanner;
    this.bytes = bytes;
    this.rest = rest;
    this.scan = scanner.scans;
    this.accessPoints = scanner.wifi;
    this.beacons = scanner.bluetooth;
    this.observations = scanner.wifi + scanner.bluetooth + scanner.cells;
  }

  /** The body as JSON.parse reads it. */
  parsed(): PositionBody {
    return parseChecked(this.bytes) as PositionBody;
  }

  /** Appends the observations to a query. If another body has been scanned meanwhile, this one is scanned again. */
  writeObservations(writer: QueryWriter): void {
    const { scanner } = this;
    if (scanner.scans !== this.scan) {
      scanner.scan(this.bytes);
      this.scan = scanner.scans;
    }
    writer.addAll(scanner.memory, scanner.observationsAt, scanner.wifi, scanner.bluetooth, scanner.cells);
  }
}

/**
 * The device's own fix, if it is recent enough: what the position needs, and what only the reply and contributions need
 * (altitude, heading, speed, satellites). Undefined members were not sent, or were out of range.
 */
export interface GpsFix {
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** Radius of 50 %, metres, from 0. May exceed the specification's 255. */
  accuracyMetres: number | undefined;
  /** 0..600. */
  ageSeconds: number | undefined;
  /** Metres above sea, -1000..10000. */
  altitude: number | undefined;
  /** 0..100. */
  altitudeAccuracyMetres: number | undefined;
  /** Degrees from north, 0..360. */
  heading: number | undefined;
  /** m/s, 0..100. */
  speed: number | undefined;
  /** 0..20. */
  satellites: number | undefined;
}

/** Reads a fix. @returns undefined if it is none or has no position, is older than 600 s, or from the future */
function readGps(gps: GpsBody): GpsFix | undefined {
  const age = numberOf(gps.age);
  if (age < GPS_RANGES.age.min || age > GPS_RANGES.age.max) return undefined;
  const [latitude, longitude] = [numberOf(gps.latitude), numberOf(gps.longitude)];
  const accuracyMetres = decimalIn(gps.accuracy, RADIUS_METRES, Number.NaN);
  const satellites = roundedIn(gps.sat, GPS_RANGES.sat, Number.NaN);
  if (isNoPosition(latitude, longitude, accuracyMetres, satellites)) return undefined;
  return {
    latitude,
    longitude,
    accuracyMetres: sent(accuracyMetres),
    ageSeconds: sent(age),
    altitude: sent(decimalIn(gps.altitude, GPS_RANGES.altitude, Number.NaN)),
    altitudeAccuracyMetres: sent(decimalIn(gps.altitudeAccuracy, GPS_RANGES.altitudeAccuracy, Number.NaN)),
    heading: sent(decimalIn(gps.heading, GPS_RANGES.heading, Number.NaN)),
    speed: sent(decimalIn(gps.speed, GPS_RANGES.speed, Number.NaN)),
    satellites: sent(satellites),
  };
}

function sent(number: number): number | undefined {
  return Number.isNaN(number) ? undefined : number;
}

/**
 * Whether a request wants its answer explained, which only keys with the setting `explain` may.
 * @param parameter `explain` of the query, the first where it is repeated; the member of the body wins over it
 */
export function asksForExplanation({ explain }: PositionBody, parameter: unknown): boolean {
  return flagOf(explain) ?? flagOf(Array.isArray(parameter) ? parameter[0] : parameter) ?? false;
}

/**
 * Whether a request that finds nothing wants the place of its client's address. A device that is followed does not: the
 * answer would have to agree with where it was.
 * @param body as sent, with the defaults of its key
 * @param byDefault for requests that say nothing of it
 */
export function considersAddress(body: PositionBody, byDefault: boolean): boolean {
  const { considerIp, fallbacks, state, lastLocation } = body;
  if (state || lastLocation) return false;
  return flagOf(fallbacks?.ipf) ?? flagOf(considerIp) ?? (byDefault && flagOf(fallbacks?.all) !== false);
}
