// Reads a query: what the device heard and what the request asks for. Observations are numbered: access points first,
// then beacons, then cells. Whoever knows where an observation lies may also write it.

import { keyWithoutArea } from '../station_key.ts';
import {
  FLAG_INFERRED,
  FLAG_NO_AREA,
  HAS_GPS,
  HAS_LAST_LOCATION,
  OBSERVATION_ADDRESS,
  OBSERVATION_ADDRESS_HIGH,
  OBSERVATION_AGE,
  OBSERVATION_BYTES,
  OBSERVATION_CHANNEL,
  OBSERVATION_FLAGS,
  OBSERVATION_FREQUENCY,
  OBSERVATION_SIGNAL,
  OBSERVATION_TIMING,
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
  REQUEST_SUBMITTED_WIFI,
  REQUEST_WIFI,
} from './layout.ts';
import type { QueryMemory } from './memory.ts';

/** The device's own fix in a query. */
export interface QueryFix {
  /** Degrees, WGS-84. */
  latitude: number;
  longitude: number;
  /** Radius of 50 %; below 0 if it was not sent. */
  accuracyMetres: number;
  /** At least 0. */
  ageSeconds: number;
}

/** A position and its time, such as the last location that a request names. */
export interface TimedPosition {
  /** Degrees, WGS-84. */
  latitude: number;
  longitude: number;
  /** Radius that holds half of the truths. */
  accuracyMetres: number;
  /** Milliseconds since 1970. */
  timeMs: number;
}

/** Reads one query after the other. Belongs to one thread. */
export class QueryReader {
  memory: QueryMemory;
  /** Byte of the header. */
  offset: number;
  /** Number of access points: observations from 0 on. */
  wifi = 0;
  /** Number of beacons: observations from `wifi` on. */
  bluetooth = 0;
  /** Number of cells: observations from `firstCell` on. */
  cells = 0;
  /** Byte of the first observation. */
  private first = 0;

  constructor(memory: QueryMemory, offset: number) {
    this.memory = memory;
    this.offset = offset;
    this.open(memory, offset);
  }

  /** Opens another query. */
  open(memory: QueryMemory, offset: number): void {
    const { u32 } = memory;
    this.memory = memory;
    this.offset = offset;
    this.first = offset + REQUEST_BYTES;
    this.wifi = u32[(offset + REQUEST_WIFI) >> 2];
    this.bluetooth = u32[(offset + REQUEST_BLUETOOTH) >> 2];
    this.cells = u32[(offset + REQUEST_CELLS) >> 2];
  }

  get observations(): number {
    return this.wifi + this.bluetooth + this.cells;
  }

  /** Index of the first cell. */
  get firstCell(): number {
    return this.wifi + this.bluetooth;
  }

  /** Number of distinct radios among the submitted access points, including unusable ones. */
  get submittedRadios(): number {
    return this.memory.u32[(this.offset + REQUEST_SUBMITTED_WIFI) >> 2];
  }

  /** The account that asks; 0 = the operator. */
  get account(): number {
    return this.memory.u32[(this.offset + REQUEST_ASKER) >> 2] >>> 1;
  }

  /** True if that account is trusted. */
  get isTrusted(): boolean {
    return (this.memory.u32[(this.offset + REQUEST_ASKER) >> 2] & 1) === 1;
  }

  /** FALLBACK_* bits. */
  get fallbacks(): number {
    return this.memory.u32[(this.offset + REQUEST_FALLBACKS) >> 2];
  }

  /** WANTS_* bits among others. */
  get flags(): number {
    return this.memory.u32[(this.offset + REQUEST_FLAGS) >> 2];
  }

  /** Undefined if no usable fix was sent. */
  get fix(): QueryFix | undefined {
    if ((this.flags & HAS_GPS) === 0) return undefined;
    const { f32, f64 } = this.memory;
    return {
      latitude: f64[(this.offset + REQUEST_GPS_LATITUDE) >> 3],
      longitude: f64[(this.offset + REQUEST_GPS_LONGITUDE) >> 3],
      accuracyMetres: f32[(this.offset + REQUEST_GPS_ACCURACY) >> 2],
      ageSeconds: f32[(this.offset + REQUEST_GPS_AGE) >> 2],
    };
  }

  /** Byte of the memory where observation `i` and the key of its station begin; a multiple of 8. */
  at(i: number): number {
    return this.first + i * OBSERVATION_BYTES;
  }

  /** KIND_* of the station. */
  kind(i: number): number {
    return this.memory.u8[this.at(i)];
  }

  /** dBm; SIGNAL_ABSENT if it was not sent. */
  signalDbm(i: number): number {
    return signalAt(this.memory, this.at(i));
  }

  /** Frequency in MHz of an access point; 0 if it was not sent. */
  frequencyMhz(i: number): number {
    return frequencyAt(this.memory, this.at(i));
  }

  /** Scrambling code or physical cell id of a cell; CODE_ABSENT if it was not sent. */
  code(i: number): number {
    return codeAt(this.memory, this.at(i));
  }

  /** Milliseconds; AGE_ABSENT if it was not sent. */
  ageMs(i: number): number {
    return ageAt(this.memory, this.at(i));
  }

