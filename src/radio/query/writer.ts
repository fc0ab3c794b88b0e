// Writes a query: one positioning request as fixed-size structs in memory (layout.ts), so that no object is sent
// between threads.

import { KIND_BLUETOOTH, KIND_WIFI } from '../kind.ts';
import { writeBeaconKey, writeCellKey, writeMacKey } from '../station_key.ts';
import { type QueryTrack, writeTrack } from './answer.ts';
import {
  HAS_GPS,
  HAS_LAST_LOCATION,
  LONE_BEACONS,
  OBSERVATION_BYTES,
  REQUEST_ASKER,
  REQUEST_BLUETOOTH,
  REQUEST_BYTES,
  REQUEST_CELLS,
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
  REQUEST_LENGTH,
  REQUEST_SUBMITTED_WIFI,
  REQUEST_TEXT,
  REQUEST_TRACK,
  REQUEST_WIFI,
  TEXT_BYTES,
  TRACK_BYTES,
  WANTS_OUTDOORS,
  WANTS_TEXTS,
  WANTS_TRACK,
} from './layout.ts';
import type { QueryMemory } from './memory.ts';
import { type QueryFix, type TimedPosition, writeMeasured, writeOfKind } from './reader.ts';

/**
 * Bytes that a query with this many observations needs.
 * @param wants WANTS_* bits: the texts about the place that the request asks for, and whether its device is tracked
 */
export function queryBytes(observations: number, wants = 0): number {
  const bytes = REQUEST_BYTES + observations * OBSERVATION_BYTES;
  if (wants === 0) return bytes;
  return bytes + (wants & WANTS_TEXTS ? TEXT_BYTES : 0) + (wants & WANTS_TRACK ? TRACK_BYTES : 0);
}

/**
 * Writes one query: `begin`, observations in the order access points, beacons, cells, `addTrack` and `addText` if they
 * are wanted, `end`. Other parts may come at any time.
 */
export class QueryWriter {
  readonly memory: QueryMemory;
  /** Observations written since `begin`. */
  observations = 0;
  private start = 0;
  private next = 0;

  constructor(memory: QueryMemory) {
    this.memory = memory;
  }

  /** Starts a query at `offset` and zeroes its header; `queryBytes(n)` bytes must be free there. */
  begin(offset: number): void {
    this.start = offset;
    this.next = offset + REQUEST_BYTES;
    this.observations = 0;
    this.memory.f64.fill(0, offset >> 3, (offset + REQUEST_BYTES) >> 3);
  }

  /** Byte of the memory where observation `i` begins, also before it is written. */
  at(i: number): number {
    return this.start + REQUEST_BYTES + i * OBSERVATION_BYTES;
  }

  /** @param radios number of distinct radios among the submitted access points */
  setSubmittedRadios(radios: number): void {
    this.memory.u32[(this.start + REQUEST_SUBMITTED_WIFI) >> 2] = radios;
  }

  /** @param bits FALLBACK_* */
  setFallbacks(bits: number): void {
    this.memory.u32[(this.start + REQUEST_FALLBACKS) >> 2] = bits;
  }

  setFix(fix: QueryFix): void {
    const { f32, f64 } = this.memory;
    this.addFlags(HAS_GPS);
    f64[(this.start + REQUEST_GPS_LATITUDE) >> 3] = fix.latitude;
    f64[(this.start + REQUEST_GPS_LONGITUDE) >> 3] = fix.longitude;
    f32[(this.start + REQUEST_GPS_ACCURACY) >> 2] = fix.accuracyMetres;
    f32[(this.start + REQUEST_GPS_AGE) >> 2] = fix.ageSeconds;
  }

  setLastLocation(last: TimedPosition): void {
    const { f32, f64 } = this.memory;
    this.addFlags(HAS_LAST_LOCATION);
    f64[(this.start + REQUEST_LAST_LATITUDE) >> 3] = last.latitude;
    f64[(this.start + REQUEST_LAST_LONGITUDE) >> 3] = last.longitude;
    f64[(this.start + REQUEST_LAST_TIMESTAMP) >> 3] = last.timeMs;
    f32[(this.start + REQUEST_LAST_ACCURACY) >> 2] = last.accuracyMetres;
  }

  /** Appends an access point. `mac` 0..2^48-1; absent values are SIGNAL_ABSENT, 0 MHz, AGE_ABSENT and channel 0. */
  addWifi(mac: number, signalDbm: number, frequencyMhz: number, ageMs: number, channel: number): void {
    writeMacKey(this.memory.u8, this.next, KIND_WIFI, mac);
    writeMeasured(this.memory, this.next, signalDbm, frequencyMhz, ageMs);
    this.add(REQUEST_WIFI, -1, 0, channel);
  }

