// A query: one positioning request as fixed-size structs in memory, written by the HTTP side and read by the strategies, on the same thread or on
// another one. The header has 192 bytes at fixed offsets and each observation 40 (wasm/memory.ts). No objects cross a thread.

import { KIND_BLUETOOTH, KIND_WIFI } from '../kind.ts';
import { writeBeaconKey, writeCellKey, writeMacKey } from '../station_key.ts';
import {
  AGE_ABSENT,
  CODE_ABSENT,
  OBSERVATION_AGE,
  OBSERVATION_BYTES,
  OBSERVATION_CHANNEL,
  OBSERVATION_FLAGS,
  OBSERVATION_FREQUENCY,
  OBSERVATION_SIGNAL,
  OBSERVATION_TIMING,
  REQUEST_BLUETOOTH,
  REQUEST_BYTES,
  REQUEST_CELLS,
  REQUEST_FLAGS,
  REQUEST_LENGTH,
  REQUEST_TEXT,
  REQUEST_WIFI,
  SIGNAL_ABSENT,
  TEXT_BYTES,
} from './layout.ts';

/** Typed views over the memory that queries live in; `buffer` may be shared. Offsets are bytes and a multiple of 8. */
export class QueryMemory {
  readonly buffer: ArrayBufferLike;
  readonly u8: Uint8Array;
  readonly u16: Uint16Array;
  readonly i16: Int16Array;
  readonly u32: Uint32Array;
  readonly i32: Int32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;

  constructor(buffer: ArrayBufferLike) {
    this.buffer = buffer;
    this.u8 = new Uint8Array(buffer);
    this.u16 = new Uint16Array(buffer);
    this.i16 = new Int16Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
  }
}

/**
 * Bytes that a query with this many observations may need.
 * @param wants WANTS_* bits: what is to be told about the place
 */
export function queryBytes(observations: number, wants = 0): number {
  return REQUEST_BYTES + observations * OBSERVATION_BYTES + (wants === 0 ? 0 : TEXT_BYTES);
}

/** Writes one query: `begin`, header fields by offset, observations in the order access points, beacons, cells, `addText` if it is asked for, `end`. */
export class QueryWriter {
  readonly memory: QueryMemory;
  private start = 0;
  private next = 0;

  constructor(memory: QueryMemory) {
    this.memory = memory;
  }

  /** Starts a query at `offset` and zeroes its header; `queryBytes(n)` bytes must be free there. */
  begin(offset: number): void {
    this.start = offset;
    this.next = offset + REQUEST_BYTES;
    this.memory.f64.fill(0, offset >> 3, (offset + REQUEST_BYTES) >> 3);
  }

  /** Sets a 32-bit header field, by its REQUEST_* offset. */
  setInt(field: number, value: number): void {
    this.memory.u32[(this.start + field) >> 2] = value;
  }

  /** Sets a 32-bit float header field. */
  setFloat(field: number, value: number): void {
    this.memory.f32[(this.start + field) >> 2] = value;
  }

  /** Sets a 64-bit float header field. */
  setDouble(field: number, value: number): void {
    this.memory.f64[(this.start + field) >> 3] = value;
  }

  /** Adds bits to a 32-bit header field. */
  addBits(field: number, bits: number): void {
    this.memory.u32[(this.start + field) >> 2] |= bits;
  }

  /** Appends an access point. `mac` 0..2^48-1; absent values as SIGNAL_ABSENT, 0 MHz, AGE_ABSENT, channel 0. */
  addWifi(mac: number, signalDbm: number, frequencyMhz: number, ageMs: number, channel: number): void {
    writeMacKey(this.memory.u8, this.next, KIND_WIFI, mac);
    this.addValues(signalDbm, frequencyMhz, ageMs, -1, 0, channel);
    this.count(REQUEST_WIFI);
  }

  /** Appends a Bluetooth device by its address. */
  addBluetooth(mac: number, signalDbm: number, ageMs: number): void {
    writeMacKey(this.memory.u8, this.next, KIND_BLUETOOTH, mac);
    this.addValues(signalDbm, 0, ageMs, -1, 0, 0);
    this.count(REQUEST_BLUETOOTH);
  }

  /** Appends an iBeacon; `uuid` has 16 bytes. */
  addBeacon(uuid: Uint8Array, major: number, minor: number, signalDbm: number, ageMs: number): void {
    writeBeaconKey(this.memory.u8, this.next, uuid, major, minor);
    this.addValues(signalDbm, 0, ageMs, -1, 0, 0);
    this.count(REQUEST_BLUETOOTH);
  }

  /** Appends a cell; `flags` are FLAG_* bits, `code` CODE_ABSENT and `timing` -1 when not sent. */
  addCell(
    kind: number,
    mcc: number,
    mnc: number,
    area: number,
    cell: number,
    signalDbm: number,
    code: number,
    ageMs: number,
    timing: number,
    flags: number,
  ): void {
    writeCellKey(this.memory.u8, this.next, kind, mcc, mnc, area, cell);
    this.addValues(signalDbm, code, ageMs, timing, flags, 0);
    this.count(REQUEST_CELLS);
  }

  /** Makes room for text about the place. @param wants WANTS_* bits, at least one */
  addText(wants: number): void {
    this.addBits(REQUEST_FLAGS, wants);
    this.setInt(REQUEST_TEXT, this.next - this.start);
    this.next += TEXT_BYTES;
  }

  /** Ends the query. @returns the offset behind it, a multiple of 8. */
  end(): number {
    this.setInt(REQUEST_LENGTH, this.next - this.start);
    return this.next;
  }

  private addValues(signalDbm: number, frequency: number, ageMs: number, timing: number, flags: number, channel: number): void {
    const at = this.next;
    const memory = this.memory;
    memory.i16[(at + OBSERVATION_SIGNAL) >> 1] = signalDbm;
    memory.u16[(at + OBSERVATION_FREQUENCY) >> 1] = frequency;
    memory.u32[(at + OBSERVATION_AGE) >> 2] = ageMs;
    memory.i32[(at + OBSERVATION_TIMING) >> 2] = timing;
    memory.u16[(at + OBSERVATION_FLAGS) >> 1] = flags;
    memory.u16[(at + OBSERVATION_CHANNEL) >> 1] = channel;
    this.next = at + OBSERVATION_BYTES;
  }

  private count(field: number): void {
    this.memory.u32[(this.start + field) >> 2]++;
  }
}

export { AGE_ABSENT, CODE_ABSENT, SIGNAL_ABSENT };