  /** Address of an iBeacon; ADDRESS_ABSENT if it was not sent. */
  address(i: number): number {
    return addressAt(this.memory, this.at(i));
  }

  /** Timing advance in the unit of the radio type; -1 if it was not sent. */
  timing(i: number): number {
    return timingAt(this.memory, this.at(i));
  }

  /** FLAG_* bits. */
  observationFlags(i: number): number {
    return flagsAt(this.memory, this.at(i));
  }
}

/** The last location that the query at `offset` names; undefined if none with a time was sent. */
export function lastLocationAt({ u32, f32, f64 }: QueryMemory, offset: number): TimedPosition | undefined {
  if ((u32[(offset + REQUEST_FLAGS) >> 2] & HAS_LAST_LOCATION) === 0) return undefined;
  return {
    latitude: f64[(offset + REQUEST_LAST_LATITUDE) >> 3],
    longitude: f64[(offset + REQUEST_LAST_LONGITUDE) >> 3],
    accuracyMetres: f32[(offset + REQUEST_LAST_ACCURACY) >> 2],
    timeMs: f64[(offset + REQUEST_LAST_TIMESTAMP) >> 3],
  };
}

// One observation of a query, which begins at byte `at` with the key of its station (../station_key.ts).

/** dBm; SIGNAL_ABSENT if it was not sent. */
export function signalAt({ i16 }: QueryMemory, at: number): number {
  return i16[(at + OBSERVATION_SIGNAL) >> 1];
}

/** Frequency in MHz of an access point; 0 if it was not sent. */
function frequencyAt({ u16 }: QueryMemory, at: number): number {
  return u16[(at + OBSERVATION_FREQUENCY) >> 1];
}

/** Scrambling code or physical cell id of a cell; CODE_ABSENT if it was not sent. */
function codeAt({ u16 }: QueryMemory, at: number): number {
  return u16[(at + OBSERVATION_FREQUENCY) >> 1];
}

/** Milliseconds; AGE_ABSENT if it was not sent. */
export function ageAt({ u32 }: QueryMemory, at: number): number {
  return u32[(at + OBSERVATION_AGE) >> 2];
}

/** Timing advance in the unit of the radio type; -1 if it was not sent. */
export function timingAt({ i32 }: QueryMemory, at: number): number {
  return i32[(at + OBSERVATION_TIMING) >> 2];
}

/** Address of an iBeacon; ADDRESS_ABSENT if it was not sent. */
export function addressAt({ u16, u32 }: QueryMemory, at: number): number {
  return u16[(at + OBSERVATION_ADDRESS_HIGH) >> 1] * 2 ** 32 + u32[(at + OBSERVATION_ADDRESS) >> 2];
}

/** FLAG_* bits. */
export function flagsAt({ u16 }: QueryMemory, at: number): number {
  return u16[(at + OBSERVATION_FLAGS) >> 1];
}

/** Sets FLAG_* bits. */
export function setFlags({ u16 }: QueryMemory, at: number, flags: number): void {
  u16[(at + OBSERVATION_FLAGS) >> 1] |= flags;
}

/** Clears FLAG_* bits. */
export function clearFlags({ u16 }: QueryMemory, at: number, flags: number): void {
  u16[(at + OBSERVATION_FLAGS) >> 1] &= ~flags;
}

/** Writes what any station may have. Absent values are SIGNAL_ABSENT, 0 MHz or CODE_ABSENT, and AGE_ABSENT. */
export function writeMeasured(
  memory: QueryMemory,
  at: number,
  signalDbm: number,
  frequencyOrCode: number,
  ageMs: number,
): void {
  memory.i16[(at + OBSERVATION_SIGNAL) >> 1] = signalDbm;
  memory.u16[(at + OBSERVATION_FREQUENCY) >> 1] = frequencyOrCode;
  memory.u32[(at + OBSERVATION_AGE) >> 2] = ageMs;
}

/** Writes what depends on the kind of the station. @param timing or the low word of an address; -1 if there is none */
export function writeOfKind(memory: QueryMemory, at: number, timing: number, flags: number, channel: number): void {
  memory.i32[(at + OBSERVATION_TIMING) >> 2] = timing;
  memory.u16[(at + OBSERVATION_FLAGS) >> 1] = flags;
  memory.u16[(at + OBSERVATION_CHANNEL) >> 1] = channel;
}

/** Completes the identity of a cell: writes its whole key, and takes it from what was inferred or missing. */
export function completeKey(memory: QueryMemory, at: number, key: Uint8Array): void {
  memory.u8.set(key, at);
  clearFlags(memory, at, FLAG_INFERRED | FLAG_NO_AREA);
}

/** Takes the area code from the identity of a cell. */
export function forgetArea(memory: QueryMemory, at: number): void {
  memory.u8.set(keyWithoutArea(memory.u8, at), at);
  setFlags(memory, at, FLAG_NO_AREA);
}

/** Copies an observation over another one. */
export function copyObservation({ u8 }: QueryMemory, to: number, from: number): void {
  u8.copyWithin(to, from, from + OBSERVATION_BYTES);
}