  /** Appends a Bluetooth device by its address. */
  addBluetooth(mac: number, signalDbm: number, ageMs: number): void {
    writeMacKey(this.memory.u8, this.next, KIND_BLUETOOTH, mac);
    writeMeasured(this.memory, this.next, signalDbm, 0, ageMs);
    this.add(REQUEST_BLUETOOTH, -1, 0, 0);
  }

  /** Appends an iBeacon; `uuid` has 16 bytes. @param mac its address, ADDRESS_ABSENT if it was not sent */
  addBeacon(uuid: Uint8Array, major: number, minor: number, signalDbm: number, ageMs: number, mac: number): void {
    writeBeaconKey(this.memory.u8, this.next, uuid, major, minor);
    writeMeasured(this.memory, this.next, signalDbm, 0, ageMs);
    this.add(REQUEST_BLUETOOTH, mac, 0, mac / 2 ** 32);
  }

  /** Begins a cell, which `addCell` appends. @param network as `networkNumber` makes it */
  identifyCell(kind: number, network: number, area: number, cell: number): void {
    writeCellKey(this.memory.u8, this.next, kind, network, area, cell);
  }

  /**
   * Appends the cell that `identifyCell` has begun. `flags` are FLAG_* bits; an absent `code` is CODE_ABSENT, an absent
   * `timing` -1.
   */
  addCell(signalDbm: number, code: number, ageMs: number, timing: number, flags: number): void {
    writeMeasured(this.memory, this.next, signalDbm, code, ageMs);
    this.add(REQUEST_CELLS, timing, flags, 0);
  }

  /** Appends observations that lie behind each other at `at` of another memory: access points, beacons, cells. */
  addAll(from: QueryMemory, at: number, wifi: number, bluetooth: number, cells: number): void {
    this.addStored(from.u8.subarray(at, at + (wifi + bluetooth + cells) * OBSERVATION_BYTES), wifi, bluetooth, cells);
  }

  /** Appends stored observations: access points, beacons, cells. */
  addStored(bytes: Uint8Array, wifi: number, bluetooth: number, cells: number): void {
    const { u8, u32 } = this.memory;
    const observations = wifi + bluetooth + cells;
    u8.set(bytes, this.next);
    u32[(this.start + REQUEST_WIFI) >> 2] += wifi;
    u32[(this.start + REQUEST_BLUETOOTH) >> 2] += bluetooth;
    u32[(this.start + REQUEST_CELLS) >> 2] += cells;
    this.next += bytes.length;
    this.observations += observations;
  }

  /** Notes which beacons may place a device alone. @param wants of which the LONE_BEACONS bits count */
  setLoneBeacons(wants: number): void {
    this.addFlags(wants & LONE_BEACONS);
  }

  /** Notes who asks. @param asker from `askerOf`; 0 = the operator, who does not guess */
  setAsker(asker: number): void {
    this.memory.u32[(this.start + REQUEST_ASKER) >> 2] = asker;
  }

  /** Appends the part for tracking. @param wants WANTS_* bits, of which those of tracking count */
  addTrack(track: QueryTrack, wants: number): void {
    this.addFlags(wants & (WANTS_TRACK | WANTS_OUTDOORS));
    this.memory.u32[(this.start + REQUEST_TRACK) >> 2] = this.next - this.start;
    writeTrack(this.memory, this.next, track);
    this.next += TRACK_BYTES;
  }

  /** Reserves space for text about the place. @param wants WANTS_* bits, of which those of texts count */
  addText(wants: number): void {
    this.addFlags(wants & WANTS_TEXTS);
    this.memory.u32[(this.start + REQUEST_TEXT) >> 2] = this.next - this.start;
    this.next += TEXT_BYTES;
  }

  /** Ends the query. @returns the offset after it, a multiple of 8 */
  end(): number {
    this.memory.u32[(this.start + REQUEST_LENGTH) >> 2] = this.next - this.start;
    return this.next;
  }

  /** Ends an observation, of which all else is written. @param count header field that counts these observations */
  private add(count: number, timing: number, flags: number, channel: number): void {
    writeOfKind(this.memory, this.next, timing, flags, channel);
    this.memory.u32[(this.start + count) >> 2]++;
    this.next += OBSERVATION_BYTES;
    this.observations++;
  }

  private addFlags(bits: number): void {
    this.memory.u32[(this.start + REQUEST_FLAGS) >> 2] |= bits;
  }
}
